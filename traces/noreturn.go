package traces

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/atmostk/atmostk/model/lts"
	"github.com/atmostk/atmostk/model/protocol"
	"github.com/atmostk/atmostk/traces/printable"
)

// noReturnBudget bounds the states that turning expands: about a second in a large model.
const noReturnBudget = 10_000

// A turn is the point of no return of a run that fails to make progress. Before that step, steps that are
// no faults can lead to a state that the property asks for; after it they cannot.
type turn struct {
	from    int             // the last state from which they can; -1: none
	instead *lts.Transition // the first step of a shortest way from there; nil: that state is one
	length  int             // steps of this way
	last    int             // the last state of the run; if from is last, the run has no such point
}

// turning returns the point of no return of a run without end, or of a run to a quiet state. It follows all
// steps but faults from each state of the run, from the last one back. known is false if its budget ends
// first. Of states from which no way leads on it remembers all that it saw, so it expands each of them once.
func (r *Run) turning() (t turn, known bool) {
	part, w := r.Part(), way{r: r, lost: map[protocol.Code]bool{}, left: noReturnBudget}
	w.lasso = slices.IndexFunc(r.claim.info.Lassos, func(l lts.LassoInfo) bool { return l.Part == part })
	if w.lasso >= 0 && !r.claim.info.Lassos[w.lasso].Fulfilled {
		return t, false // to stay fulfils it, and no single state does
	}
	t.last = len(r.States) - 1
	for t.from = t.last; t.from >= 0; t.from-- {
		var found bool
		t.instead, t.length, found = w.find(r.States[t.from])
		if found || w.left <= 0 {
			return t, found
		}
	}
	return t, true
}

// A way is a search for states that fulfil a property of progress.
type way struct {
	r     *Run
	lasso int                    // that a run without end follows; -1: the property is about quiet states
	lost  map[protocol.Code]bool // codes of states from which no way leads to such a state
	left  int                    // states that it may still expand
}

// find returns the first step of a shortest way from a state to one that fulfils the property, and the
// number of its steps. found is false if there is no way, or the budget is used up.
func (w *way) find(from lts.State) (first *lts.Transition, length int, found bool) {
	type place struct {
		state  lts.State
		first  *lts.Transition
		length int
	}
	if w.fulfils(from) {
		return nil, 0, true
	}
	actions := w.r.claim.in.Space.Actions()
	seen := map[protocol.Code]bool{from.Code(): true}
	for queue := []place{{from, nil, 0}}; len(queue) > 0; queue = queue[1:] {
		at := queue[0]
		if w.left--; w.left <= 0 {
			return nil, 0, false
		}
		for _, t := range Enabled(w.r.claim.in, at.state) {
			key := t.Next.Code()
			if actions[t.Action].Kind == protocol.Fault || t.Outside || seen[key] || w.lost[key] {
				continue
			}
			seen[key] = true
			next := place{t.Next, cmp.Or(at.first, &t), at.length + 1}
			if w.fulfils(t.Next) {
				return next.first, next.length, true
			}
			queue = append(queue, next)
		}
	}
	maps.Copy(w.lost, seen) // both are true for each key
	return nil, 0, false
}

// fulfils reports whether a state is one that the property wants.
func (w *way) fulfils(s lts.State) bool {
	c := &w.r.claim
	if w.lasso < 0 {
		return c.in.Quiet(c.in.Whole(s)) && !c.plain.Judge(s, c.property)
	}
	return c.in.Plain.Marks(s, c.property, w.lasso)&(lts.Fulfils|lts.OffCycle) != 0
}

func (t turn) why(r *Run) string {
	if t.from < 0 {
		return "From the initial state on, no steps but faults lead to a state that the property asks for."
	}
	way := "the state was one that the property asks for"
	if t.instead != nil {
		way = "a state that the property asks for could still be reached: " +
			r.Choices(t.from, []lts.Transition{*t.instead})[0].bare()
		if t.length > 1 {
			way += ", then " + printable.Plural(t.length-1, "further step")
		}
	}
	if t.from == t.last {
		return fmt.Sprintf("After step %d %s. Fairness does not force this.", t.from, way)
	}
	return fmt.Sprintf("Step %d, %s, is the point of no return. Before it %s. After it no steps but faults "+
		"lead there.", t.from+1, r.named(t.from+1), way)
}
