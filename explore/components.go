package explore

import (
	"slices"

	"github.com/atmostk/atmostk/model"
)

// A streett looks for the sets of nodes in which a run can stay for ever and be
// fair: strongly connected components that meet all conditions. Where a strong
// condition is enabled in a component and not taken inside, the nodes that
// enable it are of no use; without them the component falls apart, and its parts
// are tried again (Emerson and Lei, Science of Computer Programming 8, 1987). A
// run may always stutter, so a single node is a component like any other, unless
// assumptions forbid whatever could be done there.
//
// Components are found as Pearce does (Information Processing Letters 116, 2016):
// Tarjan's algorithm with one number for each node, and without recursion, since
// paths can be as long as there are states.
type streett struct {
	s      *search
	g      *fairGraph
	wanted uint64 // what each component has to show: weak conditions and visits
	// delivery is the fairness to messages.
	delivery model.Delivery
	// number is 0 for nodes to be visited, then their place in depth-first order,
	// or that of the first one they lead back to; at last that of the component.
	number []uint32
	last   uint32 // number of the newest component; they descend from unusable
	order  uint32
	path   []call
	open   []uint32    // visited nodes whose component is not complete
	posted []component // components of which messages are still to be looked at
	again  []uint32    // nodes of what is left of components that have to be taken apart
	fair   bitset      // nodes of the components that meet all conditions
	found  bool
	steps  int // of visits, to look now and then for a reason to stop
}

// A component has several nodes. It moves if a step inside moves all times.
type component struct {
	members []uint32
	moves   bool
}

// unusable is the number of nodes that no cycle may contain.
const unusable = ^uint32(0)

// A call is a node on the path of the depth-first search.
type call struct{ node, place, next uint32 }

// fairComponents returns what is found among the nodes for which usable holds.
func (s *search) fairComponents(g *fairGraph, wanted uint64, delivery model.Delivery, usable func(n uint32) bool) *streett {
	st := &streett{s: s, g: g, wanted: wanted, delivery: delivery, number: make([]uint32, g.nodes), last: unusable, fair: newBitset(g.nodes)}
	for n := range g.nodes {
		if !usable(n) {
			st.number[n] = unusable
		}
	}
	for n := range g.nodes {
		st.visit(n)
	}
	for st.sort(); len(st.again) > 0; st.sort() {
		roots := st.again
		st.again = nil
		for _, n := range roots {
			st.number[n] = 0
		}
		for _, n := range roots {
			st.visit(n)
		}
	}
	return st
}

// visit completes the components of all nodes that can be reached from n and were
// not visited yet.
func (st *streett) visit(n uint32) {
	if st.number[n] != 0 {
		return
	}
	st.enter(n)
	for len(st.path) > 0 {
		st.steps++
		st.s.tick(st.steps)
		c := &st.path[len(st.path)-1]
		_, end := st.g.stepsFrom(c.node)
		descended := false
		for c.next < end {
			m := st.g.to[c.next]
			if st.number[m] == 0 {
				st.enter(m) // and look at this step again afterwards
				descended = true
				break
			}
			st.number[c.node] = min(st.number[c.node], st.number[m])
			c.next++
		}
		if !descended {
			st.leave(*c)
		}
	}
}

func (st *streett) enter(n uint32) {
	st.order++
	st.number[n] = st.order
	first, _ := st.g.stepsFrom(n)
	st.path = append(st.path, call{n, st.order, first})
}

// leave ends the visit of a node; if no earlier one can be reached from it, its
// component is complete.
func (st *streett) leave(c call) {
	st.path = st.path[:len(st.path)-1]
	st.open = append(st.open, c.node)
	if st.number[c.node] != c.place {
		return
	}
	first := len(st.open) - 1
	for first > 0 && st.number[st.open[first-1]] >= c.place {
		first--
	}
	members := st.open[first:]
	st.open = st.open[:first]
	st.order -= uint32(len(members))
	st.last--
	for _, n := range members {
		st.number[n] = st.last
	}
	st.judge(members)
}

// judge looks whether a component meets the conditions, those on messages apart.
func (st *streett) judge(members []uint32) {
	nodes, steps := st.g.summary(members, st.number)
	if st.wanted&^(nodes|steps) != 0 {
		return // nor does any part of it
	}
	bad := nodes & st.g.strong &^ steps
	switch {
	case bad != 0:
		for _, n := range members {
			if st.g.bits[n]&bad == 0 {
				st.again = append(st.again, n)
			}
		}
	case len(members) > 1 && st.delivery != model.AnyDelivery:
		st.posted = append(st.posted, component{slices.Clone(members), steps&st.g.shift != 0})
	case len(members) > 1 || st.stays(members[0]):
		st.accept(members)
	}
}

// stays reports whether a run may stay in a node, if it meets the other conditions.
func (st *streett) stays(n uint32) bool {
	idle := st.delivery == model.AnyDelivery || st.g.bits[n]&st.g.receipt != 0
	return idle && !st.g.stuck.has(n)
}

func (st *streett) accept(members []uint32) {
	for _, n := range members {
		st.fair.set(n)
	}
	st.found = true
}

// summary returns everything that the nodes of a component are, and that the
// steps inside take.
func (g *fairGraph) summary(members, number []uint32) (nodes, steps uint64) {
	for _, n := range members {
		nodes |= g.bits[n]
		first, end := g.stepsFrom(n)
		for e := first; e < end; e++ {
			if number[g.to[e]] == number[n] {
				steps |= g.sets.list[g.takes[e]]
			}
		}
	}
	return nodes, steps
}
