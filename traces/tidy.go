package traces

import (
	"github.com/atmostk/atmostk/model/lts"
)

// Tidy returns the run in another order: the steps are the same and so is the
// last state, but a process goes on as long as it can before another takes
// over, with as few switches as possible, and what a message causes comes soon
// after it. The result has been executed; where no better order is found it is
// the run itself. A run without end, or to a mistake, stays as it is.
func Tidy(r *Run) *Run {
	if r.Trace.CycleAt != nil || r.Trace.Mistake != nil || len(r.Taken) < 3 || len(r.Taken) > tidyBudget {
		return r
	}
	m := &replayer{&r.claim, tidyBudget}
	o := newPrecedence(r)
	for m.left > 0 {
		order := o.schedule()
		taken, stuck := m.reorder(r, order)
		ends := stuck < 0 && taken[len(taken)-1].Next.Key() == r.States[len(r.States)-1].Key()
		if !ends { // the precedence lacks something
			if !o.refine(stuck, order) {
				return r
			}
			continue
		}
		tidied := r.claim.run(r.Trace.Header, r.States[0], taken).spelled()
		if switches(tidied.Taken) >= switches(r.Taken) || r.claim.refuted(tidied.States, tidied.Taken) != "" {
			return r
		}
		return tidied
	}
	return r
}

// switches counts how often another process takes over.
func switches(ts []lts.Transition) (n int) {
	for i := 1; i < len(ts); i++ {
		if ts[i].Owner != ts[i-1].Owner {
			n++
		}
	}
	return n
}

// reorder executes the steps of a run in another order. stuck is the step that
// was not enabled when its turn came; -1: none.
func (m *replayer) reorder(r *Run, order []int) (taken []lts.Transition, stuck int) {
	at := r.States[0]
	for _, i := range order {
		t := m.repeat(at, &r.Taken[i])
		if t == nil || !same(t, &r.Taken[i]) || t.Outside && !r.Taken[i].Outside {
			return nil, i
		}
		taken, at = append(taken, *t), t.Next
	}
	return taken, -1
}
