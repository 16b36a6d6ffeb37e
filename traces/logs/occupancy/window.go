package occupancy

import (
	"slices"

	"github.com/atmostk/atmostk/traces/logs/formats"
	"github.com/atmostk/atmostk/traces/logs/order"
)

// An edgeKind is the kind of an end of a holding or of a level. At the same moment ends are in the order of
// their kinds, and then in that of their lines.
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

// kindOf is the kind of an end.
func kindOf(tie int64) edgeKind { return edgeKind(tie >> tieBits << tieBits) }

// A window puts ends into the order of time. They come in pairs, which are known when a holding
// is over, so that the order in which they come is another one. The window lets go of those before a
// moment when no other can come before that.
type window[T any] struct {
	order.Queue[T]
	half   int   // of the ends that it holds; 0: it has no limit
	passed int64 // all ends before it have been let go
	late   bool  // a pair came that has an end before

	// live: the log has no end, and the window lets go of the earlier half of its ends whenever it is
	// full. Of a pair that comes too late only the rest counts, and lost is the number of pairs without a
	// rest.
	live bool
	lost int

	run func(order.Queued[T]) // takes the ends in order
}

// firstHalf is half the number of ends that a window holds at first.
var firstHalf = 1 << 11

// add takes the two ends of something; tie is where it stands in the log.
func (w *window[T]) add(x T, tie, from int64, begin edgeKind, to int64, end edgeKind) {
	if min(from, to) < w.passed {
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
	w.Push(order.Queued[T]{At: from, Tie: int64(begin) | tie, Of: x})
	w.Push(order.Queued[T]{At: to, Tie: int64(end) | tie, Of: x})
	if w.live && w.full() {
		times := make([]int64, len(w.Queue))
		for i := range times {
			times[i] = w.Queue[i].At
		}
		slices.Sort(times)
		w.flush(times[len(times)/2])
	}
}

// full reports whether it is time to let ends go.
func (w *window[T]) full() bool { return w.half > 0 && len(w.Queue) >= 2*w.half }

// flush lets go of the ends before a moment.
func (w *window[T]) flush(to int64) {
	if len(w.Queue) < w.half {
		return
	}
	w.passed = max(w.passed, to)
	for len(w.Queue) > 0 && w.Queue[0].At < w.passed {
		w.next()
	}
	// It has to hold what goes on at one moment, and twice as much, so as not to look too often.
	for len(w.Queue) > w.half+w.half/2 {
		w.half *= 2
	}
}

// next lets go of the first end.
func (w *window[T]) next() {
	e := w.Queue[0]
	w.Pop()
	w.run(e)
}

// finish lets all go; others may come.
func (w *window[T]) finish() {
	for len(w.Queue) > 0 {
		if at := w.Queue[0].At; at < formats.Ever {
			w.passed = max(w.passed, at)
		}
		w.next()
	}
}
