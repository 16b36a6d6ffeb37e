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
