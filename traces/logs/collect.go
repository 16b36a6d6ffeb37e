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
	res        int32 // index into the resources
	file       uint16
	role       role
	mark       mark
}

// A mark says more about an event and the place before it in its node's log.
type mark uint8

// The marks. Of whole and gap an event has at most one: without either, lines may be
// missing before it as far as its log can tell.
const (
	maybe   mark = 1 << iota // it may not have happened
	whole                    // no line of its node is missing right before it
	gap                      // lines of its node are known to be missing right before it
	restart                  // its node has started again since the event before
)

// is reports whether an event has a mark.
func (r *record) is(m mark) bool { return r.mark&m != 0 }

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

	names  []string // of nodes, in the order of appearance
	nodes  map[string]*nodeState
	kinds  []string // the resources, in the order of appearance; the first is that without a name
	kind   map[string]int32
	hints  map[string]string // fields that may name resources, with their first value; "": there are several
	chunks [][]record
	sides  []side
	events []Event // if they are kept
	count  int     // of records

	ignored  int
	complete bool // no line of the file that is read is missing
}

// A nodeState is what the reader knows of a node.
type nodeState struct {
	number int32 // in the order of appearance; -1: it has no event so far
	stamp  int64 // the latest time stamp
	seq    int64 // the latest count
	file   int   // in which that was
	// life is the number of times it has started again: its count was 1 once more.
	life    int32
	started bool      // it has done so since the latest event that was kept
	left    []counted // the counts of events that are ignored
}

// A counted event is one in some life of a node.
type counted struct {
	life int32
	seq  uint64
}

func newReader(opt Options) *reader {
	rd := &reader{
		opt: opt, mapping: opt.Mapping, nodes: map[string]*nodeState{},
		kinds: []string{""}, kind: map[string]int32{"": 0}, hints: map[string]string{},
	}
	if rd.mapping == nil {
		rd.mapping = &Mapping{}
	}
	rd.mapping = withResource(rd.mapping, opt.Resource)
	return rd
}

// state is what is known of a node.
func (rd *reader) state(name string) *nodeState {
	n, known := rd.nodes[name]
	if !known {
		n = &nodeState{number: -1, stamp: never}
		rd.nodes[name] = n
	}
	return n
}

// node is the number of a node in the order of appearance; -1 for no name.
func (rd *reader) node(name string) int32 {
	if name == "" {
		return -1
	}
	n := rd.state(name)
	if n.number < 0 {
		n.number = int32(len(rd.names))
		rd.names = append(rd.names, name)
	}
	return n.number
}

// resource is the number of a resource in the order of appearance.
func (rd *reader) resource(name string) int32 {
	i, known := rd.kind[name]
	if !known {
		i = int32(len(rd.kinds))
		rd.kind[name] = i
		rd.kinds = append(rd.kinds, name)
	}
	return i
}

// counts follows a node's own count, which is 1 when it has started again.
func (rd *reader) counts(e *entry) {
	if e.seq == 0 {
		return
	}
	n := rd.state(e.node)
	if e.seq == 1 && n.seq > 0 && n.file == len(rd.files) && e.clock == nil {
		if n.started { // nothing was kept of the life before
			n.left = slices.DeleteFunc(n.left, func(c counted) bool { return c.life == n.life })
		} else {
			n.life++
		}
		n.started = true
	}
	n.seq, n.file = e.seq, len(rd.files)
}

// chunk is the number of records that are allocated at once.
const chunk = 1 << 13

// collect keeps an event.
func (rd *reader) collect(e *entry) {
	r := record{begin: e.begin, end: e.end, line: int32(e.line), node: rd.node(e.node), side: -1,
		units: int32(e.units), res: rd.resource(e.resource), file: uint16(len(rd.files) - 1), role: roleOf(e.name)}
	n := rd.state(e.node)
	if r.role == enters || r.role == leaves {
		rd.hint(e)
	}
	if e.maybe {
		r.mark |= maybe
	}
	if rd.complete {
		r.mark |= whole
	}
	if n.started {
		r.mark |= restart
		n.started = false
	}
	if e.stamp != ever {
		if e.stamp < n.stamp && rd.opt.Skew == nil {
			rd.found.add(TimeBack, []Place{{rd.files[r.file], e.line}}, "the time of %s runs back here; the order of its lines counts", e.node)
		}
		n.stamp = e.stamp
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

	Resources []string // that are named, sorted; the first is "" if some event names none
	// Hints are fields of the events of a lock that have several values and may be the
	// names of resources; only if there are no resources, and Options do not say that all is one.
	Hints []string

	recs    []record         // node by node, each node's in its order
	missing map[int32]uint64 // of events before which lines are missing: how many
	first   []int32          // of each node the index of its first event, and the end
	sides   []side
	events  []Event   // beside recs, if they were kept
	after   [][]int32 // of each event, those at other nodes known to be before it
	vectors []uint32  // of each event, how many of each node's are at or before it
	sorted  []int32   // all events, none before one that it comes after
	rank    []int32   // of each event, where it is in sorted
	causal  bool      // clocks or message ids relate events of different nodes
	timed   bool      // intervals do, and are used
	skewed  bool
	traced  bool // the files are traces of check
	// complete: all files are histories of which nothing is missing.
	complete bool
	// doubtful: what is certain of some stays may be less than any run has.
	doubtful bool
}

// log puts everything in order.
func (rd *reader) log() *Log {
	l := &Log{Header: rd.header0, Nodes: slices.Sorted(slices.Values(rd.names)), Formats: rd.formats, Files: rd.files,
		Ignored: rd.ignored, sides: rd.sides, skewed: rd.opt.Skew != nil}
	isOther := func(format string) bool { return format != "jepsen" }
	l.complete = len(rd.formats) > 0 && !slices.ContainsFunc(rd.formats, isOther)
	l.traced = slices.Contains(rd.formats, "trace")
	sorted := make([]int32, len(rd.names))
	for i, name := range rd.names {
		at, _ := slices.BinarySearch(l.Nodes, name)
		sorted[i] = int32(at)
	}
	rd.divide(l, sorted)
	l.renumber(sorted)
	rd.resources(l)
	l.merge(&rd.found, rd.nodes)
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
	case l.complete:
		by = append(by, "the entries of the history")
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
