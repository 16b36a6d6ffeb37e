package occupancy

import (
	"encoding/binary"
	"slices"

	"github.com/atmostk/atmostk/traces/logs/formats"
	"github.com/atmostk/atmostk/traces/logs/order"
)

// A step is an event at which certain holdings of its node begin or end, with their units.
type step struct {
	event int32
	units [3]int // begun or ended, by turnKind
}

// An arrangement looks for an order of the events that fits the log and never uses more than k units. It
// takes only certain holdings into account, which are the fewest possible. Such an order is a path through
// the cuts of the log: sets of events that have happened, each with all events known to be before it.
//
// A row is a sequence of steps of one node that never uses more than k units and, only with its last step,
// releases as many units as it has acquired. If a cut has a row, only the row is followed. That loses
// nothing: every order that goes on in another way can be changed so that it begins with the row, as any part
// of the row that had happened before had acquired units. From the other cuts all steps are followed, and
// each cut is visited once.
type arrangement struct {
	l     *order.Log
	k     int
	nodes []int32  // the nodes that have steps
	steps [][]step // of each of them

	at     []int32 // of each node, the number of steps that have happened
	used   int     // units in use
	path   []int32 // the nodes of the steps that have happened
	length int     // number of all steps
	far    []int32 // of each node, the largest number of steps that had happened in some cut
	seen   map[string]bool
	key    []byte

	budget int // comparisons left; below 0: the search has given up
}

// searchBudget is the number of comparisons in one search for an order, about ten seconds; searchMemory is
// the number of bytes for its cuts.
const (
	searchBudget = 400_000_000
	searchMemory = 256 << 20
)

func newArrangement(l *order.Log, list []*holding, k int) *arrangement {
	a := &arrangement{l: l, k: k, seen: map[string]bool{}, budget: searchBudget}
	for _, t := range turnsOf(list, func(event int32) int32 { return event }) {
		n, node := len(a.nodes)-1, l.Recs[t.at].Node
		if n < 0 || a.nodes[n] != node {
			a.nodes, a.steps = append(a.nodes, node), append(a.steps, nil)
			n++
		}
		if steps := a.steps[n]; len(steps) == 0 || steps[len(steps)-1].event != t.at {
			a.steps[n] = append(steps, step{event: t.at})
			a.length++
		}
		a.steps[n][len(a.steps[n])-1].units[t.kind] += int(t.of.units)
	}
	a.at, a.far = make([]int32, len(a.nodes)), make([]int32, len(a.nodes))
	return a
}

// enabled reports whether step at of a node can be next: no other node's next step is known to be before it.
func (a *arrangement) enabled(n int, at int32) bool {
	a.budget -= len(a.nodes)
	e := a.steps[n][at].event
	for m, k := range a.at {
		if m == n || int(k) == len(a.steps[m]) {
			continue
		}
		other := a.steps[m][k].event
		before := a.l.Recs[other].End < a.l.Recs[e].Begin
		if a.l.Vectors != nil {
			before = a.l.IsBefore(other, e)
		}
		if before {
			return false
		}
	}
	return true
}

// use returns the units in use at a step and after it, given the units before it.
func (s *step) use(used int) (at, after int) {
	at = used - s.units[ends] + s.units[enters]
	return at, at - s.units[endsAfter]
}

// row returns the length of a node's row at this cut; 0: it has no row.
func (a *arrangement) row(n int) int32 {
	used := a.used
	for k := a.at[n]; int(k) < len(a.steps[n]) && a.enabled(n, k); k++ {
		at, after := a.steps[n][k].use(used)
		if a.steps[n][k].units[enters] > 0 && at > a.k {
			return 0
		}
		if used = after; used <= a.used {
			return k + 1 - a.at[n]
		}
	}
	return 0
}

// take executes the next count steps of a node.
func (a *arrangement) take(n int, count int32) {
	for ; count > 0; count-- {
		_, a.used = a.steps[n][a.at[n]].use(a.used)
		a.at[n]++
		a.path = append(a.path, int32(n))
	}
	a.far[n] = max(a.far[n], a.at[n])
}

// back undoes all steps after the first ones.
func (a *arrangement) back(to int) {
	for len(a.path) > to {
		n := a.path[len(a.path)-1]
		a.path = a.path[:len(a.path)-1]
		a.at[n]--
		u := &a.steps[n][a.at[n]].units
		a.used += u[endsAfter] - u[enters] + u[ends]
	}
}

// rows executes rows until no node has one.
func (a *arrangement) rows() {
	for again := true; again && a.budget >= 0; {
		again = false
		for n := range a.nodes {
			for c := a.row(n); c > 0; c = a.row(n) {
				a.take(n, c)
				again = true
			}
		}
	}
}

// search reports whether an order exists; the answer does not count if the budget is below 0.
func (a *arrangement) search() bool {
	a.rows()
	if len(a.path) == a.length {
		return true
	}
	if !a.isNew() {
		return false
	}
	length := len(a.path)
	for n := range a.nodes {
		if a.budget < 0 || !a.fits(n) {
			continue
		}
		a.take(n, 1)
		if a.search() {
			return true
		}
		a.back(length)
	}
	return false
}

// fits reports whether the next step of a node can be taken, and uses no more than k units.
func (a *arrangement) fits(n int) bool {
	if int(a.at[n]) == len(a.steps[n]) || !a.enabled(n, a.at[n]) {
		return false
	}
	at, _ := a.steps[n][a.at[n]].use(a.used)
	return at <= a.k
}

// isNew reports whether the present cut is seen for the first time.
func (a *arrangement) isNew() bool {
	a.key = a.key[:0]
	for _, k := range a.at {
		a.key = binary.AppendUvarint(a.key, uint64(k))
	}
	a.budget -= len(a.nodes)
	if a.l.Stopped() {
		a.budget = -1
	}
	if a.seen[string(a.key)] {
		return false
	}
	if len(a.seen)*(len(a.key)+64) > searchMemory {
		a.budget = -1
	}
	a.seen[string(a.key)] = true
	return true
}

// decide looks for an order that never uses more than k units. It is needed only if no set of holdings
// overlaps in every order, and some holdings may overlap.
func (o *resourceState) decide() {
	l := o.l
	if o.Count > 0 || o.Possibly <= o.K || l.Causal && l.Vectors == nil {
		return
	}
	a := newArrangement(l, o.list, o.K)
	if a.search() {
		o.Avoidable = !l.Doubtful
		return
	}
	if a.budget < 0 {
		o.Exact = false
		return
	}
	o.Certainly = max(o.Certainly, o.K+1)
	o.definite(OverlapSet{Units: o.K + 1, Shifting: true}, a.core(o.list)...)
}

// withinNodes counts the units of certain holdings of each node along its own events.
func (o *resourceState) withinNodes() {
	a := newArrangement(o.l, o.list, o.K)
	for _, steps := range a.steps {
		used, above := 0, false
		for i := range steps {
			var at int
			at, used = steps[i].use(used)
			o.Certainly = max(o.Certainly, at)
			if at > o.K && !above {
				o.definite(OverlapSet{}, o.certainAt(steps[i].event)...)
			}
			above = at > o.K
		}
	}
}

// certainAt lists the certain holdings of an event's node that include the event.
func (o *resourceState) certainAt(e int32) (inside []*holding) {
	for _, s := range o.list {
		over := s.sure.at != formats.None && (s.sure.at < e || s.sure.at == e && s.endsAt())
		if s.certain && s.node == o.l.Recs[e].Node && s.enter.at <= e && !over {
			inside = append(inside, s)
		}
	}
	return inside
}

// core returns a small set of holdings for which no order exists: without any one of them there is one, as
// far as the budget reaches.
func (a *arrangement) core(list []*holding) (core []*holding) {
	// A holding that was never reached, not even as the next step of its node, is not needed.
	for _, s := range list {
		n := slices.Index(a.nodes, s.node)
		if !s.certain || n < 0 {
			continue
		}
		if far := int(a.far[n]); far == len(a.steps[n]) || s.enter.at <= a.steps[n][far].event {
			core = append(core, s)
		}
	}
	budget := searchBudget
	for size := (len(core) + 1) / 2; size > 0; size /= 2 {
		for from := 0; from < len(core) && budget >= 0; {
			without := slices.Delete(slices.Clone(core), from, min(from+size, len(core)))
			b := newArrangement(a.l, without, a.k)
			b.budget = budget
			found := b.search()
			budget = b.budget
			if !found && budget >= 0 {
				core = without
			} else {
				from += size
			}
		}
	}
	return core
}
