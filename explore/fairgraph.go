package explore

import (
	"github.com/atmostk/atmostk/model/lts"
)

// A fairGraph is the state graph with what it means for fairness, and for the lasso at hand, in
// masks: fairness conditions have the first bits, the next two are those of extras; the roles of
// states, shifted, have the following ones.
//
//	bit  0 .. c-1       c         c+1     c+2 ..
//	    | conditions | receipt | shift | roles |
type fairGraph struct {
	*stateGraph
	// takes tells, for what a step is about, which conditions it takes; steps that lead
	// to no other visited state take none.
	takes []uint64
	// bits tells of each node which weak conditions are disabled in it and which
	// strong ones are enabled, and its roles.
	bits []uint64

	weak, strong uint64
	conditions   int
	receipt      uint64 // of steps: a message is received; of nodes: none can be
	shift        uint64 // of steps: all times are moved back
}

// extras are the bits between those of conditions and those of roles.
const extras = 2

// bytesPerNode is what the search for lassos takes for each node at most: in this
// file 8, in lasso.go 24, for components 24.
const bytesPerNode = 56

// fair returns the view, made when it is first asked for.
func (s *search) fair() *fairGraph {
	if s.fairGraph != nil {
		return s.fairGraph
	}
	if s.built == nil {
		s.affordGraph(", and the search for cycles in it,", bytesPerNode)
	}
	sg := s.graph()
	s.afford("the search for cycles", bytesPerNode*int64(sg.Nodes()))
	g := &fairGraph{stateGraph: sg, bits: make([]uint64, sg.Nodes())}
	for i, f := range s.declared.Fairness() {
		if f.Strong {
			g.strong |= 1 << i
		} else {
			g.weak |= 1 << i
		}
		g.conditions++
	}
	g.receipt = 1 << g.conditions
	g.shift = 2 << g.conditions
	enables := g.masks(s)
	s.eachPart(g.Nodes(), func(_, _ int, first, end uint32) {
		for n := first; n < end; n++ {
			if s.vector(g.base, n) != nil {
				g.bits[n] = g.enabled(n, enables)
			}
		}
	})
	s.fairGraph = g
	return g
}

// masks enters which conditions steps take, and returns which are enabled where there is such a
// step: by one that changes nothing, none.
func (g *fairGraph) masks(s *search) (enables []uint64) {
	fairness, actions := s.declared.Fairness(), s.report.Actions
	g.takes, enables = make([]uint64, len(g.all)), make([]uint64, len(g.all))
	seen := uint64(0)
	for k := range g.all {
		x := &g.all[k]
		if x.kind == loop {
			continue
		}
		if actions[x.Label.Action].Receipt {
			enables[k] = g.receipt
		}
		for i := range fairness {
			if fairness[i].Forces(x.Label, actions) {
				enables[k] |= 1 << i
			}
		}
		seen |= enables[k]
		if x.kind == inside {
			g.takes[k] = enables[k]
			if x.shifted {
				g.takes[k] |= g.shift
			}
		}
	}
	s.unseen(seen)
	return enables
}

// enabled returns the bits of a node, those of roles apart.
func (g *fairGraph) enabled(n uint32, enables []uint64) uint64 {
	enabled := uint64(0)
	first, end := g.Edges(n)
	for e := first; e < end; e++ {
		enabled |= enables[g.abouts.at(e)]
	}
	return enabled&g.strong | (g.weak|g.receipt)&^enabled
}

// taken returns the conditions that an edge takes.
func (g *fairGraph) taken(edge uint32) uint64 { return g.takes[g.abouts.at(edge)] }

// enterRoles enters the roles of all states in lasso k of property i, and returns which there are.
func (g *fairGraph) enterRoles(s *search, i, k int) (all met) {
	roles := g.conditions + extras
	mets := make([]met, parts(g.Nodes()))
	s.eachPart(g.Nodes(), func(w, part int, first, end uint32) {
		var m met
		for n := first; n < end; n++ {
			if v := s.vector(g.base, n); v != nil {
				r := s.cursors[w].Roles(v, i, k)
				m.add(r)
				g.bits[n] = g.bits[n]&(1<<roles-1) | uint64(r)<<roles
			}
		}
		mets[part] = m
	})
	for _, m := range mets {
		all.merge(m)
	}
	return all
}

// has reports whether node n has a role.
func (g *fairGraph) has(n uint32, r lts.Roles) bool {
	return g.bits[n]>>(g.conditions+extras)&uint64(r) != 0
}
