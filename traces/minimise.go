package traces

import (
	"context"
	"slices"

	"github.com/atmostk/atmostk/model/lts"
)

// Minimise returns a run, never longer than r, that shows the same property without superfluous steps. It
// tries to leave out single steps, steps in a row, and all steps of a process, each together with the steps
// that are not enabled without them. It executes every candidate. Its budget bounds the work, so a run of
// thousands of steps may keep superfluous ones, also if ctx ends. A run without end, to a model error, or
// without a property stays as it is.
func Minimise(ctx context.Context, r *Run) *Run {
	if r.Trace.CycleAt != nil || r.Trace.Mistake != nil || r.Trace.Property == "" {
		return r
	}
	m := &replayer{&r.claim, runsToSlice * len(r.Taken), ctx.Done()}
	short := r
	for n := range r.Taken { // the shortest prefix that shows the property is enough
		if m.evident(r.States[:n+1], r.Taken[:n]) {
			short = &Run{Trace: r.Trace, States: r.States[:n+1], Taken: r.Taken[:n]}
			break
		}
	}
	if len(short.Taken) > manySteps {
		short = m.sliced(short)
	}
	m.left = budget
	if short = m.shortened(short); len(short.Taken) == len(r.Taken) {
		return r
	}
	short.claim = r.claim
	return short.described()
}

// shortened drops steps until no step can be dropped, or the budget is used up. The result has states and
// transitions, but the trace of r.
func (m *replayer) shortened(r *Run) *Run {
	for shorter := true; shorter && m.left > 0; {
		shorter = false
		for _, drop := range candidates(r.Taken) {
			if m.left <= 0 {
				break
			}
			if next := m.without(r, drop); next != nil {
				r, shorter = next, true
				break
			}
		}
	}
	return r
}

// candidates returns sets of steps to leave out: first all steps of a
// process, then steps in a row, longer and later ones first.
func candidates(ts []lts.Transition) (sets []func(int) bool) {
	var owners []string
	for i := range ts {
		if o := ts[i].Owner; o != "" && !slices.Contains(owners, o) {
			owners = append(owners, o)
			sets = append(sets, func(i int) bool { return ts[i].Owner == o })
		}
	}
	for size := len(ts) / 2; size > 0; size /= 2 {
		for end := len(ts); end > 0; end -= size {
			sets = append(sets, func(i int) bool { return end-size <= i && i < end })
		}
	}
	return sets
}

// manySteps: runs of more steps are sliced first.
const manySteps = 200

// sliced drops steps that receive nothing, with all their effects: halves of these steps, then quarters, and
// so on. This soon makes a run of thousands of steps short.
func (m *replayer) sliced(r *Run) *Run {
	for size := len(spontaneous(r)) / 2; size > 0 && m.left > 0; size /= 2 {
		for end := len(spontaneous(r)); end > 0 && m.left > 0; end -= size {
			steps := spontaneous(r)
			end = min(end, len(steps))
			steps = steps[max(0, end-size):end]
			drop := func(i int) bool {
				_, is := slices.BinarySearch(steps, i)
				return is
			}
			if next := m.without(r, drop); next != nil {
				r = next
			}
		}
	}
	return r
}

// spontaneous returns the steps that receive no message.
func spontaneous(r *Run) (steps []int) {
	for i := range r.Taken {
		if r.Taken[i].Received == nil {
			steps = append(steps, i)
		}
	}
	return steps
}

// without executes a run without the steps that drop selects and without the steps that are then not enabled.
// It returns the new run up to the first state that shows the property; nil if no state does.
func (m *replayer) without(r *Run, drop func(int) bool) *Run {
	taken, states := []lts.Transition(nil), []lts.State{r.States[0]}
	for i := range r.Taken {
		if drop(i) {
			continue
		}
		t := &r.Taken[i]
		if len(taken) == i { // nothing was left out so far
			taken, states = append(taken, *t), append(states, t.Next)
			continue
		}
		if t = m.repeat(states[len(taken)], t); t == nil {
			continue
		}
		taken, states = append(taken, *t), append(states, t.Next)
		if m.evident(states, taken) {
			return &Run{Trace: r.Trace, States: states, Taken: taken}
		}
		if t.Outside { // no run goes on from there: drop this step, too
			taken, states = taken[:len(taken)-1], states[:len(taken)]
		}
	}
	return nil
}
