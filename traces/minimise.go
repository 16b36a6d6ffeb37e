package traces

import (
	"slices"

	"github.com/atmostk/atmostk/model/lts"
)

// Minimise returns a run that shows the same and has no step that can be left
// out: neither one by itself, nor some in a row, nor all of a process, each
// with what cannot happen without it. Every candidate is executed, and the run
// is never longer than the one given. The work is bounded, so
// some needless steps of a run of thousands may stay. A run without end,
// or to a mistake, or shown for no property, stays as it is.
func Minimise(r *Run) *Run {
	if r.Trace.CycleAt != nil || r.Trace.Mistake != nil || r.Trace.Property == "" {
		return r
	}
	m := &replayer{&r.claim, runsToSlice * len(r.Taken)}
	short := r
	for n := range r.Taken { // what comes after the first place that shows it is not needed
		if m.evident(r.States[:n+1], r.Taken[:n]) {
			short = &Run{Trace: r.Trace, States: r.States[:n+1], Taken: r.Taken[:n]}
			break
		}
	}
	if len(short.Taken) > manySteps {
		short = m.sliced(short)
	}
	m.left = minimiseBudget
	if short = m.shortened(short); len(short.Taken) == len(r.Taken) {
		return r
	}
	short.claim = r.claim
	return short.spelled()
}

// shortened drops steps until none can be dropped any more. Of the runs on the way only states and steps are
// known.
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

// candidates returns sets of steps that might be left out: the steps of each
// process, then neighbours, longer ranges and later ones first.
func candidates(ts []lts.Transition) (sets []func(int) bool) {
	var owners []string
	var all []int
	for i := range ts {
		if o := ts[i].Owner; o != "" && !slices.Contains(owners, o) {
			owners = append(owners, o)
			sets = append(sets, func(i int) bool { return ts[i].Owner == o })
		}
		all = append(all, i)
	}
	for size := len(all) / 2; size > 0; size /= 2 {
		for end := len(all); end > 0; end -= size {
			sets = append(sets, neighbours(all, end-size, end))
		}
	}
	return sets
}

// neighbours returns the set of those from an index to before another in a list of steps.
func neighbours(steps []int, from, end int) func(int) bool {
	of := slices.Clone(steps[max(0, from):end])
	return func(i int) bool {
		_, is := slices.BinarySearch(of, i)
		return is
	}
}

// manySteps is from how many steps on a run is sliced.
const manySteps = 200

// sliced drops steps that receive nothing, with all their effects: half of them, then quarters, and so
// on. A run of thousands of steps is soon a short one so.
func (m *replayer) sliced(r *Run) *Run {
	size := len(causes(r)) / 2
	for ; size > 0 && m.left > 0; size /= 2 {
		for end := len(causes(r)); end > 0 && m.left > 0; end -= size {
			from := causes(r)
			end = min(end, len(from))
			if next := m.without(r, neighbours(from, end-size, end)); next != nil {
				r = next
			}
		}
	}
	return r
}

// causes are the steps that receive nothing.
func causes(r *Run) (steps []int) {
	for i := range r.Taken {
		if r.Taken[i].Received == nil {
			steps = append(steps, i)
		}
	}
	return steps
}

// without executes a run without some of its steps, and without those that are
// not enabled then. It returns the shorter run, as far as it is needed, or nil if
// that does not show what the run shows.
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
		if t.Outside { // nothing goes on from there
			taken, states = taken[:len(taken)-1], states[:len(taken)]
		}
	}
	return nil
}
