package occupancy

import (
	"cmp"
	"slices"

	"github.com/atmostk/atmostk/traces/logs/formats"
	"github.com/atmostk/atmostk/traces/logs/order"
)

// An antichain finds holdings, none known to be over before another, with
// as many units as possible: by covering the holdings, each as often as it has units,
// with as few chains as possible. Chains are extended by one holding after the other,
// in a consistent order of their beginnings; where that takes a new chain, links
// are changed along an augmenting path if there is one.
type antichain struct {
	l      *order.Log
	tails  []*unit   // those that end a chain
	nodes  [][]*unit // of each node those so far
	search int       // the number of searches for a path
	budget int       // of comparisons; below 0: given up
}

// A unit is one of a holding.
type unit struct {
	*holding
	succ, pred *unit // in its chain
	// freed is the one that takes its predecessor, in the search in which it was last seen.
	freed  *unit
	search int
	after  bool // it can be reached as a successor
	before bool // it can be reached as a predecessor
}

// isOver reports whether a unit's holding is known to be over before another begins. One
// that is over as it begins is not before itself.
func (a *antichain) isOver(x, y *unit) bool {
	return x.holding != y.holding && x.late.at != formats.None && y.early != formats.None &&
		a.l.IsBefore(x.late.at, y.early)
}

// largestAntichain returns the holdings of a largest antichain; exact is false if the search was given up.
func largestAntichain(l *order.Log, list []*holding) (inside []*holding, exact bool) {
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
		for range s.units {
			if a.budget < 0 {
				return nil, false
			}
			x := &unit{holding: s}
			if !a.extend(x) {
				a.augment(x)
			}
			a.tails = append(a.tails, x)
			a.nodes[s.node] = append(a.nodes[s.node], x)
		}
	}
	return a.uncovered(), a.budget >= 0
}

// extend puts a unit at the end of a chain: one of its own node rather than another.
func (a *antichain) extend(x *unit) bool {
	best := -1
	a.budget -= len(a.tails)
	for k, t := range a.tails {
		if a.isOver(t, x) && (best < 0 || t.node == x.node) {
			best = k
		}
	}
	if best >= 0 {
		a.link(best, x)
	}
	return best >= 0
}

// link lets a unit follow a tail.
func (a *antichain) link(tail int, y *unit) {
	x := a.tails[tail]
	x.succ, y.pred = y, x
	a.tails = slices.Delete(a.tails, tail, tail+1)
}

// augment changes links so that a unit gets a predecessor, if that is possible:
// whoever can follow a tail that the unit cannot gives up its own predecessor,
// which the unit can follow, and so on.
//
// What begins in the causal past of a unit can follow nothing that the unit cannot
// follow itself. So only units outside are of any use.
func (a *antichain) augment(x *unit) {
	a.search++
	x.freed = nil
	for queue := []*unit{x}; len(queue) > 0 && a.budget >= 0; queue = queue[1:] {
		y := queue[0]
		for _, list := range a.nodes {
			for k := len(list) - 1; k >= 0 && !a.isPast(list[k], y) && a.budget >= 0; k-- {
				z := list[k]
				a.budget--
				if z.search == a.search || z.pred == nil || !a.isOver(z.pred, y) {
					continue
				}
				z.search, z.freed = a.search, y
				a.budget -= len(a.tails)
				if t := slices.IndexFunc(a.tails, func(t *unit) bool { return a.isOver(t, z) }); t >= 0 {
					a.shift(t, z)
					return
				}
				queue = append(queue, z)
			}
		}
	}
}

// isPast reports whether a unit begins in the causal past of another.
func (a *antichain) isPast(x, y *unit) bool {
	return x.early == formats.None || y.early != formats.None && a.l.IsBefore(x.early, y.early)
}

// shift gives a tail to z, z's predecessor to the unit that freed it, and so on.
func (a *antichain) shift(tail int, z *unit) {
	given := z.pred
	a.link(tail, z)
	for y := z.freed; y != nil; y = y.freed {
		next := y.pred
		given.succ, y.pred = y, given
		given = next
	}
}

// uncovered returns the holdings of a largest antichain, by König's construction: those
// that can be reached as successors from the heads of chains, along links and what
// could be links in turn, but not as predecessors.
func (a *antichain) uncovered() (inside []*holding) {
	all := slices.Concat(a.nodes...)
	for _, list := range a.nodes {
		slices.SortStableFunc(list, func(x, y *unit) int {
			return cmp.Compare(uint32(x.late.at), uint32(y.late.at)) // none comes last
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
