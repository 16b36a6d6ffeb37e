package graph

import "slices"

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
