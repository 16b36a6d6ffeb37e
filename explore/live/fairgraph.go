// Package live judges liveness: it looks in the state graph for endless runs that are fair and violate a
// property.
package live

import (
	"sync/atomic"

	"github.com/atmostk/atmostk/explore/stategraph"
	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/lts"
)

// A Graph is the state graph with acceptance marks on nodes and edges, as sets of bits: fairness
// conditions have the first bits, the next two are the extras, and the lts.Marks of states in the
// current lasso follow. A run is fair and fits the lasso depending on the marks that it meets
// infinitely often (generalised Büchi and Streett acceptance).
//
//	bit  0 .. c-1       c         c+1     c+2 ..
//	    | conditions | receipt | shift | lts.Marks |
type Graph struct {
	*stategraph.Graph
	// Seen are the conditions whose steps are enabled somewhere.
	Seen     uint64
	delivery lts.Delivery
	// marks are, per distinct edge label, the conditions that such a step fulfils; steps that lead to no
	// other visited state fulfil none.
	marks []uint64
	// bits are, per node, the weak conditions that are disabled in it, the strong ones that are enabled, and
	// its lts.Marks.
	bits []uint64

	weak, strong uint64
	conditions   int
	receipt      uint64      // of steps: a message is received; of nodes: no message can be received
	shift        uint64      // of steps: all times are moved back
	idles        atomic.Bool // a step that changes nothing might fulfil a condition
}

// MissesRuns reports whether fewer runs may be fair here than with numbers, if times count by order only.
// A step that changes nothing here may raise a clock there, and fulfil a strong condition, or a weak one that
// another step of the node enables. Of two messages that differ in their times alone, one may be receivable.
func (g *Graph) MissesRuns() bool {
	return g.idles.Load() || g.Refuses && g.delivery == lts.WeakDelivery
}

// extras is the number of bits between conditions and lts.Marks.
const extras = 2

// BytesPerNode is the peak memory of the search for lassos for each node: 8 in this
// file, 24 in lasso.go, 24 for components.
const BytesPerNode = 56

// New returns the view of a state graph in which runs are fair to conditions and to messages.
func New(sg *stategraph.Graph, fairness []model.Fairness, delivery lts.Delivery) *Graph {
	sg.Afford("the search for cycles", BytesPerNode*int64(sg.Nodes()))
	g := &Graph{Graph: sg, delivery: delivery, bits: make([]uint64, sg.Nodes()), conditions: len(fairness)}
	for i, f := range fairness {
		if f.Strong {
			g.strong |= 1 << i
		} else {
			g.weak |= 1 << i
		}
	}
	g.receipt = 1 << g.conditions
	g.shift = 2 << g.conditions
	enables, idle := g.enterMarks(fairness)
	g.EachPart(g.Nodes(), func(_, _ int, first, end uint32) {
		for n := first; n < end; n++ {
			if g.Vector(n) != nil {
				g.bits[n] = g.enabled(n, enables, idle)
			}
		}
	})
	return g
}

// enterMarks enters, per distinct edge label, the conditions that such a step fulfils. It returns, per label,
// the conditions that are enabled in a node with such a step. A step that changes nothing enables none; those
// that it would enable are idle.
func (g *Graph) enterMarks(fairness []model.Fairness) (enables, idle []uint64) {
	g.marks, enables = make([]uint64, len(g.Distinct)), make([]uint64, len(g.Distinct))
	idle = make([]uint64, len(g.Distinct))
	for k := range g.Distinct {
		x := &g.Distinct[k]
		if g.delivery != lts.AnyDelivery && g.Actions[x.Label.Action].Receipt {
			enables[k] = g.receipt
		}
		for i := range fairness {
			if fairness[i].Forces(x.Label, g.Actions) {
				enables[k] |= 1 << i
			}
		}
		if x.Kind == stategraph.Loop {
			idle[k], enables[k] = enables[k], 0
			continue
		}
		g.Seen |= enables[k]
		if x.Kind == stategraph.Inside {
			g.marks[k] = enables[k]
			if x.Shifted {
				g.marks[k] |= g.shift
			}
		}
	}
	return enables, idle
}

// enabled returns the bits of a node without its lts.Marks.
func (g *Graph) enabled(n uint32, enables, idle []uint64) uint64 {
	enabled, idles := uint64(0), uint64(0)
	for e, end := g.Edges(n); e < end; e++ {
		enabled |= enables[g.LabelOf(e)]
		idles |= idle[g.LabelOf(e)]
	}
	if idles&(enabled|g.strong) != 0 || idles&g.receipt != 0 && g.delivery == lts.StrongDelivery {
		g.idles.Store(true)
	}
	return enabled&g.strong | (g.weak|g.receipt)&^enabled
}

func (g *Graph) marksOf(edge uint32) uint64 { return g.marks[g.LabelOf(edge)] }

// enterLasso enters the lts.Marks of all states in a lasso, and returns their union.
func (g *Graph) enterLasso(marks func(worker int, v []uint32) lts.Marks) (all met) {
	at := g.conditions + extras
	mets := make([]met, stategraph.Parts(g.Nodes()))
	g.EachPart(g.Nodes(), func(w, part int, first, end uint32) {
		var m met
		for n := first; n < end; n++ {
			if v := g.Vector(n); v != nil {
				r := marks(w, v)
				m.add(r)
				g.bits[n] = g.bits[n]&(1<<at-1) | uint64(r)<<at
			}
		}
		mets[part] = m
	})
	for _, m := range mets {
		all = met{any: all.any | m.any, cycles: all.cycles || m.cycles, inCycle: all.inCycle | m.inCycle}
	}
	return all
}

func (g *Graph) has(n uint32, r lts.Marks) bool {
	return g.bits[n]>>(g.conditions+extras)&uint64(r) != 0
}
