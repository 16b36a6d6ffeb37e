package live

import (
	"slices"

	"github.com/atmostk/atmostk/explore/graph"
	"github.com/atmostk/atmostk/model/lts"
)

// components are the sets of nodes in which a run can stay for ever and be fair: strongly
// connected components that meet all conditions. If a strong condition is enabled in a
// component and never taken inside, a fair run cannot use the nodes that enable it. Without
// them the component may be disconnected, and its parts are tried again (Emerson and Lei,
// Science of Computer Programming 8, 1987; such conditions are Streett's). A run may always
// stutter, so a single node is a component too, unless assumptions forbid all its steps.
type components struct {
	*graph.Components
	g        *Graph
	wanted   uint64      // the marks that each component needs: weak conditions and visits
	untested []component // components whose messages are not checked yet
	again    []uint32    // remaining nodes of components that have to be divided
	fair     graph.Set   // nodes of the components that meet all conditions
	found    bool
}

// A component has several nodes. It moves if a step inside moves all times.
type component struct {
	members []uint32
	moves   bool
}

// fairComponents returns the fair components among the usable nodes.
func fairComponents(g *Graph, wanted uint64, usable func(n uint32) bool) *components {
	f := &components{g: g, wanted: wanted, fair: graph.NewSet(g.Nodes())}
	f.Components = graph.NewComponents(&g.Graph.Graph, usable, nil, f.judge, g.Tick)
	f.Find()
	for f.testDelivery(); len(f.again) > 0; f.testDelivery() {
		again := f.again
		f.again = nil
		f.Again(again)
	}
	return f
}

// judge checks whether a component meets all conditions except on messages.
func (f *components) judge(members []uint32) {
	nodes, steps := f.summary(members)
	if f.wanted&^(nodes|steps) != 0 {
		return // no part of it meets them either
	}
	bad := nodes & f.g.strong &^ steps
	switch {
	case bad != 0:
		for _, n := range members {
			if f.g.bits[n]&bad == 0 {
				f.again = append(f.again, n)
			}
		}
	case len(members) > 1 && f.g.delivery != lts.AnyDelivery:
		f.untested = append(f.untested, component{slices.Clone(members), steps&f.g.shift != 0})
	case len(members) > 1 || f.stays(members[0]):
		f.accept(members)
	}
}

// stays reports whether it is fair to stay in a node for ever, if the node meets the other conditions.
func (f *components) stays(n uint32) bool {
	idle := f.g.delivery == lts.AnyDelivery || f.g.bits[n]&f.g.receipt != 0
	return idle && !f.g.Stuck.Has(n)
}

func (f *components) accept(members []uint32) {
	for _, n := range members {
		f.fair.Add(n)
	}
	f.found = true
}

// summary returns the marks of all nodes of a component, and of all steps inside.
func (f *components) summary(members []uint32) (nodes, steps uint64) {
	for _, n := range members {
		nodes |= f.g.bits[n]
		for e, end := f.g.Edges(n); e < end; e++ {
			if f.Same(f.g.To[e], n) {
				steps |= f.g.marksOf(e)
			}
		}
	}
	return nodes, steps
}
