package explore

import (
	"github.com/atmostk/atmostk/explore/graph"
	"github.com/atmostk/atmostk/model/lts"
)

// A costGraph is the state graph with what a bound counts for one process, or for whole runs:
// the steps that go on counting, those that begin to count, and those that end it.
type costGraph struct {
	*stateGraph
	process  int     // or whole
	weights  []int32 // per thing that steps are about: what such a step costs
	goesOn   []bool  // likewise: it goes on counting
	openings []costStep
	closings []costStep
	walk     *graph.Walk
}

// A costStep begins to count, or ends it. Whole runs begin in their initial state, and
// end in a quiet one: from and to are the same then.
type costStep struct {
	from, to uint32
	weight   int32
	requests int32 // closings: by how many what was counted is divided
}

// whole stands for whole runs in place of a process.
const whole = -1

// bytesPerCostNode is what counting takes for each node: 24 for a walk and what was found, 24 for
// components.
const bytesPerCostNode = 48

// countFor returns the view for the bound of property i and a process, or whole runs.
func (s *search) countFor(i, process int) *costGraph {
	sg := s.graph()
	s.afford("to count along the state graph", bytesPerCostNode*int64(sg.Nodes()))
	g := &costGraph{
		stateGraph: sg, process: process, weights: make([]int32, len(sg.distinct)),
		goesOn: make([]bool, len(sg.distinct)),
		walk:   graph.NewWalk(sg.Nodes(), s.tick),
	}
	bound := s.report.Properties[i].Bound
	opens, closes := lts.Named(s.report.Actions, bound.Opens), lts.Named(s.report.Actions, bound.Closes)
	opening, closing := make([]bool, len(sg.distinct)), make([]bool, len(sg.distinct))
	for k := range sg.distinct {
		x := &sg.distinct[k]
		if x.kind == away {
			continue
		}
		if charges := s.space.Charges(x.Note); process == whole {
			g.weights[k] = int32(charges.All)
		} else {
			g.weights[k] = int32(charges.To[process])
			its := int(x.Label.Proc) == process
			opening[k] = its && opens[x.Label.Action]
			closing[k] = its && closes[x.Label.Action] && !opening[k]
		}
		g.goesOn[k] = !opening[k] && !closing[k] && (x.kind == inside || g.weights[k] > 0)
	}
	if process == whole {
		g.countWhole(s, i)
		return g
	}
	for n := range g.Nodes() {
		first, end := g.Edges(n)
		for e := first; e < end; e++ {
			switch k := g.labels.at(e); {
			case opening[k]:
				g.openings = append(g.openings, costStep{from: n, to: g.To[e], weight: g.weights[k]})
			case closing[k]:
				g.closings = append(g.closings, costStep{n, g.To[e], g.weights[k], 1})
			}
		}
	}
	return g
}

// countWhole enters where whole runs begin and end, for the bound of property i.
func (g *costGraph) countWhole(s *search, i int) {
	for _, n := range g.initial {
		g.openings = append(g.openings, costStep{from: n, to: n})
	}
	for n := range g.Nodes() {
		if !g.quiet.Has(n) {
			continue
		}
		if requests := s.cursors[0].Served(s.tables.Vector(g.base, n), i); requests > 0 {
			g.closings = append(g.closings, costStep{n, n, 0, int32(requests)})
		}
	}
}

// follows reports whether an edge goes on counting.
func (g *costGraph) follows(edge uint32) bool { return g.goesOn[g.labels.at(edge)] }

// weight returns what an edge costs.
func (g *costGraph) weight(edge uint32) int32 { return g.weights[g.labels.at(edge)] }

// spread goes on from a node of the walk along the edges that go on counting.
func (g *costGraph) spread(n uint32) {
	first, end := g.Edges(n)
	for e := first; e < end; e++ {
		if g.follows(e) {
			g.walk.Meet(g.To[e], n)
		}
	}
}

// path returns the nodes on a shortest way from n to a goal, both included; nil if there
// is none.
func (g *costGraph) path(n uint32, goal func(uint32) bool) []uint32 {
	g.walk.Start(n)
	for at, ok := g.walk.Next(); ok; at, ok = g.walk.Next() {
		if goal(at) {
			return g.walk.Way(at)
		}
		g.spread(at)
	}
	return nil
}
