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
		c := counter{l: l, name: name, left: left, found: found}
		for i := l.first[node]; i < l.first[node+1]; i++ {
			if i == l.first[node] || l.recs[i].is(restart) {
				c.begin(i)
			} else {
				c.advance(i-1, i)
			}
		}
	}
}

func (a counted) compare(b counted) int {
	return cmp.Or(cmp.Compare(a.life, b.life), cmp.Compare(a.seq, b.seq))
}

// A counter follows the own count of a node along its events.
type counter struct {
	l     *Log
	name  string
	left  []counted // the counts of events that are ignored, sorted
	life  int32
	found *findings
}

// missing is the number of counts between two in this life that are not among those
// left out.
func (c *counter) missing(from, to uint64) uint64 {
	first, _ := slices.BinarySearchFunc(c.left, counted{c.life, from + 1}, counted.compare)
	last, _ := slices.BinarySearchFunc(c.left, counted{c.life, to}, counted.compare)
	return to - from - 1 - min(uint64(last-first), to-from-1)
}

// lost marks an event before which so many lines are missing.
func (c *counter) lost(i int32, n uint64) {
	if c.l.recs[i].is(whole) {
		return
	}
	if n == 0 {
		c.l.recs[i].mark |= whole
		return
	}
	c.l.recs[i].mark |= gap
	c.l.recs[i].missing = uint32(min(n, math.MaxUint32))
}

// begin takes the first event of a node, or the first after it has started again.
func (c *counter) begin(i int32) {
	again := c.l.recs[i].is(restart)
	if again {
		c.life++
	}
	if again && i > c.l.first[c.l.recs[i].node] {
		c.found.add(Restart, c.l.places(i-1, i), "%s has started again: its count begins anew", c.name)
	}
	seq := c.l.recs[i].seq
	if seq == 0 {
		return
	}
	n := c.missing(0, uint64(seq))
	c.lost(i, n)
	if n > 0 {
		c.found.add(Gap, c.l.places(i), "the log of %s begins with its event %d", c.name, seq)
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
		if l.own(i) == 0 || l.recs[i].is(restart) {
			return false
		}
	}
	return true
}

// arrange sorts the events of a node by its own count. What has run back within a
// file stays behind what was before it there, so that it is found.
func (l *Log) arrange(node int) {
	from, to := l.first[node], l.first[node+1]
	key := make([]uint64, to-from)
	latest := map[uint16]uint64{}
	order := make([]int32, to-from)
	for i := from; i < to; i++ {
		file := l.recs[i].file
		latest[file] = max(latest[file], l.own(i))
		key[i-from], order[i-from] = latest[file], i
	}
	slices.SortStableFunc(order, func(a, b int32) int { return cmp.Compare(key[a-from], key[b-from]) })
	recs := make([]record, 0, len(order))
	for _, i := range order {
		recs = append(recs, l.recs[i])
	}
	if l.events != nil {
		events := make([]Event, 0, len(order))
		for _, i := range order {
			events = append(events, l.events[i])
		}
		copy(l.events[from:to], events)
	}
	copy(l.recs[from:to], recs)
}

// advance checks that the counts of a node go forward from one of its events to
// the next.
func (c *counter) advance(a, b int32) {
	l, name, found := c.l, c.name, c.found
	was, is := l.own(a), l.own(b)
	ordered, counted := l.recs[a].seq > 0, l.recs[b].seq > 0
	switch {
	case was == 0 || is == 0 || ordered != counted:
	case is <= was && l.recs[a].file != l.recs[b].file:
		found.add(SameName, l.places(a, b), "two nodes log as %s: both files have its event %d", name, is)
		return
	case is <= was:
		found.add(Backwards, l.places(a, b), "the count of %s does not advance: event %d after %d", name, is, was)
		return
	case c.missing(was, is) == 0:
		c.lost(b, 0)
	case counted:
		c.lost(b, c.missing(was, is))
		lost := fmt.Sprintf("%d events of %s are missing: its count goes from %d to %d", c.missing(was, is), name, was, is)
		if is == was+2 {
			lost = fmt.Sprintf("event %d of %s is missing", was+1, name)
		}
		found.add(Gap, l.places(a, b), "%s", lost)
	}
	x, y := l.side(a), l.side(b)
	if x == nil || y == nil {
		return
	}
	if x.lamport > 0 && y.lamport > 0 && y.lamport <= x.lamport {
		found.add(Backwards, l.places(a, b), "the Lamport clock of %s does not advance: %d after %d", name, y.lamport, x.lamport)
	}
	if x.clock == nil || y.clock == nil {
		return
	}
	if node := l.recs[b].node; ordered && y.at(node) <= x.at(node) {
		found.add(Backwards, l.places(a, b), "the clock of %s does not advance: %d after %d", name, y.at(node), x.at(node))
	}
	for _, t := range x.clock {
		if now := y.at(t.node); now < t.count && t.node != l.recs[b].node {
			found.add(Backwards, l.places(a, b), "the clock of %s runs back: it knew of %d events of %s and now of %d",
				name, t.count, l.Nodes[t.node], now)
		}
	}
}
