package logs

import (
	"cmp"
	"fmt"
	"slices"
	"time"
)

// relate finds what is known of the order of events at different nodes: by vector
// clocks and messages if there are any, else by intervals. Intervals are used
// beside the others if somebody vouches for them: by Options.Skew or Options.Lines, or in a trace
// of check, which is in the order of its steps.
func (l *Log) relate(found *findings) {
	for i := range l.sides {
		l.causal = l.causal || l.sides[i].clock != nil || l.sides[i].id != ""
	}
	l.timed = !l.causal || l.skewed || l.lined || l.traced
	if l.timed {
		l.tighten(found)
	}
	l.bounds = slices.ContainsFunc(l.recs, func(r record) bool { return r.begin != never || r.end != ever })
	if !l.causal && l.events == nil || (&Log{Findings: *found}).Contradictory() {
		return
	}
	l.after = make([][]int32, len(l.recs))
	if l.causal {
		l.byClocks(found)
		l.byMessages(found)
	}
	if l.timed {
		l.byIntervals()
	}
	l.sort(found)
	if l.causal && l.sorted != nil {
		l.vectorize()
	}
}

// Contradictory reports whether a finding is one that no run can have.
func (l *Log) Contradictory() bool {
	return slices.ContainsFunc(l.Findings, func(f Finding) bool { return f.Contradiction() })
}

// tighten narrows the intervals by the order of each node: nothing begins before
// what was before it began, nor ends after the end of what comes later.
func (l *Log) tighten(found *findings) {
	for node := range l.Nodes {
		from, to := l.first[node], l.first[node+1]
		for i := from + 1; i < to; i++ {
			a, b := &l.recs[i-1], &l.recs[i]
			if b.end < a.begin {
				found.add(Backwards, l.places(i-1, i), "%s", l.stepsBack(l.Nodes[node], a, b))
				b.end = a.begin
			}
			b.begin = max(b.begin, a.begin)
		}
		for i := to - 2; i >= from; i-- {
			l.recs[i].end = min(l.recs[i].end, l.recs[i+1].end)
		}
	}
}

// stepsBack says by how much a node's clock runs back from one event to the next.
func (l *Log) stepsBack(name string, a, b *record) string {
	size := time.Duration(a.begin - b.end)
	if !l.skewed {
		return fmt.Sprintf("the clock of %s runs back", name)
	}
	return fmt.Sprintf("the clock of %s runs back here, by %s more than the skew allows", name, size)
}

// byClocks relates events by vector clocks: whoever has counted m events of a node
// comes after the last one of them that was logged.
func (l *Log) byClocks(found *findings) {
	own := make([][]tally, len(l.Nodes))
	for i := range l.recs {
		node := l.recs[i].node
		if m := l.side(int32(i)).at(node); m > 0 {
			own[node] = append(own[node], tally{m, int32(i)})
		}
	}
	beyond := make([]bool, len(l.Nodes))
	for node := range l.Nodes {
		known := make([]uint64, len(l.Nodes))
		for i := l.first[node]; i < l.first[node+1]; i++ {
			s := l.side(i)
			if s == nil {
				continue
			}
			for _, c := range s.clock {
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
						found.add(Tail, l.places(last.event, i),
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

// A tally is an event with its node's own count.
type tally struct {
	count uint64
	event int32
}

// byIntervals relates events of which one ends before the other begins. Each is
// given the last such event of each node that the one before it does not have.
func (l *Log) byIntervals() {
	order := make([]int32, len(l.recs))
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortStableFunc(order, func(a, b int32) int {
		return cmp.Compare(l.recs[a].begin,
			l.recs[b].begin)
	})
	over := slices.Clone(l.first[:len(l.Nodes)]) // of each node the first event that may not be over
	known := make([][]int32, len(l.Nodes))
	for node := range known {
		known[node] = slices.Clone(over)
	}
	for _, i := range order {
		r := &l.recs[i]
		for node := range l.Nodes {
			for over[node] < l.first[node+1] && l.recs[over[node]].end < r.begin {
				over[node]++
			}
			if node != int(r.node) && over[node] > known[r.node][node] {
				known[r.node][node] = over[node]
				l.after[i] = append(l.after[i], over[node]-1)
			}
		}
	}
}
