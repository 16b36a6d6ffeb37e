package explore

import (
	"github.com/atmostk/atmostk/model/lts"
)

// A fairGraph is the state graph with acceptance marks on nodes and edges, as sets of bits: fairness
// conditions have the first bits, the next two are those of extras, and the lts.Marks of states in the lasso
// at hand the following ones. Whether a run is fair, and fits the lasso, is told by the marks that
// it meets again and again (generalised Büchi and Streett acceptance).
//
//	bit  0 .. c-1       c         c+1     c+2 ..
//	    | conditions | receipt | shift | lts.Marks |
type fairGraph struct {
	*stateGraph
	// marks are, per distinct edge label, the conditions that such a step fulfils; steps that lead to no
	// other visited state fulfil none.
	marks []uint64
	// bits are, per node, the weak conditions that are disabled in it, the strong ones that are enabled, and
	// its lts.Marks.
	bits []uint64

	weak, strong uint64
	conditions   int
	receipt      uint64 // of steps: a message is received; of nodes: none can be
	shift        uint64 // of steps: all times are moved back
}

// extras are the bits between those of conditions and those of lts.Marks.
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
	enables := g.enterMarks(s)
	s.eachPart(g.Nodes(), func(_, _ int, first, end uint32) {
		for n := first; n < end; n++ {
			if s.tables.Vector(g.base, n) != nil {
				g.bits[n] = g.enabled(n, enables)
			}
		}
	})
	s.fairGraph = g
	return g
}

// enterMarks enters, per distinct edge label, which conditions such a step fulfils, and returns which are
// enabled where there is one: by a step that changes nothing, none.
func (g *fairGraph) enterMarks(s *search) (enables []uint64) {
	fairness, actions := s.declared.Fairness(), s.report.Actions
	g.marks, enables = make([]uint64, len(g.distinct)), make([]uint64, len(g.distinct))
	seen := uint64(0)
	for k := range g.distinct {
		x := &g.distinct[k]
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
			g.marks[k] = enables[k]
			if x.shifted {
				g.marks[k] |= g.shift
			}
		}
	}
	s.unseen(seen)
	return enables
}

// enabled returns the bits of a node, lts.Marks apart.
func (g *fairGraph) enabled(n uint32, enables []uint64) uint64 {
	enabled := uint64(0)
	first, end := g.Edges(n)
	for e := first; e < end; e++ {
		enabled |= enables[g.labels.at(e)]
	}
	return enabled&g.strong | (g.weak|g.receipt)&^enabled
}

// marksOf returns the conditions that an edge fulfils.
func (g *fairGraph) marksOf(edge uint32) uint64 { return g.marks[g.labels.at(edge)] }

// enterLasso enters the lts.Marks of all states in lasso k of property i, and returns which there are.
func (g *fairGraph) enterLasso(s *search, i, k int) (all met) {
	at := g.conditions + extras
	mets := make([]met, parts(g.Nodes()))
	s.eachPart(g.Nodes(), func(w, part int, first, end uint32) {
		var m met
		for n := first; n < end; n++ {
			if v := s.tables.Vector(g.base, n); v != nil {
				r := s.cursors[w].Marks(v, i, k)
				m.add(r)
				g.bits[n] = g.bits[n]&(1<<at-1) | uint64(r)<<at
			}
		}
		mets[part] = m
	})
	for _, m := range mets {
		all.merge(m)
	}
	return all
}

// has reports whether node n has a mark.
func (g *fairGraph) has(n uint32, r lts.Marks) bool {
	return g.bits[n]>>(g.conditions+extras)&uint64(r) != 0
}
