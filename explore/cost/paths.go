package cost

import (
	"cmp"
	"math"
	"slices"

	"github.com/atmostk/atmostk/explore/graph"
	"github.com/atmostk/atmostk/model"
)

// pathCosts are, per node, the least and the highest cost of runs from an opening to it, and the node before
// it on such a run.
type pathCosts struct {
	least, most         []int32
	leastFrom, mostFrom []uint32 // a node, or the number of nodes plus the index of an opening
	*graph.Components
}

// Values of least and most.
const (
	notCounted = -1            // no run reaches the node while it counts
	endless    = math.MaxInt32 // it is on a cycle that costs something, or behind one
)

// count follows the openings through the graph, component by component.
func (g *view) count() *pathCosts {
	nodes := g.Nodes()
	c := &pathCosts{least: make([]int32, nodes), most: make([]int32, nodes), leastFrom: make([]uint32, nodes),
		mostFrom: make([]uint32, nodes)}
	for n := range c.least {
		c.least[n], c.most[n] = notCounted, notCounted
	}
	g.walk.Start()
	for i, o := range g.openings {
		c.meet(o.to, o.weight, o.weight, nodes+uint32(i))
		g.walk.Meet(o.to, o.to)
	}
	for n, ok := g.walk.Next(); ok; n, ok = g.walk.Next() {
		g.spread(n)
	}
	c.Components = graph.NewComponents(&g.Graph.Graph, g.walk.Met, g.follows, func(members []uint32) {
		if slices.ContainsFunc(members, func(n uint32) bool { _, is := g.costly(c, n); return is }) {
			for _, n := range members {
				c.most[n] = endless
			}
		}
	}, g.Tick)
	c.Find()
	order := slices.SortedFunc(slices.Values(g.walk.Order()), func(a, b uint32) int {
		return cmp.Or(cmp.Compare(c.Number(a), c.Number(b)), cmp.Compare(a, b))
	})
	for len(order) > 0 { // the components, sources first: they are numbered downwards, sinks first
		n := 1
		g.Tick(0)
		for n < len(order) && c.Same(order[n], order[0]) {
			n++
		}
		g.leave(c, order[:n])
		order = order[n:]
	}
	return c
}

// costly returns the first edge from a node that costs something and stays inside its component.
func (g *view) costly(c *pathCosts, n uint32) (edge uint32, is bool) {
	for e, end := g.Edges(n); e < end; e++ {
		if g.follows(e) && g.weight(e) > 0 && c.Same(g.To[e], n) {
			return e, true
		}
	}
	return 0, false
}

// leave follows the steps from the nodes of a component.
func (g *view) leave(c *pathCosts, component []uint32) {
	for again := true; again; {
		again = false
		for k, n := range component {
			g.Tick(k)
			if c.least[n] == notCounted { // no path leads to it yet
				continue
			}
			for e, end := g.Edges(n); e < end; e++ {
				if !g.follows(e) {
					continue
				}
				w, most := g.weight(e), c.most[n]
				if most != endless {
					most += w
				}
				again = c.meet(g.To[e], c.least[n]+w, most, n) || again
			}
		}
		again = again && len(component) > 1
	}
}

// meet enters the costs of a path to n over from, and reports whether they improve on the known ones.
func (c *pathCosts) meet(n uint32, least, most int32, from uint32) (news bool) {
	if c.least[n] == notCounted || least < c.least[n] {
		c.least[n], c.leastFrom[n], news = least, from, true
	}
	if most > c.most[n] {
		c.most[n], c.mostFrom[n], news = most, from, true
	}
	return news
}

// way returns the nodes on the path with the least or the highest cost at n, from the start of its opening.
func (g *view) way(from []uint32, n uint32) []uint32 {
	nodes := []uint32{n}
	for ; from[n] < g.Nodes(); nodes = append(nodes, n) {
		n = from[n]
	}
	slices.Reverse(nodes)
	return g.opened(g.openings[from[n]-g.Nodes()], nodes)
}

// opened puts the start of an opening before the nodes behind it. Openings of whole runs have it already.
func (g *view) opened(o step, nodes []uint32) []uint32 {
	if g.process == Whole {
		return nodes
	}
	return slices.Insert(nodes, 0, o.from)
}

// repeated returns the nodes of a run from an opening to a cycle with a cost, round the cycle, and on to a
// closing. It goes round until the cost exceeds the bound; without a bound, once.
func (g *view) repeated(c *pathCosts, b *model.Bound) (nodes []uint32, closing *step) {
	more, closingAt := 0, map[uint32]*step{}
	for k := range g.closings {
		cl := &g.closings[k]
		closingAt[cl.from] = cl
		more = max(more, b.Most*int(cl.requests)) // 0 without a bound
	}
	for n := range g.Nodes() {
		edge, is := g.costly(c, n)
		if !is || c.least[n] == notCounted {
			continue
		}
		isN := func(m uint32) bool { return m == n }
		out := g.walk.Find(n, func(m uint32) bool { return closingAt[m] != nil }, g.spread)
		for _, o := range g.openings {
			nodes = g.walk.Find(o.to, isN, g.spread)
			if out == nil || nodes == nil {
				continue
			}
			back := g.walk.Find(g.To[edge], isN, g.spread)
			for counted := 0; counted <= more; counted += int(g.weight(edge)) {
				nodes = append(nodes, back...)
			}
			return g.opened(o, append(nodes, out[1:]...)), closingAt[out[len(out)-1]]
		}
	}
	panic("cost: a cycle that costs something, and leads to no closing")
}
