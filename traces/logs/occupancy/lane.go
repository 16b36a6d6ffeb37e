package occupancy

import (
	"github.com/atmostk/atmostk/traces/logs/formats"
	"github.com/atmostk/atmostk/traces/logs/order"
)

// A lane has the events of a node that wait, or the two of a holding that a line gives as a whole.
type lane struct {
	state    *order.NodeState
	counter  order.Counter
	holdings *nodeHoldings // nil: a holding that a line gives as a whole
	chunks   [][]order.Record
	spare    []order.Record
	chunk    int // the first event that waits is in this chunk
	next     int // there

	any   bool // one has come
	file  uint16
	seq   int64 // of the latest that has come
	seen  int   // how many events were before it
	begun bool  // one has happened

	last   order.Record  // the event that has happened last
	side   int32         // what else orders it
	events int32         // that have happened
	done   order.Counted // up to there what was left out has been taken into account
	over   bool

	queued bool // it is among the heads
}

// Chunks of lanes grow up to this number of events.
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
func (n *lane) empty() bool {
	return n.chunk >= len(n.chunks) || n.chunk == len(n.chunks)-1 && n.next == len(n.chunks[n.chunk])
}

// front is the first event that waits.
func (n *lane) front() *order.Record {
	if n.next == len(n.chunks[n.chunk]) {
		n.chunk, n.next = n.chunk+1, 0
	}
	return &n.chunks[n.chunk][n.next]
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

// pop takes it out.
func (n *lane) pop() { n.next++ }

// forget forgets the events that were taken out.
func (n *lane) forget() {
	if n.chunk == 0 && (len(n.chunks) != 1 || n.next < len(n.chunks[0])) {
		return
	}
	if n.empty() {
		n.chunk, n.next = len(n.chunks)-1, 0
		n.chunks[n.chunk] = n.chunks[n.chunk][:0]
	}
	if n.chunk > 0 {
		n.spare = n.chunks[n.chunk-1][:0]
	}
	rest := copy(n.chunks, n.chunks[n.chunk:])
	clear(n.chunks[rest:])
	n.chunks, n.chunk = n.chunks[:rest], 0
}

// busy reports whether its node holds something of which the end is not known.
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

// narrow narrows the times of the events before an event, none of which happens after it. It returns false if
// that is too late for one.
func (n *lane) narrow(r *order.Record) bool {
	for k := len(n.chunks) - 1; k >= n.chunk; k-- {
		from := 0
		if k == n.chunk {
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

// records are all of its events, for a reader that keeps them.
func (n *lane) records(rd *order.Collector) (all []order.Record) {
	for _, chunk := range n.chunks {
		for _, r := range chunk {
			if n.holdings != nil && r.Is(order.Spans) {
				continue // the lines missing before a holding that a line gives as a whole
			}
			if r.Is(order.Spans) {
				r.Node = rd.Node(formats.SpanNode(rd.Names[r.Node], int(r.File), int(r.Line)))
			}
			all = append(all, r)
		}
	}
	return all
}
