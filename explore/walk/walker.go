package walk

import (
	"context"
	"maps"
	"math/bits"
	"math/rand/v2"
	"slices"

	"github.com/atmostk/atmostk/model"
)

// A walker plays runs, by one scheduler, and notes what there is to report.
type walker struct {
	player
	policy  policy
	opt     *Options
	actions []model.Action
	info    []model.PropertyInfo
	asked   masks

	run
	quietKnown bool // of the state at hand
	excluded   bool // an assumption excludes a step of it
	threads    int
	waits      []waiting
	visited    map[uint64]struct{}
	path       func(model.State) // is shown each state; nil: nobody wants them
}

// masks are the properties that are asked, by what they are asked of.
type masks struct{ states, quiet, deadlock uint64 }

// A run is what is to be known of a run that is over.
type run struct {
	number  int64
	length  int // steps
	end     End
	found   []finding // in the order of steps; each property once
	fired   []int64
	pairs   []bool // of concurrent actions: the smaller times their number, plus the larger
	states  []uint64
	locals  []uint64
	threads int
	late    []lateness
	mistake *model.Error
}

// An End says why a run was over.
type End uint8

// The ends of runs.
const (
	Ended   End = iota // there was no step to take
	Cut                // it came to a state beyond the bounds or outside the constraint
	TooLong            // it had as many steps as a run may have
	Stopped            // a property was violated, or the model failed

	numEnds
)

// A finding is that a property had something to report after so many steps.
type finding struct{ property, length int }

// A lateness is that a Liveness property was not fulfilled for longer than it may take.
type lateness struct{ property, length int }

// waiting counts, of a lasso, for how many states a run has been as its cycle would have to be.
type waiting struct {
	property, lasso int
	states          int
	started         bool // Start held, and Never did not since then
	visits          model.Roles
}

func newWalker(in model.Instance, opt *Options) *walker {
	w := &walker{opt: opt, actions: in.Space.Actions(), info: in.Space.Properties()}
	w.policy = opt.policy(len(w.actions))
	w.player = newPlayer(in)
	for _, i := range opt.Properties {
		switch bit := uint64(1) << i; w.info[i].Kind {
		case model.Invariant, model.Reachable, model.StepInvariant:
			w.asked.states |= bit
		case model.Quiet:
			w.asked.quiet |= bit
		case model.DeadlockFree:
			w.asked.deadlock |= bit
		case model.Liveness:
			for k := range w.info[i].Lassos {
				if opt.Within > 0 {
					w.waits = append(w.waits, waiting{property: i, lasso: k})
				}
			}
		}
	}
	return w
}

// newPlayer returns what plays a model fastest.
func newPlayer(in model.Instance) player {
	if in.NewStage != nil {
		return newStagePlayer(in)
	}
	return newPlainPlayer(in)
}

// walk plays the run of a number. It returns false if the context is over before the run is.
func (w *walker) walk(ctx context.Context, number int64) (ok bool) {
	w.run = run{number: number, fired: make([]int64, len(w.actions)), end: TooLong}
	w.visited, w.threads = map[uint64]struct{}{}, 0
	locals := map[uint64]struct{}{}
	if !w.opt.NoCoverage {
		w.pairs = make([]bool, len(w.actions)*len(w.actions))
	}
	defer func() {
		w.states, w.locals = slices.Collect(maps.Keys(w.visited)), slices.Collect(maps.Keys(locals))
		w.run.threads = w.threads
		if w.mistake != nil {
			w.end, ok = Stopped, true
		}
	}()
	defer model.Catch(&w.mistake)
	r := rand.New(rand.NewPCG(w.opt.Seed, uint64(number)))
	for i := range w.waits {
		w.waits[i] = waiting{property: w.waits[i].property, lasso: w.waits[i].lasso}
	}
	w.begin(r)
	w.policy.begin(r)
	for w.arrive(); w.length < w.opt.Steps; w.arrive() {
		if w.length%1024 == 1023 && ctx.Err() != nil {
			return false
		}
		if w.over() {
			return true
		}
		before := w.last()
		if _, ok := w.policy.next(w); !ok {
			w.stuck()
			return true
		}
		w.commit()
		w.length++
		w.note(before, w.last())
		if !w.opt.NoCoverage {
			locals[w.localHash()] = struct{}{}
		}
	}
	w.over()
	return true
}

// over reports whether a run is not gone on with, and says why.
func (w *walker) over() bool {
	if w.violated() {
		w.end = Stopped
		return true
	}
	if w.beyond() {
		w.end = Cut
		return true
	}
	return false
}

// violated reports whether a property was found violated, a goal apart.
func (w *walker) violated() bool {
	return len(w.late) > 0 || slices.ContainsFunc(w.found,
		func(f finding) bool { return w.info[f.property].Kind != model.Reachable })
}

// arrive judges the state that the run has come to.
func (w *walker) arrive() {
	w.quietKnown, w.excluded = false, false
	if w.path != nil {
		w.path(w.state())
	}
	w.report(w.judge(w.asked.states))
	if !w.opt.NoCoverage {
		w.visited[w.hash()] = struct{}{}
	}
	for i := range w.waits {
		w.wait(&w.waits[i])
	}
}

// report notes what a state has to report, of each property once.
func (w *walker) report(found uint64) {
	for ; found != 0; found &= found - 1 {
		i := bits.TrailingZeros64(found)
		if !slices.ContainsFunc(w.found, func(f finding) bool { return f.property == i }) {
			w.found = append(w.found, finding{i, w.length})
		}
	}
}

// wait goes on to count for how long a Liveness property has not been fulfilled.
func (w *walker) wait(x *waiting) {
	of := w.info[x.property].Lassos[x.lasso]
	r := w.roles(x.property, x.lasso)
	if r&model.Fulfils != 0 {
		x.started = false
	} else if r&model.Starts != 0 && (!of.Initially || w.length == 0) {
		x.started = true
	}
	if !x.started || r&model.OffCycle != 0 {
		x.states, x.visits = 0, 0
		return
	}
	x.states++
	x.visits |= r / model.FirstVisit
	if all := model.Roles(1)<<of.Visits - 1; x.states > w.opt.Within && x.visits&all == all {
		w.late = append(w.late, lateness{x.property, w.length})
	}
}

// kindOf returns what a step counts as.
func (w *walker) kindOf(c candidate) model.ActionKind { return w.actions[c.action].Kind }

// quietAsked reports whether it matters if a state is quiet.
func (w *walker) quietAsked() bool { return w.asked.quiet != 0 }

// findQuiet judges the state as a quiet one if no step of it is ordinary.
func (w *walker) findQuiet() {
	w.quietKnown = true
	for p := range w.procs() {
		for i := range w.count(p) {
			if c := w.candidate(p, i); w.kindOf(c) == model.Ordinary && w.prepare(c) != model.NotEnabled {
				return
			}
		}
	}
	w.report(w.judgeQuiet(w.asked.quiet))
}

// stuck notes what a state has to report in which no step can be taken.
func (w *walker) stuck() {
	w.end = Ended
	if w.excluded {
		return
	}
	if !w.quietKnown && w.quietAsked() {
		w.findQuiet()
	}
	w.report(w.asked.deadlock)
	if w.violated() {
		w.end = Stopped
	}
}

// note counts a step, and which actions it shows to be concurrent: two of different processes, of which one
// came after the other and was not caused by it.
func (w *walker) note(before, now taken) {
	w.fired[now.action]++
	if w.length < 2 || w.opt.NoCoverage || before.proc == now.proc || now.cause == before.proc {
		return
	}
	a, b := min(before.action, now.action), max(before.action, now.action)
	w.pairs[a*len(w.actions)+b] = true
}
