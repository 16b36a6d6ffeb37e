package kernel

import "github.com/atmostk/atmostk/model/protocol"

// maxAtOnce is the number of receipts in one step after which it is taken that there is no end of them.
const maxAtOnce = 1 << 10

// complete brings rec, the newest record, into the form in which it is stored. It returns false if the tables
// lack something.
func (c *stepper) complete(rec []uint32, rejected bool) bool {
	if c.m.settles {
		return c.settle(rec, rejected)
	}
	if rejected {
		return true
	}
	if c.m.symmetry != nil {
		return c.represent(rec)
	}
	gone := protocol.Set(0)
	for p := range c.n {
		if c.views[p&procMask].inboxSlot.Get(rec) == dead {
			gone = gone.With(protocol.Proc(p))
		}
	}
	for n := 0; ; n++ {
		r := receiving{stepper: c, rec: rec, gone: gone}
		found, ok := r.next()
		switch {
		case !ok || !found:
			return ok && !c.again
		case n >= maxAtOnce: // the search begins again
			return c.fill != nil && c.fill(entry{endlessEntry, r.proc, r.local, r.envelope,
				protocol.Context{Dead: gone}})
		}
	}
}

// receiving receives a mover in a record in which some processes are dead.
type receiving struct {
	*stepper
	rec  []uint32
	gone protocol.Set
	// what was received, in which local state
	proc            protocol.Proc
	local, envelope uint32
}

// lacks fills in an entry of the tables that is missing, and reports whether the record cannot be completed.
func (r *receiving) lacks(kind entryKind, p int, a, b uint32) bool {
	x := entry{kind, protocol.Proc(p), a, b, protocol.Context{Dead: r.gone}}
	r.again = r.again || r.fill != nil
	return r.fill == nil || !r.fill(x)
}

// next receives the first mover that can be received. ok is false if the tables lack something. Once numbers
// outgrow the layout nothing can be read in the record, and it is thrown away.
func (r *receiving) next() (found, ok bool) {
	for p := range r.n {
		q := &r.views[p&procMask]
		if r.overflowed {
			return false, true
		}
		inbox := q.inboxSlot.Get(r.rec)
		if inbox == dead || inbox == emptyInbox {
			continue
		}
		if q.procTables.inboxRows[inbox].delivers == unknown && r.lacks(deliveriesEntry, p, inbox, 0) {
			return false, false
		}
		list := q.procTables.inboxRows[inbox].delivers
		for i := list.first; i < list.first+list.n && !r.overflowed; i++ {
			if found, ok = r.receive(q, inbox, q.procTables.deliveries[i]); found || !ok {
				return found, ok
			}
		}
	}
	return false, true
}

// receive receives an envelope if it is a mover.
func (r *receiving) receive(q *view, inbox uint32, d delivery) (found, ok bool) {
	p, local := int(q.proc), q.localSlot.Get(r.rec)
	code, known := r.memos(p).receipts.get(local, d.envelope)
	if !known {
		if r.lacks(receiptEntry, p, local, d.envelope) {
			return false, false
		}
		code, _ = r.memos(p).receipts.get(local, d.envelope)
	}
	if code == notAtOnce {
		return false, true
	}
	tr, known := r.row(p, local, d.envelope+1)
	idle, alsoKnown := r.row(p, local, 0)
	if !known || !alsoKnown {
		return false, false
	}
	for tr = range r.m.all(tr) { // several if it sends and may crash: the first does not crash
		break
	}
	e := &r.m.effects.values[tr.kind.effect()]
	for own := range r.m.all(idle) {
		crash := r.m.effects.values[own.kind.effect()].flags&crashes != 0
		if crash && e.sendings > 0 && !r.m.movers.MayCrash || !crash && code == atOnceIdle {
			return false, true
		}
	}
	r.proc, r.local, r.envelope = protocol.Proc(p), local, d.envelope
	r.received = append(r.received, protocol.LabelOf(e.label))
	h := hash(r.b.HashAt(len(r.b.Words) - r.b.Stride)) // rec is the newest
	h = q.localSlot.exchange(r.rec, h, local, tr.local)
	h = q.inboxSlot.exchange(r.rec, h, inbox, d.rest)
	for i := e.firstSending; i < e.firstSending+uint32(e.sendings) && !r.overflowed; i++ {
		to := r.m.sendings[i]
		slot := &r.views[to.to&procMask].inboxSlot
		before := slot.Get(r.rec)
		after := r.arrival(r.m.procTables[to.to].inboxRows[before].arrives, to, before)
		if after == nil {
			return false, false
		}
		h = slot.exchange(r.rec, h, before, after.value)
	}
	r.b.setHash(r.rec, h)
	return true, true
}

// memos returns what a process does where these are dead.
func (r *receiving) memos(p int) *memos {
	if i := r.m.contextNumber(protocol.Context{Dead: r.gone}); i > 0 {
		return r.m.procTables[p].memos[i-1]
	}
	return &memos{}
}

// row returns the transitions of a memo key, filled in if it is missing; false: it cannot be.
func (r *receiving) row(p int, local, message uint32) (tr transition, known bool) {
	for range 2 {
		memos := r.memos(p)
		at := memos.at(local)
		if message == 0 && at.idle.kind != 0 {
			return at.idle, true
		}
		if cell := memos.cells.probe(at.receiving, message-1); message > 0 && cell != nil {
			return cell.value, true
		}
		if r.lacks(memoEntry, p, local, message) {
			break
		}
	}
	return tr, false
}
