package explore

import (
	"time"

	"github.com/atmostk/atmostk/explore/store"
	"github.com/atmostk/atmostk/explore/store/compact"
	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/lts"
	"github.com/atmostk/atmostk/model/usage"
)

// Verdict is the answer to a property or to a whole check.
type Verdict string

const (
	// Holds is only said after a complete exploration, or of a goal that was reached.
	Holds Verdict = "holds"
	// Violated comes with a counterexample, or with a complete exploration that
	// never reached the goal.
	Violated Verdict = "violated"
	// Unknown means that a limit ended the search too early to say.
	Unknown Verdict = "unknown"
	// ModelError is the verdict of a check only: the model itself is at fault, Report.Mistake
	// says how. Only violations are known besides.
	ModelError Verdict = "model error"
)

// A StoreKind is a way to keep the visited states.
type StoreKind uint8

const (
	// Exact keeps them in memory, whole, each with a link to its parent.
	Exact StoreKind = iota
	// Compact keeps a code of each in memory, from which no proof follows, as two states may have the same.
	Compact
	// Disk keeps the codes of all and the states of two levels in files.
	Disk
)

// String names the kind as reports do.
func (k StoreKind) String() string { return [...]string{"exact", "compact", "disk"}[k] }

// codeBits returns how many bits codes have that are compared; 0: states are.
func (k StoreKind) codeBits() int { return [...]int{0, compact.Bits, store.CodeBits}[k] }

// proves reports whether a search to the end visits all states, so that its verdicts are proved.
func (k StoreKind) proves() bool { return k != Compact }

// storeOption is the option by which a Store is asked for.
const storeOption = usage.Option("store")

// lacks reports whether the store does not keep what properties of a kind need.
func (k StoreKind) lacks(kind model.PropertyKind) bool {
	return k != Exact && (kind == model.Liveness || kind == model.Costs)
}

// Unfit says why properties of a kind cannot be judged with the store.
func (k StoreKind) Unfit(kind model.PropertyKind) usage.Text {
	return usage.Textf("a property of %v needs the graph of all states, which %s %v does not keep; "+
		"%s exact does", kind, storeOption, k, storeOption)
}

// A Report is what a search found out.
type Report struct {
	Verdict  Verdict
	Complete bool   // every reachable state was visited
	Stopped  string // why the search is not complete, a sentence; "" if it is
	// Reduce is the reduction: all figures count visited states only.
	Reduce model.Reduction

	States    int64   // distinct reachable states visited
	Generated int64   // initial states and successors, counting repeats
	Depth     int     // levels, the initial states' included
	Levels    []int64 // states per level
	Outside   int64   // successors rejected by the constraint or beyond the bounds, counting repeats
	Beyond    int64   // those beyond the bounds: where there are any, nothing can be said to hold
	Actions   []lts.Action
	Fired     []int64 // per action: how often it was generated

	// Pruned counts steps that an assumption forbids. Stuck are the states all of
	// whose steps are pruned: they belong to no run that keeps the assumption.
	Pruned     int64
	Stuck      int64
	StuckDepth int // first level with such a state; 0: none

	Quiet int64 // states with no ordinary step enabled

	// Of a complete search, what of the model it never saw in use: see lts.Coverage.
	Unchanged []string
	// Unseen are the fairness conditions about steps that are enabled nowhere, if the graph of
	// all states was gone through.
	Unseen []string

	Properties []Result
	// NotAsked are the properties that were not checked because they are moot, and that were not asked for by
	// name.
	NotAsked []model.PropertyInfo

	Mistake *Mistake // nil: none was met

	Elapsed    time.Duration
	Memory     int64 // bytes: the most that the search's own data took at a time
	StateBytes int   // bytes of one state in the visited set

	Store StoreKind
	// Omission bounds the probability that a state was taken for another one, as both have the same
	// code, and was left out, with all that follows from it. 0: states were compared.
	Omission float64
	CodeBits int   // of those codes
	Disk     int64 // bytes: the most that files took at a time
}

// A Mistake is a fault of the model itself, with the shortest run that leads there.
type Mistake struct {
	*model.Error
	// Path ends in the state in which the mistake shows: in a step from there, if the Error
	// has an Action. Nil: it showed once, and not when its run was executed again; or there is no
	// run, because the initial states cannot be computed.
	Path []Step
	// Length is the number of steps of the run, the one included in which the mistake shows; -1
	// if there is no run.
	Length int
}

// A Result is the answer to one property.
type Result struct {
	model.PropertyInfo
	Verdict Verdict
	// Length is the number of steps of the shortest counterexample or witness; -1
	// without one.
	Length int
	// Part is, for a property made by invariants.Each, which of its parts is violated; ""
	// for others.
	Part string
	// Vacuous says, for a property that holds, which states or steps it needs and the search never met:
	// no state was quiet. Where there is something, Excuse is why, or "".
	Vacuous []string
	// Count is how many visited states violate the property or, for a goal, reach
	// it (for step invariants: how many steps). It is complete if the exploration is.
	Count int64
	// Path is the counterexample or witness.
	Path []Step
	// CycleAt is, for a Liveness property, the index of the step to whose state the last
	// one returns, so that the run goes on for ever; if it is the index of the last
	// step itself, the run stays in its state. Length counts the steps up to there.
	CycleAt int
	// Least and Most are what was counted for a property of kind Costs, after a complete
	// exploration; nil if it is about no run.
	Least, Most *Extreme
	// Undecided is why a property of kind Liveness or Costs is unknown after a complete
	// exploration.
	Undecided string
	// Lost answers the question from where a goal is out of reach (Options.OutOfReach).
	Lost        []Lost
	LostUnknown string // why that question was asked and not answered
}

// An Extreme is the least or the most that a bound counted, in a run that shows it.
type Extreme struct {
	Count    int    `json:"messages"`
	Requests int    `json:"requests"`          // for bounds on whole runs: by how many requests the count is divided
	Endless  bool   `json:"endless,omitempty"` // there is no most: a cycle of the run can be repeated
	Path     []Step `json:"-"`
}

// A Step of a path: what happened, and the state after it. The first step of a
// path is the initial state.
type Step struct {
	Action string // "" for the initial state
	Owner  string // the process that acted, "" if none in particular
	Text   string
	State  lts.State
}

// Lost counts states of one class from which a goal cannot be reached any more.
type Lost struct {
	Origin string `json:"from"`   // the class; "" for all states
	States int64  `json:"states"` // how many there are
	Lost   int64  `json:"lost"`   // from how many of them the goal is out of reach
}

// unanswered makes properties unknown for which the store lacks data.
func (r *Report) unanswered() {
	var moot []model.PropertyInfo
	for _, p := range r.NotAsked {
		if p.Moot != "" {
			moot = append(moot, p)
			continue
		}
		r.Properties = append(r.Properties, Result{PropertyInfo: p, Verdict: Unknown, Length: -1,
			Undecided: r.Store.Unfit(p.Kind).String()})
		if r.Verdict == Holds {
			r.Verdict = Unknown
		}
	}
	r.NotAsked = moot
}

// Never returns the actions that were never generated, without crashes that were left out.
func (r *Report) Never() (names []string) {
	for i, n := range r.Fired {
		if n == 0 && (!r.Reduce.Crashes || r.Actions[i].Kind != model.Fault) {
			names = append(names, r.Actions[i].Name)
		}
	}
	return names
}

// A Snapshot is the progress of a search under way.
type Snapshot struct {
	States    int64
	Generated int64
	Level     int
	Levels    []int64 // states per level, the present one included; not to be changed
	Frontier  int     // states of this level that are still to be expanded
	Merged    int     // on disk: how many of Merging shards of the next level are merged
	Merging   int     // 0: none, states are being expanded
	Memory    int64
	Disk      int64 // bytes of files
	Elapsed   time.Duration
}
