package graph

// Components finds the strongly connected components of a graph by Pearce's algorithm (Information
// Processing Letters 116, 2016): Tarjan's algorithm with one number for each node, and without
// recursion, because a path can have as many nodes as the graph.
type Components struct {
	g        *Graph
	follow   func(edge uint32) bool // nil: all edges count
	complete func(members []uint32)
	tick     func(round int)

	// number is Pearce's rindex: 0 for nodes not visited; on the path the place in depth-first
	// order, or the place of the first node they lead back to; then the number of the component,
	// counted down from unusable: a component has a smaller number than all components it leads to.
	number []uint32
	last   uint32
	order  uint32
	path   []call
	open   []uint32 // visited nodes whose component is not complete
	rounds int
}

// unusable is the number of nodes that belong to no component.
const unusable = ^uint32(0)

// A call is a node on the path of the depth-first search.
type call struct{ node, place, next uint32 }

// NewComponents prepares the search among the nodes for which among holds, along the edges for
// which follow holds (nil: all). It calls complete with the nodes of each component, sinks first; the
// slice is valid until complete returns. It calls tick as a Walk does.
func NewComponents(g *Graph, among func(n uint32) bool, follow func(edge uint32) bool,
	complete func(members []uint32), tick func(round int)) *Components {
	c := &Components{g: g, follow: follow, complete: complete, tick: tick, number: make([]uint32, g.Nodes()),
		last: unusable}
	for n := range c.number {
		if !among(uint32(n)) {
			c.number[n] = unusable
		}
	}
	return c
}

// Find completes the components of all nodes.
func (c *Components) Find() {
	for n := range c.number {
		c.visit(uint32(n))
	}
}

// Again makes nodes unvisited, and completes the components among them.
func (c *Components) Again(nodes []uint32) {
	for _, n := range nodes {
		c.number[n] = 0
	}
	for _, n := range nodes {
		c.visit(n)
	}
}

// Number returns the number of the component of a node.
func (c *Components) Number(n uint32) uint32 { return c.number[n] }

// Same reports whether two nodes belong to the same component.
func (c *Components) Same(n, m uint32) bool { return c.number[n] == c.number[m] }

// visit completes the components of all unvisited nodes that can be reached from n.
func (c *Components) visit(n uint32) {
	if c.number[n] != 0 {
		return
	}
	c.enter(n)
	for len(c.path) > 0 {
		c.rounds++
		c.tick(c.rounds)
		if at := &c.path[len(c.path)-1]; !c.descend(at) {
			c.leave(*at)
		}
	}
}

// descend follows the edges from a node to the first unvisited node. It returns false if
// no unvisited node is left.
func (c *Components) descend(at *call) bool {
	_, end := c.g.Edges(at.node)
	for ; at.next < end; at.next++ {
		if c.follow != nil && !c.follow(at.next) {
			continue
		}
		m := c.g.To[at.next]
		if c.number[m] == 0 {
			c.enter(m) // this edge is followed again afterwards
			return true
		}
		c.number[at.node] = min(c.number[at.node], c.number[m])
	}
	return false
}

func (c *Components) enter(n uint32) {
	c.order++
	c.number[n] = c.order
	first, _ := c.g.Edges(n)
	c.path = append(c.path, call{n, c.order, first})
}

// leave ends the visit of a node. If no earlier node on the path can be reached from it,
// its component is complete.
func (c *Components) leave(at call) {
	c.path = c.path[:len(c.path)-1]
	c.open = append(c.open, at.node)
	if c.number[at.node] != at.place {
		return
	}
	first := len(c.open) - 1
	for first > 0 && c.number[c.open[first-1]] >= at.place {
		first--
	}
	members := c.open[first:]
	c.open = c.open[:first]
	c.order -= uint32(len(members))
	c.last--
	for _, n := range members {
		c.number[n] = c.last
	}
	c.complete(members)
}
