package logs

import (
	"slices"
)

// A record is what is kept of an event: little, so that millions fit into memory.
type record struct {
	begin, end int64 // within which it happened
	line       int32
	node       int32
	side       int32 // index into sides; -1: none
	units      int32 // 0: not said
	file       uint16
	role       role
	maybe      bool
}

// A side is the rest of what orders an event, for those that have it.
type side struct {
	seq     int64
	lamport uint64
	clock   []count
	from    int32
	id      string
	sent    []send
}

// A count is one element of a vector clock.
type count struct {
	node  int32
	count uint64
}

// A send is a message that was sent; to is -1 if it was not said.
type send struct {
	to int32
	id string
}

// A reader collects the events of the files of one run.
type reader struct {
	opt     Options
	mapping *Mapping
	found   findings
	files   []string
	formats []string

	header0  Header
	headerAt Place

	names  []string // in the order of appearance
	number map[string]int32
	stamps []int64 // of each node the latest time stamp
	chunks [][]record
	sides  []side
	events []Event // if they are kept
	count  int     // of records

	ignored int
	left    map[string][]uint64 // of each node the counts of events that are ignored
}

func newReader(opt Options) *reader {
	rd := &reader{opt: opt, mapping: opt.Mapping, number: map[string]int32{}, left: map[string][]uint64{}}
	if rd.mapping == nil {
		rd.mapping = &Mapping{}
	}
	return rd
}

// node is the number of a node in the order of appearance; -1 for no name.
func (rd *reader) node(name string) int32 {
	if name == "" {
		return -1
	}
	i, known := rd.number[name]
	if !known {
		i = int32(len(rd.names))
		rd.number[name] = i
		rd.names = append(rd.names, name)
		rd.stamps = append(rd.stamps, never)
	}
	return i
}

// chunk is the number of records that are allocated at once.
const chunk = 1 << 13

// collect keeps an event.
func (rd *reader) collect(e *entry) {
	r := record{begin: e.begin, end: e.end, line: int32(e.line), node: rd.node(e.node), side: -1,
		units: int32(e.units), file: uint16(len(rd.files) - 1), role: roleOf(e.name), maybe: e.maybe}
	if e.stamp != ever {
		if e.stamp < rd.stamps[r.node] && rd.opt.Skew == nil {
			rd.found.add(TimeBack, []Place{{rd.files[r.file], e.line}}, "the time of %s runs back here; the order of its lines counts", e.node)
		}
		rd.stamps[r.node] = e.stamp
	}
	from := rd.node(e.from)
	if e.seq != 0 || e.lamport != 0 || e.clock != nil || e.id != "" || len(e.sent) > 0 {
		r.side = int32(len(rd.sides))
		x := side{seq: e.seq, lamport: e.lamport, from: from, id: e.id}
		for _, t := range e.clock {
			x.clock = append(x.clock, count{rd.node(t.node), t.count})
		}
		for _, m := range e.sent {
			x.sent = append(x.sent, send{rd.node(m.to), m.id})
		}
		rd.sides = append(rd.sides, x)
	}
	if last := len(rd.chunks) - 1; last < 0 || len(rd.chunks[last]) == chunk {
		rd.chunks = append(rd.chunks, make([]record, 0, chunk))
	}
	last := len(rd.chunks) - 1
	rd.chunks[last] = append(rd.chunks[last], r)
	rd.count++
	if rd.opt.Keep {
		rd.keep(e, &r)
	}
}

// keep keeps all of an event for the History.
func (rd *reader) keep(e *entry, r *record) {
	ev := Event{
		File: rd.files[r.file], Line: e.line, Node: int(r.node), Name: e.name, Seq: e.seq, Lamport: e.lamport,
		Begin: instant(e.begin), End: instant(e.end), Maybe: e.maybe,
		From: int(rd.node(e.from)), ID: e.id, Message: e.message, State: e.state, Units: e.units,
	}
	for _, m := range e.sent {
		ev.Sent = append(ev.Sent, Sent{int(rd.node(m.to)), m.id, m.message})
	}
	rd.events = append(rd.events, ev)
}

// A Log is what was read: the events of one run.
type Log struct {
	Header   Header // of the run, if a file says so
	Nodes    []string
	Formats  []string // of each file that is not empty
	Files    []string // those that are not empty
	Ignored  int      // events that the mapping leaves out
	Findings []Finding

	recs    []record // node by node, each node's in its order
	first   []int32  // of each node the index of its first event, and the end
	sides   []side
	events  []Event   // beside recs, if they were kept
	after   [][]int32 // of each event, those at other nodes known to be before it
	vectors []uint32  // of each event, how many of each node's are at or before it
	sorted  []int32   // all events, none before one that it comes after
	causal  bool      // clocks or message ids relate events of different nodes
	timed   bool      // intervals do, and are used
	skewed  bool
	traced  bool // the files are traces of check
}

// log puts everything in order.
func (rd *reader) log() *Log {
	l := &Log{Header: rd.header0, Nodes: slices.Sorted(slices.Values(rd.names)), Formats: rd.formats, Files: rd.files,
		Ignored: rd.ignored, sides: rd.sides, skewed: rd.opt.Skew != nil}
	l.traced = slices.Contains(rd.formats, "trace")
	sorted := make([]int32, len(rd.names))
	for i, name := range rd.names {
		at, _ := slices.BinarySearch(l.Nodes, name)
		sorted[i] = int32(at)
	}
	rd.divide(l, sorted)
	l.renumber(sorted)
	l.merge(&rd.found, rd.left)
	l.relate(&rd.found)
	rd.found.sort()
	l.Findings = rd.found
	return l
}

// divide puts the records of each node together.
func (rd *reader) divide(l *Log, sorted []int32) {
	l.first = make([]int32, len(l.Nodes)+1)
	for _, c := range rd.chunks {
		for i := range c {
			l.first[sorted[c[i].node]+1]++
		}
	}
	for i := range l.Nodes {
		l.first[i+1] += l.first[i]
	}
	next := slices.Clone(l.first)
	l.recs = make([]record, rd.count)
	if rd.opt.Keep {
		l.events = make([]Event, rd.count)
	}
	at := 0
	for k, c := range rd.chunks {
		for i := range c {
			node := sorted[c[i].node]
			c[i].node = node
			l.recs[next[node]] = c[i]
			if rd.opt.Keep {
				l.events[next[node]] = rd.events[at]
			}
			next[node]++
			at++
		}
		rd.chunks[k] = nil
	}
	rd.events = nil
}

// renumber turns the numbers of nodes from the order of appearance into the
// sorted one, in everything but the records.
func (l *Log) renumber(sorted []int32) {
	turn := func(node *int32) {
		if *node >= 0 {
			*node = sorted[*node]
		}
	}
	for i := range l.sides {
		s := &l.sides[i]
		turn(&s.from)
		for k := range s.sent {
			turn(&s.sent[k].to)
		}
		for k := range s.clock {
			turn(&s.clock[k].node)
		}
		slices.SortFunc(s.clock, func(a, b count) int { return int(a.node - b.node) })
	}
	turned := func(node *int) {
		if *node >= 0 {
			*node = int(sorted[*node])
		}
	}
	for i := range l.events {
		e := &l.events[i]
		turned(&e.Node)
		turned(&e.From)
		for k := range e.Sent {
			turned(&e.Sent[k].To)
		}
	}
}

// Events is the number of events.
func (l *Log) Events() int { return len(l.recs) }

// Order names what relates the events of different nodes.
func (l *Log) Order() (by []string) {
	clocks, ids := false, false
	for i := range l.sides {
		clocks = clocks || l.sides[i].clock != nil
		ids = ids || l.sides[i].id != ""
	}
	if clocks {
		by = append(by, "vector clocks")
	}
	if ids {
		by = append(by, "messages")
	}
	switch {
	case l.traced:
		by = append(by, "the steps of the trace")
	case l.timed && l.skewed:
		by = append(by, "time stamps")
	case l.timed && l.bounded():
		by = append(by, "time intervals")
	}
	return by
}

// Where is the first line that names a node.
func (l *Log) Where(node string) Place {
	at := int32(slices.Index(l.Nodes, node))
	best := Place{}
	for i := range l.recs {
		p := l.place(int32(i))
		if !l.names(int32(i), at) || best.Line > 0 && (p.File != best.File || p.Line >= best.Line) {
			continue
		}
		best = p
	}
	return best
}

// names reports whether an event is one of a node or names it.
func (l *Log) names(i, node int32) bool {
	s := l.side(i)
	return l.recs[i].node == node || s != nil && (s.from == node || s.at(node) > 0 ||
		slices.ContainsFunc(s.sent, func(m send) bool { return m.to == node }))
}

// place is where an event stands.
func (l *Log) place(i int32) Place { return Place{l.Files[l.recs[i].file], int(l.recs[i].line)} }

// places lists where events stand.
func (l *Log) places(events ...int32) (ps []Place) {
	for _, i := range events {
		ps = append(ps, l.place(i))
	}
	return ps
}

// side is what else orders an event; nil if there is nothing.
func (l *Log) side(i int32) *side {
	if s := l.recs[i].side; s >= 0 {
		return &l.sides[s]
	}
	return nil
}

// own is the node's own count of an event: its seq, or its own element of the
// vector clock; 0 if it has neither.
func (l *Log) own(i int32) uint64 {
	s := l.side(i)
	switch {
	case s == nil:
		return 0
	case s.seq > 0:
		return uint64(s.seq)
	}
	return s.at(l.recs[i].node)
}

// at is the element of a vector clock.
func (s *side) at(node int32) uint64 {
	if s != nil {
		for _, c := range s.clock {
			if c.node == node {
				return c.count
			}
		}
	}
	return 0
}
