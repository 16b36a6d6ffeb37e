package traces

import (
	"slices"

	"github.com/atmostk/atmostk/model/lts"
)

// Minimise returns a run, never longer than r, that shows the same property and has no superfluous step. It
// tries to leave out single steps, steps in a row, and all steps of a process, each together with the steps
// that are not enabled without them. It executes every candidate. Its budget bounds the work, so a run of
// thousands of steps may keep superfluous ones. A run without end, to a model error, or without a property
// stays as it is.
func Minimise(r *Run) *Run {
	if r.Trace.CycleAt != nil || r.Trace.Mistake != nil || r.Trace.Property == "" {
		return r
	}
	m := &replayer{&r.claim, runsToSlice * len(r.Taken)}
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
	m.left = minimiseBudget
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

// neighbours returns the set of steps[from:end]. A negative from means 0.
func neighbours(steps []int, from, end int) func(int) bool {
	of := slices.Clone(steps[max(0, from):end])
	return func(i int) bool {
		_, is := slices.BinarySearch(of, i)
		return is
	}
}

// manySteps: runs of more steps are sliced first.
const manySteps = 200

// sliced drops steps that receive nothing, with all their effects: halves of these steps, then quarters, and
// so on. This soon makes a run of thousands of steps short.
func (m *replayer) sliced(r *Run) *Run {
	size := len(spontaneous(r)) / 2
	for ; size > 0 && m.left > 0; size /= 2 {
		for end := len(spontaneous(r)); end > 0 && m.left > 0; end -= size {
			from := spontaneous(r)
			end = min(end, len(from))
			if next := m.without(r, neighbours(from, end-size, end)); next != nil {
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

// Budgets in executed steps. In a model with a dozen steps enabled at a time, 20,000 take about a second.
// Slicing a run of more than manySteps steps may execute runsToSlice times its length.
const (
	tidyBudget     = 20_000
	minimiseBudget = 20_000
	runsToSlice    = 40
)

// A replayer executes the steps of a run again in another order, or without some of them.
type replayer struct {
	*claim
	left int // steps that it may still execute
}

// repeat returns a step that is enabled in state at and matches step t of another state: same process and
// action, same receipt or notice. Of several it returns the most similar one; nil if none is enabled.
func (m *replayer) repeat(at lts.State, t *lts.Transition) *lts.Transition {
	m.left--
	var ts []lts.Transition
	if m.in.Interp != nil { // labels of a composition name the process
		ts = m.labelled(at, t.Label())
	} else {
		ts = Enabled(m.in, at)
	}
	if i := MostSimilar(ts, t); i >= 0 {
		return &ts[i]
	}
	return nil
}

// similarity is -1 if two steps differ in process, action, notice, crash or sender of the message
// received. Otherwise it is 0 to 6, greater the more alike they are.
func similarity(a, b *lts.Transition) int {
	if a.Owner != b.Owner || a.Action != b.Action || a.Noticed != b.Noticed || a.Crashed != b.Crashed {
		return -1
	}
	if (a.Received == nil) != (b.Received == nil) {
		return -1
	}
	n := 0
	if a.Received != nil {
		if a.Received.From != b.Received.From {
			return -1
		}
		if a.Received.Text == b.Received.Text {
			n += 4
		}
	}
	if slices.Equal(a.Sent, b.Sent) {
		n += 2
	}
	if a.Owner == "" && a.Text() != b.Text() { // for example another message that the network loses
		return -1
	}
	return n
}

// ownVars returns the variables of the process that acted, or all variables if no process acted; no inboxes.
func ownVars(t *lts.Transition) []lts.Var {
	return slices.DeleteFunc(t.Next.Vars(), func(v lts.Var) bool {
		return v.Owner != t.Owner && t.Owner != "" || v.Name == "inbox"
	})
}

// same reports whether two steps of different states receive and send the same, and are otherwise similar.
func same(a, b *lts.Transition) bool {
	if similarity(a, b) < 0 || !slices.Equal(a.Sent, b.Sent) {
		return false
	}
	return a.Received == nil || *a.Received == *b.Received
}

// MostSimilar returns the index in enabled of the step that is most similar to step t of another state; -1 if
// no step is similar. Of equally similar steps it prefers one that leads to the same local state.
func MostSimilar(enabled []lts.Transition, t *lts.Transition) int {
	var alike []int
	most := 0
	for i := range enabled {
		n := similarity(&enabled[i], t)
		if n > most {
			most, alike = n, nil
		}
		if n == most {
			alike = append(alike, i)
		}
	}
	switch len(alike) {
	case 0:
		return -1
	case 1:
		return alike[0]
	}
	own := ownVars(t)
	same := func(i int) bool { return slices.Equal(ownVars(&enabled[i]), own) }
	return alike[max(0, slices.IndexFunc(alike, same))]
}
