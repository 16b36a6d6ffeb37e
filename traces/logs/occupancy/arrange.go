package occupancy

import (
	"encoding/binary"
	"slices"

	"github.com/atmostk/atmostk/traces/logs/formats"
	"github.com/atmostk/atmostk/traces/logs/order"
)

// A step is an event at which certain holdings of its node begin or end, and their units.
type step struct {
	event int32
	units [3]int // by kinds of turns
}

// An arrangement looks for an order of the events that fits the log and in which never
// more than k units are in use. Only certain holdings are looked at, which are the fewest
// that there may be. Such an order is a path through the cuts of the log: sets of events
// that have happened, with all that is known to be before them.
//
// Of each cut it is enough to follow one step, if a row of steps of one node can be taken that
// never uses more than k units, and only the last one gives back as many units as the
// row has acquired: with an order that goes on in another way there is one that begins
// with the row, since whatever part of the row it has done at some moment has acquired
// units. Of the other cuts all steps are followed, and each cut only once.
type arrangement struct {
	l     *order.Log
	k     int
	nodes []int32  // those that have steps
	steps [][]step // of each of them

	at     []int32 // of each node how many steps have happened
	used   int
	path   []int32 // the nodes of the steps that have happened
	length int     // of all steps
	far    []int32 // of each node how many steps have happened in some cut
	seen   map[string]bool
	key    []byte

	budget int // of comparisons; below 0: given up
}

// searchBudget is the number of comparisons of one search for an order, about ten seconds,
// and searchMemory the bytes that its cuts may take.
const (
	searchBudget = 400_000_000
	searchMemory = 256 << 20
)

// newArrangement prepares a search.
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

// enabled reports whether a node's step can be the next one when at of its own have
// happened: the next steps of all others are not before it.
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

// use is how many units are in use at a step and after it, of the units before it.
func (s *step) use(used int) (at, after int) {
	at = used - s.units[ends] + s.units[enters]
	return at, at - s.units[endsAfter]
}

// row returns how many steps of a node can be taken at once: the last one gives back as
// many units as all of them acquire; 0 if there is no such row.
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

// take lets the next count steps of a node happen.
func (a *arrangement) take(n int, count int32) {
	for ; count > 0; count-- {
		_, a.used = a.steps[n][a.at[n]].use(a.used)
		a.at[n]++
		a.path = append(a.path, int32(n))
	}
	a.far[n] = max(a.far[n], a.at[n])
}

// back undoes all steps but the first ones.
func (a *arrangement) back(to int) {
	for len(a.path) > to {
		n := a.path[len(a.path)-1]
		a.path = a.path[:len(a.path)-1]
		a.at[n]--
		u := &a.steps[n][a.at[n]].units
		a.used += u[endsAfter] - u[enters] + u[ends]
	}
}

// rows takes rows of steps as long as there are any.
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

// search reports whether there is an order; the answer is of no use if the budget is
// below 0.
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

// isNew reports whether a cut is seen for the first time.
func (a *arrangement) isNew() bool {
	a.key = a.key[:0]
	for _, k := range a.at {
		a.key = binary.AppendUvarint(a.key, uint64(k))
	}
	a.budget -= len(a.nodes)
	if a.seen[string(a.key)] {
		return false
	}
	if len(a.seen)*(len(a.key)+64) > searchMemory {
		a.budget = -1
	}
	a.seen[string(a.key)] = true
	return true
}

// decide looks for an order in which never more than k units are in use, if neither the
// holdings that overlap in every order show that no order is, nor the holdings that may overlap that
// all orders are.
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

// withinNodes looks at what each node has in use in its own order.
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

// certainAt lists the certain holdings of an event's node that go on at that event.
func (o *resourceState) certainAt(e int32) (stays []*holding) {
	for _, s := range o.list {
		over := s.sure.at != formats.None && (s.sure.at < e || s.sure.at == e && s.endsAt())
		if s.certain && s.node == o.l.Recs[e].Node && s.enter.at <= e && !over {
			stays = append(stays, s)
		}
	}
	return stays
}

// core returns few holdings that cannot be put in order: without any one of them there is an
// order, as far as the budget allows to find that out.
func (a *arrangement) core(list []*holding) (core []*holding) {
	// What was never reached has not stood in the way.
	for _, s := range list {
		if n := slices.Index(a.nodes, s.node); s.certain && n >= 0 && a.reached(n, s.enter.at) {
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

// reached reports whether an event has happened in some cut, or could have been the next
// step of its node.
func (a *arrangement) reached(n int, event int32) bool {
	far := int(a.far[n])
	return far >= len(a.steps[n]) || event <= a.steps[n][far].event
}
