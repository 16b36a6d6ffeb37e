package order

import (
	"cmp"
	"slices"

	"github.com/atmostk/atmostk/traces/logs/formats"
)

// relate finds the known order of events at different nodes: by vector clocks and messages if there are any,
// otherwise by intervals. Besides clocks and messages, intervals are used only if they are known to be right:
// by Options.Skew or Options.Lines, or in a trace of check, which has the order of its steps.
func (l *Log) relate(found *formats.Findings) {
	if l.Timed {
		for i := len(l.Recs) - 2; i >= 0; i-- {
			if !l.isFirst(int32(i + 1)) { // no event ends after a later one of its node
				l.Recs[i].End = min(l.Recs[i].End, l.Recs[i+1].End)
			}
		}
	}
	l.Bounds = slices.ContainsFunc(l.Recs, func(r Record) bool {
		return r.Begin != formats.Never || r.End != formats.Ever
	})
	if !l.Causal && !l.kept || (&Log{Findings: *found}).Contradictory() {
		return
	}
	l.after = make([][]int32, len(l.Recs))
	if l.Causal {
		l.byClocks(found)
		l.byMessages(found)
	}
	if l.Timed {
		l.byIntervals()
	}
	l.sort(found)
	if l.Causal && l.Sorted != nil {
		l.vectorize()
	}
}

// Contradictory reports whether some finding is a contradiction.
func (l *Log) Contradictory() bool {
	return slices.ContainsFunc(l.Findings, func(f formats.Finding) bool { return f.Contradiction() })
}

// byClocks relates events by vector clocks: an event whose clock counts m events of a node comes after the
// last logged one of them.
func (l *Log) byClocks(found *formats.Findings) {
	own := make([][]tally, len(l.Nodes))
	for i := range l.Recs {
		node := l.Recs[i].Node
		if m := l.Recs[i].Side.at(node); m > 0 {
			own[node] = append(own[node], tally{m, int32(i)})
		}
	}
	beyond := make([]bool, len(l.Nodes))
	for node := range l.Nodes {
		known := make([]uint64, len(l.Nodes))
		for i := l.First[node]; i < l.First[node+1]; i++ {
			s := l.Recs[i].Side
			if s == nil {
				continue
			}
			for _, c := range s.Clock {
				if int(c.node) == node || c.count <= known[c.node] {
					continue
				}
				before := known[c.node]
				known[c.node] = c.count
				counted := own[c.node]
				k, exact := slices.BinarySearchFunc(counted, c.count,
					func(t tally, m uint64) int { return cmp.Compare(t.count, m) })
				if !exact {
					if k == len(counted) && k > 0 && !beyond[c.node] {
						beyond[c.node] = true
						last := counted[k-1]
						found.Add(formats.Tail, l.places(last.event, i),
							"%s knows of event %d of %s, whose log ends with event %d", l.Nodes[node],
							c.count, l.Nodes[c.node], last.count)
					}
					k--
				}
				if k >= 0 && counted[k].count > before {
					l.after[i] = append(l.after[i], counted[k].event)
				}
			}
		}
	}
}

// A tally is an event with its node's count.
type tally struct {
	count uint64
	event int32
}

// byIntervals relates events if one ends before the other begins. For each event it stores the last such
// event of each other node, unless the event before it at its node has that one already.
func (l *Log) byIntervals() {
	order := make([]int32, len(l.Recs))
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortStableFunc(order, func(a, b int32) int {
		return cmp.Compare(l.Recs[a].Begin, l.Recs[b].Begin)
	})
	over := slices.Clone(l.First[:len(l.Nodes)]) // of each node the first event that may not have ended
	known := make([][]int32, len(l.Nodes))
	for node := range known {
		known[node] = slices.Clone(over)
	}
	for _, i := range order {
		r := &l.Recs[i]
		for node := range l.Nodes {
			for over[node] < l.First[node+1] && l.Recs[over[node]].End < r.Begin {
				over[node]++
			}
			if node != int(r.Node) && over[node] > known[r.Node][node] {
				known[r.Node][node] = over[node]
				l.after[i] = append(l.after[i], over[node]-1)
			}
		}
	}
}
