// Package graph searches directed graphs that are so large that only arrays of numbers can store them:
// breadth first (Walk), and for strongly connected components (Components). It does not know the
// meaning of nodes and edges. The passes of package explore over the state graph use it.
package graph

// A Graph has the nodes 0, 1, 2, .. and for each node its outgoing edges, one after the other.
type Graph struct {
	Begin []uint32 // per node: index in To of its first edge; one more at the end
	To    []uint32 // per edge: its target
}

// Nodes returns the number of nodes.
func (g *Graph) Nodes() uint32 { return uint32(len(g.Begin) - 1) }

// Edges returns the range of the edges from a node in To, from first to before end.
func (g *Graph) Edges(n uint32) (first, end uint32) { return g.Begin[n], g.Begin[n+1] }

// Successors returns the nodes to which edges lead from n, repeats included.
func (g *Graph) Successors(n uint32) []uint32 { return g.To[g.Begin[n]:g.Begin[n+1]] }

// Reversed returns the graph with all edges reversed.
func (g *Graph) Reversed() *Graph {
	r := &Graph{Begin: make([]uint32, len(g.Begin)), To: make([]uint32, len(g.To))}
	for _, to := range g.To {
		r.Begin[to]++
	}
	sum := uint32(0)
	for n, k := range r.Begin {
		sum += k
		r.Begin[n] = sum
	}
	for n := range g.Nodes() {
		for _, to := range g.Successors(n) { // fills each node's part from its end
			r.Begin[to]--
			r.To[r.Begin[to]] = n
		}
	}
	return r
}

// A Set is a set of nodes.
type Set []uint64

// NewSet returns an empty set for nodes below n.
func NewSet(n uint32) Set { return make(Set, n/64+1) }

// Add adds a node.
func (s Set) Add(n uint32) { s[n/64] |= 1 << (n % 64) }

// Has reports whether a node is a member.
func (s Set) Has(n uint32) bool { return s[n/64]>>(n%64)&1 == 1 }
