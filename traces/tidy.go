package traces

import (
	"cmp"
	"fmt"
	"slices"

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

// A cut is a part of a run: of each process the first steps, none to all. It is the result of
// turns, in each of which one process takes steps.
type cut struct {
	done   []int // per process: number of its steps in the cut
	total  int   // number of all steps in the cut
	last   int   // the process that had the last turn; -1: none
	before *cut  // the cut before the last turn; nil: the empty cut
}

// beamWork divided by the number of steps of a run is the most cuts that the search keeps per
// level: 256 for a run of a hundred steps.
const beamWork = 25_600

// schedule returns an order with few switches. It visits all cuts that one turn reaches, then those that two
// turns reach, and so on. In its turn a process takes as many steps as it can: a step taken early never
// disables another one. So the order has the fewest possible switches, unless a level had too many cuts: then
// it drops the cuts with the fewest steps.
func (o *precedence) schedule() []int {
	beam := max(beamWork/len(o.process), 1)
	level := []*cut{{done: make([]int, len(o.own)), last: -1}}
	for level[0].total < len(o.process) {
		var next []*cut
		seen := map[string]bool{}
		for _, c := range level {
			for _, w := range o.ready(c) {
				d := &cut{done: slices.Clone(c.done), total: c.total, last: w, before: c}
				for d.done[w] < len(o.own[w]) && o.enabled(d, o.own[w][d.done[w]]) {
					d.done[w]++
					d.total++
				}
				if key := fmt.Sprint(d.done); !seen[key] {
					seen[key] = true
					next = append(next, d)
				}
			}
		}
		slices.SortStableFunc(next, func(a, b *cut) int { return cmp.Compare(b.total, a.total) })
		level = next[:min(len(next), beam)]
	}
	var turns [][]int
	for c := level[0]; c.before != nil; c = c.before {
		turns = append(turns, o.own[c.last][c.before.done[c.last]:c.done[c.last]])
	}
	slices.Reverse(turns)
	return slices.Concat(turns...)
}

// ready returns the processes that can take a step: first those whose step is an effect of the process that
// had the last turn, then the others, both in the order of their steps in the run.
func (o *precedence) ready(c *cut) (ready []int) {
	for w, steps := range o.own {
		if c.done[w] < len(steps) && o.enabled(c, steps[c.done[w]]) {
			ready = append(ready, w)
		}
	}
	slices.SortFunc(ready, func(a, b int) int {
		s, t := o.own[a][c.done[a]], o.own[b][c.done[b]]
		return cmp.Or(o.isEffect(t, c.last)-o.isEffect(s, c.last), s-t)
	})
	return ready
}

// enabled reports whether a cut has all steps of other processes that a step waits for.
func (o *precedence) enabled(c *cut, step int) bool {
	return !slices.ContainsFunc(o.before[step], func(j int) bool {
		return o.process[j] != o.process[step] && o.rank[j] >= c.done[o.process[j]]
	})
}

// isEffect is 1 if a step receives a message of a process or notices its crash, 0 if not.
func (o *precedence) isEffect(step, to int) int {
	if to < 0 {
		return 0
	}
	t, name := &o.run.Taken[step], o.run.Taken[o.own[to][0]].Owner
	if t.Received != nil && t.Received.From == name || t.Noticed == name && name != "" {
		return 1
	}
	return 0
}
