package cost

import (
	"slices"

	"github.com/atmostk/atmostk/explore/graph"
	"github.com/atmostk/atmostk/explore/stategraph"
	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/lts"
)

// A Run is the least or the most that a bound counted, in a run that shows it.
type Run struct {
	Count    int
	Requests int      // by how many requests the count of a whole run is divided
	Endless  bool     // there is no most: a cycle of the run can be repeated; Count is not known
	Process  int      // or Whole
	Nodes    []uint32 // of the run, from an initial state
	Opens    int      // index of the node from which the opening step leads
	Longer   bool     // it is the most
}

// Judge returns, exactly, the least and the most that is counted for a bound along all runs; nil if nothing
// is. served is what Cost.Served says in a state. Counting uses the graph of visited states, where a state
// stands for all runs that lead there.
func Judge(sg *stategraph.Graph, bound *model.Bound, served func(v []uint32) int) (least, most *Run) {
	processes := []int{Whole}
	if !bound.Whole() {
		processes = openers(sg, bound)
	}
	for _, process := range processes {
		g := countFor(sg, bound, process, served)
		c := g.count()
		lo, hi := g.extremes(c)
		if lo == nil {
			continue
		}
		if least == nil || lo.less(least) {
			least = g.locate(c.leastFrom, lo)
		}
		if most == nil || most.less(hi) {
			if most = g.locate(c.mostFrom, hi); hi.Endless {
				most = g.repeat(c, bound)
			}
		}
	}
	return least, most
}

// openers returns the processes that take opening steps.
func openers(g *stategraph.Graph, b *model.Bound) (processes []int) {
	opens := lts.Named(g.Actions, b.Opens)
	var found model.Set
	for k := range g.Distinct {
		if l := g.Distinct[k].Label; g.Distinct[k].Kind != stategraph.Away && opens[l.Action] {
			found = found.With(model.Proc(l.Proc))
		}
	}
	for p := range found.Each() {
		processes = append(processes, int(p))
	}
	return processes
}

// less reports whether e counts less than f, for each request.
func (e *Run) less(f *Run) bool {
	if e.Endless || f.Endless {
		return f.Endless && !e.Endless
	}
	return e.Count*f.Requests < f.Count*e.Requests
}

// extremes returns the least and the most that was counted at closings, with the
// closing in place of nodes; nil if nothing was.
func (g *view) extremes(c *pathCosts) (least, most *Run) {
	for k, cl := range g.closings {
		if c.least[cl.from] == notCounted {
			continue
		}
		lo := &Run{Process: g.process, Nodes: []uint32{uint32(k)}}
		lo.Count, lo.Requests = int(c.least[cl.from])+int(cl.weight), int(cl.requests)
		hi := &Run{Process: g.process, Nodes: lo.Nodes, Longer: true}
		hi.Count, hi.Requests = int(c.most[cl.from])+int(cl.weight), int(cl.requests)
		hi.Endless = c.most[cl.from] == endless
		if least == nil || lo.less(least) {
			least = lo
		}
		if most == nil || most.less(hi) {
			most = hi
		}
	}
	return least, most
}

// locate finds the run of an extreme; nil if it is endless.
func (g *view) locate(from []uint32, e *Run) *Run {
	if e.Endless { // repeat does that
		return nil
	}
	closing := g.closings[e.Nodes[0]]
	nodes, opening := g.way(from, closing)
	return g.run(nodes, opening, closing, *e)
}

// repeat makes a run that goes round a cycle until it costs more than the bound allows,
// once if it has no bound.
func (g *view) repeat(c *pathCosts, b *model.Bound) *Run {
	more := 0
	if b.Most > 0 {
		for _, cl := range g.closings {
			more = max(more, b.Most*int(cl.requests))
		}
	}
	nodes, opening, closing := g.repeated(c, more)
	e := Run{Process: g.process, Longer: true}
	e.Endless, e.Requests = true, int(closing.requests)
	return g.run(nodes, opening, closing, e)
}

// run completes the nodes between an opening and a closing to a run.
func (g *view) run(nodes []uint32, opening, closing step, e Run) *Run {
	before := g.lead(opening.from)
	if opening.from == nodes[0] {
		nodes = nodes[1:]
	}
	e.Opens = len(before) - 1
	e.Nodes = slices.Concat(before, nodes)
	if closing.to != closing.from {
		e.Nodes = append(e.Nodes, closing.to)
	}
	return &e
}

// lead returns the nodes on a shortest way from an initial state to n, both included.
func (g *view) lead(n uint32) (nodes []uint32) {
	back, initial := g.Predecessors(), map[uint32]bool{}
	for _, n := range g.Initial {
		initial[n] = true
	}
	walk := graph.NewWalk(back.Nodes(), g.Tick)
	walk.Start(n)
	for at, ok := walk.Next(); ok; at, ok = walk.Next() {
		if initial[at] {
			nodes = walk.Way(at)
			slices.Reverse(nodes)
			return nodes
		}
		for _, m := range back.Successors(at) {
			walk.Meet(m, at)
		}
	}
	panic("cost: a visited state that no initial state leads to")
}
