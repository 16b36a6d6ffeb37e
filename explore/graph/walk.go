package graph

import "slices"

// A Walk is a breadth-first search that its user drives: Meet says where it begins, and then,
// for each node that Next returns, where one can go from there. So each node is met by a way
// from where the walk began than which none is shorter.
//
//	w.Start(root)
//	for n, ok := w.Next(); ok; n, ok = w.Next() {
//		for _, m := range g.Successors(n) {
//			w.Meet(m, n)
//		}
//	}
type Walk struct {
	from  []uint32 // per node: 1 + the one it was first met from, itself where the walk began; 0: not met
	order []uint32 // the nodes met
	next  int      // index in order
	tick  func(round int)
}

// NewWalk returns a walk among nodes below n, for any number of searches one after the other. It
// calls tick with the number of its round, so that what takes long can be ended by a panic.
func NewWalk(n uint32, tick func(round int)) *Walk { return &Walk{from: make([]uint32, n), tick: tick} }

// Start forgets what was met, in time proportional to that, and begins again at some nodes.
func (w *Walk) Start(nodes ...uint32) {
	for _, n := range w.order {
		w.from[n] = 0
	}
	w.order, w.next = w.order[:0], 0
	for _, n := range nodes {
		w.Meet(n, n)
	}
}

// Meet enters a node that can be reached from another, or at which the walk begins if that is
// the node itself. Only the first time counts.
func (w *Walk) Meet(n, from uint32) {
	if w.from[n] == 0 {
		w.from[n] = from + 1
		w.order = append(w.order, n)
	}
}

// Next returns the node from which to go on, if there is one.
func (w *Walk) Next() (n uint32, ok bool) {
	if w.next == len(w.order) {
		return 0, false
	}
	w.tick(w.next)
	w.next++
	return w.order[w.next-1], true
}

// Met reports whether a node was met.
func (w *Walk) Met(n uint32) bool { return w.from[n] != 0 }

// Order returns the nodes met, nearest first.
func (w *Walk) Order() []uint32 { return w.order }

// Way returns the nodes on the way by which one was met, from where the walk began, both
// included.
func (w *Walk) Way(n uint32) (nodes []uint32) {
	for nodes = append(nodes, n); w.from[n] != n+1; nodes = append(nodes, n) {
		n = w.from[n] - 1
	}
	slices.Reverse(nodes)
	return nodes
}
