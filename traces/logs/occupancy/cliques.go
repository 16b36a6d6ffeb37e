package occupancy

import (
	"maps"
	"slices"

	"github.com/atmostk/atmostk/traces/logs/formats"
	"github.com/atmostk/atmostk/traces/logs/order"
)

// orders looks at the holdings of a log whose order is partial.
func (o *resourceState) orders() {
	l, list := o.l, o.list
	if l.Vectors == nil {
		o.Exact = false
		return
	}
	c := &cliques{l: l, list: list, budget: 10_000_000}
	c.run(o)
	a := newAntichain(l, list)
	inside := a.largest()
	o.Possibly = weight(list, inside)
	if a.budget < 0 || c.budget < 0 {
		// What one order shows is possible, whatever was not searched.
		o.Exact = false
		if o.Possibly = max(c.seen, o.Certainly); o.Possibly > o.K {
			inside = c.most
		}
	}
	if o.Possibly > o.K {
		o.possibly(pick(list, inside))
	}
}

// cliques finds sets of holdings that overlap in every order.
type cliques struct {
	l      *order.Log
	list   []*holding
	open   []int32 // certain holdings that go on in the order l.sorted
	budget int     // of comparisons

	seen int // most units in use in that order
	most []int32

	best   []int32 // of one search
	units  int
	chosen []int32
}

// run walks along one consistent order. At each enter it looks for the largest set
// of holdings that are open there, overlap in every order, and include the new one.
func (c *cliques) run(o *resourceState) {
	enters := map[int32][]int32{}
	overAt := map[int32][]int32{}
	for i := range c.list {
		s := c.list[i]
		if !s.certain {
			continue
		}
		enters[s.enter.at] = append(enters[s.enter.at], int32(i))
		if s.sure.at != formats.None {
			overAt[s.sure.at] = append(overAt[s.sure.at], int32(i))
		}
	}
	events := slices.Collect(maps.Keys(enters))
	for e := range overAt {
		if enters[e] == nil {
			events = append(events, e)
		}
	}
	slices.SortFunc(events, func(a, b int32) int { return int(c.l.Rank[a] - c.l.Rank[b]) })
	for _, e := range events {
		for _, i := range overAt[e] {
			if c.list[i].ends() && c.list[i].enter.at != e {
				c.open = without(c.open, i)
			}
		}
		for _, i := range enters[e] {
			if units := c.search(i); units > o.K {
				o.definite(OverlapSet{}, pick(c.list, c.best)...)
			}
			o.Certainly = max(o.Certainly, c.units)
			c.open = append(c.open, i)
		}
		if units := weight(c.list, c.open); units > c.seen {
			c.seen, c.most = units, slices.Clone(c.open)
		}
		for _, i := range overAt[e] {
			if !c.list[i].ends() || c.list[i].enter.at == e {
				c.open = without(c.open, i)
			}
		}
	}
}

// search returns the units of the largest set that includes a holding, which it
// leaves in best.
func (c *cliques) search(i int32) int {
	var candidates []int32
	for _, j := range c.open {
		if c.overlap(i, j) {
			candidates = append(candidates, j)
		}
	}
	c.best, c.units = nil, 0
	c.chosen = append(c.chosen[:0], i)
	c.grow(candidates, int(c.list[i].units))
	return c.units
}

// grow adds candidates, all of which overlap with all that are chosen.
func (c *cliques) grow(candidates []int32, units int) {
	if units > c.units {
		c.units, c.best = units, slices.Clone(c.chosen)
	}
	for k, j := range candidates {
		if units+weight(c.list, candidates[k:]) <= c.units || c.budget < 0 {
			return
		}
		var rest []int32
		for _, x := range candidates[k+1:] {
			if c.overlap(j, x) {
				rest = append(rest, x)
			}
		}
		c.chosen = append(c.chosen, j)
		c.grow(rest, units+int(c.list[j].units))
		c.chosen = c.chosen[:len(c.chosen)-1]
	}
}

// overlap reports whether two holdings overlap in every order.
func (c *cliques) overlap(i, j int32) bool {
	c.budget--
	s, t := c.list[i], c.list[j]
	return (t.sure.at == formats.None || c.l.IsBefore(s.enter.at, t.sure.at)) &&
		(s.sure.at == formats.None || c.l.IsBefore(t.enter.at, s.sure.at))
}

func pick(list []*holding, some []int32) (picked []*holding) {
	for _, i := range some {
		picked = append(picked, list[i])
	}
	return picked
}

func weight(list []*holding, set []int32) (units int) {
	for _, i := range set {
		units += int(list[i].units)
	}
	return units
}

func without(list []int32, x int32) []int32 {
	i := slices.Index(list, x)
	list[i] = list[len(list)-1]
	return list[:len(list)-1]
}
