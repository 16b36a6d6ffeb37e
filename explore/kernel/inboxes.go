package kernel

import (
	"slices"

	"github.com/atmostk/atmostk/model/protocol"
)

// Inboxes: envelopes that can be received next, that arrive, that are cut off.

// fillDeliveries finds out which envelopes of an inbox can be received next.
func (sp *space) fillDeliveries(p protocol.Proc, inbox uint32) {
	t := &sp.procs[p]
	content := t.inboxes.at(inbox)
	f := &sp.Faults
	if f.Moves() {
		t.failing = upTo(t.failing, inbox)
		t.failing[inbox] = sp.deliveries(p, inbox, false, func(i int) bool {
			return f.Concerns(t.senders[content[i]], p)
		})
	}
	if f.Split != 0 {
		t.inside = upTo(t.inside, inbox)
		t.inside[inbox] = sp.deliveries(p, inbox, true, func(i int) bool {
			return !f.Crosses(t.senders[content[i]], p)
		})
	}
	t.inboxRows[inbox].delivers = sp.deliveries(p, inbox, true, func(int) bool { return true })
}

// upTo returns a table with room for entry i.
func upTo[T any](table []T, i uint32) []T {
	for len(table) <= int(i) {
		table = append(table, *new(T))
	}
	return table
}

// deliveries adds a list of the envelopes of an inbox that can be received next and for
// which is holds. A list of receipts knows which envelopes are followed, another one the senders only.
func (sp *space) deliveries(p protocol.Proc, inbox uint32, receipts bool, is func(i int) bool) span {
	t := &sp.procs[p]
	first := uint32(len(t.deliveries))
	for i := range t.inboxes.at(inbox) {
		envelopes := t.inboxes.at(inbox)
		if !sp.deliverable(t, envelopes, i) || !is(i) {
			continue
		}
		sp.scratch = append(append(sp.scratch[:0], envelopes[:i]...), envelopes[i+1:]...)
		d := delivery{envelopes[i], sp.inbox(p, sp.scratch), t.senders[envelopes[i]]}
		if receipts && sp.followed(t, envelopes, i) {
			d.from = protocol.MaxProcs
		}
		t.deliveries = append(t.deliveries, d)
	}
	return span{first, uint32(len(t.deliveries)) - first}
}

// deliverable reports whether envelope i of an inbox may be received next, and is not an equal
// copy of an earlier one that may.
func (sp *space) deliverable(t *tables, envelopes []uint32, i int) bool {
	keeps := sp.Channel == protocol.FIFO
	return !slices.ContainsFunc(envelopes[:i], func(earlier uint32) bool {
		return keeps && t.senders[earlier] == t.senders[envelopes[i]] || earlier == envelopes[i]
	})
}

// followed reports whether envelope i, which is deliverable, is not the last that its sender sent.
func (sp *space) followed(t *tables, envelopes []uint32, i int) bool {
	keeps := sp.Channel == protocol.FIFO
	return keeps && slices.ContainsFunc(envelopes[i+1:], func(later uint32) bool {
		return t.senders[later] == t.senders[envelopes[i]]
	})
}

// arrived returns the inbox of p after the arrival of a group in another.
func (sp *space) arrived(p protocol.Proc, inbox, group uint32) uint32 {
	t := &sp.procs[p]
	sp.scratch = append(sp.scratch[:0], t.inboxes.at(inbox)...)
	for _, envelope := range t.groups.at(group) {
		if envelope&cutMark == 0 {
			sp.scratch = append(sp.scratch, envelope)
			continue
		}
		sp.scratch = slices.DeleteFunc(sp.scratch, func(known uint32) bool {
			return t.senders[known] == protocol.Proc(envelope&^cutMark)
		})
	}
	return sp.inbox(p, sp.scratch)
}

// cutMark is set in the element of a group that stands for no envelope, but cuts off all that
// the process whose number is in the other bits has under way.
const cutMark = 1 << 31

// address turns what an outcome sends and cuts off into a list of sendings, one for each
// living target.
func (sp *space) address(from protocol.Proc, o *protocol.Outcome, dead protocol.Set) (first uint32, n uint8) {
	if len(o.Sent) == 0 && o.Cut == 0 {
		return 0, 0
	}
	sp.key = sp.key[:0]
	for to := range protocol.Proc(len(sp.procs)) {
		if dead.Has(to) {
			continue
		}
		sp.scratch = sp.scratch[:0]
		if o.Cut.Has(to) {
			sp.scratch = append(sp.scratch, cutMark|uint32(from))
		}
		for i := range o.Sent {
			if s := &o.Sent[i]; s.To == to {
				sp.scratch = append(sp.scratch, sp.envelope(to, from, s.Message))
			}
		}
		if len(sp.scratch) > 0 {
			sp.key = append(sp.key, uint32(to), sp.procs[to].groups.of(sp.scratch))
		}
	}
	number := sp.sendingLists.of(sp.key)
	if int(number) == len(sp.sendingFirst) { // it is new
		sp.sendingFirst = append(sp.sendingFirst, uint32(len(sp.sendings)))
		for i := 0; i < len(sp.key); i += 2 {
			sp.sendings = append(sp.sendings, sending{sp.key[i], sp.key[i+1]})
		}
	}
	return sp.sendingFirst[number], uint8(len(sp.key) / 2)
}
