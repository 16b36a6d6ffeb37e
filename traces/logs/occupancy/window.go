package occupancy

import (
	"slices"

	"github.com/atmostk/atmostk/traces/logs/formats"
)

// An edgeKind is the kind of an end of a holding, a level or a token. Ends at one moment are ordered by kind,
// and ends of one kind by their lines.
type edgeKind int64

// The kinds of ends. Certain parts end before others begin, as touching is no overlap; possible parts begin
// before others end.
const (
	certainEnd edgeKind = iota << tieBits
	passFrom
	passTo
	certainBegin
	possibleBegin
	possibleEnd
)

// tieBits is the number of bits for a file and a line.
const tieBits = 48

// An edge is the begin or the end of something: a *holding, a *level or a *token.
type edge struct {
	at, tie int64 // tie: the kind, then file and line
	of      any
}

func (e *edge) kind() edgeKind { return edgeKind(e.tie >> tieBits << tieBits) }

func (e *edge) isBefore(f *edge) bool { return e.at < f.at || e.at == f.at && e.tie < f.tie }

func compareEdges(a, b edge) int { return one(b.isBefore(&a)) - one(a.isBefore(&b)) }

// A window sorts ends by time. They come in pairs, when a holding is over, and so in another order. The
// window lets go of the ends before a moment when no other end can come before it.
type window struct {
	edges  []edge
	half   int   // half of its capacity, in ends; 0: no limit
	passed int64 // all ends before it have been let go
	late   bool  // a pair came with an end before passed

	// live: the log has no end, and the window lets go of the earlier half of its ends whenever it is full.
	// Of a pair that comes late only the part after passed counts; lost is the number of pairs without one.
	live bool
	lost int

	run func(edge) // takes the ends in order
}

// firstHalf is half the initial capacity of the first window; later windows get a fraction of it.
var firstHalf = 1 << 12

// add adds the two ends of x, the earlier one first; tie is the file and line of x.
func (w *window) add(x any, tie, from int64, begin edgeKind, to int64, end edgeKind) {
	if from < w.passed {
		if !w.live {
			w.late = true
			return
		}
		if begin == passFrom || to <= w.passed {
			w.lost++
			return
		}
		from = w.passed // the rest is certain, or possible, as well
	}
	w.put(edge{from, int64(begin) | tie, x})
	w.put(edge{to, int64(end) | tie, x})
	if w.live && w.full() {
		w.flush(formats.Never)
	}
}

// put inserts an end at its place if that is near the last one, as it usually is; otherwise sorting moves it.
func (w *window) put(e edge) {
	i := len(w.edges)
	if i < 64 || !e.isBefore(&w.edges[i-64]) { // its place is among them
		for i > 0 && e.isBefore(&w.edges[i-1]) {
			i--
		}
	}
	w.edges = slices.Insert(w.edges, i, e)
}

// full reports whether the window should let ends go.
func (w *window) full() bool { return w.half > 0 && len(w.edges) >= 2*w.half }

// flush lets go of the ends before a moment; in a live log, of the earlier half at least.
func (w *window) flush(to int64) {
	slices.SortFunc(w.edges, compareEdges)
	if w.live && len(w.edges) > 0 {
		to = max(to, w.edges[len(w.edges)/2].at)
	}
	w.passed = max(w.passed, to)
	gone := 0
	for ; gone < len(w.edges) && w.edges[gone].at < w.passed; gone++ {
		w.run(w.edges[gone])
	}
	w.edges = slices.Delete(w.edges, 0, gone)
	// The capacity is more than the ends at one moment, so that flush is not called too often.
	for len(w.edges) > w.half+w.half/2 {
		w.half *= 2
	}
}

// finish lets go of all ends; others may still come.
func (w *window) finish() {
	slices.SortFunc(w.edges, compareEdges)
	for _, e := range w.edges {
		if w.run(e); e.at < formats.Ever {
			w.passed = max(w.passed, e.at)
		}
	}
	w.edges = nil
}
