package order

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/atmostk/atmostk/traces/logs/formats"
	"github.com/atmostk/atmostk/traces/printable"
)

// sort finds an order of all events that respects the known relations, or reports a cycle.
func (l *Log) sort(found *formats.Findings) {
	waits := make([]int32, len(l.Recs)) // number of events before it that are not sorted yet
	out := make([][]int32, len(l.Recs)) // of each event, later events at other nodes
	sorted := make([]int32, 0, len(l.Recs))
	for i := range int32(len(l.Recs)) {
		for _, j := range l.after[i] {
			out[j] = append(out[j], i)
		}
		waits[i] = int32(len(l.after[i]))
		if !l.isFirst(i) {
			waits[i]++
		}
		if waits[i] == 0 {
			sorted = append(sorted, i)
		}
	}
	ready := func(i int32) {
		if waits[i]--; waits[i] == 0 {
			sorted = append(sorted, i)
		}
	}
	for at := 0; at < len(sorted); at++ {
		i := sorted[at]
		for _, j := range out[i] {
			ready(j)
		}
		if int(i)+1 < len(l.Recs) && !l.isFirst(i+1) {
			ready(i + 1)
		}
	}
	if len(sorted) < len(l.Recs) {
		l.cycle(waits, found)
		return
	}
	l.Sorted, l.Rank = sorted, make([]int32, len(l.Recs))
	for at, i := range sorted {
		l.Rank[i] = int32(at)
	}
}

func (l *Log) isFirst(i int32) bool { return i == l.First[l.Recs[i].Node] }

// Before lists the events known to be directly before an event.
func (l *Log) Before(i int32) []int32 {
	if l.isFirst(i) {
		return l.after[i]
	}
	return append(slices.Clip(l.after[i]), i-1)
}

// cycle reports a shortest cycle through one of the events that could not be sorted.
func (l *Log) cycle(waits []int32, found *formats.Findings) {
	at := int32(slices.IndexFunc(waits, func(w int32) bool { return w > 0 }))
	seen := map[int32]bool{}
	for !seen[at] {
		seen[at] = true
		for _, j := range l.Before(at) {
			if waits[j] > 0 {
				at = j
				break
			}
		}
	}
	// A breadth-first search from this event along its predecessors, back to it.
	to := map[int32]int32{}
	for queue, back := []int32{at}, false; !back; queue = queue[1:] {
		for _, j := range l.Before(queue[0]) {
			if _, known := to[j]; !known && waits[j] > 0 {
				to[j] = queue[0]
				queue = append(queue, j)
			}
		}
		_, back = to[at]
	}
	l.reportCycle(at, to, found)
}

// reportCycle reports a cycle; to maps each event of it to the next one.
func (l *Log) reportCycle(at int32, to map[int32]int32, found *formats.Findings) {
	ring := []int32{at}
	for i := to[at]; i != at; i = to[i] {
		ring = append(ring, i)
	}
	// Only the first and last of successive events of one node are listed.
	n := len(ring)
	var ends []int32
	for k, i := range ring {
		before, behind := ring[(k+n-1)%n], ring[(k+1)%n]
		if l.Recs[before].Node != l.Recs[i].Node || l.Recs[behind].Node != l.Recs[i].Node {
			ends = append(ends, i)
		}
	}
	if len(ends) == 0 {
		ends = ring
	}
	const room = 8
	words := printable.Each(ends[:min(len(ends), room)], func(i *int32) string {
		return fmt.Sprintf("%s at %s", l.Nodes[l.Recs[*i].Node], l.place(*i))
	})
	if len(ends) > room {
		words = append(words, "...")
	}
	found.Add(formats.Cycle, l.places(ends...),
		"the order of events has a cycle: %s, and that before the first", strings.Join(words, " before "))
}

// maxVectors bounds the entries of the table of vectors: 1 GiB.
const maxVectors = 1 << 28

// vectorize computes Vectors, unless the table would be too large.
func (l *Log) vectorize() {
	n := len(l.Nodes)
	if len(l.Recs) > maxVectors/max(n, 1) {
		return
	}
	l.Vectors = make([]uint32, len(l.Recs)*n)
	for _, i := range l.Sorted {
		v := l.vector(i)
		for _, j := range l.Before(i) {
			for k, m := range l.vector(j) {
				v[k] = max(v[k], m)
			}
		}
		node := l.Recs[i].Node
		v[node] = uint32(i-l.First[node]) + 1
	}
}

func (l *Log) vector(i int32) []uint32 {
	n := len(l.Nodes)
	return l.Vectors[int(i)*n : int(i+1)*n]
}

// IsBefore reports whether event a is known to be before b, or a is b.
func (l *Log) IsBefore(a, b int32) bool {
	node := l.Recs[a].Node
	return l.vector(b)[node] > uint32(a-l.First[node])
}

// History returns the events with all their fields; nil if they were not kept, or contradict themselves.
func (l *Log) History() *History {
	if !l.kept || l.Sorted == nil {
		return nil
	}
	h := &History{Nodes: l.Nodes, ByNode: make([][]int, len(l.Nodes)),
		Events: make([]Event, len(l.Recs)), After: make([][]int, len(l.Recs))}
	for i := range l.Recs {
		node := l.Recs[i].Node
		h.ByNode[node] = append(h.ByNode[node], i)
		h.Events[i] = l.event(int32(i))
		h.After[i] = printable.Each(l.after[i], func(j *int32) int { return int(*j) })
	}
	return h
}

func (l *Log) event(i int32) Event {
	s := l.Recs[i].Side
	e := s.entry
	x := Event{Place: l.place(i), Node: int(l.Recs[i].Node), Name: e.Name, Seq: e.Seq, Lamport: e.Lamport,
		Begin: formats.Instant(e.Begin), End: formats.Instant(e.End), Maybe: e.Maybe, From: int(s.from),
		ID: e.ID, Message: e.Message, State: e.State, Units: e.Units}
	if e.Sent != nil {
		x.Sent = make([]Sent, 0, len(e.Sent))
	}
	for k, m := range e.Sent {
		x.Sent = append(x.Sent, Sent{int(s.sent[k].to), m.ID, m.Message})
	}
	if s.Clock != nil {
		x.Clock = make([]uint64, len(l.Nodes))
		for _, c := range s.Clock {
			x.Clock[c.node] = c.count
		}
	}
	return x
}

// A History has the events of a run with all their fields.
type History struct {
	Nodes  []string // sorted; Event.Node is an index into it
	Events []Event  // all events, node by node, each node's in its order
	ByNode [][]int  // per node: indices into Events, in order
	// After lists for each event the events at other nodes known to have happened before it. Together with
	// the order at each node, the transitive closure is the order.
	After [][]int
}

// An Event is one line of a log.
type Event struct {
	formats.Place

	Node int    // index into History.Nodes
	Name string // what happened: the name of an action of the model, or of an event of a lock

	Seq     int64     // the node's own count of its events, from 1; 0: none
	Clock   []uint64  // vector clock, by node; nil: none
	Lamport uint64    // 0: none
	Begin   time.Time // it happened between Begin and End; zero: unknown
	End     time.Time
	Maybe   bool // it may not have happened at all

	// The message received: its sender as an index into Nodes (-1: none), its id ("": none) and its text,
	// such as "REQUEST(3)" ("": not logged).
	From    int
	ID      string
	Message string
	Sent    []Sent            // messages sent in this step; nil: the log does not tell
	State   map[string]string // logged variables after the step
	Units   int               // units acquired, released or asked for; 0: not given, which means 1
}

// Sent is a message that was sent.
type Sent struct {
	To      int // index into Nodes; -1: not logged
	ID      string
	Message string
}
