package logs

import (
	"cmp"
	"slices"
	"strings"
)

// A Log is what was read: the events of one run.
type Log struct {
	Header   Header // of the run, if a file says so
	Nodes    []string
	Formats  []string // of each file that is not empty
	Files    []string // those that are not empty
	Ignored  int      // events that the mapping leaves out
	Skipped  int      // lines that the mapping leaves out
	Waits    int      // acquisitions that are logged when they begin to wait
	Findings []Finding

	Resources []string // that are named, sorted; the first is "" if some event names none
	// Hints are fields of the events of a lock that have several values and may be the
	// names of resources; only if there are no resources, and Options do not say that all is one.
	Hints []string

	recs    []record // node by node, each node's in its order
	first   []int32  // of each node the index of its first event, and the end
	sides   []side
	rights  slots[right]
	events  []Event   // beside recs, if they were kept
	after   [][]int32 // of each event, those at other nodes known to be before it
	vectors []uint32  // of each event, how many of each node's are at or before it
	sorted  []int32   // all events, none before one that it comes after
	rank    []int32   // of each event, where it is in sorted
	causal  bool      // clocks or message ids relate events of different nodes
	timed   bool      // intervals do, and are used
	bounds  bool      // some event has a bound in time
	count   int       // of events
	uses    int       // the number of resources that are judged
	skewed  bool
	lined   bool // the lines of the file are an order
	traced  bool // the files are traces of check
	// complete: all files are histories of which nothing is missing.
	complete bool
	// doubtful: what is certain of some stays may be less than any run has.
	doubtful bool
	waiting  []Waiting // the nodes that have asked and got nothing, those that have waited longest first
	number   []string  // the names of nodes by the numbers that stays have; nil: Nodes
}

// frame is a log without its events.
func (rd *collector) frame() *Log {
	l := &Log{Header: rd.header0, Nodes: slices.Sorted(slices.Values(rd.names)), Formats: rd.formats,
		Files:   rd.files,
		Ignored: rd.ignored, Skipped: rd.skipped, Waits: rd.waited,
		skewed: rd.opt.Skew != nil, lined: rd.opt.Lines,
		count:   rd.count,
		waiting: rd.waiting()}
	isOther := func(format string) bool { return format != "jepsen" }
	l.complete = len(rd.formats) > 0 && !slices.ContainsFunc(rd.formats, isOther)
	l.traced = slices.Contains(rd.formats, "trace")
	return l
}

// log puts everything in order.
func (rd *collector) log() *Log {
	l := rd.frame()
	l.sides, l.rights = rd.sides.all, rd.rights
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
func (rd *collector) divide(l *Log, sorted []int32) {
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
	for node := range l.Nodes { // files that are read side by side are in the order in which they were given
		l.sortNode(node, func(i int32) uint64 { return uint64(l.recs[i].file) })
	}
}

// sortNode sorts the events of a node by a key, and keeps the order of those with the same one.
func (l *Log) sortNode(node int, key func(i int32) uint64) {
	from, to := l.first[node], l.first[node+1]
	keys, order := make([]uint64, to-from), make([]int32, to-from)
	inOrder := true
	for i := range order {
		keys[i], order[i] = key(from+int32(i)), int32(i)
		inOrder = inOrder && (i == 0 || keys[i-1] <= keys[i])
	}
	if inOrder {
		return
	}
	slices.SortStableFunc(order, func(a, b int32) int { return cmp.Compare(keys[a], keys[b]) })
	sorted(l.recs[from:to], order)
	if l.events != nil {
		sorted(l.events[from:to], order)
	}
}

// sorted puts a list into an order of its indices.
func sorted[T any](list []T, order []int32) {
	was := slices.Clone(list)
	for to, from := range order {
		list[to] = was[from]
	}
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
func (l *Log) Events() int { return l.count }

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
	case l.lined:
		by = append(by, "the lines of the file")
	case l.timed && l.skewed:
		by = append(by, "time stamps")
	case l.timed && l.bounds:
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

// name is the name of the node of a stay.
func (l *Log) name(node int32) string {
	if l.number != nil {
		return shown(l.number[node])
	}
	return shown(l.Nodes[node])
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

// show lists the nodes by the names that reports have.
func (l *Log) show() {
	if !slices.ContainsFunc(l.Nodes, func(name string) bool { return strings.Contains(name, nodePart) }) {
		return
	}
	l.number = l.Nodes
	names := make([]string, 0, len(l.Nodes))
	for _, name := range l.Nodes {
		names = append(names, shown(name))
	}
	l.Nodes = slices.Compact(names)
}
