package occupancy

import (
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
	open   []int32 // certain holdings that go on in the order l.Sorted
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
	const ends, enters, endsAfter = 0, 1, 2 // what comes first at an event
	var turns [][3]int32                    // rank of the event, which of these, and the holding
	for i, s := range c.list {
		if !s.certain {
			continue
		}
		turns = append(turns, [3]int32{c.l.Rank[s.enter.at], enters, int32(i)})
		switch {
		case s.sure.at == formats.None:
		case s.endsAt():
			turns = append(turns, [3]int32{c.l.Rank[s.sure.at], ends, int32(i)})
		default:
			turns = append(turns, [3]int32{c.l.Rank[s.sure.at], endsAfter, int32(i)})
		}
	}
	slices.SortFunc(turns, func(a, b [3]int32) int { return slices.Compare(a[:], b[:]) })
	for _, turn := range turns {
		i := turn[2]
		if turn[1] != enters {
			at := slices.Index(c.open, i)
			c.open[at] = c.open[len(c.open)-1]
			c.open = c.open[:len(c.open)-1]
			continue
		}
		if units := c.search(i); units > o.K {
			o.definite(OverlapSet{}, pick(c.list, c.best)...)
		}
		o.Certainly = max(o.Certainly, c.units)
		c.open = append(c.open, i)
		if units := weight(c.list, c.open); units > c.seen {
			c.seen, c.most = units, slices.Clone(c.open)
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

// grow adds candidates, which all overlap with all that are chosen.
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
