package logs

import (
	"fmt"
	"maps"
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

// A collector gives numbers to the nodes and resources of the events that are read, and keeps the events, or
// passes them on.
type collector struct {
	*reader
	names  []string // of nodes, in the order of appearance
	free   []int32  // their numbers that name nobody any more
	nodes  map[string]*nodeState
	kinds  []string // the resources, in the order of appearance; the first is that without a name
	kind   map[string]int32
	chunks [][]record
	sides  slots[side]
	rights slots[right]
	events []Event // if they are kept
	record record  // the latest one
	waited int     // acquisitions that are logged when they begin to wait
	latest int64   // the latest moment by the clock of any node; never: none
	// sink, if it is not nil, takes the events. It returns false for one from which on all are to be kept.
	sink func(*record, *side) (bool, error)
}

func newCollector(opt Options) *collector {
	rd := &collector{reader: newReader(opt), latest: never, nodes: map[string]*nodeState{}, kinds: []string{""},
		kind: map[string]int32{"": 0}}
	rd.event = rd.take
	return rd
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

// state is what is known of a node.
func (rd *collector) state(name string) *nodeState {
	n, known := rd.nodes[name]
	if !known {
		n = &nodeState{number: -1, stamp: never}
		rd.nodes[name] = n
	}
	return n
}

// node is the number of a node in the order of appearance; -1 for no name.
func (rd *collector) node(name string) int32 {
	if name == "" {
		return -1
	}
	return rd.numbered(rd.state(name), name)
}

// numbered is the number of a node of which something is known.
func (rd *collector) numbered(n *nodeState, name string) int32 {
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
func (rd *collector) resource(name string) int32 {
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
func (rd *collector) counts(s *source, e *entry) {
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
func (rd *collector) room(at Place) error {
	bytes := int64(rd.count+chunk)*recordBytes + int64(len(rd.sides.all))*sideBytes +
		int64(len(rd.events))*eventBytes
	if rd.opt.Memory > 0 && bytes > rd.opt.Memory {
		return &MemoryError{at, rd.count, rd.opt.Memory}
	}
	return nil
}

// collect takes an event.
func (rd *collector) collect(s *source, e *entry) error {
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
func (rd *collector) side(e *entry) *side {
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
func (rd *collector) keep(e *entry, r *record) {
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

// rightOf keeps what an event says of its lock, and returns its number.
func (rd *collector) rightOf(s *source, e *entry) int32 {
	x := e.right
	if x == noRight {
		return none
	}
	if skew := rd.opt.Skew; x.last != ever && skew != nil { // the stamp of a clock as well
		x.earliest, x.last = x.last-int64(*skew), x.last+int64(*skew)
	} else {
		x.earliest, x.last = ever, ever
	}
	if rd.opt.Lines || s.complete { // moments are lines
		x.lasts, x.earliest, x.last = ever, ever, ever
	}
	return rd.rights.put(x)
}

// hint keeps the fields that may name the resource of an event of a lock.
func (rd *collector) hint(e *entry) {
	for _, n := range e.named {
		first, known := rd.hints[n.field]
		switch {
		case !known:
			rd.hints[n.field] = n.value
		case first != n.value:
			rd.hints[n.field] = ""
		}
	}
}

// resources sorts the resources that events of a lock name.
func (rd *collector) resources(l *Log) {
	used := make([]bool, len(rd.kinds))
	for i := range l.recs {
		used[l.recs[i].res] = used[l.recs[i].res] || l.recs[i].role.ofLock()
	}
	rd.nameResources(l, used)
	sorted := make([]int32, len(rd.kinds)) // 0 for those that no event of a lock names
	for i, name := range rd.kinds {
		if at, found := slices.BinarySearch(l.Resources, name); found {
			sorted[i] = int32(at)
		}
	}
	for i := range l.recs {
		l.recs[i].res = sorted[l.recs[i].res]
	}
}

// nameResources names the resources that are used, and the fields that may have their names.
func (rd *collector) nameResources(l *Log, used []bool) {
	for i, name := range rd.kinds {
		if used[i] {
			l.Resources = append(l.Resources, name)
		}
	}
	if len(l.Resources) < 2 && rd.opt.Resource == "" {
		for _, field := range slices.Sorted(maps.Keys(rd.hints)) {
			if rd.hints[field] == "" {
				l.Hints = append(l.Hints, field)
			}
		}
	}
	slices.Sort(l.Resources)
}

// lose marks an event before which such lines are: they may have been its node's. If it is
// counted its count says whether they were.
func (rd *collector) lose(s *source, n *nodeState, r *record) {
	if s.index >= len(rd.spoilt) {
		return
	}
	lines := rd.spoilt[s.index].lines
	if n.spoiltIn != s.index {
		n.spoiltIn, n.spoilt = s.index, 0
	}
	if lines > n.spoilt && r.seq == 0 && !r.is(whole) {
		r.mark |= gap
		r.missing = lines - n.spoilt
	}
	n.spoilt = lines
}

// take takes an event when those before it in the files of its node are known.
func (rd *collector) take(s *source, e *entry) error {
	rd.counts(s, e)
	if e.ignored {
		rd.ignored++
		if own := e.own(); own > 0 {
			n := rd.state(e.node)
			n.left = append(n.left, counted{n.life, own})
		}
		return nil
	}
	if e.failed {
		if roleOf(e.name) != leaves {
			return nil
		}
		e.name = "release-failed"
	}
	if s.locks {
		if err := lockOnly(e); err != nil {
			if s.torn { // its name is cut off
				return rd.tornLine(s)
			}
			return s.at(e.line).wrong("%v", err)
		}
	}
	switch {
	// of nobody, and about nothing
	case e.node == "" && rd.opt.Mapping != nil && (roleOf(e.name) == other || roleOf(e.name) == requests):
		rd.skipped++
		return nil
	case e.node == "":
		return s.at(e.line).wrong(`field "node" is missing`)
	case e.name == "":
		return s.at(e.line).wrong(`field "event" is missing, and "msg" as well`)
	case (rd.count >= maxEvents || int64(e.line) > maxLines) && !rd.endless:
		return s.at(e.line).wrong("more than %d events, which is as many as are read", maxEvents)
	}
	if err := rd.zone(s, e); err != nil {
		return err
	}
	s.note(e.node)
	rd.perFile[s.index]++
	return rd.collect(s, e)
}
