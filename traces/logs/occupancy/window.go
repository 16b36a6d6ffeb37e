package occupancy

import (
	"slices"

	"github.com/atmostk/atmostk/traces/logs/formats"
)

// An edgeKind is the kind of an end of a holding, a level or a token. At the same moment ends are in the order
// of their kinds, and then in that of their lines.
type edgeKind int64

// The kinds of ends. Of certain parts those that end go first, as touching is no
// overlap; of possible ones it is the other way round.
const (
	certainEnd edgeKind = iota << tieBits
	passFrom
	passTo
	certainBegin
	possibleBegin
	possibleEnd
)

// tieBits are the bits of a file and a line.
const tieBits = 48

// tie is where an event stands, as a number.
func (m *point) tie() int64 { return int64(m.file)<<32 | int64(m.line) }

// An edge is the begin or the end of something: a *holding, a *level or a *token.
type edge struct {
	at, tie int64 // the lines of tie come after its kind
	of      any
}

func (e *edge) kind() edgeKind { return edgeKind(e.tie >> tieBits << tieBits) }

func (e *edge) isBefore(f *edge) bool { return e.at < f.at || e.at == f.at && e.tie < f.tie }

func compareEdges(a, b edge) int { return one(b.isBefore(&a)) - one(a.isBefore(&b)) }

// A window puts ends into the order of time. They come in pairs, which are known when a holding
// is over, so that the order in which they come is another one. The window lets go of those before a
// moment when no other can come before that.
type window struct {
	edges  []edge
	half   int   // of the ends that it holds; 0: it has no limit
	passed int64 // all ends before it have been let go
	late   bool  // a pair came that has an end before

	// live: the log has no end, and the window lets go of the earlier half of its ends whenever it is
	// full. Of a pair that comes too late only the rest counts, and lost is the number of pairs without a
	// rest.
	live bool
	lost int

	run func(edge) // takes the ends in order
}

// firstHalf is half the number of ends that a window holds at first.
var firstHalf = 1 << 12

// add takes the two ends of something, the earlier one first; tie is where it stands in the log.
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
		from = w.passed // the rest of a certain or possible holding is one, too
	}
	w.put(edge{from, int64(begin) | tie, x})
	w.put(edge{to, int64(end) | tie, x})
	if w.live && w.full() {
		w.flush(formats.Never)
	}
}

// put puts an end near its place: mostly it is not far from the last one, and then sorting has nothing to do.
func (w *window) put(e edge) {
	i := len(w.edges)
	for least := max(i-64, 0); i > least && e.isBefore(&w.edges[i-1]); i-- {
	}
	w.edges = slices.Insert(w.edges, i, e)
}

// full reports whether it is time to let ends go.
func (w *window) full() bool { return w.half > 0 && len(w.edges) >= 2*w.half }

// flush lets go of the ends before a moment, and of a log without an end of the earlier half.
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
	// It has to hold what goes on at one moment, and twice as much, so as not to look too often.
	for len(w.edges) > w.half+w.half/2 {
		w.half *= 2
	}
}

// finish lets all go; others may come.
func (w *window) finish() {
	slices.SortFunc(w.edges, compareEdges)
	for _, e := range w.edges {
		if w.run(e); e.at < formats.Ever {
			w.passed = max(w.passed, e.at)
		}
	}
	w.edges = nil
}
