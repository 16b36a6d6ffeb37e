package traces

import (
	"slices"

	"github.com/atmostk/atmostk/model"
)

// Minimise returns a run that shows the same and has no step that can be left
// out: neither one by itself, nor a stretch of them, nor all of a process, each
// with what cannot happen without it. Every candidate is executed, and the run
// is never longer than the one given. The work is bounded, so that of a run of
// thousands of steps some needless ones may stay. A run without end,
// or to a mistake, or shown for no property, stays as it is.
func Minimise(r *Run) *Run {
	if r.Trace.CycleAt != nil || r.Trace.Mistake != nil || r.Trace.Property == "" {
		return r
	}
	m := &mover{&r.claim, max(minimiseBudget, runsToMinimise*len(r.Taken))}
	short := r
	for n := range r.Taken { // what comes after the first place that shows it is not needed
		if m.evident(r.States[:n+1], r.Taken[:n]) {
			short = &Run{Trace: r.Trace, States: r.States[:n+1], Taken: r.Taken[:n]}
			break
		}
	}
	if short = m.shortened(short); len(short.Taken) == len(r.Taken) {
		return r
	}
	return m.record(r.Trace.Header, short.States[0], short.Taken)
}

// shortened drops steps until none can be dropped any more. Of the runs on the way only states and steps are known.
func (m *mover) shortened(r *Run) *Run {
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
// process; stretches of the steps that receive nothing, which all others come of; then stretches
// of all, longer ones and later ones first.
func candidates(ts []model.Transition) (sets []func(int) bool) {
	var owners []string
	var causes, all []int
	for i := range ts {
		if o := ts[i].Owner; o != "" && !slices.Contains(owners, o) {
			owners = append(owners, o)
			sets = append(sets, func(i int) bool { return ts[i].Owner == o })
		}
		if ts[i].Received == nil {
			causes = append(causes, i)
		}
		all = append(all, i)
	}
	if len(ts) > manySteps {
		sets = append(sets, stretches(causes)...)
	}
	return append(sets, stretches(all)...)
}

// manySteps is from how many steps on those are left out first of which many others come.
const manySteps = 200

// stretches returns sets of neighbours.
func stretches(steps []int) (sets []func(int) bool) {
	for size := len(steps) / 2; size > 0; size /= 2 {
		for end := len(steps); end > 0; end -= size {
			first, last := steps[max(0, end-size)], steps[end-1]
			sets = append(sets, func(i int) bool {
				_, is := slices.BinarySearch(steps, i)
				return is && first <= i && i <= last
			})
		}
	}
	return sets
}

// without executes a run without some of its steps, and without those that are
// not enabled then. It returns the shorter run, as far as it is needed, or nil if
// that does not show what the run shows.
func (m *mover) without(r *Run, drop func(int) bool) *Run {
	taken, states := []model.Transition(nil), []model.State{r.States[0]}
	for i := range r.Taken {
		if drop(i) {
			continue
		}
		t := &r.Taken[i]
		if len(taken) == i { // nothing was left out so far
			taken, states = append(taken, *t), append(states, t.Next)
			continue
		}
		if t = m.again(states[len(taken)], t); t == nil {
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
