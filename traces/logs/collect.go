package logs

import (
	"fmt"
	"slices"
)

// A record is what is kept of an event: little, so that millions fit into memory.
type record struct {
	begin, end int64 // within which it happened
	waited     int64 // how long was waited for the units that it acquires; ever: not known
	seq        int64 // its node's own count: seq, else its element of the vector clock; 0: none
	line       uint32
	node       int32
	side       int32  // index into sides; -1: none
	units      int32  // 0: not said
	right      int32  // index into the rights, see reader.rights; none
	res        int32  // index into the resources
	missing    uint32 // so many lines are missing right before it
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
	spans                    // it is one end of a stay that its line tells as a whole
	reads                    // it is shared, by those who only read
	clocked                  // its count is that of its vector clock
	waiting                  // it is logged when it begins to wait for its units
)

// is reports whether an event has a mark.
func (r *record) is(m mark) bool { return r.mark&m != 0 }

// A side is the rest of what orders an event, for those that have it.
type side struct {
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
	free   []int32  // their numbers that name nobody any more
	nodes  map[string]*nodeState
	kinds  []string // the resources, in the order of appearance; the first is that without a name
	kind   map[string]int32
	hints  map[string]string // fields that may name resources, with their first value; "": there are several
	chunks [][]record
	sides  slots[side]
	rights slots[right]
	events []Event // if they are kept
	count  int     // of records
	record record  // the latest one

	zones  zone        // of all times that count
	zoneAt Place       // of the first of them
	parser *lineParser // of what is not parsed ahead

	endless bool // events are not kept, and may be as many as come
	ignored int
	waited  int      // acquisitions that are logged when they begin to wait
	skipped int      // lines that are left out
	spoilt  []spoilt // of each file; fewer if the last ones have none
	perFile []int    // the number of events of each file
	latest  int64    // the latest moment by the clock of any node; never: none
	// sink, if it is not nil, takes the events. It returns false for one from which on all are to be kept.
	sink func(*record, *side) (bool, error)
	// merge is that of the sources that are opened, and buffer the bytes of each that are read at once.
	merge  func(*source, *entry) error
	buffer int
	// ahead: the lines of the file that is opened are parsed ahead; oneByOne: there are so many that none
	// are.
	ahead, oneByOne bool
}

// A nodeState is what the reader knows of a node.
type nodeState struct {
	number int32 // in the order of appearance; -1: it has no event so far
	stamp  int64 // the latest time stamp
	seq    int64 // the latest count
	file   int   // in which that was
	// life is the number of times it has started again: its count was 1 once more.
	life    int32
	started bool // it has done so since the latest event that was kept
	// So many lines that make no sense were before its latest event in a file.
	spoilt   uint32
	spoiltIn int
	left     []counted         // the counts of events that are ignored
	asked    map[string]asking // of each resource for which it waits
}

// A counted event is one in some life of a node.
type counted struct {
	life int32
	seq  uint64
}

func newReader(opt Options) *reader {
	rd := &reader{
		opt: opt, latest: never, mapping: opt.Mapping, buffer: maxBuffer, nodes: map[string]*nodeState{},
		kinds: []string{""}, kind: map[string]int32{"": 0}, hints: map[string]string{},
	}
	if rd.mapping == nil {
		rd.mapping = &Mapping{}
	}
	rd.mapping = withResource(rd.mapping, opt.Resource)
	rd.parser = rd.newParser()
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
	return rd.numbered(rd.state(name), name)
}

// numbered is the number of a node of which something is known.
func (rd *reader) numbered(n *nodeState, name string) int32 {
	if n.number < 0 {
		if last := len(rd.free) - 1; last >= 0 {
			n.number, rd.free = rd.free[last], rd.free[:last]
			rd.names[n.number] = name
			return n.number
		}
		n.number = int32(len(rd.names))
		rd.names = append(rd.names, name)
	}
	return n.number
}

// resource is the number of a resource in the order of appearance.
func (rd *reader) resource(name string) int32 {
	if name == "" {
		return 0
	}
	i, known := rd.kind[name]
	if !known {
		i = int32(len(rd.kinds))
		rd.kind[name] = i
		rd.kinds = append(rd.kinds, name)
	}
	return i
}

// counts follows a node's own count, which is 1 when it has started again.
func (rd *reader) counts(s *source, e *entry) {
	if e.seq == 0 {
		return
	}
	n := rd.state(e.node)
	if e.seq == 1 && n.seq > 0 && n.file == s.index && e.clock == nil {
		if n.started { // nothing was kept of the life before
			n.left = slices.DeleteFunc(n.left, func(c counted) bool { return c.life == n.life })
		} else {
			n.life++
		}
		n.started = true
	}
	n.seq, n.file = e.seq, s.index
}

// chunk is the number of records that are allocated at once.
const chunk = 1 << 13

// What events take at most while they are judged, in bytes: their records, twice while they are
// sorted, and stays and ends of stays; what else orders them; what the History keeps.
const (
	recordBytes = 160
	sideBytes   = 192
	eventBytes  = 640
)

// A MemoryError says that logs take more memory than they may.
type MemoryError struct {
	At     Place // the event that is too many
	Events int   // that were read
	Memory int64 // that is allowed, in bytes
}

func (e *MemoryError) Error() string {
	return fmt.Sprintf("%s: given up after %d events, as what was read takes more than %d MiB of memory",
		e.At, e.Events, e.Memory>>20)
}

// room looks whether there is memory for more events.
func (rd *reader) room(at Place) error {
	bytes := int64(rd.count+chunk)*recordBytes + int64(len(rd.sides.all))*sideBytes +
		int64(len(rd.events))*eventBytes
	if rd.opt.Memory > 0 && bytes > rd.opt.Memory {
		return &MemoryError{at, rd.count, rd.opt.Memory}
	}
	return nil
}

// collect takes an event.
func (rd *reader) collect(s *source, e *entry) error {
	if e.span && rd.sink == nil { // what is kept is put into an order by nodes
		e.node = spanNode(e.node, s.index, e.line)
	}
	n := rd.state(e.node)
	rd.waits(s, n, e)
	seq := e.own()
	r := &rd.record
	*r = record{begin: e.begin, end: e.end, waited: e.waited, seq: int64(seq), line: uint32(e.line),
		node: rd.numbered(n, e.node), side: -1,
		units: int32(e.units), res: rd.resource(e.resource), file: uint16(s.index), role: roleOf(e.name)}
	if r.role == enters || r.role == leaves {
		rd.hint(e)
	}
	r.right = rd.rightOf(s, e)
	if e.reads || r.role.ofLock() && isShared(e.name) {
		r.mark |= reads
	}
	if e.maybe {
		r.mark |= maybe
	}
	if e.waits {
		r.mark |= waiting
		rd.waited++
	}
	if e.seq == 0 && seq > 0 {
		r.mark |= clocked
	}
	if e.span {
		r.mark |= spans
	}
	if s.complete || e.span && r.role == leaves {
		r.mark |= whole
	}
	if n.started {
		r.mark |= restart
		n.started = false
	}
	if e.stamp != ever {
		if e.stamp < n.stamp && rd.opt.Skew == nil {
			rd.found.add(TimeBack, []Place{{rd.files[r.file], e.line}},
				"the time of %s runs back here; the order of its lines counts", e.node)
		}
		n.stamp = e.stamp
	}
	rd.lose(s, n, r)
	x := rd.side(e)
	if rd.sink != nil && rd.opt.Keep {
		rd.sink = nil
	}
	if rd.sink != nil {
		if taken, err := rd.sink(r, x); taken || err != nil {
			rd.count++
			return err
		}
		if e.span {
			r.node = rd.node(spanNode(e.node, s.index, e.line))
		}
	}
	if x != nil {
		r.side = rd.sides.put(*x)
	}
	if last := len(rd.chunks) - 1; last < 0 || len(rd.chunks[last]) == cap(rd.chunks[last]) {
		if err := rd.room(Place{rd.files[r.file], e.line}); err != nil {
			return err
		}
		rd.chunks = append(rd.chunks, make([]record, 0, chunk))
	}
	last := len(rd.chunks) - 1
	rd.chunks[last] = append(rd.chunks[last], *r)
	rd.count++
	if rd.opt.Keep {
		rd.keep(e, r)
	}
	return nil
}

// side is the rest of what orders an event; nil if there is nothing.
func (rd *reader) side(e *entry) *side {
	from := rd.node(e.from)
	if e.lamport == 0 && e.clock == nil && e.id == "" && len(e.sent) == 0 {
		return nil
	}
	x := &side{lamport: e.lamport, from: from, id: e.id}
	for _, t := range e.clock {
		x.clock = append(x.clock, count{rd.node(t.node), t.count})
	}
	for _, m := range e.sent {
		x.sent = append(x.sent, send{rd.node(m.to), m.id})
	}
	return x
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
