package traces

import (
	"cmp"
	"fmt"
	"slices"
)

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
