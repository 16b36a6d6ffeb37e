package explore

import (
	"fmt"
	"time"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/lts"
	"github.com/atmostk/atmostk/model/movers"
	"github.com/atmostk/atmostk/model/usage"
)

// Verdict is the answer to a property or to a whole check.
type Verdict string

const (
	// Holds is the verdict only after a complete exploration, or for a goal that was reached.
	Holds Verdict = "holds"
	// Violated comes with a counterexample, or with a complete exploration that
	// never reached the goal.
	Violated Verdict = "violated"
	// Unknown means that a limit or a bound ended the search first, or that the store cannot answer.
	Unknown Verdict = "unknown"
	// ModelError is a verdict of whole checks only: the model itself is at fault, and Report.Mistake
	// describes the mistake. Of the properties only violations are known then.
	ModelError Verdict = "model error"
)

// A StoreKind is a way to keep the visited states.
type StoreKind uint8

const (
	// Exact keeps whole states in memory, each with a link to its parent.
	Exact StoreKind = iota
	// Compact keeps a code of each state in memory. That proves nothing: two states may have the same code.
	Compact
	// Disk keeps the codes of all and the states of two levels in files.
	Disk
)

// String names the kind as reports do.
func (k StoreKind) String() string { return [...]string{"exact", "compact", "disk"}[k] }

// proves reports whether a finished search has certainly visited all states, so that its verdicts are proved.
func (k StoreKind) proves() bool { return k != Compact }

const storeOption = usage.Option("store")

// lacks reports whether the store does not keep the data that properties of a kind need.
func (k StoreKind) lacks(kind model.PropertyKind) bool {
	return k != Exact && (kind == model.Liveness || kind == model.Costs)
}

// Unfit returns the reason that properties of a kind cannot be judged with the store.
func (k StoreKind) Unfit(kind model.PropertyKind) usage.Text {
	return usage.Textf("a property of %v needs the graph of all states, which %s %v does not keep; "+
		"%s exact does", kind, storeOption, k, storeOption)
}

// A Report is the result of a search.
type Report struct {
	Verdict  Verdict
	Complete bool   // every reachable state was visited
	Stopped  string // the reason that the search is not complete, a sentence; "": it is complete
	// Reduce is the reduction: all numbers below count only the states that it visits.
	Reduce model.Reduction
	// Movers are the receipts, with the reduction by movers: see Mover.
	Movers []Mover

	States    int64   // distinct reachable states visited
	Generated int64   // initial states and successors, counting repeats
	Depth     int     // levels, the initial states' included
	Levels    []int64 // states per level
	Outside   int64   // successors rejected by the constraint or beyond the bounds, counting repeats
	Beyond    int64   // successors beyond the bounds; if there is one, no property holds for certain
	Actions   []lts.Action
	Fired     []int64 // per action: number of its steps that were generated

	// Pruned counts steps that an assumption forbids. Stuck counts states all of
	// whose steps are pruned: they belong to no run that keeps the assumption.
	Pruned     int64
	Stuck      int64
	StuckDepth int // first level with such a state; 0: none

	Quiet int64 // states with no ordinary step enabled

	// Unchanged are the variables that no step changed, after a complete search: see lts.Coverage.
	Unchanged []string
	// Unseen are the fairness conditions about steps that are enabled nowhere, if the graph of
	// all states was built for liveness.
	Unseen []string

	Properties []Result
	// NotAsked are the properties that were not checked because they are moot and were not asked for by name.
	NotAsked []model.PropertyInfo

	Mistake *Mistake // nil: none was met

	Elapsed    time.Duration
	Memory     int64 // bytes: the peak of the search's own data
	StateBytes int   // bytes of one state in the visited set

	Store StoreKind
	// Omission bounds the probability that the search left out a state, and all states behind it,
	// because another state has the same code. 0: whole states were compared.
	Omission float64
	CodeBits int   // bits of a code; 0: whole states were compared
	Disk     int64 // bytes: the peak of the files
}

// A Mover is a receipt, and where the search took it at once.
type Mover struct {
	Action string
	Level  movers.Level
	// Obstacle is the reason that its level is not the highest; "": it is.
	Obstacle string
}

// String is a line of a report.
func (m Mover) String() string {
	s := fmt.Sprintf("received at once %s: %s", m.Level, m.Action)
	if m.Obstacle != "" {
		s += " (" + m.Obstacle + ")"
	}
	return s
}

// A Mistake is a fault of the model itself, with the shortest run that leads there.
type Mistake struct {
	*model.Error
	// Path ends in the state in which the mistake shows, or from which the step starts that shows
	// it, if the Error has an Action. Nil: the mistake did not show again when its run was executed
	// once more, or the initial states cannot be computed.
	Path []Step
	// Length is the number of steps of the run, including the step in which the mistake shows; -1
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
	// Part is the violated part of a property made by invariants.Each; "" for other
	// properties.
	Part string
	// Vacuous names the states or steps that a property which holds needs and that the search never met,
	// such as "no state was quiet". Excuse, if not "", is the reason that this is no defect of the model.
	Vacuous []string
	// Count is the number of visited states that violate the property or, for a goal,
	// reach it (for step invariants: of steps). It is complete if the exploration is.
	Count int64
	// Path is the counterexample or witness.
	Path []Step
	// CycleAt is, for a Liveness property, the index of the step to whose state the last
	// one returns, so that the run goes on for ever; if it is the index of the last
	// step itself, the run stays in its state. Length counts the steps up to there.
	CycleAt int
	// Least and Most are the least and the highest cost for a property of kind Costs, after a complete
	// exploration; nil if no run is counted.
	Least, Most *Extreme
	// Undecided is the reason for the verdict Unknown, if it is another one than
	// Report.Stopped.
	Undecided string
	// Lost counts the states from which a goal is out of reach within the constraint (Options.OutOfReach).
	Lost        []Lost
	LostUnknown string // the reason that Lost was asked for and is not known
}

// An Extreme is the least or the highest cost that a bound counted, with a run that has it.
type Extreme struct {
	Count    int    `json:"messages"`
	Requests int    `json:"requests"`          // for bounds on whole runs: the requests that divide the count
	Endless  bool   `json:"endless,omitempty"` // no highest cost exists: a cycle of the run can be repeated
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
	States int64  `json:"states"` // number of states of the class
	Lost   int64  `json:"lost"`   // number of them from which the goal is out of reach
}

// sumUp makes a verdict of the whole check of the verdicts of its properties, unless the model is at fault.
func (r *Report) sumUp() {
	r.Verdict = Unknown
	switch {
	case r.Mistake != nil:
		r.Verdict = ModelError
		return
	case r.Complete && len(r.Properties) > 0: // without a property nothing holds
		r.Verdict = Holds
	}
	for _, p := range r.Properties {
		if p.Verdict == Violated || p.Verdict == Unknown && r.Verdict == Holds {
			r.Verdict = p.Verdict
		}
	}
}

// unanswered adds the properties that the store cannot judge to the results, as unknown.
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

// Never returns the actions that were never generated, without faults if the reduction may leave out crashes.
func (r *Report) Never() (names []string) {
	for i, n := range r.Fired {
		if n == 0 && (!r.Reduce.Crashes && !r.Reduce.Movers || r.Actions[i].Kind != model.Fault) {
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
	Levels    []int64 // states per level, including the current one; the receiver must not change it
	Frontier  int     // states of the current level that are not expanded yet
	Merged    int     // on disk: number of merged shards of the next level, at most Merging
	Merging   int     // number of its shards; 0: states are being expanded
	Read      int64   // bytes of files that were read to resume the search; 0: it does not resume
	Memory    int64
	Disk      int64 // bytes of files
	Elapsed   time.Duration
}
