package traces

import (
	"slices"

	"github.com/atmostk/atmostk/model"
)

// A precedence says of the steps of a run which have to happen before which: a step waits for those before it
// of its process, for the send of its message, for the crash that it notices, and for the steps that refine
// adds.
type precedence struct {
	run      *Run
	before   [][]int // per step: those that it waits for
	barriers []bool  // per step: all others wait for it, or it for them, as in the run
	own      [][]int // per process: its steps
	who      []int   // per step: the process, as an index of own
	rank     []int   // per step: its index among the steps of its process
}

func newPrecedence(r *Run) *precedence {
	o := &precedence{run: r, before: make([][]int, len(r.Taken)), barriers: make([]bool, len(r.Taken))}
	o.byProcess()
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

// byProcess lists the steps of each process.
func (o *precedence) byProcess() {
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
func (o *precedence) barrier(i int) bool {
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
