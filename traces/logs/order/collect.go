package order

import (
	"fmt"
	"maps"
	"slices"

	"github.com/atmostk/atmostk/traces/logs/formats"
)

// A Record is the compact form of an event, so that millions fit into memory.
type Record struct {
	Begin, End int64 // it happened between them, in nanoseconds since 1970, lines or steps
	Waited     int64 // the wait for the units that it acquires; Ever: unknown
	Seq        int64 // its node's own count: seq, or the node's element of the vector clock; 0: none
	Side       *Side // nil: nothing more is known
	Line       uint32
	Node       int32
	Units      int32  // 0: not given
	Res        int32  // index into the resources
	Missing    uint32 // number of lines missing right before it
	File       uint16
	Role       formats.Role
	Mark       Mark
}

// A Mark is a set of bits about an event and about missing lines before it.
type Mark uint8

// The marks. An event has at most one of Whole and Gap; without them the log cannot show whether lines are
// missing before it.
const (
	Maybe         Mark = 1 << iota // it may not have happened
	Whole                          // no line of its node is missing right before it
	Gap                            // lines of its node are known to be missing right before it
	Restart                        // its node has restarted since the event before
	Spans                          // one end of a holding that has a single line
	Reads                          // a shared access to a lock of readers and writers
	clocked                        // its count is its element of the vector clock
	WaitsForUnits                  // logged at the begin of the wait for its units
)

// onlyIf returns the mark under a condition, otherwise no mark.
func (m Mark) onlyIf(holds bool) Mark {
	if holds {
		return m
	}
	return 0
}

// Is reports whether an event has a mark.
func (r *Record) Is(m Mark) bool { return r.Mark&m != 0 }

func (r *Record) place(files []string) formats.Place {
	return formats.Place{File: files[r.File], Line: int(r.Line)}
}

// Grant returns the token and the lease of an event.
func (r *Record) Grant() *formats.Grant {
	if r.Side == nil {
		return &formats.NoGrant
	}
	return &r.Side.grant
}

// A Side has the clocks, messages, token and lease of an event that has some.
type Side struct {
	lamport uint64
	Clock   []count
	from    int32
	ID      string
	sent    []send
	grant   formats.Grant
	entry   *formats.Entry // the whole entry, if it is kept
}

// A count is one element of a vector clock.
type count struct {
	node  int32
	count uint64
}

// A send is a message that was sent; to is -1 if the log does not name the target.
type send struct {
	to int32
	id string
}

// A Collector numbers the nodes and resources of events, and keeps the events or passes them to the Sink.
type Collector struct {
	*formats.Reader
	Names  []string // of nodes, in the order of appearance
	Nodes  map[string]*NodeState
	Kinds  []string // the resources, in the order of appearance; the first has no name
	kind   map[string]int32
	used   []bool // some event of a lock names the resource
	Chunks [][]Record
	Texts  int64  // bytes of names, and of clocks and messages
	sides  int    // number of sides
	enters int    // number of acquisitions
	Causal bool   // some event has clocks or messages
	kept   int    // number of sides with entries
	record Record // the latest record
	waited int    // acquisitions logged at the begin of the wait
	// Sink, if not nil, takes the events.
	Sink   func(*Record) error
	forgot bool // the events are not kept
}

// NewCollector returns a Collector without events.
func NewCollector(opt formats.Options) *Collector {
	rd := &Collector{Reader: formats.NewReader(opt), Nodes: map[string]*NodeState{},
		Kinds: []string{""}, kind: map[string]int32{"": 0}, used: []bool{false}}
	rd.Event = rd.Take
	return rd
}

// A NodeState is the state of a node while its log is read.
type NodeState struct {
	Number int32 // in the order of appearance; -1: no event so far
	stamp  int64 // the latest time stamp
	seq    int64 // the latest count
	file   int   // the file with that count
	// life is the number of restarts: the count was 1 again.
	life    int32
	started bool // it has restarted since the latest event that was kept
	// unreadable is the number of unreadable lines before the node's latest event in file unreadableIn.
	unreadable   uint32
	unreadableIn int
	Left         []Counted        // the counts of ignored events
	asked        map[string]int64 // per resource that it waits for, the time of the first request
}

// A Counted is the count of an event in one life of a node.
type Counted struct {
	Life int32
	Seq  uint64
}

// State returns the state of a node, and makes it at first.
func (rd *Collector) State(name string) *NodeState {
	n, known := rd.Nodes[name]
	if !known {
		n = &NodeState{Number: -1, stamp: formats.Never}
		rd.Nodes[name] = n
	}
	return n
}

// node returns the number of a node in the order of appearance; -1 for no name.
func (rd *Collector) node(name string) int32 {
	if name == "" {
		return -1
	}
	return rd.numbered(rd.State(name), name)
}

// numbered returns the number of a node that has a state.
func (rd *Collector) numbered(n *NodeState, name string) int32 {
	if n.Number < 0 {
		rd.Texts += int64(len(name))
		n.Number = int32(len(rd.Names))
		rd.Names = append(rd.Names, name)
	}
	return n.Number
}

// resource returns the number of a resource in the order of appearance.
func (rd *Collector) resource(name string) int32 {
	if name == "" {
		return 0
	}
	i, known := rd.kind[name]
	if !known {
		rd.Texts += int64(len(name))
		i = int32(len(rd.Kinds))
		rd.kind[name] = i
		rd.Kinds, rd.used = append(rd.Kinds, name), append(rd.used, false)
	}
	return i
}

// counts follows a node's own count. A count of 1 after another one means that the node has restarted.
func (rd *Collector) counts(s *formats.Source, e *formats.Entry) {
	if e.Seq == 0 {
		return
	}
	n := rd.State(e.Node)
	if e.Seq == 1 && n.seq > 0 && n.file == s.Index && e.Clock == nil {
		if n.started { // no event of the life before was kept
			n.Left = slices.DeleteFunc(n.Left, func(c Counted) bool { return c.Life == n.life })
		} else {
			n.life++
		}
		n.started = true
	}
	n.seq, n.file = e.Seq, s.Index
}

// Chunk is the number of records of a chunk.
const Chunk = 1 << 13

// Bytes per event: the record, twice while records are sorted; the side; the entry for the History; while
// they are judged, what clocks and messages order, apart from the vectors, and per acquisition the holding
// with its ends.
const (
	recordBytes = 160
	sideBytes   = 192
	eventBytes  = 640
	causalBytes = 128
	stayBytes   = 768
)

// A LimitError reports that logs need more memory than Options.Memory, or that Options.Stop ended reading.
type LimitError struct {
	At     formats.Place // the first event that was not judged
	Events int           // number of events before it
	Memory int64         // the bound, in bytes; 0: it was not reached
}

func (e *LimitError) Error() string {
	text := fmt.Sprintf("%s: gave up after %d events", e.At, e.Events)
	if e.Memory > 0 {
		text += fmt.Sprintf("; one more would take more than %d KiB of memory", e.Memory>>10)
	}
	return text
}

// Room returns a LimitError about an event if reading has to stop, or the given number of bytes exceeds the
// bound.
func (rd *Collector) Room(r *Record, bytes int64) error {
	e := &LimitError{At: r.place(rd.Files), Events: rd.Count - 1}
	switch {
	case rd.Opt.Memory > 0 && bytes > rd.Opt.Memory:
		e.Memory = rd.Opt.Memory
	case rd.Opt.Stop == nil || !rd.Opt.Stop():
		return nil
	}
	return e
}

// recordOf returns the record of an event, which is valid until the next call.
func (rd *Collector) recordOf(s *formats.Source, n *NodeState, e *formats.Entry) *Record {
	rd.waits(n, e)
	seq := e.Own()
	r := &rd.record
	*r = Record{Begin: e.Begin, End: e.End, Waited: e.Waited, Seq: int64(seq), Line: uint32(e.Line),
		Node: rd.numbered(n, e.Node), Units: int32(e.Units), Res: rd.resource(e.Resource),
		File: uint16(s.Index), Role: formats.RoleOf(e.Name)}
	if r.Role == formats.Enters || r.Role == formats.Leaves {
		rd.Hint(e)
	}
	if r.Role == formats.Enters {
		rd.enters++
	}
	r.Side = rd.side(s, e)
	r.Mark = Reads.onlyIf(e.Reads || r.Role.OfLock() && formats.IsShared(e.Name)) | Maybe.onlyIf(e.Maybe) |
		WaitsForUnits.onlyIf(e.Waits) | clocked.onlyIf(e.Seq == 0 && seq > 0) | Spans.onlyIf(e.Span) |
		Whole.onlyIf(s.Complete || e.Span && r.Role == formats.Leaves) | Restart.onlyIf(n.started && !e.Span)
	n.started = n.started && e.Span
	if e.Waits {
		rd.waited++
	}
	rd.used[r.Res] = rd.used[r.Res] || r.Role.OfLock() || rd.Opt.Requests && r.Role == formats.Requests
	if e.Stamp != formats.Ever {
		if e.Stamp < n.stamp && rd.Opt.Skew == nil {
			rd.Found.Add(formats.TimeBack, []formats.Place{{File: rd.Files[r.File], Line: e.Line}},
				"the time of %s goes backwards here; the order of its lines is used",
				formats.Shown(e.Node))
		}
		n.stamp = e.Stamp
	}
	rd.markUnreadable(s, n, r)
	return r
}

// collect records an event, keeps it, and passes it to the Sink.
func (rd *Collector) collect(s *formats.Source, e *formats.Entry) error {
	if rd.Opt.Keep {
		rd.Sink = nil
	}
	if e.Span && rd.Sink == nil { // kept events are ordered by nodes; no History has these
		e.Node, rd.Opt.Keep = formats.SpanNode(e.Node, s.Index, e.Line), false
	}
	n := rd.State(e.Node)
	r := rd.recordOf(s, n, e)
	rd.Count++
	if !rd.forgot && !rd.Endless {
		if err := rd.keep(r); err != nil {
			return err
		}
	}
	if rd.Sink != nil {
		return rd.Sink(r)
	}
	return nil
}

func (rd *Collector) keep(r *Record) error {
	last := len(rd.Chunks) - 1
	if last < 0 || len(rd.Chunks[last]) == Chunk {
		if err := rd.Room(r, rd.bytes(rd.Count-1+Chunk)); err != nil && rd.Sink == nil {
			return err
		}
		rd.Chunks = append(rd.Chunks, make([]Record, 0, min(64*rd.Count, Chunk))) // many logs are short
		last++
	}
	rd.Chunks[last] = append(rd.Chunks[last], *r)
	return nil
}

// bytes estimates the bytes of some events.
func (rd *Collector) bytes(count int) int64 {
	return int64(count)*recordBytes + int64(rd.sides)*sideBytes + int64(rd.kept)*eventBytes + rd.Texts
}

// Judgeable returns a LimitError if there is no room to judge the events that were collected.
func (rd *Collector) Judgeable() error {
	bytes := rd.bytes(rd.Count) + int64(rd.enters)*stayBytes
	if rd.Causal {
		bytes += int64(rd.Count)*causalBytes + 4*min(int64(rd.Count)*int64(len(rd.Names)), maxVectors)
	}
	return rd.Room(&rd.record, bytes)
}

// Forget drops the events; from now on the Sink alone keeps them.
func (rd *Collector) Forget() { rd.Chunks, rd.forgot = nil, true }

// KeepAll keeps all events, from the first one on, and removes the Sink.
func (rd *Collector) KeepAll() {
	rd.Sink = nil
	for _, c := range rd.Chunks {
		for i := range c {
			if r := &c[i]; r.Is(Spans) {
				r.Node = rd.node(formats.SpanNode(rd.Names[r.Node], int(r.File), int(r.Line)))
			}
		}
	}
}

// side returns the clocks, messages, token and lease of an event; nil if it has none. In a log without an end
// it has only the token and the lease.
func (rd *Collector) side(s *formats.Source, e *formats.Entry) *Side {
	from, grant := rd.node(e.From), rd.grantOf(s, e)
	orders := e.Lamport != 0 || e.Clock != nil || e.ID != "" || len(e.Sent) > 0
	rd.Causal, orders = rd.Causal || orders, orders && !rd.Endless
	if !orders && grant == formats.NoGrant && !rd.Opt.Keep {
		return nil
	}
	rd.sides++
	x := &Side{from: from, grant: grant}
	if rd.Opt.Keep {
		rd.kept++
		x.entry = new(*e)
		x.entry.Sent = slices.Clone(e.Sent)
	}
	if orders {
		x.lamport, x.ID = e.Lamport, e.ID
		for _, t := range e.Clock {
			x.Clock = append(x.Clock, count{rd.node(t.Node), t.Count})
		}
		rd.Texts += int64(16*cap(x.Clock) + len(x.ID) + 32*len(e.Sent))
		for _, m := range e.Sent {
			x.sent = append(x.sent, send{rd.node(m.To), m.ID})
		}
	}
	return x
}

// grantOf returns the token and the lease of an event; a lease counts only if times are an order.
func (rd *Collector) grantOf(s *formats.Source, e *formats.Entry) formats.Grant {
	x := e.Grant
	if skew := rd.Opt.Skew; x.Last != formats.Ever && skew != nil { // a time stamp, with the same skew
		x.Earliest, x.Last = x.Last-int64(*skew), x.Last+int64(*skew)
	} else {
		x.Earliest, x.Last = formats.Ever, formats.Ever
	}
	if rd.Opt.Lines || s.Complete { // Begin and End are lines, not times
		x.Lasts, x.Earliest, x.Last = formats.Ever, formats.Ever, formats.Ever
	}
	return x
}

// resources changes the numbers of resources from the order of appearance to the sorted order.
func (rd *Collector) resources(l *Log) {
	sorted := make([]int32, len(rd.Kinds)) // 0 for a resource that no event of a lock names
	for i, name := range rd.Kinds {
		if at, found := slices.BinarySearch(l.Resources, name); found {
			sorted[i] = int32(at)
		}
	}
	for i := range l.Recs {
		l.Recs[i].Res = sorted[l.Recs[i].Res]
	}
}

// nameResources lists the resources of events of a lock, and the fields that may name resources.
func (rd *Collector) nameResources(l *Log) {
	for i, name := range rd.Kinds {
		if rd.used[i] {
			l.Resources = append(l.Resources, name)
		}
	}
	if len(l.Resources) < 2 && rd.Opt.Resource == "" {
		hasOneValue := func(field string) bool { return rd.Hints[field] != "" }
		l.Hints = slices.DeleteFunc(slices.Sorted(maps.Keys(rd.Hints)), hasOneValue)
	}
	if slices.Sort(l.Resources); l.Resources == nil {
		l.Resources = []string{""}
	}
}

// markUnreadable marks an event if unreadable lines are before it in its file: they may be its node's. For an
// event with a count, the count decides that.
func (rd *Collector) markUnreadable(s *formats.Source, n *NodeState, r *Record) {
	if s.Index >= len(rd.Spoilt) {
		return
	}
	lines := rd.Spoilt[s.Index].Lines
	if n.unreadableIn != s.Index {
		n.unreadableIn, n.unreadable = s.Index, 0
	}
	if lines > n.unreadable && r.Seq == 0 && !r.Is(Whole) {
		r.Mark |= Gap
		r.Missing = lines - n.unreadable
	}
	n.unreadable = lines
}

// Take takes the next event of a file. Files of one node come in their order.
func (rd *Collector) Take(s *formats.Source, e *formats.Entry) error {
	rd.counts(s, e)
	if own := e.Own(); own > 0 && (e.Ignored || e.Span) {
		n := rd.State(e.Node)
		n.Left = append(n.Left, Counted{n.life, own})
		e.Seq = 0
	}
	if e.Ignored {
		rd.Ignored++
		return nil
	}
	if e.Failed {
		if formats.RoleOf(e.Name) != formats.Leaves {
			return nil
		}
		e.Name = "release-failed"
	}
	if taken, err := rd.Accept(s, e); !taken {
		return err
	}
	return rd.collect(s, e)
}

// waits computes the wait for units: from a request to the acquisition that ends it.
func (rd *Collector) waits(n *NodeState, e *formats.Entry) {
	at := e.Stamp // the time by the clock of its node; Ever: unknown
	if at == formats.Ever && e.Begin != formats.Never && !rd.Opt.Lines {
		at = e.Begin
	}
	switch asked, waiting := n.asked[e.Resource]; formats.RoleOf(e.Name) {
	case formats.Requests:
		if waiting || at == formats.Ever {
			return
		}
		if n.asked == nil {
			n.asked = map[string]int64{}
		}
		n.asked[e.Resource] = at
	case formats.Enters:
		delete(n.asked, e.Resource)
		if waiting && e.Waited == formats.Ever && at != formats.Ever {
			e.Waited = max(0, at-asked)
		}
	case formats.Crashes:
		n.asked = nil
	}
}
