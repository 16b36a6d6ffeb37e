package occupancy

import (
	"slices"

	"github.com/atmostk/atmostk/traces/logs/order"
)

// A lane has the events that wait, of a node or of a holding that a line gives as a whole.
type lane struct {
	state    *order.NodeState
	counter  order.Counter
	holdings *nodeHoldings
	events   int32 // that have happened

	wait []order.Record // the events that wait, from next on
	next int
	any  bool // one has come
	file uint16
	seq  int64 // of the latest that has come

	begun  bool          // one has happened
	last   order.Record  // the event that has happened last
	done   order.Counted // up to there what was left out has been taken into account
	over   bool          // no event comes any more
	queued bool          // it is among the heads
}

// push adds an event. Those that have happened make room when they are as many as those that wait.
func (n *lane) push(r *order.Record) {
	if n.next > 0 && 2*n.next >= len(n.wait) && len(n.wait) == cap(n.wait) {
		n.wait, n.next = slices.Delete(n.wait, 0, n.next), 0
	}
	n.wait = append(n.wait, *r)
	n.any, n.file, n.seq = true, r.File, r.Seq
}

// empty reports whether no event waits.
func (n *lane) empty() bool { return n.next == len(n.wait) }

// front is the first event that waits.
func (n *lane) front() *order.Record { return &n.wait[n.next] }

// pop takes it out.
func (n *lane) pop() (r order.Record) {
	r = n.wait[n.next]
	if n.next++; n.empty() {
		n.wait, n.next = n.wait[:0], 0
	}
	return r
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
func (n *lane) busy() bool { return n.holdings.busy > 0 }

// end takes it that no event comes any more.
func (n *lane) end() {
	if !n.over {
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
	for i := len(n.wait) - 1; i >= n.next; i-- {
		b := &n.wait[i]
		if b.End <= r.End {
			return true
		}
		b.End = max(r.End, b.Begin)
	}
	return !n.begun || n.last.End <= r.End
}

// behind reports whether lines that are left out come behind those that they are before.
func (n *lane) behind() bool {
	left := n.state.Left
	return len(left) > 0 && (left[0].Compare(n.done) <= 0 ||
		!slices.IsSortedFunc(left, order.Counted.Compare))
}
