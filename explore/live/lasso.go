package live

import (
	"fmt"
	"slices"

	"github.com/atmostk/atmostk/explore/graph"
	"github.com/atmostk/atmostk/model/lts"
)

// Lasso returns the nodes of a run that fits a lasso of a property, with a shortest stem, and the index of
// the node where its cycle begins; nil if no run fits. If that is because states of some kind do not exist,
// missing names the kind. marks returns the marks of a state in the lasso.
func (g *Graph) Lasso(info lts.LassoInfo, marks func(worker int, v []uint32) lts.Marks) (nodes []uint32,
	cycleAt int, missing string) {
	missing = g.missing(g.enterLasso(marks), info)
	r := g.explore(info.Initially)
	visits := (uint64(1)<<info.Visits - 1) * uint64(lts.FirstVisit) << (g.conditions + extras)
	usable := func(n uint32) bool { return r.Met(n+g.Nodes()) && !g.has(n, lts.OffCycle) }
	f := fairComponents(g, g.weak|visits, usable)
	if !f.found {
		return nil, 0, missing
	}
	nodes = g.stem(r, f.fair)
	cycleAt = len(nodes) - 1
	return append(nodes, f.cycle(nodes[cycleAt])...), cycleAt, ""
}

// explore meets, breadth-first, all nodes that runs reach before the property is fulfilled. A node n has two
// numbers in the walk: n before the run has met a start, and Nodes()+n afterwards.
func (g *Graph) explore(initially bool) *graph.Walk {
	nodes := g.Nodes()
	r := graph.NewWalk(2*nodes, g.Tick)
	meet := func(x, from uint32) {
		if x < nodes || !g.has(x-nodes, lts.Fulfils) {
			r.Meet(x, from)
		}
	}
	for _, n := range g.Initial {
		if !initially {
			meet(n, n)
		}
		if g.has(n, lts.Starts) {
			meet(n+nodes, n+nodes)
		}
	}
	for x, ok := r.Next(); ok; x, ok = r.Next() {
		started := x >= nodes
		for _, m := range g.Successors(x % nodes) {
			if !started {
				meet(m, x)
			}
			if started || g.has(m, lts.Starts) {
				meet(m+nodes, x)
			}
		}
	}
	return r
}

// stem returns a shortest path from an initial node over a start to one of goals.
func (g *Graph) stem(runs *graph.Walk, goals graph.Set) (nodes []uint32) {
	k := slices.IndexFunc(runs.Order(), func(x uint32) bool {
		return x >= g.Nodes() && goals.Has(x-g.Nodes())
	})
	for _, x := range runs.Way(runs.Order()[k]) {
		nodes = append(nodes, x%g.Nodes())
	}
	return nodes
}

// cycle returns the nodes behind n on a closed path through its fair component that ends in n and fulfils all
// conditions; none if staying in n is fair. The construction is greedy: the path goes to the nearest edge
// that fulfils an open condition, until none is open, and back to n. As long as the cycle puts off a message
// that has to be received, it is extended by a path to the nearest step that ends this.
func (f *components) cycle(n uint32) (way []uint32) {
	g := f.g
	left := f.wanted &^ g.bits[n]
	if left == 0 && g.bits[n]&g.strong == 0 && f.stays(n) {
		return nil
	}
	strong, moves := f.component(n)
	left |= strong
	if moves {
		left |= g.shift
	}
	at, walk := n, graph.NewWalk(g.Nodes(), f.g.Tick)
	goOn := func(hit func(from, edge uint32) bool) {
		f.g.Tick(0)
		way = append(way, f.detour(walk, at, hit, &left)...)
		at = way[len(way)-1]
	}
	for {
		for left != 0 {
			goOn(func(_, e uint32) bool { return (g.marksOf(e)|g.bits[g.To[e]]&f.wanted)&left != 0 })
		}
		if at != n {
			goOn(func(_, e uint32) bool { return g.To[e] == n })
		}
		cycle := append([]uint32{n}, way[:max(0, len(way)-1)]...)
		bad := f.putOff(cycle, moves)
		if len(bad) == 0 {
			return way
		}
		goOn(func(from, e uint32) bool { return f.settled(from, e, bad[0]) })
	}
}

// component returns the strong conditions that are enabled somewhere in the component of n, and whether a
// step inside moves all times. A closed path that fulfils all of these conditions is fair.
func (f *components) component(n uint32) (strong uint64, moves bool) {
	var members []uint32
	for m := range f.g.Nodes() {
		if f.Same(m, n) {
			members = append(members, m)
		}
	}
	nodes, steps := f.summary(members)
	return nodes & f.g.strong, steps&f.g.shift != 0
}

// detour returns the nodes behind n on a shortest path inside its component whose last step is a hit, and
// removes the conditions that this step fulfils from left.
func (f *components) detour(walk *graph.Walk, n uint32, hit func(from, edge uint32) bool,
	left *uint64) (way []uint32) {
	g := f.g
	walk.Start(n)
	for at, ok := walk.Next(); ok; at, ok = walk.Next() {
		for e, end := g.Edges(at); e < end; e++ {
			to := g.To[e]
			if to == at || !f.Same(to, n) {
				continue
			}
			if hit(at, e) {
				*left &^= g.marksOf(e) | g.bits[to]&f.wanted
				return append(walk.Way(at)[1:], to)
			}
			walk.Meet(to, at)
		}
	}
	panic("explore: a component is not connected")
}

// met is the union of the marks that states have in a lasso.
type met struct {
	any     lts.Marks // of all states
	cycles  bool      // the cycle may contain some state
	inCycle lts.Marks // of the states that the cycle may contain
}

func (m *met) add(r lts.Marks) {
	m.any |= r
	if r&(lts.OffCycle|lts.Fulfils) == 0 {
		m.cycles = true
		m.inCycle |= r
	}
}

// missing names a kind of states that the lasso needs and that does not exist; "" if all kinds exist. The
// marks of the lasso have to be entered.
func (g *Graph) missing(m met, l lts.LassoInfo) string {
	begins := func(n uint32) bool { return g.has(n, lts.Starts) }
	switch {
	case l.Initially && !slices.ContainsFunc(g.Initial, begins):
		return "no initial state is one where it begins"
	case m.any&lts.Starts == 0:
		return "no state is one where it begins"
	case !m.cycles:
		return "fulfilled in every state"
	}
	for v := range l.Visits {
		if m.inCycle&(lts.FirstVisit<<v) == 0 {
			return fmt.Sprintf("where it is not fulfilled, no state meets its condition %d", v+1)
		}
	}
	return ""
}
