package live

import (
	"cmp"
	"slices"

	"github.com/atmostk/atmostk/explore/stategraph"
	"github.com/atmostk/atmostk/model/lts"
)

// Labels of edges do not show fairness to messages: of two messages of one sender in
// a bag, one could be put off for ever. So components that meet all other conditions
// are checked once more, message by message. In a component that moves times, runs
// can go round so that times grow beyond all bounds. Then no message with a time is
// in flight for ever: it would fall behind all other messages.

// An envelope is a message that a process may receive next. Two envelopes are equal if
// they differ only by a shift of times.
type envelope struct {
	to      uint8
	message uint32 // as in kernel.Note
	timed   bool
}

// received returns the envelope that a step receives; false if it receives none, or
// changes nothing.
func (g *Graph) received(edge uint32) (m envelope, is bool) {
	x := &g.Distinct[g.LabelOf(edge)]
	return envelope{x.Label.Proc, x.Message, x.Timed}, x.Message != 0 && x.Kind != stategraph.Loop
}

// leadsInside reports whether an edge leads to another visited state.
func (g *Graph) leadsInside(edge uint32) bool {
	return g.Distinct[g.LabelOf(edge)].Kind == stategraph.Inside
}

// obligations are the envelopes that can be received in some set of nodes.
type obligations map[envelope]obligation

type obligation struct {
	nodes    int    // number of nodes in which the envelope can be received
	latest   uint32 // the last of these nodes
	received bool   // a step inside the set receives it
}

// enter enters the envelopes that can be received in a node; within selects the targets inside the set.
func (o obligations) enter(g *Graph, n uint32, within func(to uint32) bool) {
	for e, end := g.Edges(n); e < end; e++ {
		m, is := g.received(e)
		if !is {
			continue
		}
		a, met := o[m]
		if !met || a.latest != n {
			a.nodes, a.latest = a.nodes+1, n
		}
		a.received = a.received || g.leadsInside(e) && within(g.To[e])
		o[m] = a
	}
}

// testDelivery accepts or divides the components whose messages were not checked yet.
func (f *components) testDelivery() {
	for _, c := range f.untested {
		f.g.Tick(0)
		bad := f.waiting(c)
		switch {
		case len(bad) == 0:
			f.accept(c.members)
		case f.strict():
			for _, n := range c.members {
				if !slices.ContainsFunc(bad, func(m envelope) bool { return f.g.enables(n, m) }) {
					f.again = append(f.again, n)
				}
			}
		}
	}
	f.untested = f.untested[:0]
}

// strict reports whether a message that can be received infinitely often has to be received.
func (f *components) strict() bool { return f.g.delivery == lts.StrongDelivery }

// waiting returns the messages that a component puts off for ever.
func (f *components) waiting(c component) (bad []envelope) {
	found := make([]obligations, stategraph.Parts(uint32(len(c.members))))
	f.g.EachPart(uint32(len(c.members)), func(_, part int, first, end uint32) {
		found[part] = obligations{}
		for _, n := range c.members[first:end] {
			found[part].enter(f.g, n, func(to uint32) bool { return f.Same(to, n) })
		}
	})
	all := obligations{}
	for _, part := range found {
		for m, a := range part {
			all[m] = obligation{nodes: all[m].nodes + a.nodes, received: all[m].received || a.received}
		}
	}
	return f.bad(all, len(c.members), c.moves)
}

// bad returns the messages that a run through nodes nodes puts off for ever, sorted, so
// that their order is the same in each run of the program.
func (f *components) bad(all obligations, nodes int, moves bool) (bad []envelope) {
	for m, a := range all {
		if !a.received && (a.nodes == nodes || f.strict()) && (!moves || !m.timed) {
			bad = append(bad, m)
		}
	}
	slices.SortFunc(bad, func(a, b envelope) int {
		return cmp.Or(cmp.Compare(a.to, b.to), cmp.Compare(a.message, b.message))
	})
	return bad
}

// enables reports whether a message can be received in a node.
func (g *Graph) enables(n uint32, m envelope) bool {
	for e, end := g.Edges(n); e < end; e++ {
		if other, is := g.received(e); is && other == m {
			return true
		}
	}
	return false
}

// putOff returns the messages that a run round a cycle puts off for ever.
func (f *components) putOff(cycle []uint32, moves bool) []envelope {
	if f.g.delivery == lts.AnyDelivery {
		return nil
	}
	all := obligations{}
	for i, n := range cycle {
		next := cycle[(i+1)%len(cycle)]
		all.enter(f.g, n, func(to uint32) bool { return to == next && len(cycle) > 1 })
	}
	return f.bad(all, len(cycle), moves)
}

// settled reports whether an edge from a node ends the wait of a message: the step receives it
// or, unless delivery is strict, leads to a node where the message cannot be received.
func (f *components) settled(from, edge uint32, m envelope) bool {
	to := f.g.To[edge]
	if !f.strict() && !f.g.enables(to, m) {
		return true
	}
	for e, end := f.g.Edges(from); e < end; e++ {
		if other, is := f.g.received(e); is && other == m && f.g.leadsInside(e) && f.g.To[e] == to {
			return true
		}
	}
	return false
}
