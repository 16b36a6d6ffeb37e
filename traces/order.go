package traces

import (
	"slices"

	"github.com/atmostk/atmostk/model"
)

// Causes lists the direct causes of each step: the previous step of its process, the send of the message
// that it receives, and the crash that it notices.
func Causes(steps []Step) [][]int {
	causes := make([][]int, len(steps))
	last, sent, crashed := map[string]int{}, map[string]int{}, map[string]int{}
	for i := 1; i < len(steps); i++ {
		s := &steps[i]
		follow := func(of map[string]int, key string) {
			if j, known := of[key]; known && !slices.Contains(causes[i], j) {
				causes[i] = append(causes[i], j)
			}
		}
		follow(last, s.Node)
		if s.Received != nil {
			follow(sent, s.Received.ID)
		}
		follow(crashed, s.Noticed)
		last[s.Node] = i
		for _, m := range s.Sent {
			sent[m.ID] = i
		}
		if s.Crashed {
			crashed[s.Node] = i
		}
	}
	return causes
}

// A precedence is an order of the steps of a run that a reordering has to respect: a step waits for its
// causes and for the steps that refine adds.
type precedence struct {
	run     *Run
	before  [][]int // per step: the steps that it waits for
	own     [][]int // per process: its steps
	process []int   // per step: its process, an index of own
	rank    []int   // per step: its index among the steps of its process
}

func newPrecedence(r *Run) *precedence {
	o := &precedence{run: r, before: Causes(r.Trace.Steps)[1:]}
	number := map[string]int{}
	for i := range r.Taken {
		name := r.Taken[i].Owner
		w, known := number[name]
		if !known {
			w = len(o.own)
			number[name], o.own = w, append(o.own, nil)
		}
		o.process, o.rank = append(o.process, w), append(o.rank, len(o.own[w]))
		o.own[w] = append(o.own[w], i)
		for k := range o.before[i] {
			o.before[i][k]-- // Taken[i] is step i+1 of the trace
		}
	}
	if n := len(r.Taken); r.claim.info.Kind == model.StepInvariant || r.claim.info.Kind == model.Costs {
		o.barrier(n - 1) // the step that violates the property stays last
	}
	return o
}

// barrier fixes the position of a step: all steps before it in the run stay before it, all later ones after
// it. It returns false if this adds nothing.
func (o *precedence) barrier(i int) (added bool) {
	for j := range o.before {
		if j != i {
			added = o.wait(max(i, j), min(i, j)) || added
		}
	}
	return added
}

// refine excludes an order of the steps that failed: step stuck was not enabled or sent other messages or, if
// stuck is -1, the last state differed. The usual reason is that steps changed places with a crash, because
// nothing is sent to the dead, and histories count them. Such steps now keep their order of the run. If no
// steps did so, stuck becomes a barrier. It returns false if nothing was added.
func (o *precedence) refine(stuck int, list []int) (added bool) {
	index := make([]int, len(list)) // per step: its position in the order
	for at, i := range list {
		index[i] = at
	}
	for j := range list {
		for i := range list {
			inverted := o.run.Taken[j].Crashed && (index[i] < index[j]) != (i < j)
			if inverted && (i == stuck || stuck < 0) {
				added = o.wait(max(i, j), min(i, j)) || added
			}
		}
	}
	return added || stuck >= 0 && o.barrier(stuck)
}

// wait makes step second wait for step first. It returns false if it already does.
func (o *precedence) wait(second, first int) bool {
	if slices.Contains(o.before[second], first) {
		return false
	}
	o.before[second] = append(o.before[second], first)
	return true
}
