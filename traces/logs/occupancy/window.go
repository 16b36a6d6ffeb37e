package occupancy

import (
	"cmp"
	"slices"
)

// An edge is an end of a holding or of a level. At the same moment they are in the order
// of their kinds.
type edge[T any] struct {
	at   int64
	of   T
	kind edgeKind
}

type edgeKind int8

// The kinds of ends. Of certain parts those that end go first, as touching is no
// overlap; of possible ones it is the other way round.
const (
	certainEnd edgeKind = iota
	passFrom
	passTo
	certainBegin
	possibleBegin
	possibleEnd
)

// A window puts edges into the order of time. They come in pairs, which are known when a holding
// is over, so that the order in which they come is another one. The window lets go of those before a
// moment when no other can come before that.
type window[T any] struct {
	edges  []edge[T]
	sorted int // the number of edges that are in order
	other  []edge[T]
	half   int   // of the edges that it holds; 0: it has no limit
	passed int64 // all edges before it have been let go
	late   bool  // a pair came that has an end before

	// live: the log has no end, and the window lets go of the earlier half of its edges whenever it is
	// full. Of a pair that comes too late only the rest counts, and lost is the number of pairs without a
	// rest.
	live bool
	lost int

	tie func(a, b T) int // the order of edges of one kind at one moment
	run func(edge[T])    // takes the edges in order
}

// firstHalf is half the number of edges that a window holds at first.
var firstHalf = 1 << 11

// compare puts edges into the order of time.
func (w *window[T]) compare(a, b edge[T]) int {
	switch {
	case a.at < b.at:
		return -1
	case a.at > b.at:
		return 1
	case a.kind != b.kind:
		return int(a.kind) - int(b.kind)
	}
	return w.tie(a.of, b.of)
}

// add takes a pair of edges.
func (w *window[T]) add(a, b edge[T]) {
	if min(a.at, b.at) < w.passed {
		if !w.live {
			w.late = true
			return
		}
		if a.kind == passFrom || b.at <= w.passed {
			w.lost++
			return
		}
		a.at = w.passed // the rest of a certain or possible holding is one, too
	}
	w.edges = append(w.edges, a, b)
	if w.live && w.full() {
		w.merge()
		w.flush(w.edges[len(w.edges)/2].at)
	}
}

// full reports whether it is time to let edges go.
func (w *window[T]) full() bool { return w.half > 0 && len(w.edges) >= 2*w.half }

// flush lets go of the edges before a moment.
func (w *window[T]) flush(to int64) {
	if len(w.edges) < w.half {
		return
	}
	w.merge()
	w.passed = max(w.passed, to)
	n, _ := slices.BinarySearchFunc(w.edges, w.passed, func(e edge[T], at int64) int {
		return cmp.Compare(e.at, at)
	})
	for _, e := range w.edges[:n] {
		w.run(e)
	}
	rest := copy(w.edges, w.edges[n:])
	clear(w.edges[rest:])
	w.edges, w.sorted = w.edges[:rest], rest
	// It has to hold what goes on at one moment, and twice as much, so as not to sort too often.
	for rest > w.half+w.half/2 {
		w.half *= 2
	}
}

// merge sorts the edges; the first ones are in order.
func (w *window[T]) merge() {
	if w.sorted == len(w.edges) {
		return
	}
	old, latest := w.edges[:w.sorted], w.edges[w.sorted:]
	slices.SortFunc(latest, w.compare)
	all := w.other[:0]
	for len(old) > 0 && len(latest) > 0 {
		if w.compare(old[0], latest[0]) <= 0 {
			all, old = append(all, old[0]), old[1:]
		} else {
			all, latest = append(all, latest[0]), latest[1:]
		}
	}
	all = append(append(all, old...), latest...)
	w.edges, w.other, w.sorted = all, w.edges, len(all)
	clear(w.other)
}

// finish lets all go.
func (w *window[T]) finish() {
	slices.SortFunc(w.edges, w.compare)
	edges := w.edges
	w.edges = nil
	for _, e := range edges {
		w.run(e)
	}
}
