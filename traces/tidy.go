package traces

import (
	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/lts"
)

// Tidy returns a run with the same steps and the same last state in another order: a process takes many
// steps before another one does, there are few switches between processes, mostly as few as possible, and the
// effects of a message follow soon after it. Tidy has executed the result, which costs what r costs. If it
// finds no better order, it returns r. A run without end, or to a model error, stays as it is.
func Tidy(r *Run) *Run {
	if r.Trace.CycleAt != nil || r.Trace.Mistake != nil || len(r.Taken) < 3 || len(r.Taken) > budget {
		return r
	}
	m := &replayer{&r.claim, budget, nil}
	o := newPrecedence(r)
	for m.left > 0 {
		order := o.schedule()
		taken, stuck := m.reorder(r, order)
		ends := stuck < 0 && taken[len(taken)-1].Next.Key() == r.States[len(r.States)-1].Key()
		if !ends { // the precedence allows an order that the model does not
			if !o.refine(stuck, order) {
				return r
			}
			continue
		}
		tidied := r.claim.run(r.Trace.Header, r.States[0], taken).described()
		if switches(tidied.Taken) >= switches(r.Taken) ||
			r.claim.info.Kind == model.Costs && r.claim.spent(tidied) != r.claim.spent(r) ||
			r.claim.refuted(tidied.States, tidied.Taken) != "" {
			return r
		}
		return tidied
	}
	return r
}

// switches counts the steps whose process differs from the process of the step before.
func switches(ts []lts.Transition) (n int) {
	for i := 1; i < len(ts); i++ {
		if ts[i].Owner != ts[i-1].Owner {
			n++
		}
	}
	return n
}

// reorder executes the steps of a run in another order. stuck is the first step that
// was not enabled or sent other messages; -1: none.
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
