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
	list   []*holding
	of     []int32 // copies of holdings, in the order in which they come
	succ   []int32 // of each copy the next in its chain; none
	pred   []int32
	tails  []int32   // copies that end a chain
	nodes  [][]int32 // of each node the copies so far
	budget int       // of comparisons; below 0: given up
	marked []int32   // the search in which a copy was last seen
	search int32
}

func newAntichain(l *order.Log, list []*holding) *antichain {
	a := &antichain{l: l, list: list, budget: 50_000_000, nodes: make([][]int32, len(l.Nodes))}
	var order []int32
	for i := range list {
		if list[i].possible {
			order = append(order, int32(i))
		}
	}
	begins := func(i int32) int32 {
		if e := list[i].early; e != formats.None {
			return l.Rank[e]
		}
		return formats.None
	}
	slices.SortStableFunc(order, func(a, b int32) int { return cmp.Compare(begins(a), begins(b)) })
	for _, i := range order {
		for range list[i].units {
			a.of = append(a.of, i)
		}
	}
	a.succ, a.pred, a.marked = fill(len(a.of), formats.None), fill(len(a.of), formats.None), fill(len(a.of),
		0)
	return a
}

func fill(n int, x int32) []int32 { return slices.Repeat([]int32{x}, n) }

// less reports whether a copy's stay is known to be over before another begins. One
// that is over as it begins is not before itself.
func (a *antichain) less(x, y int32) bool {
	s, t := a.list[a.of[x]], a.list[a.of[y]]
	return s != t && s.late.at != formats.None && t.early != formats.None && a.l.IsBefore(s.late.at, t.early)
}

// node is the node of a copy.
func (a *antichain) node(x int32) int32 { return a.list[a.of[x]].node }

// largest returns the holdings of a largest antichain.
func (a *antichain) largest() []int32 {
	for x := range a.of {
		x := int32(x)
		if a.budget < 0 {
			return nil
		}
		if !a.extend(x) {
			a.augment(x)
		}
		a.tails = append(a.tails, x)
		a.nodes[a.node(x)] = append(a.nodes[a.node(x)], x)
	}
	return a.uncovered()
}

// extend puts a copy at the end of a chain: one of its own node rather than another.
func (a *antichain) extend(x int32) bool {
	best := -1
	a.budget -= len(a.tails)
	for k, t := range a.tails {
		if a.less(t, x) && (best < 0 || a.node(t) == a.node(x)) {
			best = k
		}
	}
	if best < 0 {
		return false
	}
	a.link(a.tails[best], x)
	a.tails = slices.Delete(a.tails, best, best+1)
	return true
}

func (a *antichain) link(x, y int32) { a.succ[x], a.pred[y] = y, x }

// augment changes links so that a copy gets a predecessor, if that is possible:
// whoever can follow a tail that the copy cannot gives up its own predecessor,
// which the copy can follow, and so on.
//
// What begins in the causal past of a copy can follow nothing that the copy cannot
// follow itself. So only copies outside are of any use.
func (a *antichain) augment(x int32) {
	a.search++
	freed := map[int32]int32{} // for a copy the one that takes its predecessor
	queue := []int32{x}
	for len(queue) > 0 && a.budget >= 0 {
		y := queue[0]
		queue = queue[1:]
		for node := range a.nodes {
			list := a.nodes[node]
			for k := len(list) - 1; k >= 0 && !a.past(list[k], y) && a.budget >= 0; k-- {
				z := list[k]
				a.budget--
				if a.marked[z] == a.search || a.pred[z] == formats.None || !a.less(a.pred[z], y) {
					continue
				}
				a.marked[z] = a.search
				freed[z] = y
				a.budget -= len(a.tails)
				if t := slices.IndexFunc(a.tails, func(t int32) bool { return a.less(t, z) }); t >= 0 {
					a.shift(a.tails[t], z, freed)
					a.tails = slices.Delete(a.tails, t, t+1)
					return
				}
				queue = append(queue, z)
			}
		}
	}
}

// past reports whether a copy begins in the causal past of another.
func (a *antichain) past(x, y int32) bool {
	s, t := a.list[a.of[x]], a.list[a.of[y]]
	return s.early == formats.None || t.early != formats.None && a.l.IsBefore(s.early, t.early)
}

// shift gives the tail to z, z's predecessor to the copy that freed it, and so on.
func (a *antichain) shift(tail, z int32, freed map[int32]int32) {
	for {
		given := a.pred[z]
		a.link(tail, z)
		y, more := freed[z]
		if !more {
			return
		}
		tail, z = given, y
	}
}

// uncovered returns the holdings of a largest antichain, by König's construction: those
// that can be reached as successors from the heads of chains, along links and what
// could be links in turn, but not as predecessors.
func (a *antichain) uncovered() []int32 {
	after, before := make([]bool, len(a.of)), make([]bool, len(a.of))
	for node := range a.nodes {
		slices.SortStableFunc(a.nodes[node], func(x, y int32) int {
			return cmp.Compare(a.late(x),
				a.late(y))
		})
	}
	reached := make([]int, len(a.nodes))
	var queue []int32
	for x := range a.of {
		if a.pred[x] == formats.None {
			after[x] = true
			queue = append(queue, int32(x))
		}
	}
	for len(queue) > 0 {
		y := queue[0]
		queue = queue[1:]
		for node, list := range a.nodes {
			for reached[node] < len(list) && a.less(list[reached[node]], y) {
				x := list[reached[node]]
				reached[node]++
				before[x] = true
				if z := a.succ[x]; z != formats.None && !after[z] {
					after[z] = true
					queue = append(queue, z)
				}
			}
		}
	}
	var inside []int32
	for x := range a.of {
		if i := a.of[x]; after[x] && !before[x] && !slices.Contains(inside, i) {
			inside = append(inside, i)
		}
	}
	return inside
}

// late is where a copy's stay is over, in its node's order.
func (a *antichain) late(x int32) int64 {
	if e := a.list[a.of[x]].late.at; e != formats.None {
		return int64(e)
	}
	return formats.Ever
}
