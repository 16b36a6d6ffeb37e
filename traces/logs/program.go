package logs

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// merge brings the events of each node into the node's order and checks its
// counts. Of several files with events of one node the counts decide, if all the
// events have them; else it is the order in which the files were given. The counts
// of events that the mapping leaves out are in left.
func (l *Log) merge(found *findings, nodes map[string]*nodeState) {
	for node, name := range l.Nodes {
		left := nodes[name].left
		slices.SortFunc(left, counted.compare)
		if l.scattered(node) && l.counted(node) {
			l.arrange(node)
		}
		c := counter{names: l.Nodes, files: l.Files, name: name, left: left, found: found}
		for i := l.first[node]; i < l.first[node+1]; i++ {
			var before *record
			var was *side
			if i > l.first[node] {
				before, was = &l.recs[i-1], l.side(i-1)
			}
			c.next(before, &l.recs[i], was, l.side(i))
		}
	}
}

func (a counted) compare(b counted) int {
	return cmp.Or(cmp.Compare(a.life, b.life), cmp.Compare(a.seq, b.seq))
}

// A counter follows the own count of a node along its events.
type counter struct {
	names []string // of nodes
	files []string
	name  string
	left  []counted // the counts of events that are ignored, sorted
	life  int32
	found *findings
}

func (c *counter) places(rs ...*record) (ps []Place) {
	for _, r := range rs {
		ps = append(ps, Place{c.files[r.file], int(r.line)})
	}
	return ps
}

// next takes an event and the one before it, nil if it is the first one, and what else orders them.
func (c *counter) next(a, b *record, x, y *side) {
	if a == nil || b.is(restart) {
		c.begin(a, b)
	} else {
		c.advance(a, b, x, y)
	}
}

// missing is the number of counts between two in this life that are not among those
// left out.
func (c *counter) missing(from, to uint64) uint64 {
	first, _ := slices.BinarySearchFunc(c.left, counted{c.life, from + 1}, counted.compare)
	last, _ := slices.BinarySearchFunc(c.left, counted{c.life, to}, counted.compare)
	return to - from - 1 - min(uint64(last-first), to-from-1)
}

// lost marks an event before which so many lines are missing.
func (c *counter) lost(r *record, n uint64) {
	if r.is(whole) {
		return
	}
	if n == 0 {
		r.mark |= whole
		return
	}
	r.mark |= gap
	r.missing = uint32(min(n, math.MaxUint32))
}

// begin takes the first event of a node, or the first after it has started again.
func (c *counter) begin(a, r *record) {
	again := r.is(restart)
	if again {
		c.life++
	}
	if again && a != nil {
		c.found.add(Restart, c.places(a, r), "%s has started again: its count begins anew", c.name)
	}
	if r.seq == 0 {
		return
	}
	n := c.missing(0, uint64(r.seq))
	c.lost(r, n)
	if n > 0 {
		c.found.add(Gap, c.places(r), "the log of %s begins with its event %d", c.name, r.seq)
	}
}

// scattered reports whether a node has events in several files.
func (l *Log) scattered(node int) bool {
	for i := l.first[node] + 1; i < l.first[node+1]; i++ {
		if l.recs[i].file != l.recs[i-1].file {
			return true
		}
	}
	return false
}

// counted reports whether all events of a node have its own count, which has never
// begun anew.
func (l *Log) counted(node int) bool {
	for i := l.first[node]; i < l.first[node+1]; i++ {
		if l.recs[i].seq == 0 || l.recs[i].is(restart) {
			return false
		}
	}
	return true
}

// arrange sorts the events of a node by its own count. What has run back within a
// file stays behind what was before it there, so that it is found.
func (l *Log) arrange(node int) {
	latest := map[uint16]uint64{}
	l.sortNode(node, func(i int32) uint64 {
		r := &l.recs[i]
		latest[r.file] = max(latest[r.file], uint64(r.seq))
		return latest[r.file]
	})
}

// advance checks that the counts of a node go forward from one of its events to
// the next.
func (c *counter) advance(a, b *record, x, y *side) {
	was, is := uint64(a.seq), uint64(b.seq)
	switch {
	case was == 0 || is == 0 || a.is(clocked) != b.is(clocked):
	case is <= was && a.file != b.file:
		c.found.add(SameName, c.places(a, b), "two nodes log as %s: both files have its event %d", c.name, is)
		return
	case is <= was:
		c.found.add(Backwards, c.places(a, b), "the count of %s does not advance: event %d after %d", c.name,
			is, was)
		return
	case c.missing(was, is) == 0:
		c.lost(b, 0)
	default:
		c.lost(b, c.missing(was, is))
		lost := fmt.Sprintf("%d events of %s are missing: its count goes from %d to %d", c.missing(was, is),
			c.name, was, is)
		if is == was+2 {
			lost = fmt.Sprintf("event %d of %s is missing", was+1, c.name)
		}
		c.found.add(Gap, c.places(a, b), "%s", lost)
	}
	if x != nil && y != nil {
		c.clocks(a, b, x, y)
	}
}

// clocks checks that the clocks of a node go forward.
func (c *counter) clocks(a, b *record, x, y *side) {
	if x.lamport > 0 && y.lamport > 0 && y.lamport <= x.lamport {
		c.found.add(Backwards, c.places(a, b), "the Lamport clock of %s does not advance: %d after %d",
			c.name, y.lamport, x.lamport)
	}
	if x.clock == nil || y.clock == nil {
		return
	}
	if !b.is(clocked) && y.at(b.node) <= x.at(b.node) {
		c.found.add(Backwards, c.places(a, b), "the clock of %s does not advance: %d after %d", c.name,
			y.at(b.node), x.at(b.node))
	}
	for _, t := range x.clock {
		if now := y.at(t.node); now < t.count && t.node != b.node {
			c.found.add(Backwards, c.places(a, b),
				"the clock of %s runs back: it knew of %d events of %s and now of %d",
				c.name, t.count, c.names[t.node], now)
		}
	}
}
