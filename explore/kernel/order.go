package kernel

import "github.com/atmostk/atmostk/model/protocol"

// loadTimes counts the different times in the state at hand.
func (c *stepper) loadTimes() {
	var all protocol.Order
	for p := range c.n {
		q := &c.views[p&procMask]
		if q.inbox != dead {
			all.Stamps |= q.procTables.localTimes[q.local].Order.Stamps |
				q.procTables.inboxTimes[q.inbox].Order.Stamps
		}
	}
	c.times = uint8(all.Count())
}

// rank gives rec, the newest record, the times that it is stored with, where they count by their order only.
// It takes it out of the state space if it is out of bounds, or if the constraint rejects it. It returns
// false if the tables lack something.
func (c *stepper) rank(rec []uint32, all *timing, rejected bool) bool {
	beyond := c.m.limits.exceeded(all)
	if beyond && !rejected {
		c.beyond++
	}
	if !beyond {
		all.Order.Check("")
	}
	if all.Order.Count() <= protocol.MaxTimes && !all.Order.Canonical() {
		c.b.Shifted = append(c.b.Shifted, uint32(c.b.Len()-1))
		if !c.shift(rec, all.Order.Stamps) {
			return false
		}
	}
	if beyond || rejected {
		c.b.moveOutside()
	}
	return true
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
