package explore

import (
	"slices"

	"github.com/atmostk/atmostk/explore/kernel"
	"github.com/atmostk/atmostk/model"
)

// Fairness to messages is not a matter of labels: in a bag, of two messages of one
// sender one could be put off for ever. So components that meet all other conditions
// are gone through once more, message by message. In a component that moves times,
// runs can go round so that times grow beyond all bounds, and then no message with
// a time stays under way for ever: it would fall behind all others.

// An account says of a message in how many nodes of a component it can be received,
// and whether it is received in a step inside.
type account struct {
	nodes    int
	received bool
}

// sort decides about the components whose messages were not looked at.
func (st *streett) sort() {
	for _, c := range st.posted {
		st.s.tick(0)
		bad := st.waiting(c)
		switch {
		case len(bad) == 0:
			st.accept(c.members)
		case st.strict():
			for _, n := range c.members {
				if !st.enables(n, bad) {
					st.again = append(st.again, n)
				}
			}
		}
	}
	st.posted = st.posted[:0]
}

// strict reports whether a message that can be received again and again has to be.
func (st *streett) strict() bool { return st.delivery == model.StrongDelivery }

// waiting returns the messages that a component puts off for ever.
func (st *streett) waiting(c component) (bad []kernel.Mail) {
	const size = 1 << 12
	parts := make([]map[kernel.Mail]account, (len(c.members)+size-1)/size)
	st.s.workers.run(len(parts), func(w, i int) {
		st.s.tick(0)
		parts[i] = map[kernel.Mail]account{}
		office := office{st, st.s.cursors[w], kernel.Batch{}, nil}
		for _, n := range c.members[i*size : min(len(c.members), (i+1)*size)] {
			office.enter(n, parts[i], func(to uint32) bool { return st.number[to] == st.number[n] })
		}
	})
	all := map[kernel.Mail]account{}
	for _, part := range parts {
		for m, a := range part {
			all[m] = account{all[m].nodes + a.nodes, all[m].received || a.received}
		}
	}
	return st.bad(all, len(c.members), c.moves)
}

// bad returns the messages that are put off for ever by a run through so many
// nodes, in an order that depends on nothing else.
func (st *streett) bad(all map[kernel.Mail]account, nodes int, moves bool) (bad []kernel.Mail) {
	for m, a := range all {
		if !a.received && (a.nodes == nodes || st.strict()) && (!moves || !m.Timed) {
			bad = append(bad, m)
		}
	}
	slices.SortFunc(bad, func(a, b kernel.Mail) int {
		return int(a.Proc)<<32 - int(b.Proc)<<32 + int(a.Letter) - int(b.Letter)
	})
	return bad
}

// An office looks at what can be received in nodes.
type office struct {
	st    *streett
	c     *checker
	batch kernel.Batch
	mail  []kernel.Mail
}

// enter notes in accounts what can be received in a node, and what is by a step to
// a node that counts as inside.
func (o *office) enter(n uint32, accounts map[kernel.Mail]account, inside func(to uint32) bool) {
	v := o.st.s.vector(o.st.g.base, n)
	o.mail = o.c.messages().Mail(v, o.mail[:0])
	for _, m := range o.mail {
		enabled, received := o.receive(v, m, inside)
		if enabled {
			a := accounts[m]
			accounts[m] = account{a.nodes + 1, a.received || received}
		}
	}
}

// receive reports whether a message can be received in a state, and whether a step
// that does it leads inside.
func (o *office) receive(v []uint32, m kernel.Mail, inside func(to uint32) bool) (enabled, received bool) {
	b := &o.batch
	b.Reset(o.st.s.width)
	o.c.messages().Receive(v, m, b)
	enabled = b.Outside.Len()+len(b.Pruned) > 0
	for i := range b.Len() {
		if !slices.Equal(v, b.At(i)) {
			enabled = true
			received = received || inside(o.st.s.node(o.st.g.base, b.At(i), b.Hash(i)))
		}
	}
	return enabled, received
}

// enables reports whether one of some messages can be received in a node.
func (st *streett) enables(n uint32, mail []kernel.Mail) bool {
	o := office{st, st.s.cursors[0], kernel.Batch{}, nil}
	accounts := map[kernel.Mail]account{}
	o.enter(n, accounts, func(uint32) bool { return false })
	return slices.ContainsFunc(mail, func(m kernel.Mail) bool { return accounts[m].nodes > 0 })
}

// postedOff returns the messages that are put off for ever by going round a cycle.
func (st *streett) postedOff(cycle []uint32, moves bool) []kernel.Mail {
	if st.delivery == model.AnyDelivery {
		return nil
	}
	o := office{st, st.s.cursors[0], kernel.Batch{}, nil}
	accounts := map[kernel.Mail]account{}
	for i, n := range cycle {
		next := cycle[(i+1)%len(cycle)]
		o.enter(n, accounts, func(to uint32) bool { return to == next && len(cycle) > 1 })
	}
	return st.bad(accounts, len(cycle), moves)
}

// settled reports whether a step from one node to another ends a message's wait: it
// receives it, or leads where it cannot be received, if that is enough.
func (st *streett) settled(from, to uint32, m kernel.Mail) bool {
	if !st.strict() && !st.enables(to, []kernel.Mail{m}) {
		return true
	}
	o := office{st, st.s.cursors[0], kernel.Batch{}, nil}
	v := st.s.vector(st.g.base, from)
	if !slices.Contains(o.c.messages().Mail(v, nil), m) {
		return false
	}
	_, received := o.receive(v, m, func(n uint32) bool { return n == to })
	return received
}
