// Package graph searches directed graphs that are so large that only arrays of numbers can store them:
// breadth first (Walk), and for strongly connected components (Components). It does not know the
// meaning of nodes and edges. The passes of package explore over the state graph use it.
package graph

import "slices"

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

// A Walk is a breadth-first search whose caller enters the nodes: Start enters the first ones, and
// Meet, for each node that Next returns, its successors. So the walk meets each node on a shortest
// path from its start.
//
//	w.Start(root)
//	for n, ok := w.Next(); ok; n, ok = w.Next() {
//		for _, m := range g.Successors(n) {
//			w.Meet(m, n)
//		}
//	}
type Walk struct {
	from  []uint32 // per node: 1 + the node it was first met from, itself for a start; 0: not met
	order []uint32 // the nodes met
	next  int      // index in order
	tick  func(round int)
}

// NewWalk returns a walk among nodes below n, for any number of searches one after the other. It
// calls tick with the number of its round; tick can end a long search by a panic.
func NewWalk(n uint32, tick func(round int)) *Walk { return &Walk{from: make([]uint32, n), tick: tick} }

// Start begins a new search at some nodes. It takes time proportional to the nodes met before.
func (w *Walk) Start(nodes ...uint32) {
	for _, n := range w.order {
		w.from[n] = 0
	}
	w.order, w.next = w.order[:0], 0
	for _, n := range nodes {
		w.Meet(n, n)
	}
}

// Meet enters a node that can be reached from another; if both are the same, the node is a start.
// Only the first call for a node counts.
func (w *Walk) Meet(n, from uint32) {
	if w.from[n] == 0 {
		w.from[n] = from + 1
		w.order = append(w.order, n)
	}
}

// Next returns the next node whose successors have to be entered; ok is false at the end.
func (w *Walk) Next() (n uint32, ok bool) {
	if w.next == len(w.order) {
		return 0, false
	}
	w.tick(w.next)
	w.next++
	return w.order[w.next-1], true
}

// Find returns the nodes on a shortest path from n to a goal, both included; nil if there is no path. spread
// enters the successors of a node.
func (w *Walk) Find(n uint32, goal func(n uint32) bool, spread func(n uint32)) []uint32 {
	w.Start(n)
	for at, ok := w.Next(); ok; at, ok = w.Next() {
		if goal(at) {
			return w.Way(at)
		}
		spread(at)
	}
	return nil
}

// Met reports whether a node was met.
func (w *Walk) Met(n uint32) bool { return w.from[n] != 0 }

// Order returns the nodes met, nearest first.
func (w *Walk) Order() []uint32 { return w.order }

// Way returns the nodes on the path on which the walk met n, from a start to n, both
// included.
func (w *Walk) Way(n uint32) (nodes []uint32) {
	for nodes = append(nodes, n); w.from[n] != n+1; nodes = append(nodes, n) {
		n = w.from[n] - 1
	}
	slices.Reverse(nodes)
	return nodes
}
