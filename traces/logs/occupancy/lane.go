package occupancy

import (
	"slices"

	"github.com/atmostk/atmostk/traces/logs/order"
)

// A lane has the waiting events of a node, or of a holding with a single line.
type lane struct {
	state    *order.NodeState
	counter  order.Counter
	holdings *nodeHoldings
	events   int32 // number of judged events

	wait []order.Record // the waiting events, from next on
	next int
	file uint16 // of the latest event pushed
	seq  int64  // of the latest event pushed

	begun  bool          // some event was judged
	last   order.Record  // the latest event judged
	done   order.Counted // ignored counts up to here were taken into account
	over   bool          // there are no more events
	queued bool          // the lane is among the heads
}

// push adds an event. It drops judged events if they are as many as the waiting ones and the slice is full.
func (n *lane) push(r *order.Record) {
	if n.next > 0 && 2*n.next >= len(n.wait) && len(n.wait) == cap(n.wait) {
		n.wait, n.next = slices.Delete(n.wait, 0, n.next), 0
	}
	n.wait = append(n.wait, *r)
	n.file, n.seq = r.File, r.Seq
}

func (n *lane) empty() bool { return n.next == len(n.wait) }

func (n *lane) pop() (r order.Record) {
	r = n.wait[n.next]
	if n.next++; n.empty() {
		n.wait, n.next = n.wait[:0], 0
	}
	return r
}

// head returns the lane as an element of heads, ordered by the begin of its first event and then by its line.
func (n *lane) head() order.Queued[*lane] {
	r := &n.wait[n.next]
	at := r.Begin
	if n.begun {
		at = max(at, n.last.Begin)
	}
	return order.Queued[*lane]{At: at, Tie: int64(r.File)<<32 | int64(r.Line), Of: n}
}

func (n *lane) end() {
	if !n.over {
		n.over = true
		n.holdings.end()
	}
}

// narrow narrows the times of waiting events, as none of them happens after the next event r. It returns
// false if an event that was already judged would have to be narrowed.
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

// behind reports whether an ignored count comes too late: judged events depended on it.
func (n *lane) behind() bool {
	left := n.state.Left
	return len(left) > 0 && (left[0].Compare(n.done) <= 0 ||
		!slices.IsSortedFunc(left, order.Counted.Compare))
}
