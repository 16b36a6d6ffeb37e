package explore

import (
	"slices"

	"github.com/atmostk/atmostk/model"
)

// live judges Liveness property i after a complete search: it is violated if and
// only if some fair component can be reached in a way that one of the property's
// Lassos describes. Of several the one with the shortest stem is reported.
func (s *search) live(i int, p *Result) error {
	g, why := s.fair()
	if g == nil {
		p.Verdict, p.Undecided = Unknown, why
		return nil
	}
	var nodes []uint32 // of the shortest stem, and its cycle
	cycleAt := 0
	for k := range p.Lassos {
		if stem, cycle := g.lasso(s, p, i, k); stem != nil && (nodes == nil || len(stem)-1 < cycleAt) {
			nodes, cycleAt = append(stem, cycle...), len(stem)-1
		}
	}
	if nodes == nil {
		p.Verdict = Holds
		return nil
	}
	path, err := s.confirmLasso(s.vectors(nodes), cycleAt, i, p)
	if err != nil {
		return err
	}
	p.Verdict, p.Path, p.CycleAt, p.Length = Violated, path, cycleAt, cycleAt
	return nil
}

// lasso returns a run that lasso k of property i describes: the nodes of a shortest
// stem, nil if there is none, and those of a cycle behind it.
func (g *fairGraph) lasso(s *search, p *Result, i, k int) (stem, cycle []uint32) {
	g.cast(s, i, k)
	r := g.explore(p.Lassos[k].Initially)
	visits := (uint64(1)<<p.Lassos[k].Visits - 1) * uint64(model.FirstVisit) << g.conditions
	st := fairComponents(g, g.weak|visits, func(n uint32) bool { return r.after(n) && !g.has(n, model.OffCycle) })
	if !st.found {
		return nil, nil
	}
	stem = r.stem(st.fair)
	return stem, st.cycle(stem[len(stem)-1])
}

// vectors returns the states that nodes stand for.
func (s *search) vectors(nodes []uint32) [][]uint32 {
	wanted := map[uint32][]uint32{}
	for _, n := range nodes {
		wanted[n] = nil
	}
	for n, v := range s.nodes() {
		if _, ok := wanted[n]; ok {
			wanted[n] = v
		}
	}
	vs := make([][]uint32, len(nodes))
	for i, n := range nodes {
		vs[i] = wanted[n]
	}
	return vs
}

// runs is what a breadth-first search forwards has met: nodes before a start,
// under their own numbers, and after it, with g.nodes added.
type runs struct {
	g     *fairGraph
	from  []uint32 // 1 + what each was first met from, itself for initial ones; 0: not met
	order []uint32
}

// explore follows all runs as far as the property at hand is not fulfilled.
func (g *fairGraph) explore(initially bool) *runs {
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
// way goes on to whatever is nearest of the conditions that are left.
func (st *streett) cycle(n uint32) (way []uint32) {
	g := st.g
	left := st.wanted &^ g.bits[n]
	if left == 0 && g.bits[n]&g.strong == 0 {
		return nil
	}
	left |= st.enabled(n)
	for at := n; left != 0; at = way[len(way)-1] {
		way = append(way, st.detour(at, func(e uint32) bool {
			return (g.sets[g.takes[e]]|g.bits[g.to[e]]&st.wanted)&left != 0
		}, &left)...)
	}
	if at := way[len(way)-1]; at != n {
		way = append(way, st.detour(at, func(e uint32) bool { return g.to[e] == n }, &left)...)
	}
	return way
}

// enabled returns the strong conditions that are enabled in the component of n:
// on a way that takes them all it does not matter where it leads.
func (st *streett) enabled(n uint32) uint64 {
	var members []uint32
	for m := range st.g.nodes {
		if st.number[m] == st.number[n] {
			members = append(members, m)
		}
	}
	nodes, _ := st.g.summary(members, st.number)
	return nodes & st.g.strong
}

// detour returns the nodes behind n on a shortest way inside its component whose
// last step is a hit, and crosses off what that step brings.
func (st *streett) detour(n uint32, hit func(step uint32) bool, left *uint64) (way []uint32) {
	g := st.g
	from := map[uint32]uint32{n: n}
	queue := []uint32{n}
	for len(queue) > 0 {
		at := queue[0]
		queue = queue[1:]
		first, end := g.stepsFrom(at)
		for e := first; e < end; e++ {
			to := g.to[e]
			if st.number[to] != st.number[n] {
				continue
			}
			if hit(e) {
				*left &^= g.sets[g.takes[e]] | g.bits[to]&st.wanted
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
