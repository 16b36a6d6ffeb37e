package occupancy

import (
	"slices"

	"github.com/atmostk/atmostk/traces/logs/formats"
	"github.com/atmostk/atmostk/traces/logs/order"
)

// orders judges the holdings of a log with a partial order.
func (o *resourceState) orders() {
	l := o.l
	if l.Vectors == nil {
		o.Exact = false
		return
	}
	c := &cliques{l: l, budget: 10_000_000}
	c.run(o)
	writer := int32(AnyNumber)
	if o.K == AnyNumber { // a search for as many units gives up; more than all readers' are enough
		readers, _ := largestAntichain(l, o.list, 0)
		writer = 1
		for _, s := range readers {
			writer += s.scaled(0)
		}
		for _, s := range o.list {
			writer += max(0, -s.scaled(0))
		}
	}
	inside, exact := largestAntichain(l, o.list, writer)
	o.Possibly = weight(inside)
	if !exact || c.budget < 0 {
		// Units in use at once in some order are possible, even if the search gave up.
		o.Exact = false
		if o.Possibly = max(c.seen, o.Certainly); o.Possibly > o.K {
			inside = c.most
		}
	}
	if o.Possibly > o.K {
		o.possibly(inside)
	}
}

// cliques finds sets of holdings that overlap in every order.
type cliques struct {
	l      *order.Log
	open   []*holding // certain holdings that go on at this point of l.Sorted
	budget int        // comparisons left

	seen int        // most units in use in the order l.Sorted
	most []*holding // with them

	best   []*holding // of the present search
	units  int
	chosen []*holding
}

// run walks along l.Sorted. At each acquisition it looks for the largest set of open holdings that overlap in
// every order and include the new one.
func (c *cliques) run(o *resourceState) {
	for _, t := range turnsOf(o.list, func(event int32) int32 { return c.l.Rank[event] }) {
		if c.l.Stopped() {
			c.budget = -1
			return
		}
		if t.kind != enters {
			last := len(c.open) - 1
			c.open[slices.Index(c.open, t.of)] = c.open[last]
			c.open = c.open[:last]
			continue
		}
		c.best, c.units = nil, 0
		c.grow(t.of, c.open, 0)
		if c.units > o.K {
			o.definite(OverlapSet{}, c.best...)
		}
		o.Certainly = max(o.Certainly, c.units)
		c.open = append(c.open, t.of)
		if units := weight(c.open); units > c.seen {
			c.seen, c.most = units, slices.Clone(c.open)
		}
	}
}

// grow chooses a holding that overlaps all chosen ones, and then chooses further candidates.
func (c *cliques) grow(s *holding, candidates []*holding, units int) {
	isApart := func(t *holding) bool { return !c.overlap(s, t) }
	rest := slices.DeleteFunc(slices.Clone(candidates), isApart)
	c.chosen = append(c.chosen, s)
	if units += int(s.units); units > c.units {
		c.units, c.best = units, slices.Clone(c.chosen)
	}
	for left := weight(rest); len(rest) > 0 && units+left > c.units && c.budget >= 0; rest = rest[1:] {
		left -= int(rest[0].units)
		c.grow(rest[0], rest[1:], units)
	}
	c.chosen = c.chosen[:len(c.chosen)-1]
}

// overlap reports whether two holdings overlap in every order.
func (c *cliques) overlap(s, t *holding) bool {
	c.budget--
	return (t.sure.at == formats.None || c.l.IsBefore(s.enter.at, t.sure.at)) &&
		(s.sure.at == formats.None || c.l.IsBefore(t.enter.at, s.sure.at))
}
