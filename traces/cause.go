package traces

import (
	"slices"
	"strings"
	"sync"

	"github.com/atmostk/atmostk/model"
)

// A Cause says why a run violates its property.
type Cause struct {
	// Text is one or more sentences; "": no cause is known.
	Text string
	// Steps are indices of steps, ascending: the steps whose order suffices for the violation, or the step
	// after which the property cannot be fulfilled any more, and the steps that sent the messages received
	// there.
	Steps []int
}

// Cause returns the cause of a run. If the run fails to make progress, it is the point of no return.
// Otherwise orders of pairs of steps suffice for the violation. A run that reaches a goal or fails in the
// model has none. Several callers share one search.
func (r *Run) Cause() Cause {
	if r.cause == nil {
		r.cause = sync.OnceValue(r.explain)
	}
	return r.cause()
}

func (r *Run) explain() (c Cause) {
	defer model.Catch(new(*model.Error)) // in steps that the run does not take
	info := &r.claim.info
	switch {
	case r.Trace.Verdict != Violated || r.Trace.Mistake != nil:
		return c
	case r.Trace.CycleAt != nil || info.Kind == model.Quiet:
		t, known := r.turning()
		switch {
		case !known:
			return c
		case t.from < 0 || t.from == t.last: // there is no such point
			return Cause{Text: t.why(r)}
		}
		return Cause{t.why(r), r.withSends([]int{t.from + 1})}
	}
	swap, decides := r.decisive()
	orders, known := r.needed()
	var texts []string
	var steps []int
	if decides {
		texts = append(texts, swap.why(r))
		steps = []int{swap.first, swap.second}
	}
	if known {
		texts = append(texts, needs(orders))
		for _, o := range orders {
			steps = append(steps, o.first, o.second)
		}
	}
	return Cause{strings.Join(texts, " "), r.withSends(steps)}
}

// withSends returns the steps in ascending order, with the sends of the messages that they receive.
func (r *Run) withSends(steps []int) []int {
	causes := Causes(r.Trace.Steps)
	for _, i := range slices.Clone(steps) {
		for _, j := range causes[i] {
			if r.Trace.Steps[j].Node != r.Trace.Steps[i].Node {
				steps = append(steps, j)
			}
		}
	}
	slices.Sort(steps)
	return slices.Compact(steps)
}

// named is the text of step i, without lines of a paper, which the list of steps has.
func (r *Run) named(i int) string { return r.Trace.Steps[i].bare() }

// bare is the event of a step with its process, without lines of a paper and messages sent.
func (s *Step) bare() string { return strings.Replace(s.short(), " ("+s.Source+")", "", 1) }
