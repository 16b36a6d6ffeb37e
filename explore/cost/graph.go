// Package cost counts messages along the runs in a state graph: the least and the highest cost for a bound.
package cost

import (
	"github.com/atmostk/atmostk/explore/graph"
	"github.com/atmostk/atmostk/explore/stategraph"
	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/lts"
)

// A view is the state graph with the costs that a bound counts for one process, or for whole
// runs: openings begin to count, closings end it, and steps that go on are counted between.
type view struct {
	*stategraph.Graph
	process  int     // or Whole
	weights  []int32 // per distinct label: the cost of such a step
	goesOn   []bool  // per distinct label: counting goes on
	openings []step
	closings []step
	walk     *graph.Walk
}

// A step is an opening or a closing. Whole runs begin in their initial state, and end
// in a quiet state: from and to are the same then.
type step struct {
	from, to uint32
	weight   int32
	requests int32 // of closings: the number of requests that divides the count
}

// Whole stands for whole runs in place of a process.
const Whole = -1

// bytesPerCostNode is the memory of counting for each node: 24 for a walk and costs, 24 for components.
const bytesPerCostNode = 48

// countFor returns the view for a bound and a process, or whole runs.
func countFor(sg *stategraph.Graph, bound *model.Bound, process int, served func(v []uint32) int) *view {
	sg.Afford("to count along the state graph", bytesPerCostNode*int64(sg.Nodes()))
	g := &view{Graph: sg, process: process, weights: make([]int32, len(sg.Distinct)),
		goesOn: make([]bool, len(sg.Distinct)), walk: graph.NewWalk(sg.Nodes(), sg.Tick)}
	opens, closes := lts.Named(sg.Actions, bound.Opens), lts.Named(sg.Actions, bound.Closes)
	opening, closing := make([]bool, len(sg.Distinct)), make([]bool, len(sg.Distinct))
	for k := range sg.Distinct {
		x := &sg.Distinct[k]
		if x.Kind == stategraph.Away {
			continue
		}
		if charges := sg.Space.Charges(x.Note); process == Whole {
			g.weights[k] = int32(charges.All)
		} else {
			g.weights[k] = int32(charges.To[process])
			its := int(x.Label.Proc) == process
			opening[k] = its && opens[x.Label.Action]
			closing[k] = its && closes[x.Label.Action]
		}
		g.goesOn[k] = !opening[k] && !closing[k] && (x.Kind == stategraph.Inside || g.weights[k] > 0)
	}
	if process == Whole {
		g.countWhole(served)
		return g
	}
	for n := range g.Nodes() {
		for e, end := g.Edges(n); e < end; e++ {
			k := g.LabelOf(e)
			if opening[k] {
				g.openings = append(g.openings, step{from: n, to: g.To[e], weight: g.weights[k]})
			}
			if closing[k] {
				g.closings = append(g.closings, step{n, g.To[e], g.weights[k], 1})
			}
		}
	}
	return g
}

// countWhole enters the states where whole runs begin and end.
func (g *view) countWhole(served func(v []uint32) int) {
	for _, n := range g.Initial {
		g.openings = append(g.openings, step{from: n, to: n})
	}
	for n := range g.Nodes() {
		if g.Quiet.Has(n) {
			if requests := served(g.Vector(n)); requests > 0 {
				g.closings = append(g.closings, step{n, n, 0, int32(requests)})
			}
		}
	}
}

// follows reports whether counting goes on at an edge.
func (g *view) follows(edge uint32) bool { return g.goesOn[g.LabelOf(edge)] }

func (g *view) weight(edge uint32) int32 { return g.weights[g.LabelOf(edge)] }

// spread continues the walk from a node along the edges at which counting goes on.
func (g *view) spread(n uint32) {
	for e, end := g.Edges(n); e < end; e++ {
		if g.follows(e) {
			g.walk.Meet(g.To[e], n)
		}
	}
}
