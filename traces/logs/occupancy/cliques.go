package occupancy

import (
	"cmp"
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
	var rest []*holding
	for _, t := range candidates {
		if c.overlap(s, t) {
			rest = append(rest, t)
		}
	}
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

// An antichain finds holdings with the largest number of units that are pairwise unordered: none is known to
// be over before another. It covers the units of holdings with as few chains as possible. Units are added one
// by one, in a consistent order of their beginnings; if a unit would need a new chain, links are changed
// along an augmenting path, if there is one.
type antichain struct {
	l      *order.Log
	tails  []*unit   // the last units of chains
	nodes  [][]*unit // of each node, the units so far
	search int       // number of searches for a path
	budget int       // comparisons left; below 0: the search has given up
}

// A unit is one unit of a holding.
type unit struct {
	*holding
	succ, pred *unit // in its chain
	search     int   // the last search that visited it
	after      bool  // it can be reached as a successor
	before     bool  // it can be reached as a predecessor
}

// isOver reports whether the holding of x is known to be over before the one of y begins. A holding of no
// length is not before itself.
func (a *antichain) isOver(x, y *unit) bool {
	return x.holding != y.holding && x.late.at != formats.None && y.early != formats.None &&
		a.l.IsBefore(x.late.at, y.early)
}

// largestAntichain returns the holdings of a largest antichain; exact is false if the search gave up. The
// units of a writer count as the given number.
func largestAntichain(l *order.Log, list []*holding, writer int32) (inside []*holding, exact bool) {
	a := &antichain{l: l, budget: 50_000_000, nodes: make([][]*unit, len(l.Nodes))}
	sorted := slices.DeleteFunc(slices.Clone(list), func(s *holding) bool { return !s.possible })
	begins := func(s *holding) int32 {
		if s.early == formats.None {
			return formats.None
		}
		return l.Rank[s.early]
	}
	slices.SortStableFunc(sorted, func(s, t *holding) int { return cmp.Compare(begins(s), begins(t)) })
	for _, s := range sorted {
		for range s.scaled(writer) {
			if a.budget < 0 {
				return nil, false
			}
			x := &unit{holding: s}
			a.search++
			a.extend(x)
			a.tails = append(a.tails, x)
			a.nodes[s.node] = append(a.nodes[s.node], x)
		}
	}
	return a.uncovered(), a.budget >= 0
}

// extend appends a unit to a chain, preferably one of its own node. If it can follow no tail, another unit
// that can follow a tail does so, and leaves its predecessor, which this unit can follow, to it; and so on.
//
// A unit that begins in the causal past of x can follow only units that x can follow itself, so that only the
// other units are tried.
func (a *antichain) extend(x *unit) bool {
	best := -1
	a.budget -= len(a.tails)
	for k, t := range a.tails {
		if a.isOver(t, x) && (best < 0 || t.node == x.node) {
			best = k
		}
	}
	if best >= 0 {
		a.tails[best].succ, x.pred = x, a.tails[best]
		a.tails = slices.Delete(a.tails, best, best+1)
		return true
	}
	for _, list := range a.nodes {
		for _, z := range slices.Backward(list) {
			past := z.early == formats.None || x.early != formats.None && a.l.IsBefore(z.early, x.early)
			if a.budget--; past || a.budget < 0 {
				break
			}
			if z.search == a.search || z.pred == nil || !a.isOver(z.pred, x) {
				continue
			}
			z.search = a.search
			if given := z.pred; a.extend(z) {
				given.succ, x.pred = x, given
				return true
			}
		}
	}
	return false
}

// uncovered returns the holdings of a largest antichain, by König's construction: the units that can be
// reached from the heads of chains as successors, but not as predecessors, along links and possible links in
// turn.
func (a *antichain) uncovered() (inside []*holding) {
	all := slices.Concat(a.nodes...)
	for _, list := range a.nodes {
		slices.SortStableFunc(list, func(x, y *unit) int {
			return cmp.Compare(uint32(x.late.at), uint32(y.late.at)) // None comes last
		})
	}
	reached := make([]int, len(a.nodes))
	var queue []*unit
	reach := func(x *unit) {
		if x != nil && !x.after {
			x.after = true
			queue = append(queue, x)
		}
	}
	for _, x := range all {
		if x.pred == nil {
			reach(x)
		}
	}
	for ; len(queue) > 0; queue = queue[1:] {
		for node, list := range a.nodes {
			for reached[node] < len(list) && a.isOver(list[reached[node]], queue[0]) {
				x := list[reached[node]]
				reached[node]++
				x.before = true
				reach(x.succ)
			}
		}
	}
	for _, x := range all {
		if x.after && !x.before && !slices.Contains(inside, x.holding) {
			inside = append(inside, x.holding)
		}
	}
	return inside
}
