package occupancy

import (
	"slices"

	"github.com/atmostk/atmostk/traces/logs/order"
)

// A lane has the events of a node that wait, or the two of a holding that a line gives as a whole.
type lane struct {
	state    *order.NodeState
	counter  order.Counter
	holdings *nodeHoldings // nil: a holding that a line gives as a whole
	events   int32         // that have happened

	chunks [][]order.Record // the events that wait, from next on in the first
	spare  []order.Record
	next   int
	any    bool // one has come
	file   uint16
	seq    int64 // of the latest that has come

	begun  bool          // one has happened
	last   order.Record  // the event that has happened last
	done   order.Counted // up to there what was left out has been taken into account
	over   bool          // no event comes any more
	queued bool          // it is among the heads
}

// maxLaneChunk is the number of events to which chunks grow.
const maxLaneChunk = 1 << 6

// push adds an event.
func (n *lane) push(r *order.Record) {
	last := len(n.chunks) - 1
	if last < 0 || len(n.chunks[last]) == cap(n.chunks[last]) {
		size := 2
		if last >= 0 {
			size = min(2*cap(n.chunks[last]), maxLaneChunk)
		}
		if cap(n.spare) < size {
			n.spare = make([]order.Record, 0, size)
		}
		n.chunks, n.spare = append(n.chunks, n.spare), nil
		last++
	}
	n.chunks[last] = append(n.chunks[last], *r)
	n.any, n.file, n.seq = true, r.File, r.Seq
}

// empty reports whether no event waits.
func (n *lane) empty() bool { return len(n.chunks) == 0 || n.next == len(n.chunks[0]) }

// front is the first event that waits.
func (n *lane) front() *order.Record { return &n.chunks[0][n.next] }

// pop takes it out.
func (n *lane) pop() {
	if n.next++; n.next < len(n.chunks[0]) {
		return
	}
	n.next = 0
	if len(n.chunks) == 1 {
		n.chunks[0] = n.chunks[0][:0]
		return
	}
	n.spare = n.chunks[0][:0]
	n.chunks = n.chunks[1:]
}

// head is the lane by when its first event begins and where that stands.
func (n *lane) head() order.Queued[*lane] {
	r := n.front()
	at := r.Begin
	if n.begun {
		at = max(at, n.last.Begin)
	}
	return order.Queued[*lane]{At: at, Tie: int64(r.File)<<32 | int64(r.Line), Of: n}
}

// busy reports whether its node has a holding whose end is not known.
func (n *lane) busy() bool { return n.holdings != nil && n.holdings.busy > 0 }

// end takes it that no event comes any more.
func (n *lane) end() {
	if !n.over && n.holdings != nil {
		n.over = true
		n.holdings.end()
	}
}

// outOfOrder reports whether the order of files or counts puts an event before one that came earlier.
func (n *lane) outOfOrder(r *order.Record) bool {
	return r.File < n.file || r.File != n.file && n.seq > 0 && r.Seq > 0 && r.Seq <= n.seq
}

// narrow narrows the times of the events before an event, as none happens after it. It returns false if
// that is too late for one.
func (n *lane) narrow(r *order.Record) bool {
	for k := len(n.chunks) - 1; k >= 0; k-- {
		from := 0
		if k == 0 {
			from = n.next
		}
		for i := len(n.chunks[k]) - 1; i >= from; i-- {
			b := &n.chunks[k][i]
			if b.End <= r.End {
				return true
			}
			b.End = max(r.End, b.Begin)
		}
	}
	return !n.begun || n.last.End <= r.End
}

// behind reports whether lines that are left out come behind those that they are before.
func (n *lane) behind() bool {
	left := n.state.Left
	return len(left) > 0 && (left[0].Compare(n.done) <= 0 ||
		!slices.IsSortedFunc(left, order.Counted.Compare))
}
