package traces

import (
	"cmp"
	"fmt"
	"slices"
)

// A cut is a part of a run in which each process has taken its first steps, up to
// some one. It was reached by letting one process after the other go on.
type cut struct {
	done   []int // how many steps of each process
	total  int
	last   int // the process that went on last; -1: none
	before *cut
}

// beamWork limits how many cuts are followed at a time, in steps of their run: it
// is 256 of them for a run of a hundred steps.
const beamWork = 25_600

// schedule returns an order with few switches. It goes through all cuts that can
// be reached with one turn, with two turns, and so on. A process whose turn it is
// goes on as long as it can: to take a step earlier is never in the way of another.
// So the order has the fewest switches possible, unless there were more cuts
// than it follows, and it dropped the ones farthest behind.
func (o *precedence) schedule() []int {
	beam := max(beamWork/len(o.who), 1)
	level := []*cut{{done: make([]int, len(o.own)), last: -1}}
	for level[0].total < len(o.who) {
		var next []*cut
		seen := map[string]bool{}
		for _, c := range level {
			for _, w := range o.ready(c) {
				d := o.advance(c, w)
				if key := fmt.Sprint(d.done); !seen[key] {
					seen[key] = true
					next = append(next, d)
				}
			}
		}
		slices.SortStableFunc(next, func(a, b *cut) int { return cmp.Compare(b.total, a.total) })
		level = next[:min(len(next), beam)]
	}
	return o.steps(level[0])
}

// ready returns the processes that can go on: first the ones that do so because of the one that went on last,
// then in the order of the run.
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

// enabled reports whether everything that a step waits for is done, besides the
// steps of its own process.
func (o *precedence) enabled(c *cut, step int) bool {
	return !slices.ContainsFunc(o.before[step], func(j int) bool {
		return o.who[j] != o.who[step] && o.rank[j] >= c.done[o.who[j]]
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

// advance lets a process take as many steps as it can.
func (o *precedence) advance(c *cut, w int) *cut {
	d := &cut{done: slices.Clone(c.done), total: c.total, last: w, before: c}
	for d.done[w] < len(o.own[w]) && o.enabled(d, o.own[w][d.done[w]]) {
		d.done[w]++
		d.total++
	}
	return d
}

// steps spells out how a cut was reached.
func (o *precedence) steps(c *cut) []int {
	var turns [][]int
	for ; c.before != nil; c = c.before {
		turns = append(turns, o.own[c.last][c.before.done[c.last]:c.done[c.last]])
	}
	slices.Reverse(turns)
	return slices.Concat(turns...)
}
