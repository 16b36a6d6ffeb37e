package cost

import (
	"cmp"
	"math"
	"slices"

	"github.com/atmostk/atmostk/explore/graph"
)

// pathCosts are, per node, the least and the most that runs have cost from an opening to there, and the node
// before it on such a run.
type pathCosts struct {
	least, most         []int32
	leastFrom, mostFrom []uint32 // a node, or the number of nodes plus the index of an opening
	*graph.Components
	endless graph.Set // nodes on cycles that cost something
}

// Values of least and most.
const (
	notCounted = -1 // no run gets there while it counts
	endless    = math.MaxInt32
)

// count follows the openings through the graph, component by component.
func (g *view) count() *pathCosts {
	nodes := g.Nodes()
	c := &pathCosts{
		least: make([]int32, nodes), most: make([]int32, nodes),
		leastFrom: make([]uint32, nodes), mostFrom: make([]uint32, nodes), endless: graph.NewSet(nodes),
	}
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
		if g.costs(c, members) {
			for _, n := range members {
				c.endless.Add(n)
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

// costs reports whether a step inside a component costs something.
func (g *view) costs(c *pathCosts, component []uint32) bool {
	for _, n := range component {
		first, end := g.Edges(n)
		for e := first; e < end; e++ {
			if g.follows(e) && g.weight(e) > 0 && c.Same(g.To[e], n) {
				return true
			}
		}
	}
	return false
}

// leave follows the steps from the nodes of a component.
func (g *view) leave(c *pathCosts, component []uint32) {
	if c.endless.Has(component[0]) {
		for _, n := range component {
			c.most[n] = endless
		}
	}
	for again := true; again; {
		again = false
		for k, n := range component {
			g.Tick(k)
			if c.least[n] == notCounted { // no way leads there yet
				continue
			}
			first, end := g.Edges(n)
			for e := first; e < end; e++ {
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

// meet enters what was counted on some way to n, and reports whether that is news.
func (c *pathCosts) meet(n uint32, least, most int32, from uint32) (news bool) {
	if c.least[n] == notCounted || least < c.least[n] {
		c.least[n], c.leastFrom[n], news = least, from, true
	}
	if most > c.most[n] {
		c.most[n], c.mostFrom[n], news = most, from, true
	}
	return news
}

// way returns the nodes on the way by which least or most was counted at a closing, and
// the opening where it began.
func (g *view) way(from []uint32, closing step) (nodes []uint32, opening step) {
	n := closing.from
	for {
		nodes = append(nodes, n)
		if from[n] >= g.Nodes() {
			break
		}
		n = from[n]
	}
	opening = g.openings[from[n]-g.Nodes()]
	slices.Reverse(nodes)
	return nodes, opening
}

// repeated returns a way from an opening to a cycle that costs something, often enough
// round that to cost more than the given number, and on to a closing; nil if no cycle
// leads to a closing.
func (g *view) repeated(c *pathCosts, more int) (nodes []uint32, opening, closing step) {
	closingAt := map[uint32]step{}
	for _, cl := range g.closings {
		closingAt[cl.from] = cl
	}
	for n := range g.Nodes() {
		if !c.endless.Has(n) {
			continue
		}
		first, end := g.Edges(n)
		for e := first; e < end; e++ {
			if !g.follows(e) || g.weight(e) == 0 || !c.Same(g.To[e], n) {
				continue
			}
			out := g.path(n, func(m uint32) bool { _, is := closingAt[m]; return is })
			if out == nil {
				break
			}
			if nodes, opening = g.around(n, e, more); nodes != nil {
				nodes = append(nodes, out[1:]...)
				return nodes, opening, closingAt[nodes[len(nodes)-1]]
			}
		}
	}
	return nil, step{}, step{}
}

// around returns a way from an opening to n and from there round a cycle that begins with an edge,
// until that cost more than the given number; nil if no opening leads there.
func (g *view) around(n, edge uint32, more int) (nodes []uint32, opening step) {
	isN := func(m uint32) bool { return m == n }
	for _, o := range g.openings {
		in := g.path(o.to, isN)
		if in == nil {
			continue
		}
		back := g.path(g.To[edge], isN)
		for counted := 0; counted <= more; counted += int(g.weight(edge)) {
			in = append(in, back...)
		}
		return in, o
	}
	return nil, step{}
}
