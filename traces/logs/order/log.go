package order

import (
	"cmp"
	"slices"

	"github.com/atmostk/atmostk/traces/logs/formats"
)

// A Log is what was read: the events of one run.
type Log struct {
	Header   formats.Header // of the run, if a file says so
	Nodes    []string
	Formats  []string // of each file that is not empty
	Files    []string // those that are not empty
	Ignored  int      // events that the mapping leaves out
	Skipped  int      // lines that the mapping leaves out
	Waits    int      // acquisitions that are logged when they begin to wait
	Findings []formats.Finding

	Resources []string // that are named, sorted; the first is "" if some event names none
	// Hints are fields of the events of a lock that have several values and may be the
	// names of resources; only if there are no resources, and Options do not say that all is one.
	Hints []string

	Recs    []Record  // node by node, each node's in its order
	First   []int32   // of each node the index of its first event, and the end
	kept    bool      // all that was read of them is kept
	after   [][]int32 // of each event, those at other nodes known to be before it
	Vectors []uint32  // of each event, how many of each node's are at or before it
	Sorted  []int32   // all events, none before one that it comes after
	Rank    []int32   // of each event, where it is in sorted
	clocks  bool      // some event has a vector clock
	ids     bool      // some event has the identity of a message
	Causal  bool      // clocks or message ids relate events of different nodes
	Timed   bool      // intervals do, and are used
	Bounds  bool      // some event has a bound in time
	count   int       // of events
	Skewed  bool
	Lined   bool // the lines of the file are an order
	Traced  bool // the files are traces of check
	// Complete: all files are histories without missing lines.
	Complete bool
	// Doubtful: the certain parts of some holdings may be shorter than in any run.
	Doubtful bool
}

// Frame is a log without its events.
func (rd *Collector) Frame() *Log {
	l := &Log{Header: rd.Header0, Nodes: slices.Sorted(slices.Values(rd.Names)), Formats: rd.Formats,
		Files:   rd.Files,
		Ignored: rd.Ignored, Skipped: rd.Skipped, Waits: rd.waited,
		kept: rd.Opt.Keep, Skewed: rd.Opt.Skew != nil, Lined: rd.Opt.Lines,
		count: rd.Count}
	isOther := func(format string) bool { return format != "jepsen" }
	l.Complete = len(rd.Formats) > 0 && !slices.ContainsFunc(rd.Formats, isOther)
	l.Traced = slices.Contains(rd.Formats, "trace")
	rd.nameResources(l)
	return l
}

// Log puts everything in order.
func (rd *Collector) Log() *Log {
	l := rd.Frame()
	sorted := make([]int32, len(rd.Names))
	for i, name := range rd.Names {
		at, _ := slices.BinarySearch(l.Nodes, name)
		sorted[i] = int32(at)
	}
	rd.divide(l, sorted)
	l.renumber(sorted)
	rd.resources(l)
	for i := range l.Recs {
		if x := l.Recs[i].Side; x != nil {
			l.clocks, l.ids = l.clocks || x.Clock != nil, l.ids || x.ID != ""
		}
	}
	l.Causal = l.clocks || l.ids
	l.Timed = !l.Causal || l.Skewed || l.Lined || l.Traced
	l.merge(&rd.Found, rd.Nodes)
	l.relate(&rd.Found)
	rd.Found.Sort()
	l.Findings = rd.Found
	return l
}

// divide puts the records of each node together.
func (rd *Collector) divide(l *Log, sorted []int32) {
	l.First = make([]int32, len(l.Nodes)+1)
	for _, c := range rd.Chunks {
		for i := range c {
			l.First[sorted[c[i].Node]+1]++
		}
	}
	for i := range l.Nodes {
		l.First[i+1] += l.First[i]
	}
	next := slices.Clone(l.First)
	l.Recs = make([]Record, rd.Count)
	for k, c := range rd.Chunks {
		for i := range c {
			node := sorted[c[i].Node]
			c[i].Node = node
			l.Recs[next[node]] = c[i]
			next[node]++
		}
		rd.Chunks[k] = nil
	}
	for node := range l.Nodes { // files that are read side by side are in the order in which they were given
		l.sortNode(node, func(i int32) uint64 { return uint64(l.Recs[i].File) })
	}
}

// sortNode sorts the events of a node by a key, and keeps the order of those with the same one.
func (l *Log) sortNode(node int, key func(i int32) uint64) {
	from, to := l.First[node], l.First[node+1]
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
	was := slices.Clone(l.Recs[from:to])
	for to, at := range order {
		l.Recs[from+int32(to)] = was[at]
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
	for i := range l.Recs {
		s := l.Recs[i].Side
		if s == nil {
			continue
		}
		turn(&s.from)
		for k := range s.sent {
			turn(&s.sent[k].to)
		}
		for k := range s.Clock {
			turn(&s.Clock[k].node)
		}
		slices.SortFunc(s.Clock, func(a, b count) int { return int(a.node - b.node) })
	}
}

// Events is the number of events.
func (l *Log) Events() int { return l.count }

// Order names what relates the events of different nodes.
func (l *Log) Order() (by []string) {
	if l.clocks {
		by = append(by, "vector clocks")
	}
	if l.ids {
		by = append(by, "messages")
	}
	switch {
	case l.Traced:
		by = append(by, "the steps of the trace")
	case l.Complete:
		by = append(by, "the entries of the history")
	case l.Lined:
		by = append(by, "the lines of the file")
	case l.Timed && l.Skewed:
		by = append(by, "time stamps")
	case l.Timed && l.Bounds:
		by = append(by, "time intervals")
	}
	return by
}

// Where is the first line that names a node.
func (l *Log) Where(node string) formats.Place {
	at := int32(slices.Index(l.Nodes, node))
	best := formats.Place{}
	for i := range l.Recs {
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
	s := l.Recs[i].Side
	return l.Recs[i].Node == node || s != nil && (s.from == node || s.at(node) > 0 ||
		slices.ContainsFunc(s.sent, func(m send) bool { return m.to == node }))
}

// place is where an event stands.
func (l *Log) place(i int32) formats.Place {
	return formats.Place{File: l.Files[l.Recs[i].File], Line: int(l.Recs[i].Line)}
}

// places lists where events stand.
func (l *Log) places(events ...int32) (ps []formats.Place) {
	for _, i := range events {
		ps = append(ps, l.place(i))
	}
	return ps
}

// at is the element of a vector clock.
func (s *Side) at(node int32) uint64 {
	if s != nil {
		for _, c := range s.Clock {
			if c.node == node {
				return c.count
			}
		}
	}
	return 0
}

// Show lists the nodes by the names that reports have.
func (l *Log) Show() {
	names := make([]string, 0, len(l.Nodes))
	for _, name := range l.Nodes {
		names = append(names, formats.Shown(name))
	}
	l.Nodes = slices.Compact(names)
}
