package order

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/atmostk/atmostk/traces/logs/formats"
	"github.com/atmostk/atmostk/traces/printable"
)

// merge sorts the events of each node, and checks its counts. If a node has events in several files, its
// counts give the order if all events have one; otherwise it is the order in which the files were given.
// nodes has the counts of events that the mapping leaves out.
func (l *Log) merge(found *formats.Findings, nodes map[string]*NodeState) {
	for node, name := range l.Nodes {
		left := nodes[name].Left
		slices.SortFunc(left, Counted.Compare)
		l.arrange(node)
		c := Counter{names: l.Nodes, Files: l.Files, Name: formats.Shown(name), Left: left, Found: found,
			Timed: l.Timed, Skewed: l.Skewed}
		for i := l.First[node]; i < l.First[node+1]; i++ {
			var before *Record
			if i > l.First[node] {
				before = &l.Recs[i-1]
			}
			c.Next(before, &l.Recs[i])
		}
	}
}

// Compare orders by life, then by count.
func (a Counted) Compare(b Counted) int {
	return cmp.Or(cmp.Compare(a.Life, b.Life), cmp.Compare(a.Seq, b.Seq))
}

// A Counter checks the counts and clocks of a node along its events.
type Counter struct {
	names []string // of nodes
	Files []string
	Name  string
	Left  []Counted // counts of ignored events, sorted
	Life  int32
	Found *formats.Findings
	// Timed: intervals are an order, and Next narrows them; Skewed: they come from time stamps.
	Timed, Skewed bool
}

func (c *Counter) places(rs ...*Record) []formats.Place {
	return printable.Each(rs, func(r **Record) formats.Place { return (*r).place(c.Files) })
}

// Next takes an event b and the one before it at its node, a; nil if b is the first one.
func (c *Counter) Next(a, b *Record) {
	if a == nil || b.Is(Restart) {
		c.begin(a, b)
	} else {
		c.advance(a, b)
	}
	if c.Timed && a != nil {
		c.narrow(a, b)
	}
}

// narrow makes an event begin no earlier than the one before it.
func (c *Counter) narrow(a, b *Record) {
	if b.End < a.Begin {
		by := ""
		if c.Skewed {
			by = fmt.Sprintf(" here, by %s more than the skew allows", time.Duration(a.Begin-b.End))
		}
		c.Found.Add(formats.Backwards, c.places(a, b), "the clock of %s runs back%s", c.Name, by)
		b.End = a.Begin
	}
	b.Begin = max(b.Begin, a.Begin)
}

// missing returns how many counts between two counts of this life belong to no event, ignored ones included.
func (c *Counter) missing(from, to uint64) uint64 {
	first, _ := slices.BinarySearchFunc(c.Left, Counted{c.Life, from + 1}, Counted.Compare)
	last, _ := slices.BinarySearchFunc(c.Left, Counted{c.Life, to}, Counted.Compare)
	return to - from - 1 - min(uint64(last-first), to-from-1)
}

// markMissing marks an event: n lines are missing right before it, or none is.
func (c *Counter) markMissing(r *Record, n uint64) {
	switch {
	case r.Is(Whole):
	case n == 0:
		r.Mark |= Whole
	default:
		r.Mark |= Gap
		r.Missing = uint32(min(n, math.MaxUint32))
	}
}

// begin takes the first event of a node, or of a new life after a restart.
func (c *Counter) begin(a, r *Record) {
	if r.Is(Restart) {
		if c.Life++; a != nil {
			c.Found.Add(formats.Restart, c.places(a, r), "%s has restarted: its count begins again at 1",
				c.Name)
		}
	}
	if r.Seq == 0 {
		return
	}
	n := c.missing(0, uint64(r.Seq))
	c.markMissing(r, n)
	if n > 0 {
		c.Found.Add(formats.Gap, c.places(r), "the log of %s begins with its event %d", c.Name, r.Seq)
	}
}

// arrange sorts the events of a node in several files by its count, if all events have it and the node never
// restarted. A count that goes backwards within a file stays after the earlier lines, so that it is reported.
func (l *Log) arrange(node int) {
	events := l.Recs[l.First[node]:l.First[node+1]]
	isElsewhere := func(r Record) bool { return r.File != events[0].File }
	isUncounted := func(r Record) bool { return r.Seq == 0 || r.Is(Restart) }
	if !slices.ContainsFunc(events, isElsewhere) || slices.ContainsFunc(events, isUncounted) {
		return
	}
	latest := map[uint16]uint64{}
	l.sortNode(node, func(i int32) uint64 {
		r := &l.Recs[i]
		latest[r.File] = max(latest[r.File], uint64(r.Seq))
		return latest[r.File]
	})
}

// advance checks that the count of a node grows from one event to the next.
func (c *Counter) advance(a, b *Record) {
	was, is := uint64(a.Seq), uint64(b.Seq)
	switch {
	case was == 0 || is == 0 || a.Is(clocked) != b.Is(clocked):
	case is <= was && a.File != b.File:
		c.Found.Add(formats.SameName, c.places(a, b), "two nodes log as %s: both files have its event %d",
			c.Name, is)
		return
	case is <= was:
		c.Found.Add(formats.Backwards, c.places(a, b),
			"the count of %s does not advance: event %d after %d", c.Name, is, was)
		return
	case c.missing(was, is) == 0:
		c.markMissing(b, 0)
	default:
		c.markMissing(b, c.missing(was, is))
		lost := fmt.Sprintf("%d events of %s are missing: its count goes from %d to %d", c.missing(was, is),
			c.Name, was, is)
		if is == was+2 {
			lost = fmt.Sprintf("event %d of %s is missing", was+1, c.Name)
		}
		c.Found.Add(formats.Gap, c.places(a, b), "%s", lost)
	}
	if a.Side != nil && b.Side != nil {
		c.clocks(a, b, a.Side, b.Side)
	}
}

// clocks checks that the clocks of a node grow from one event to the next.
func (c *Counter) clocks(a, b *Record, x, y *Side) {
	if x.lamport > 0 && y.lamport > 0 && y.lamport <= x.lamport {
		c.Found.Add(formats.Backwards, c.places(a, b),
			"the Lamport clock of %s does not advance: %d after %d", c.Name, y.lamport, x.lamport)
	}
	if x.Clock == nil || y.Clock == nil {
		return
	}
	if !b.Is(clocked) && y.at(b.Node) <= x.at(b.Node) {
		c.Found.Add(formats.Backwards, c.places(a, b), "the clock of %s does not advance: %d after %d",
			c.Name, y.at(b.Node), x.at(b.Node))
	}
	for _, t := range x.Clock {
		if now := y.at(t.node); now < t.count && t.node != b.Node {
			c.Found.Add(formats.Backwards, c.places(a, b),
				"the clock of %s runs back: it knew of %d events of %s and now of %d",
				c.Name, t.count, c.names[t.node], now)
		}
	}
}
