package explore

import (
	"cmp"
	"math"
	"slices"

	"github.com/atmostk/atmostk/model"
)

// counted tells of each node how much was counted, at least or at most, when a run
// gets there, and where it came from.
type counted struct {
	least, most         []int32
	leastFrom, mostFrom []uint32 // a node, or the number of nodes plus that of an opening
	endless             *streett // the cycles that cost something
}

// Values of counted.
const (
	notCounted = -1 // no run gets there while it counts
	endless    = math.MaxInt32
)

// count follows the openings through the graph, component by component.
func (g *costGraph) count(s *search) *counted {
	c := &counted{
		least: make([]int32, g.nodes), most: make([]int32, g.nodes),
		leastFrom: make([]uint32, g.nodes), mostFrom: make([]uint32, g.nodes),
	}
	for n := range c.least {
		c.least[n], c.most[n] = notCounted, notCounted
	}
	for i, o := range g.openings {
		c.meet(o.to, int32(o.weight), int32(o.weight), g.nodes+uint32(i))
	}
	inside := g.inside(s)
	c.endless = s.fairComponents(&g.fairGraph, costs, model.AnyDelivery, inside.has)
	order := g.ordered(c.endless, inside)
	for len(order) > 0 { // the components, sources first
		n := 1
		s.tick(0)
		for n < len(order) && c.endless.number[order[n]] == c.endless.number[order[0]] {
			n++
		}
		g.leave(s, c, order[:n])
		order = order[n:]
	}
	return c
}

// leave follows the steps from the nodes of a component.
func (g *costGraph) leave(s *search, c *counted, component []uint32) {
	if c.endless.fair.has(component[0]) {
		for _, n := range component {
			c.most[n] = endless
		}
	}
	for again := true; again; {
		again = false
		for k, n := range component {
			s.tick(k)
			if c.least[n] == notCounted { // no way leads there yet
				continue
			}
			first, end := g.stepsFrom(n)
			for e := first; e < end; e++ {
				w := int32(g.takes[e])
				most := c.most[n]
				if most != endless {
					most += w
				}
				again = c.meet(g.to[e], c.least[n]+w, most, n) || again
			}
		}
		again = again && len(component) > 1
	}
}

// meet enters what was counted on some way to n, and reports whether that is news.
func (c *counted) meet(n uint32, least, most int32, from uint32) (news bool) {
	if c.least[n] == notCounted || least < c.least[n] {
		c.least[n], c.leastFrom[n], news = least, from, true
	}
	if most > c.most[n] {
		c.most[n], c.mostFrom[n], news = most, from, true
	}
	return news
}

// inside returns the nodes to which runs come while it counts.
func (g *costGraph) inside(s *search) bitset {
	inside := newBitset(g.nodes)
	var queue []uint32
	for _, o := range g.openings {
		if !inside.has(o.to) {
			inside.set(o.to)
			queue = append(queue, o.to)
		}
	}
	for k := 0; len(queue) > 0; k++ {
		s.tick(k)
		n := queue[len(queue)-1]
		queue = queue[:len(queue)-1]
		first, end := g.stepsFrom(n)
		for _, to := range g.to[first:end] {
			if !inside.has(to) {
				inside.set(to)
				queue = append(queue, to)
			}
		}
	}
	return inside
}

// ordered returns the nodes of a set, those of a component together, and no component
// before one that leads to it: components are numbered downwards, sinks first.
func (g *costGraph) ordered(components *streett, of bitset) (order []uint32) {
	for n := range g.nodes {
		if of.has(n) {
			order = append(order, n)
		}
	}
	slices.SortFunc(order, func(a, b uint32) int {
		return cmp.Or(cmp.Compare(components.number[a], components.number[b]), cmp.Compare(a, b))
	})
	return order
}

// way returns the nodes on the way by which least or most was counted at a closing, and
// the opening where it began.
func (g *costGraph) way(from []uint32, closing costStep) (nodes []uint32, opening costStep) {
	n := closing.from
	for {
		nodes = append(nodes, n)
		if from[n] >= g.nodes {
			break
		}
		n = from[n]
	}
	opening = g.openings[from[n]-g.nodes]
	slices.Reverse(nodes)
	return nodes, opening
}

// round returns a way from an opening to a cycle that costs something, often enough
// round that to cost more than the given number, and on to a closing; nil if no cycle
// leads to a closing.
func (g *costGraph) round(s *search, c *counted, more int) (nodes []uint32, opening, closing costStep) {
	closingAt := map[uint32]costStep{}
	for _, cl := range g.closings {
		closingAt[cl.from] = cl
	}
	for n := range g.nodes {
		if !c.endless.fair.has(n) {
			continue
		}
		first, end := g.stepsFrom(n)
		for e := first; e < end; e++ {
			to := g.to[e]
			if g.takes[e] == 0 || c.endless.number[to] != c.endless.number[n] {
				continue
			}
			out := g.path(s, n, func(m uint32) bool { _, is := closingAt[m]; return is })
			if out == nil {
				break
			}
			for at, o := range g.openings {
				if in := g.path(s, o.to, func(m uint32) bool { return m == n }); in != nil {
					back := g.path(s, to, func(m uint32) bool { return m == n })
					nodes = in
					for counted := 0; counted <= more; counted += int(g.takes[e]) {
						nodes = append(nodes, back...)
					}
					nodes = append(nodes, out[1:]...)
					return nodes, g.openings[at], closingAt[nodes[len(nodes)-1]]
				}
			}
		}
	}
	return nil, costStep{}, costStep{}
}

// path returns the nodes on a shortest way from n to a goal, both included; nil if there
// is none.
func (g *costGraph) path(s *search, n uint32, goal func(uint32) bool) (nodes []uint32) {
	from := map[uint32]uint32{n: n}
	queue := []uint32{n}
	for k := 0; len(queue) > 0; k++ {
		s.tick(k)
		at := queue[0]
		queue = queue[1:]
		if goal(at) {
			for ; at != n; at = from[at] {
				nodes = append(nodes, at)
			}
			nodes = append(nodes, n)
			slices.Reverse(nodes)
			return nodes
		}
		first, end := g.stepsFrom(at)
		for _, to := range g.to[first:end] {
			if _, met := from[to]; !met {
				from[to] = at
				queue = append(queue, to)
			}
		}
	}
	return nil
}
