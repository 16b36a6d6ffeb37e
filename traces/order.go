package traces

import (
	"slices"

	"github.com/atmostk/atmostk/model"
)

// An order is what has to happen before what. A step waits for those before it
// of its process, for the send of what it receives, for the crash that it
// notices; and it may have been found out that it waits for more.
type order struct {
	run      *Run
	before   [][]int // for each step those that it waits for
	barriers []bool
	own      [][]int // the steps of each process
	who      []int   // the process of each step, as an index of own
	rank     []int   // where each step is among those of its process
}

func newOrder(r *Run) *order {
	o := &order{run: r, before: make([][]int, len(r.Taken)), barriers: make([]bool, len(r.Taken))}
	o.divide()
	sent := map[string]int{}
	crash := map[string]int{}
	for i := range r.Taken {
		s := &r.Trace.Steps[i+1]
		wait := func(m map[string]int, key string) {
			if j, ok := m[key]; ok {
				o.before[i] = append(o.before[i], j)
			}
		}
		wait(crash, s.Noticed)
		if s.Received != nil {
			wait(sent, s.Received.ID)
		}
		for _, m := range s.Sent {
			sent[m.ID] = i
		}
		if s.Crashed {
			crash[s.Node] = i
		}
	}
	if n := len(r.Taken); r.claim.info.Kind == model.StepInvariant || r.claim.info.Kind == model.Costs {
		o.barrier(n - 1) // the step that is judged stays the last one
	}
	return o
}

// divide lists the steps of each process.
func (o *order) divide() {
	number := map[string]int{}
	for i := range o.run.Taken {
		name := o.run.Taken[i].Owner
		w, known := number[name]
		if !known {
			w = len(o.own)
			number[name] = w
			o.own = append(o.own, nil)
		}
		o.who, o.rank = append(o.who, w), append(o.rank, len(o.own[w]))
		o.own[w] = append(o.own[w], i)
	}
}

// barrier keeps a step between those that were before it and those that were
// after it. It returns false if it was there already.
func (o *order) barrier(i int) bool {
	if o.barriers[i] {
		return false
	}
	o.barriers[i] = true
	for j := range i {
		o.before[i] = append(o.before[i], j)
	}
	for j := i + 1; j < len(o.before); j++ {
		o.before[j] = append(o.before[j], i)
	}
	return true
}

// learn draws a lesson from an order in which a step was not enabled or sent
// other messages, or, if stuck is -1, that ended in another state. Mostly steps
// have changed places with a crash: nothing is sent to the dead, and histories
// count them. It returns false if there is nothing to learn.
func (o *order) learn(stuck int, list []int) (learnt bool) {
	place := make([]int, len(list))
	for at, i := range list {
		place[i] = at
	}
	for j := range list {
		for i := range list {
			inverted := o.run.Taken[j].Crashed && (place[i] < place[j]) != (i < j)
			if inverted && (i == stuck || stuck < 0) {
				learnt = o.wait(max(i, j), min(i, j)) || learnt
			}
		}
	}
	return learnt || stuck >= 0 && o.barrier(stuck)
}

// wait makes a step wait for another. It returns false if it did so already.
func (o *order) wait(second, first int) bool {
	if slices.Contains(o.before[second], first) {
		return false
	}
	o.before[second] = append(o.before[second], first)
	return true
}
