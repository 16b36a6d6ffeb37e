package kernel

import "github.com/atmostk/atmostk/model/protocol"

// What a stepper does where channels fail and links break.

// A knownFault is what the channel adversary can do, in numbers.
type knownFault struct {
	fault    protocol.ChannelFault
	ordinary bool
	action   uint16
	event    uint32 // 1 + its number
}

// delivers returns the envelopes that a live process can receive next.
func (c *stepper) delivers(q *view) []delivery {
	list := q.procTables.inboxRows[q.inbox].delivers
	if c.apart {
		list = q.procTables.inside[q.inbox]
	}
	return q.procTables.deliveries[list.first:][:list.n]
}

// injectInbox adds the successors in which a message to a live process is lost or copied.
func (c *stepper) injectInbox(q *view) bool {
	for f, d := range c.inboxFaults(q) {
		rest := d.rest
		if f.fault == protocol.Copy {
			var ok bool
			rest, ok = c.lookedUp(&q.procTables.copies, copyEntry, int(q.proc), q.inbox, d.envelope)
			if !ok {
				return false
			}
		}
		e := f.effect(q.proc, d.from)
		if !c.fire(q, &e, q.local, rest, false) {
			return false
		}
	}
	return true
}

// inboxFaults yields the faults of the messages to a process.
func (c *stepper) inboxFaults(q *view) func(yield func(*knownFault, *delivery) bool) {
	return func(yield func(*knownFault, *delivery) bool) {
		list := q.procTables.failing[q.inbox]
		for i := list.first; i < list.first+list.n; i++ {
			for k := range c.m.ofMessages {
				if !yield(&c.m.ofMessages[k], &q.procTables.deliveries[i]) {
					return
				}
			}
		}
	}
}

// injectNetwork adds the successors in which the network is split, or whole again.
func (c *stepper) injectNetwork() bool {
	for k := range c.m.ofNetwork {
		q := &c.views[0]
		e := c.m.ofNetwork[k].effect(0, 0)
		if !c.fire(q, &e, q.local, q.inbox, false) {
			return false
		}
	}
	return true
}

// effect returns the effect of a fault of the channel from one process to another.
func (f *knownFault) effect(to uint32, from protocol.Proc) effect {
	l := protocol.Label{Action: f.action, Proc: uint8(to), Peer: uint8(from)}
	e := effect{label: l.Word(), event: f.event, flags: eventful}
	if f.ordinary {
		e.flags |= ordinary
	}
	return e
}

// breakLinks breaks the links to a process that crashes, in rec, of hash h and with a tag: the units that
// others use may depend on their links.
func (c *stepper) breakLinks(rec *[maxRecord]uint32, h hash, gone *view, tag SleepTag) (
	hash, SleepTag, bool) {
	for p := range c.n {
		q := &c.views[p&procMask]
		if q == gone || q.inbox == dead {
			continue
		}
		after, ok := c.lookedUp(&q.procTables.broken, brokenEntry, p, q.local, gone.proc)
		if !ok {
			return h, tag, false
		}
		h = q.localSlot.change(rec, h, q.local, after)
		tag += SleepTag(c.m.units(protocol.Proc(p), after)-c.m.units(protocol.Proc(p), q.local)) << tagUse
	}
	return h, tag, true
}
