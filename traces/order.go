package traces

import (
	"slices"

	"github.com/atmostk/atmostk/model"
)

// Causes lists for each step those that it directly follows from: the last one of its process, the send of
// its message, the crash that it notices.
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

// A precedence says of the steps of a run which have to happen before which: a step waits for its causes, and
// for the steps that refine adds.
type precedence struct {
	run    *Run
	before [][]int // per step: the steps that it waits for
	own    [][]int // per process: its steps
	who    []int   // per step: the process, as an index of own
	rank   []int   // per step: its index among the steps of its process
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
		o.who, o.rank = append(o.who, w), append(o.rank, len(o.own[w]))
		o.own[w] = append(o.own[w], i)
		for k := range o.before[i] {
			o.before[i][k]-- // the trace counts the initial state
		}
	}
	if n := len(r.Taken); r.claim.info.Kind == model.StepInvariant || r.claim.info.Kind == model.Costs {
		o.barrier(n - 1) // the step that is judged stays the last one
	}
	return o
}

// barrier keeps a step between the steps that were before it and those after it. It returns false if they
// were kept apart already.
func (o *precedence) barrier(i int) (added bool) {
	for j := range o.before {
		if j != i {
			added = o.wait(max(i, j), min(i, j)) || added
		}
	}
	return added
}

// refine excludes an order of the steps in which step stuck was not enabled or sent other messages or, if
// stuck is -1, that ended in another state. Mostly steps have changed places with a crash (nothing is sent to
// the dead, and histories count them): from now on one waits for the other as in the run. If there are none,
// stuck becomes a barrier. It returns false if nothing was added.
func (o *precedence) refine(stuck int, list []int) (added bool) {
	index := make([]int, len(list)) // per step: where it stands in the order
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

// wait makes a step wait for another. It returns false if it did so already.
func (o *precedence) wait(second, first int) bool {
	if slices.Contains(o.before[second], first) {
		return false
	}
	o.before[second] = append(o.before[second], first)
	return true
}
