package explore

import (
	"cmp"
	"context"
	"fmt"
	"runtime"
	"slices"
	"time"

	"github.com/atmostk/atmostk/explore/kernel"
	"github.com/atmostk/atmostk/explore/live"
	"github.com/atmostk/atmostk/explore/stategraph"
	"github.com/atmostk/atmostk/explore/store"
	"github.com/atmostk/atmostk/explore/store/compact"
	"github.com/atmostk/atmostk/explore/store/memory"
	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/check"
	"github.com/atmostk/atmostk/model/lts"
	"github.com/atmostk/atmostk/model/movers"
	"github.com/atmostk/atmostk/model/usage"
)

// Options select the properties to check, the limits and the store. The zero value
// checks everything, with one worker per processor and without limits.
type Options struct {
	// Properties are the indices of the properties to check; nil: all except moot
	// properties and properties that are checked on request only.
	Properties []int
	// KeepGoing makes the search go on after a violation.
	KeepGoing bool
	// OutOfReach makes the search count, for each goal, the states from which it cannot be
	// reached any more. That needs a complete exploration and memory for all edges.
	OutOfReach bool
	Workers    int // 0: runtime.GOMAXPROCS
	// Reduce is the reduction; the zero value: none.
	Reduce model.Reduction

	MaxStates int64 // stop at this number of states; 0: no limit
	MaxDepth  int   // do not expand the states of this level; 0: no limit
	Finds     int   // stop when this many of the properties have a find; 0: no limit
	Memory    int64 // bytes of the process that may be resident; 0: no limit
	// Store selects the place of the visited states. With the Disk store Memory is a budget.
	Store Store
	// Progress, if not nil, is called at most ten times a second, and never after Run has returned.
	Progress func(Snapshot)

	supervisor *supervisor // nil: the search is not supervised
}

// hooks are for tests. A context carries them.
type hooks struct {
	// stopAt is called wherever a search can stop, and returns the reason to stop; "": it goes on.
	stopAt func(stopPoint) string
	grace  time.Duration // in place of any grace period; 0: none
	batch  int64         // disk.Host.BatchStates
	shards int           // in place of diskShards; 0: none
}

type hooksKey struct{}

func hooksOf(ctx context.Context) hooks {
	h, _ := ctx.Value(hooksKey{}).(hooks)
	return h
}

// A stopPoint is a kind of place in the code where a search can stop.
type stopPoint string

const (
	atExpansion stopPoint = "expansion" // before states are expanded
	atFilled    stopPoint = "filled"    // before memos of a state are filled
	atMemory    stopPoint = "memory"    // before more memory is taken
	atPages     stopPoint = "pages"     // before the system is asked for pages; it refuses them
	atPass      stopPoint = "pass"      // in a pass over the graph of states
)

// ErrInternal is wrapped by errors that can only be a mistake in this program,
// such as a counterexample that the plain semantics do not confirm.
var ErrInternal = store.ErrInternal

// Run explores an instance. It stops early at a violation (unless KeepGoing is set), at
// a limit, and when ctx is done; the result is an incomplete Report and not an error. If
// ctx is done and a function of the model does not return, the search is abandoned.
func Run(ctx context.Context, in model.Instance, opt Options) (*Report, error) {
	if err := in.Check(); err != nil {
		return nil, err
	}
	grace := GracePeriod
	if opt.Store.Dir != "" {
		grace = writingGracePeriod
	}
	return supervised(ctx, in, opt, grace)
}

// run explores an instance that passed Check. It waits for all functions of the model to return.
func run(ctx context.Context, in model.Instance, opt Options) (*Report, error) {
	if opt.OutOfReach && opt.Reduce != (model.Reduction{}) {
		return nil, usage.Errorf("states out of reach are counted among all states: %s takes %s none",
			usage.Option("out-of-reach"), usage.Option("reduce"))
	}
	if opt.OutOfReach && in.Numbers != nil {
		return nil, usage.Errorf("states out of reach are counted with numbers: %s takes no rounds=any",
			usage.Option("out-of-reach"))
	}
	whole := in
	in, err := in.Reduce(opt.Reduce, opt.asked(in.Space.Properties()))
	if err != nil {
		return nil, err
	}
	search := runInMemory
	if opt.Store.Kind == Disk {
		search = runOnDisk
	}
	r, err := search(ctx, in, opt)
	if err == nil && opt.Reduce.Movers {
		opt.Reduce.Movers = false
		err = r.AddRuns(whole, opt, func(o Options) (*Report, error) {
			if o.Store.Kind == Disk { // which properties have a find may change when the search is resumed
				o.Store.Dir += fmt.Sprintf("/runs-%x", o.asked(whole.Space.Properties()))
				_, err := store.Load(store.Dir(o.Store.Dir))
				o.Store.Resume = !store.Missing(err)
			}
			return run(ctx, whole, o)
		})
	}
	return r, err
}

// runInMemory is run, with the other stores.
func runInMemory(ctx context.Context, in model.Instance, opt Options) (r *Report, err error) {
	begun := time.Now()
	var s *search
	defer func() { s.free() }()
	for begin := true; begin; begin = err == nil && s.again() {
		s.free()
		if s, err = newSearch(ctx, in, opt); err == nil {
			err = s.explore()
		}
	}
	if err != nil {
		return nil, err
	}
	mistake, err := s.end()
	switch {
	case mistake != nil && opt.Reduce.Movers: // its run would leave out what is received at once
		err = mistake
	case mistake != nil:
		s.free()
		if s, err = newSearch(ctx, in, opt); err == nil {
			err = s.find(mistake)
		}
	}
	if err != nil {
		return nil, err
	}
	s.report.Elapsed = time.Since(begun)
	return &s.report, nil
}

// unfit returns the reason that a property to check cannot be judged; nil: all can.
func (s *search) unfit() error {
	if s.opt.OutOfReach && s.opt.Store.Kind != Exact {
		return usage.Errorf("counting the states from which a goal is out of reach needs all states: "+
			"%s exact keeps them", storeOption)
	}
	for i, p := range s.in.Space.Properties() {
		if s.asked>>i&1 == 0 {
			continue
		}
		if s.opt.Store.Kind.lacks(p.Kind) {
			return usage.Errorf("%s: %s", p.Name, s.opt.Store.Kind.Unfit(p.Kind))
		}
		if p.Kind != model.Liveness {
			continue
		}
		if s.in.Space.Reduced() {
			return usage.Errorf("%s is a liveness property, which cannot be judged under symmetry "+
				"reduction; %s leaves it out, or the reduction has to be off", p.Name,
				usage.Option("property"))
		}
		for _, l := range p.Lassos {
			if n := len(s.in.Space.Fairness()) + l.Visits; n > lts.MaxFair {
				return usage.Errorf("%s: %d fairness conditions and states to visit; allowed are %d", p.Name,
					n, lts.MaxFair)
			}
		}
	}
	return nil
}

// Digest identifies an instance with the properties that the options select: see Expander.Model.
func Digest(in model.Instance, opt Options) string {
	return digest(in, opt.asked(in.Space.Properties()), opt.Reduce)
}

// A search is the state of one Run.
type search struct {
	ctx       context.Context
	in        model.Instance
	space     kernel.Space
	states    lts.States // decodes vectors of space
	opt       Options
	hooks     hooks
	begun     time.Time
	asked     uint64 // properties to check
	exhausted bool   // all reachable states within the bounds were visited: see gap
	disproved bool   // a receipt at once does not commute: the search has to begin again
	goals     uint64 // the Reachable properties among asked

	judgeStates, judgeSteps bool // some property in asked is about states, about steps
	judgeAll                bool // all states have to be judged, not only suspect ones
	// everyStep: all steps have to be expanded, not only the steps that have to be looked up.
	everyStep bool
	deadlock  uint64 // the DeadlockFree properties among asked

	visited       visitedSet
	disk          *Expander // nil: the states are in memory
	width         int
	behind        int // words behind the vector in an entry of a queue
	tables        memory.Set
	now           memory.Queue // the rest of the level under way
	next          memory.Queue // the next level
	workers       *pool
	cursors       []*checker     // one for each worker
	filler        kernel.Filler  // in use only while no other cursor is
	filling       *checker       // with the filler as its cursor
	siblingCaches []siblingCache // one for each worker
	chunks        []chunk
	missing       []uint32              // entries of states with a missing memo, not expanded yet
	lacking       []uint32              // the buffer of missing
	tags          [memory.Shards]uint32 // per shard: the union of the tags of its new states in an expansion
	touched       [memory.Shards]uint32 // keeps the touching loads from being optimised away
	finds         []find                // per property, the first one
	shown         time.Time             // when the progress was last reported
	looked        time.Time             // when the memory of the process was last read
	built         *stategraph.Graph     // made by the first call of graph
	fairGraph     *live.Graph           // made by the first call of fair
	counts        store.Counts          // see tally
	report        Report
	mistake       *metMistake                 // of the model; nil: none was met
	probing       bool                        // new states are probed
	expansions    int                         // number of expansions begun
	compact       *compact.Set                // the visited set, with the Compact store; nil with others
	noLinks       error                       // the error of recoverParents beyond linked; nil: none
	linked        int                         // the last level that has its parents
	code          func(v []uint32) store.Code // identifies a state
}

// A find is the first state or step at which a property has to be reported.
type find struct {
	known  bool
	level  int         // of the state
	state  []uint32    // a visited state
	beyond []uint32    // the end of the reported step from state; nil: a state is reported
	coded  *store.Find // in place of state and beyond, if states are in files
	rank   int64       // the least is reported, see judgeNew and findings; 0: it is not new, and in memory
}

// newSearch prepares a search. A mistake of the model that shows on the way is an error, and a property that
// cannot be judged.
func newSearch(ctx context.Context, in model.Instance, opt Options) (s *search, err error) {
	if mistake := check.Caught(func() { s = begun(ctx, in, opt) }); mistake != nil {
		return nil, mistake
	}
	return s, s.unfit()
}

func begun(ctx context.Context, in model.Instance, opt Options) *search {
	if opt.Workers == 0 {
		opt.Workers = runtime.GOMAXPROCS(0)
	}
	now := time.Now()
	s := &search{behind: 1, ctx: ctx, in: in, opt: opt, hooks: hooksOf(ctx), begun: now, shown: now}
	o := s.in.Space.Open()
	s.states = o.States
	if o.Protocol != nil {
		s.space = kernel.New(o.Protocol)
	} else {
		s.space = kernel.OfSystem(o.System)
	}
	s.width = s.space.Width()
	s.report.Store, s.report.Reduce = opt.Store.Kind, opt.Reduce
	s.report.Actions = s.in.Space.Actions()
	asked := opt.asked(s.in.Space.Properties())
	for i, p := range s.in.Space.Properties() {
		switch byDefault := opt.Properties == nil && !p.OnRequest; {
		case asked>>i&1 == 1:
			s.ask(i, p)
		case byDefault:
			s.report.NotAsked = append(s.report.NotAsked, p)
		}
		s.report.Properties = append(s.report.Properties, Result{PropertyInfo: p, Length: -1})
	}
	s.finds = make([]find, len(s.report.Properties))
	s.counts = s.noCounts()
	s.everyStep = s.everyStep || s.judgeSteps || opt.OutOfReach || opt.Reduce.Movers || opt.Reduce.Symmetry
	s.workers = newPool(opt.Workers)
	s.visited = s.newVisited()
	s.newCursors()
	s.siblingCaches = make([]siblingCache, opt.Workers)
	s.chunks = make([]chunk, len(chunkSizes)+1) // one more for states for which tables are filled
	return s
}

// ask adds a property to those that are checked.
func (s *search) ask(i int, p model.PropertyInfo) {
	s.asked |= 1 << i
	if p.Kind == model.Reachable {
		s.goals |= 1 << i
	}
	switch p.Kind {
	case model.Invariant, model.Reachable:
		s.judgeStates, s.judgeAll = true, s.judgeAll || !p.ByTable
	case model.StepInvariant:
		s.judgeSteps = true
	case model.Liveness, model.Costs:
		s.everyStep = true
	case model.DeadlockFree:
		s.deadlock |= 1 << i
	}
}

// asked returns the mask of the properties to check.
func (o *Options) asked(properties []model.PropertyInfo) (which uint64) {
	for i, p := range properties {
		byDefault := o.Properties == nil && !p.OnRequest && p.Moot == "" && !o.Store.Kind.lacks(p.Kind)
		if byDefault || slices.Contains(o.Properties, i) {
			which |= 1 << i
		}
	}
	return which
}

func (s *search) newCursors() {
	s.code = compact.OfFiles(s.space)
	if s.compact != nil {
		s.compact.Relayout(s.space)
		s.code = s.compact.Code
	}
	s.filler = s.space.NewFiller()
	s.filling = s.newChecker(s.filler)
	s.cursors = s.cursors[:0]
	for range s.opt.Workers {
		s.cursors = append(s.cursors, s.newChecker(s.space.NewCursor()))
	}
}

func (s *search) free() {
	if s != nil {
		s.tables.Free()
	}
}

// The reduction by movers: see movers in package kernel. A search assumes that all receipts commute with
// everything, and begins again without the receipts for which it meets something else. Its runs leave out
// what is received at once, and are not the shortest. So another search, without the reduction, looks for the
// shortest run to everything that was found.

// moversOf returns the movers of a reduced instance.
func moversOf(in model.Instance) *movers.Movers {
	return in.Space.Open().Protocol.Declaration().Movers
}

// again reports whether a search with movers has to begin again. A mistake of the model stops it only if it
// shows without any receipt at once: it may be in a local state that is not reachable.
func (s *search) again() bool {
	if !s.opt.Reduce.Movers || s.mistake == nil || !moversOf(s.in).Any() {
		return s.disproved
	}
	moversOf(s.in).GiveUp("the model is at fault, and the run that shows it is looked for without reduction")
	return true
}

// AddRuns adds the shortest runs to all that was found, by another search of the instance in: again does it,
// with options that AddRuns makes from opt.
func (r *Report) AddRuns(in model.Instance, opt Options, again func(Options) (*Report, error)) error {
	opt.Properties, opt.KeepGoing = nil, true
	properties := in.Space.Properties()
	for i := range r.Properties {
		p := &r.Properties[i]
		if p.Count > 0 {
			opt.Properties = append(opt.Properties, slices.IndexFunc(properties,
				func(q model.PropertyInfo) bool { return q.Name == p.Name }))
		}
	}
	if opt.Finds = len(opt.Properties); opt.Finds == 0 {
		return nil
	}
	found, err := again(opt)
	if err != nil {
		return err
	}
	r.Elapsed += found.Elapsed
	for i := range r.Properties {
		p := &r.Properties[i]
		k := slices.IndexFunc(found.Properties, func(q Result) bool { return q.Name == p.Name })
		switch {
		case p.Count == 0:
		case k >= 0 && found.Properties[k].Path != nil:
			q := &found.Properties[k]
			p.Path, p.Length, p.Part, p.Verdict, p.Undecided = q.Path, q.Length, q.Part, q.Verdict, ""
		case found.Complete:
			return fmt.Errorf("%w: %s is found once, and in no state of another search", ErrInternal, p.Name)
		default:
			p.Verdict, p.Undecided = Unknown, "met, and not confirmed; the search for its shortest run: "+
				cmp.Or(found.Stopped, "no state is left")
		}
	}
	r.Mistake = cmp.Or(found.Mistake, r.Mistake)
	r.sumUp()
	return nil
}
