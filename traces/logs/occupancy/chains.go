package occupancy

import (
	"cmp"
	"slices"

	"github.com/atmostk/atmostk/traces/logs/formats"
	"github.com/atmostk/atmostk/traces/logs/order"
)

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
			if a.budget < 0 || l.Stopped() {
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
