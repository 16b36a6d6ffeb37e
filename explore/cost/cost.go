package cost

import (
	"slices"

	"github.com/atmostk/atmostk/explore/graph"
	"github.com/atmostk/atmostk/explore/stategraph"
	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/lts"
)

// A Run is a run with the least or the highest cost that a bound counts.
type Run struct {
	Count    int
	Requests int      // number of requests that divides the count of a whole run
	Endless  bool     // no highest cost exists: a cycle of the run can be repeated; Count is not known
	Process  int      // or Whole
	Nodes    []uint32 // of the run, from an initial state
	Opens    int      // index of the node from which the opening step leads
	Longer   bool     // the cost is the highest
}

// Judge returns a run with the least and a run with the highest cost for a bound, among all runs; nil if no
// run is counted. served returns the result of Cost.Served in a state. The costs are exact: they are counted
// on the graph of visited states, in which a node represents all runs that lead to its state.
func Judge(sg *stategraph.Graph, bound *model.Bound, served func(v []uint32) int) (least, most *Run) {
	for _, process := range counted(sg, bound) {
		g := countFor(sg, bound, process, served)
		c := g.count()
		var leastEnd, mostEnd *step
		for k := range g.closings {
			end := &g.closings[k]
			if c.least[end.from] == notCounted {
				continue
			}
			if lo := g.ended(end, c.least); least == nil || lo.less(least) {
				least, leastEnd = lo, end
			}
			if hi := g.ended(end, c.most); most == nil || most.less(hi) {
				most, mostEnd = hi, end
			}
		}
		if leastEnd != nil {
			g.complete(least, g.way(c.leastFrom, leastEnd.from), leastEnd)
		}
		if mostEnd != nil {
			most.Longer = true
			var nodes []uint32
			if most.Endless { // mostFrom would lead round the cycle
				nodes, mostEnd = g.repeated(c, bound)
				most.Count, most.Requests = 0, int(mostEnd.requests)
			} else {
				nodes = g.way(c.mostFrom, mostEnd.from)
			}
			g.complete(most, nodes, mostEnd)
		}
	}
	return least, most
}

// counted returns the processes that take opening steps, or Whole.
func counted(g *stategraph.Graph, b *model.Bound) (processes []int) {
	if b.Whole() {
		return []int{Whole}
	}
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

// less reports whether e costs less than f per request.
func (e *Run) less(f *Run) bool {
	if e.Endless || f.Endless {
		return f.Endless && !e.Endless
	}
	return e.Count*f.Requests < f.Count*e.Requests
}

// ended returns a run that ends with a closing, with its cost from the costs up to each node.
func (g *view) ended(end *step, counted []int32) *Run {
	return &Run{Process: g.process, Count: int(counted[end.from]) + int(end.weight),
		Requests: int(end.requests), Endless: counted[end.from] == endless}
}

// complete completes a run: before its nodes it puts the path to the opening, behind them the closing. The
// opening starts at the first node.
func (g *view) complete(e *Run, nodes []uint32, end *step) {
	before := g.lead(nodes[0])
	e.Opens = len(before) - 1
	e.Nodes = slices.Concat(before, nodes[1:])
	if g.process != Whole {
		e.Nodes = append(e.Nodes, end.to)
	}
}

// lead returns the nodes on a shortest path from an initial state to n, both included.
func (g *view) lead(n uint32) (nodes []uint32) {
	back, initial := g.Predecessors(), graph.NewSet(g.Nodes())
	for _, n := range g.Initial {
		initial.Add(n)
	}
	walk := graph.NewWalk(back.Nodes(), g.Tick)
	nodes = walk.Find(n, initial.Has, func(at uint32) {
		for _, m := range back.Successors(at) {
			walk.Meet(m, at)
		}
	})
	if nodes == nil {
		panic("cost: a visited state that no initial state leads to")
	}
	slices.Reverse(nodes)
	return nodes
}
