// Package order has the events of a log and their known order. A Collector makes compact records of the
// entries of package formats. The order comes from counts of nodes, vector clocks, messages, and intervals in
// time.
package order

import (
	"cmp"
	"slices"

	"github.com/atmostk/atmostk/traces/logs/formats"
	"github.com/atmostk/atmostk/traces/logs/products"
	"github.com/atmostk/atmostk/traces/printable"
)

// A Log has the events of one run and their known order.
type Log struct {
	Header  formats.Header // empty without a header
	Nodes   []string
	Formats []string // of each file that is not empty
	Files   []string // the files that are not empty
	Ignored int      // events that the mapping leaves out
	Skipped int      // lines that the mapping leaves out
	// LeftOut counts these lines by their kind, if they are of a product.
	LeftOut map[string]int
	// Product is the recognised program; nil: none. Guessed: its lines do not name nodes, and nobody said
	// that the file is the node.
	Product  *products.Product
	Guessed  bool
	Waits    int // acquisitions logged at the begin of the wait
	Findings []formats.Finding

	Resources []string // sorted; the first is "" if some event of a lock names none
	// Hints are fields of acquisitions and releases that have several values and may name resources. They
	// are listed if the log has fewer than two resources and Options.Resource is not set.
	Hints []string

	Recs    []Record  // node by node, each node's in its order
	First   []int32   // of each node the index of its first event; one more entry for the end
	kept    bool      // entries are kept as well, for the History
	after   [][]int32 // of each event, events at other nodes known to be before it
	Vectors []uint32  // of each event, the number of events of each node at or before it
	Sorted  []int32   // all events in an order that fits
	Rank    []int32   // of each event, its index in Sorted
	clocks  bool      // some event has a vector clock
	ids     bool      // some event has the id of a message
	Causal  bool      // clocks or message ids relate events of different nodes
	Timed   bool      // intervals of events are used as an order
	Bounds  bool      // some event has a bound in time
	count   int       // number of events
	Skewed  bool      // time stamps are an order
	Lined   bool      // the lines of the file are an order
	Traced  bool      // the files are traces of check
	// Complete: all files are histories without missing lines.
	Complete bool
	stop     func() bool // Options.Stop
	// Doubtful: the certain parts of some holdings may be shorter than in any run.
	Doubtful bool
}

// Frame returns a log without its events.
func (rd *Collector) Frame() *Log {
	l := &Log{Header: rd.Header0, Nodes: slices.Sorted(slices.Values(rd.Names)), Formats: rd.Formats,
		Files: rd.Files, Ignored: rd.Ignored, Skipped: rd.Skipped, LeftOut: rd.LeftOut,
		Product: rd.Opt.Product, Guessed: rd.Guessed, Waits: rd.waited, kept: rd.Opt.Keep,
		Skewed: rd.Opt.Skew != nil, Lined: rd.Opt.Lines, count: rd.Count, stop: rd.Opt.Stop}
	isOther := func(format string) bool { return format != "jepsen" }
	l.Complete = len(rd.Formats) > 0 && !slices.ContainsFunc(rd.Formats, isOther)
	l.Traced = slices.Contains(rd.Formats, "trace")
	rd.nameResources(l)
	return l
}

// Log returns the collected events, with their order.
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

// divide copies the records, grouped by node.
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
	for node := range l.Nodes { // events of one node: files in the order in which they were given
		l.sortNode(node, func(i int32) uint64 { return uint64(l.Recs[i].File) })
	}
}

// sortNode sorts the events of a node by a key; the sort is stable.
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

// renumber changes the numbers of nodes from the order of appearance to the sorted order, in the sides of the
// records; divide did so in the records.
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

// Stopped reports whether judging has to end.
func (l *Log) Stopped() bool { return l.stop != nil && l.stop() }

// Events returns the number of events.
func (l *Log) Events() int { return l.count }

// Order lists the sources of the order among nodes, in words for a report.
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
	case l.Timed && l.Skewed && l.Bounds:
		by = append(by, "time stamps")
	case l.Timed && l.Bounds:
		by = append(by, "time intervals")
	}
	return by
}

// Where returns the first line that mentions a node.
func (l *Log) Where(node string) formats.Place {
	at := int32(slices.Index(l.Nodes, node))
	best := formats.Place{}
	for i := range l.Recs {
		p := l.place(int32(i))
		if l.names(int32(i), at) && (best.Line == 0 || p.File == best.File && p.Line < best.Line) {
			best = p
		}
	}
	return best
}

func (l *Log) names(i, node int32) bool {
	s := l.Recs[i].Side
	return l.Recs[i].Node == node || s != nil && (s.from == node || s.at(node) > 0 ||
		slices.ContainsFunc(s.sent, func(m send) bool { return m.to == node }))
}

func (l *Log) place(i int32) formats.Place { return l.Recs[i].place(l.Files) }

func (l *Log) places(events ...int32) []formats.Place {
	return printable.Each(events, func(i *int32) formats.Place { return l.place(*i) })
}

// at returns the element of the vector clock for a node; 0: none.
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

// Show replaces the names of nodes by the names for reports, each once.
func (l *Log) Show() {
	shown := printable.Each(l.Nodes, func(name *string) string { return formats.Shown(*name) })
	l.Nodes = slices.Compact(shown)
}
