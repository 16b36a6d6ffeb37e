package explore

import (
	"slices"

	"github.com/atmostk/atmostk/model"
)

// live judges Liveness property i after a complete search: it is violated if and
// only if some fair component can be reached in a way that one of the property's
// lassos describes.
func (s *search) live(i int, p *Result) error {
	g := s.fair()
	var lasso []uint32
	var missing vacuity
	for k := range p.Lassos {
		nodes, at, why := s.lasso(g, i, k, p.Lassos[k])
		missing.add(p.Lassos[k].Part, why)
		if nodes != nil && (lasso == nil || at < p.CycleAt) {
			lasso, p.CycleAt, p.Part = nodes, at, p.Lassos[k].Part
		}
	}
	switch {
	case lasso != nil:
		path, err := s.confirmLasso(lasso, p.CycleAt, i, p)
		if err != nil {
			return err
		}
		p.Verdict, p.Path, p.Length = Violated, path, p.CycleAt
	case g.drifts: // in a run for ever, and not in a cycle that stutters
		panic(halt("some step moves all times and does nothing else; no run that takes it for ever was looked at"))
	case s.report.Beyond > 0:
		panic(halt("no violation within these bounds: " + s.declared.Bounds()))
	default:
		p.Verdict, p.Vacuous = Holds, missing.phrases(len(p.Lassos))
	}
	return nil
}

// lasso returns the nodes of a run that fits lasso k of property i, with a shortest
// stem, and where its cycle begins; nil if there is none. missing says which states it is about
// there are none of.
func (s *search) lasso(
	g *fairGraph, i, k int, info model.LassoInfo,
) (nodes []uint32, cycleAt int, missing string) {
	missing = g.missing(g.cast(s, i, k), info)
	r := g.explore(s, info.Initially)
	visits := (uint64(1)<<info.Visits - 1) * uint64(model.FirstVisit) << (g.conditions + extras)
	st := s.fairComponents(g, g.weak|visits, s.declared.Delivery(), func(n uint32) bool { return r.after(n) && !g.has(n, model.OffCycle) })
	if !st.found {
		return nil, 0, missing
	}
	nodes = r.stem(st.fair)
	cycleAt = len(nodes) - 1
	return append(nodes, st.cycle(nodes[cycleAt])...), cycleAt, ""
}

// runs is what a breadth-first search forwards has met: nodes before a start,
// under their own numbers, and after it, with g.nodes added.
type runs struct {
	g     *fairGraph
	from  []uint32 // 1 + what each was first met from, itself for initial ones; 0: not met
	order []uint32
}

// explore follows all runs as far as the property at hand is not fulfilled.
func (g *fairGraph) explore(s *search, initially bool) *runs {
	r := &runs{g: g, from: make([]uint32, 2*g.nodes)}
	for _, n := range g.initial {
		if !initially {
			r.meet(n, n)
		}
		if g.has(n, model.Starts) {
			r.meet(n+g.nodes, n+g.nodes)
		}
	}
	for k := 0; k < len(r.order); k++ {
		s.tick(k)
		x := r.order[k]
		started := x >= g.nodes
		n := x
		if started {
			n -= g.nodes
		}
		first, end := g.stepsFrom(n)
		for _, m := range g.to[first:end] {
			if !started {
				r.meet(m, x)
			}
			if started || g.has(m, model.Starts) {
				r.meet(m+g.nodes, x)
			}
		}
	}
	return r
}

// meet enters x, unless it was met already, or the property is fulfilled there.
func (r *runs) meet(x, from uint32) {
	if r.from[x] != 0 || x >= r.g.nodes && r.g.has(x-r.g.nodes, model.Fulfils) {
		return
	}
	r.from[x] = from + 1
	r.order = append(r.order, x)
}

// after reports whether n was met after a start.
func (r *runs) after(n uint32) bool { return r.from[n+r.g.nodes] != 0 }

// stem returns a shortest way from an initial node over a start to one of goals.
func (r *runs) stem(goals bitset) (nodes []uint32) {
	k := slices.IndexFunc(r.order, func(x uint32) bool { return x >= r.g.nodes && goals.has(x-r.g.nodes) })
	for x := r.order[k]; ; x = r.from[x] - 1 {
		nodes = append(nodes, x%r.g.nodes)
		if r.from[x]-1 == x {
			slices.Reverse(nodes)
			return nodes
		}
	}
}

// cycle returns the nodes that follow the given one on a way round its fair
// component, until it is there again; none if staying in that node is fair. The
// way goes on to whatever is nearest of the conditions that are left, and then of
// the messages that are put off.
func (st *streett) cycle(n uint32) (way []uint32) {
	g := st.g
	left := st.wanted &^ g.bits[n]
	if left == 0 && g.bits[n]&g.strong == 0 && st.stays(n) {
		return nil
	}
	strong, moves := st.component(n)
	left |= strong
	if moves {
		left |= g.shift
	}
	at := n
	goOn := func(hit func(from, step uint32) bool) {
		st.s.tick(0)
		way = append(way, st.detour(at, hit, &left)...)
		at = way[len(way)-1]
	}
	for {
		for left != 0 {
			goOn(func(_, e uint32) bool { return (g.sets.list[g.takes[e]]|g.bits[g.to[e]]&st.wanted)&left != 0 })
		}
		if at != n {
			goOn(func(_, e uint32) bool { return g.to[e] == n })
		}
		round := append([]uint32{n}, way[:max(0, len(way)-1)]...)
		bad := st.postedOff(round, moves)
		if len(bad) == 0 {
			return way
		}
		goOn(func(from, e uint32) bool { return st.settled(from, g.to[e], bad[0]) })
	}
}

// component returns the strong conditions that are enabled in the component of n: on
// a way that takes them all it does not matter where it leads. And whether a step
// inside moves all times.
func (st *streett) component(n uint32) (strong uint64, moves bool) {
	var members []uint32
	for m := range st.g.nodes {
		if st.number[m] == st.number[n] {
			members = append(members, m)
		}
	}
	nodes, steps := st.g.summary(members, st.number)
	return nodes & st.g.strong, steps&st.g.shift != 0
}

// detour returns the nodes behind n on a shortest way inside its component whose
// last step is a hit, and crosses off what that step brings.
func (st *streett) detour(n uint32, hit func(from, step uint32) bool, left *uint64) (way []uint32) {
	g := st.g
	from := map[uint32]uint32{n: n}
	queue := []uint32{n}
	for k := 0; len(queue) > 0; k++ {
		st.s.tick(k)
		at := queue[0]
		queue = queue[1:]
		first, end := g.stepsFrom(at)
		for e := first; e < end; e++ {
			to := g.to[e]
			if st.number[to] != st.number[n] {
				continue
			}
			if hit(at, e) {
				*left &^= g.sets.list[g.takes[e]] | g.bits[to]&st.wanted
				way = append(way, to)
				for ; at != n; at = from[at] {
					way = append(way, at)
				}
				slices.Reverse(way)
				return way
			}
			if _, met := from[to]; !met {
				from[to] = at
				queue = append(queue, to)
			}
		}
	}
	panic("explore: a component is not connected")
}
