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
			key := uint64(q.inbox+1)<<32 | uint64(d.envelope)
			twice, ok := q.procTables.copies.get(key)
			if !ok {
				if !c.filled(copyEntry, q.proc, uint64(q.inbox), uint64(d.envelope)) {
					return false
				}
				twice, _ = q.procTables.copies.get(key)
			}
			rest = uint32(twice)
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

// breakLinks breaks the links to a process that crashes, in rec, of hash h.
func (c *stepper) breakLinks(rec *[maxRecord]uint32, h hash, gone *view) (hash, bool) {
	for p := range c.n {
		q := &c.views[p&procMask]
		if q == gone || q.inbox == dead {
			continue
		}
		key := uint64(q.local+1)<<8 | uint64(gone.proc)
		after, ok := q.procTables.broken.get(key)
		if !ok {
			if !c.filled(brokenEntry, uint32(p), uint64(q.local), uint64(gone.proc)) {
				return h, false
			}
			after, _ = q.procTables.broken.get(key)
		}
		h = q.localSlot.change(rec, h, q.local, uint32(after))
	}
	return h, true
}
