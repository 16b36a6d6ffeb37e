package kernel

import "github.com/atmostk/atmostk/model/protocol"

// firstTime is the least time of a stored state.
const firstTime = 1

// A timing sums up the times in a local state or an inbox.
type timing struct {
	protocol.Times
	envelopes uint32 // in an inbox
	beyond    bool   // of a local state: it is beyond the bounds of the model
}

// merge adds the timing of another part of the state.
func (t *timing) merge(other *timing) {
	t.Merge(other.Times)
	t.envelopes += other.envelopes
	t.beyond = t.beyond || other.beyond
}

// settle moves all times of rec, the newest record, back so that the least is
// firstTime again, and takes it out of the state space if it is out of bounds, or if the
// constraint rejects it. It returns false if the tables lack something.
func (c *stepper) settle(rec []uint32, rejected bool) bool {
	if c.overflowed { // there are no numbers to be read in rec, and it is thrown away
		return true
	}
	all := timing{Times: protocol.NoTimes()}
	for p := range c.n {
		if inbox := c.views[p].inboxSlot.Get(rec); inbox != dead || c.m.Recovers {
			all.merge(&c.m.procTables[p].localTimes[c.views[p].localSlot.Get(rec)])
			all.merge(&c.m.procTables[p].inboxTimes[inbox])
		}
	}
	beyond := all.beyond || c.m.InFlight > 0 && all.envelopes > c.m.InFlight ||
		c.m.Skew > 0 && all.Least != protocol.NoTime && all.Greatest-all.Least > c.m.Skew
	by, moves := all.Least-firstTime, all.Least > firstTime && all.Least != protocol.NoTime
	switch {
	case c.m.Order:
		by, moves = all.rank(beyond)
	case all.Least < firstTime:
		panic(protocol.Mistake{Part: "Clocks",
			What: "a handler or a crash has made a time of 0, which stands for never"})
	}
	if moves {
		c.b.Shifted = append(c.b.Shifted, uint32(c.b.Len()-1))
		if !c.shift(rec, by) {
			return false
		}
	}
	if beyond && !rejected {
		c.beyond++
	}
	if beyond || rejected {
		c.b.moveOutside()
	}
	return true
}

// shift moves all times of a record back by d.
func (c *stepper) shift(rec []uint32, d uint32) bool {
	h := hash(c.b.HashAt(len(c.b.Words) - c.b.Stride)) // rec is the newest
	for p := range c.n {
		inbox := c.views[p].inboxSlot.Get(rec)
		if inbox == dead && !c.m.Recovers {
			continue
		}
		local := c.views[p].localSlot.Get(rec)
		l, ok := c.lookedUp(&c.m.procTables[p].shiftedLocals, shiftedLocalEntry, p, local, d)
		if !ok || c.overflowed {
			return ok
		}
		h = c.views[p].localSlot.exchange(rec, h, local, l)
		if inbox == dead {
			continue
		}
		i, ok := c.lookedUp(&c.m.procTables[p].shiftedInboxes, shiftedInboxEntry, p, inbox, d)
		if !ok || c.overflowed {
			return ok
		}
		h = c.views[p].inboxSlot.exchange(rec, h, inbox, i)
	}
	c.b.setHash(rec, h)
	return true
}

// loadTimes counts the different times in the state at hand.
func (c *stepper) loadTimes() {
	var all protocol.Order
	for p := range c.n {
		q := &c.views[p&procMask]
		if q.inbox != dead || c.m.Recovers {
			all.Stamps |= q.procTables.localTimes[q.local].Order.Stamps |
				q.procTables.inboxTimes[q.inbox].Order.Stamps
		}
	}
	c.times = uint8(all.Count())
}

// rank returns the stamps among which the times of a state are ranked, where they count by their order only,
// and whether that changes them.
func (t *timing) rank(beyond bool) (stamps uint32, moves bool) {
	if !beyond {
		t.Order.Check("")
	}
	return t.Order.Stamps, t.Order.Count() <= protocol.MaxTimes && !t.Order.Canonical()
}

// addRanked enters the message that stands for a new one with the given stamps where deliveries are compared:
// the same with its own stamps ranked. It is the same wherever they come to rank among the stamps of states.
func (sp *space) addRanked(p protocol.Proc, envelope, stamps uint32) {
	t := &sp.procs[p]
	for len(t.ranked) <= int(envelope) {
		t.ranked = append(t.ranked, envelope)
	}
	message := sp.protocol.ShiftMessage(p, envelope, stamps)
	t.ranked[envelope] = sp.envelope(p, t.senders[envelope], message)
}
