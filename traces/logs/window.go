package logs

import (
	"cmp"
	"slices"
)

// An edge is an end of a stay or of a level. At the same moment they are in the order
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

// A window puts edges into the order of time. They come in pairs, which are known when a stay
// is over, so that the order in which they come is another one; but not by far, mostly. The
// window lets go of the earlier half of what it holds whenever it is full. What comes too late
// for that is kept in memory, and the log is read once more with it known from the beginning.
type window[T any] struct {
	edges  []edge[T]
	sorted int // so many of the edges are in order
	other  []edge[T]
	half   int   // of the edges that it holds; 0: it has no limit
	passed int64 // what is before has been let go
	pairs  int   // that have come

	// live: the log has no end and is not read again. Of what comes too late only the rest counts,
	// and lost is the number of pairs of which nothing is left.
	live bool
	lost int

	late  []pair[T] // that came too late
	known []pair[T] // that did so in an earlier reading
	next  int       // of those known the next one to come
	early []edge[T] // the edges of those known that are still to be let go, sorted

	tie func(a, b T) int // the order of edges of one kind at one moment
	run func(edge[T])    // takes the edges in order
}

// A pair is the number of a pair of edges, and both.
type pair[T any] struct {
	number int
	edges  [2]edge[T]
}

// firstHalf is half the number of edges that a window holds at first.
var firstHalf = 1 << 11

// all are the pairs that came too late in any reading.
func (w *window[T]) all() []pair[T] {
	all := slices.Concat(w.known, w.late)
	slices.SortFunc(all, func(a, b pair[T]) int { return cmp.Compare(a.number, b.number) })
	return all
}

// begin prepares it, with pairs that are known from an earlier reading.
func (w *window[T]) begin(known []pair[T]) {
	w.passed, w.known = never, known
	for _, p := range known {
		w.early = append(w.early, p.edges[:]...)
	}
	w.sort(w.early)
}

func (w *window[T]) sort(edges []edge[T]) {
	slices.SortFunc(edges, w.compare)
}

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
	w.pairs++
	if w.next < len(w.known) && w.known[w.next].number == w.pairs {
		w.next++
		return
	}
	if w.live && min(a.at, b.at) < w.passed {
		if a.kind == passFrom || b.at <= w.passed {
			w.lost++
			return
		}
		a.at = w.passed // the rest of a certain or possible stay is one, too
	}
	if min(a.at, b.at) < w.passed {
		w.late = append(w.late, pair[T]{w.pairs, [2]edge[T]{a, b}})
		return
	}
	w.edges = append(w.edges, a, b)
	if w.half > 0 && len(w.edges) >= 2*w.half {
		w.flush()
	}
}

// flush lets the earlier half go, up to some moment.
func (w *window[T]) flush() {
	w.merge()
	w.passed = max(w.passed, w.edges[len(w.edges)/2].at)
	n, _ := slices.BinarySearchFunc(w.edges, w.passed, func(e edge[T], at int64) int {
		return cmp.Compare(e.at, at)
	})
	w.letGo(w.edges[:n])
	rest := copy(w.edges, w.edges[n:])
	clear(w.edges[rest:])
	w.edges, w.sorted = w.edges[:rest], rest
	// It has to hold what goes on at one moment, and twice as much, so as not to sort too often.
	if late := len(w.late) + w.next; rest > w.half+w.half/2 || late > w.half {
		w.half *= 2
	}
}

// merge sorts the edges, of which the first ones are in order.
func (w *window[T]) merge() {
	old, latest := w.edges[:w.sorted], w.edges[w.sorted:]
	w.sort(latest)
	all := w.other[:0]
	for len(old) > 0 && len(latest) > 0 {
		if w.compare(old[0], latest[0]) <= 0 {
			all, old = append(all, old[0]), old[1:]
		} else {
			all, latest = append(all, latest[0]), latest[1:]
		}
	}
	all = append(append(all, old...), latest...)
	w.edges, w.other = all, w.edges
	clear(w.other)
}

// letGo lets these edges go, and of those known what is before.
func (w *window[T]) letGo(edges []edge[T]) {
	n, _ := slices.BinarySearchFunc(w.early, w.passed, func(e edge[T], at int64) int {
		return cmp.Compare(e.at, at)
	})
	if n > 0 {
		edges = append(slices.Clone(edges), w.early[:n]...)
		w.early = w.early[n:]
		w.sort(edges)
	}
	for _, e := range edges {
		w.run(e)
	}
}

// finish lets all go.
func (w *window[T]) finish() {
	w.sort(w.edges)
	edges := slices.Concat(w.edges, w.early)
	w.edges, w.early = nil, nil
	w.sort(edges)
	for _, e := range edges {
		w.run(e)
	}
}

// held is the number of pairs in memory.
func (w *window[T]) held() int { return (len(w.edges)+len(w.early))/2 + len(w.late) }
