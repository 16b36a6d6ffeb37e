package simulate

import (
	"context"
	"math/rand/v2"
	"slices"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/check"
	"github.com/atmostk/atmostk/model/lts"
	"github.com/atmostk/atmostk/model/property"
	"github.com/atmostk/atmostk/model/protocol"
)

// A walker plays runs, by one scheduler, and notes its findings.
type walker struct {
	player
	opt     *Options
	actions []lts.Action
	info    []model.PropertyInfo
	// asked are sets of properties: of all states, of quiet states, and of states without a step.
	asked struct{ states, quiet, deadlock uint64 }

	played
	r          *rand.Rand
	list       []candidate // that the scheduler draws from
	last       taken       // the last step
	quietKnown bool        // of the state at hand
	waits      []waiting
	path       func(lts.State) // gets each state; may be nil
}

// played is the result of a run that is over.
type played struct {
	Number  int64
	Length  int // steps
	End     End
	Found   []finding // in the order of steps; each property once
	Fired   []int64   // per action
	Pairs   []bool    // of concurrent actions: the smaller times their number, plus the larger
	Threads int       // where the scheduler is PCT
	// hashes of the states and local states that were met
	visited, locals map[uint64]struct{}
	mistake         *model.Error // of the model, in the step after these
}

// An End is the reason why a run ended.
type End uint8

// The ends of runs.
const (
	Ended   End = iota // there was no step to take
	Cut                // it came to a state beyond the bounds or outside the constraint
	TooLong            // it had as many steps as a run may have
	Stopped            // a property was violated, or the model failed

	numEnds
)

// A finding is a property, by index, that a run violates, or a goal that it reaches, after Length steps.
type finding struct{ Property, Length int }

// waiting counts the latest states in a row that are like the cycle of a lasso.
type waiting struct {
	property, lasso int
	states          int
	started         bool // Start held, and Never did not since then
	visits          lts.Marks
}

func newWalker(in model.Instance, opt *Options) *walker {
	w := &walker{opt: opt, actions: in.Space.Actions(), info: in.Space.Properties()}
	if in.Interp == nil {
		w.player = &plainPlayer{Plain: in.Plain, info: w.info}
	} else {
		w.player = newComposedPlayer(in)
	}
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

// walk plays the run of a number. It returns false if the context ends before the run does.
func (w *walker) walk(ctx context.Context, number int64) (ok bool) {
	w.played = played{Number: number, Fired: make([]int64, len(w.actions)), End: TooLong,
		visited: map[uint64]struct{}{}, locals: map[uint64]struct{}{}}
	if !w.opt.NoCoverage {
		w.Pairs = make([]bool, len(w.actions)*len(w.actions))
	}
	w.r = rand.New(rand.NewPCG(w.opt.Seed, uint64(number)))
	if w.mistake = check.Apart(nil, func() { ok = w.play(ctx) }); w.mistake != nil {
		w.End, ok = Stopped, true
		if w.violated() && !w.mistake.Ended { // it is in a step from the state that ended the run
			w.mistake = nil
		}
	}
	return ok
}

// play plays the run that walk has begun. It returns false if the context ends before the run does.
func (w *walker) play(ctx context.Context) bool {
	for i := range w.waits {
		w.waits[i] = waiting{property: w.waits[i].property, lasso: w.waits[i].lasso}
	}
	w.begin(w.r)
	next := policies[w.opt.Scheduler](w)
	for w.arrive(); !w.over(); w.arrive() {
		if w.Length%1024 == 1023 && ctx.Err() != nil {
			return false
		}
		if !next() {
			w.End = Ended
			if w.judgeEnd(); w.violated() {
				w.End = Stopped
			}
			break
		}
		if w.Length == w.opt.Steps { // no step is taken, but next has judged whether the state is quiet
			w.over()
			break
		}
		before := w.last
		w.last = w.commit()
		w.Length++
		w.note(before)
	}
	return true
}

// over reports whether the run ends in this state, and notes the reason.
func (w *walker) over() bool {
	switch {
	case w.violated():
		if w.End = Stopped; !w.beyond() {
			w.judgeEnd()
		}
	case w.beyond():
		w.End = Cut
	}
	return w.End != TooLong
}

// violated reports whether the run has violated a property. To reach a goal is no violation.
func (w *walker) violated() bool {
	return slices.ContainsFunc(w.Found,
		func(f finding) bool { return w.info[f.Property].Kind != model.Reachable })
}

// arrive judges the state that the run has come to.
func (w *walker) arrive() {
	w.quietKnown = false
	if w.path != nil {
		w.path(w.state())
	}
	if w.asked.states != 0 {
		w.report(w.judge(w.asked.states))
	}
	if !w.opt.NoCoverage {
		w.visited[w.hash(w.locals)] = struct{}{}
	}
	for i := range w.waits {
		if x := &w.waits[i]; w.late(x) {
			w.report(1 << x.property)
		}
	}
}

// report adds a set of properties to the findings, each once.
func (w *walker) report(found uint64) {
	for i := range property.Among(found) {
		if !slices.ContainsFunc(w.Found, func(f finding) bool { return f.Property == i }) {
			w.Found = append(w.Found, finding{i, w.Length})
		}
	}
}

// late counts the state if a Liveness property stays unfulfilled, and reports whether it has for too long.
func (w *walker) late(x *waiting) bool {
	of := w.info[x.property].Lassos[x.lasso]
	r := w.marks(x.property, x.lasso)
	if r&lts.Fulfils != 0 {
		x.started = false
	} else if r&lts.Starts != 0 && (!of.Initially || w.Length == 0) {
		x.started = true
	}
	if !x.started || r&lts.OffCycle != 0 {
		x.states, x.visits = 0, 0
		return false
	}
	x.states++
	x.visits |= r / lts.FirstVisit
	all := lts.Marks(1)<<of.Visits - 1
	return x.states > w.opt.Within && x.visits&all == all
}

// findQuiet judges the state, once, as a quiet one if no step of it is ordinary.
func (w *walker) findQuiet() {
	if !w.quietKnown && w.asked.quiet != 0 && !w.offers(true) {
		w.report(w.judgeQuiet(w.asked.quiet))
	}
	w.quietKnown = true
}

// offers reports whether the state has a step, or an ordinary one. That may be excluded.
func (w *walker) offers(ordinary bool) bool {
	wanted := func(c candidate) bool {
		return (!ordinary || w.actions[w.action(c)].Kind == protocol.Ordinary) && w.prepare(c) != notEnabled
	}
	return slices.ContainsFunc(w.candidates(), func(of []candidate) bool {
		return slices.ContainsFunc(of, wanted)
	})
}

// judgeEnd judges the state in which a run ends by the steps from it.
func (w *walker) judgeEnd() {
	if w.findQuiet(); w.asked.deadlock != 0 && !w.offers(false) {
		w.report(w.asked.deadlock)
	}
}

// note counts the last step, and the pair of concurrent actions that it shows with the one before: two of
// different processes, the second of them not caused by the first.
func (w *walker) note(before taken) {
	now := w.last
	w.Fired[now.action]++
	if w.opt.NoCoverage {
		return
	}
	if w.Length > 1 && before.proc != now.proc && now.cause != before.proc {
		a, b := min(before.action, now.action), max(before.action, now.action)
		w.Pairs[a*len(w.actions)+b] = true
	}
}
