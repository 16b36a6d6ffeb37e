package kernel

import (
	"errors"
	"slices"

	"github.com/atmostk/atmostk/model/protocol"
)

// errExhausted ends a search in which a handler asks for a number and all are in use.
var errExhausted = errors.New(
	"a handler asks for a fresh number, and all numbers from 1 to 63 are in use")

// fill fills an entry of the tables in.
func (sp *space) fill(m entry) {
	t := &sp.procs[m.proc]
	switch m.kind {
	case memoEntry:
		sp.fillMemo(m)
	case deliveriesEntry:
		sp.fillDeliveries(m.proc, m.a)
	case arrivalEntry:
		t.arrivals.put(&t.inboxRows[m.a].arrives, m.b, sp.arrived(m.proc, m.a, m.b))
	case historyEntry:
		sp.successor.put(m.a, m.b, sp.fillHistory(m.a, sp.events.values[m.b]))
		sp.filled = append(sp.filled, filledEntry{entry: m})
	case copyEntry:
		sp.scratch = append(sp.scratch[:0], t.inboxes.at(m.a)...)
		i := slices.Index(sp.scratch, m.b) // the first that can be received
		t.copies.put(m.a, m.b, sp.inbox(m.proc, slices.Insert(sp.scratch, i, m.b)))
	case brokenEntry:
		after := sp.protocol.Break(m.proc, m.a, protocol.Proc(m.b))
		t.broken.put(m.a, m.b, sp.local(m.proc, after))
	case shiftedLocalEntry:
		after := sp.protocol.ShiftLocal(m.proc, m.a, m.b)
		t.shiftedLocals.put(m.a, m.b, sp.local(m.proc, after))
	case shiftedInboxEntry:
		t.shiftedInboxes.put(m.a, m.b, sp.shiftedInbox(m.proc, m.a, m.b))
	case receiptEntry:
		decided := sp.movers.decide(m)
		sp.memos(m.proc, m.in).receipts.put(m.a, m.b, decided)
		m.b++
		sp.kept = append(sp.kept, m)
	case endlessEntry:
		if m.b++; !slices.Contains(sp.kept, m) {
			sp.kept = append(sp.kept, m)
			sp.movers.lowerOf(m, endlessAnswers)
		}
	case imageEntry:
		sp.rename(int(m.a), m.b)
	}
}

// shiftedInbox returns the inbox of p with the messages of another after all their times were moved back.
func (sp *space) shiftedInbox(p protocol.Proc, inbox, by uint32) uint32 {
	t := &sp.procs[p]
	var envelopes []uint32
	for _, envelope := range t.inboxes.at(inbox) {
		envelopes = append(envelopes, sp.envelope(p, t.senders[envelope], sp.protocol.ShiftMessage(p,
			envelope, by)))
	}
	return sp.inbox(p, envelopes)
}

// numberFaults numbers what the channel adversary can do.
func (sp *space) numberFaults() {
	f := &sp.decl.Medium.Faults
	for i, x := range f.List() {
		event := sp.numberOf(occurrence{fault: x})
		known := knownFault{fault: x, ordinary: x.Kind() == protocol.Ordinary,
			action: uint16(sp.decl.FaultAction + i), event: event + 1}
		switch x {
		case protocol.BreakFault: // a step of the process whose link it is
		case protocol.Loss, protocol.Copy:
			sp.ofMessages = append(sp.ofMessages, known)
		default:
			sp.ofNetwork = append(sp.ofNetwork, known)
		}
	}
}

// fillHistory returns what becomes of a history after an event, as it stands in successor.
func (sp *space) fillHistory(history uint32, o occurrence) uint32 {
	h, m := sp.histories.values[history], &sp.decl.Medium
	end := len(h) - protocol.RecordBytes
	r := protocol.RecordOf([]byte(h[end:]))
	if o.Crash && m.Recovers {
		if int(r.Crashes) >= m.Crashes {
			return impossible
		}
		r.Crashes++
	}
	if !r.Inject(o.fault, &m.Faults) {
		return impossible
	}
	sp.bytes = append(sp.bytes[:0], h[:end]...)
	if m.History && (o.Note != 0 || o.Crash) {
		next, kept := sp.protocol.After(history, o.Event)
		if !kept {
			return excluded
		}
		sp.bytes = append(sp.bytes[:0], next...)
	}
	return sp.past(append(sp.bytes, r.Bytes()...)) << 2
}

// fillMemo asks the model for the steps of a process at a new memo key.
func (sp *space) fillMemo(m entry) {
	sp.memoKey, sp.found = m.memoKey(), sp.found[:0]
	sp.protocol.Steps(sp.memoKey, sp)
	tr := transition{kind: noTransitions}
	switch n := len(sp.found); n {
	case 0:
	case 1:
		tr = sp.found[0]
		tr.kind |= lastTransition
	default:
		tr = transition{uint32(len(sp.transitions)), transitionList}
		sp.found[n-1].kind |= lastTransition
		sp.transitions = append(sp.transitions, sp.found...)
	}
	s := &sp.memoKey
	sp.memos(s.Proc, s.Context).put(s.Local, s.Message, tr)
	sp.filled = append(sp.filled, filledEntry{entry: m})
	if sp.movers != nil {
		for _, pair := range sp.movers.procs[m.proc].of[m.a] {
			sp.movers.todo = append(sp.movers.todo, lagging{pair, m})
		}
	}
	if sp.movers != nil || sp.decl.Forgets { // it is asked of merged states, and before movers
		l := sp.procs[m.proc].merging(m.a)
		sp.kept, l.memos = append(sp.kept, m), append(l.memos, uint32(len(sp.kept)))
	}
}

// Add takes an outcome of the memo key that is new.
func (sp *space) Add(o *protocol.Outcome) { sp.found = append(sp.found, sp.transition(&sp.memoKey, o)) }

// transition puts an outcome of a memo key into numbers.
func (sp *space) transition(s *protocol.MemoKey, o *protocol.Outcome) transition {
	e, local := sp.effect(s, o)
	return transition{local, transitionKind(sp.effects.of(e, e.hash()) << 2)}
}

// effect returns the effect of an outcome, and the local state after it.
func (sp *space) effect(s *protocol.MemoKey, o *protocol.Outcome) (e effect, local uint32) {
	p, dead := s.Proc, deadAfter(s, o)
	sp.exhausted = sp.exhausted || o.Exhausted
	label := protocol.Label{Action: o.Action, Proc: uint8(p), Peer: uint8(o.Peer)}
	e, local = effect{label: label.Word()}, sp.after(p, o)
	if o.Crash {
		e.flags |= crashes
	} else if o.Ordinary {
		e.flags |= ordinary
	}
	if sp.procs[p].outside[local] {
		e.flags |= outside
	}
	e.firstSending, e.sendings = sp.address(p, o, dead)
	if len(o.Sent) > 0 {
		e.charges = sp.chargesOf(o, dead)
	}
	if o.Revives {
		e.tag = tagSuspect // more processes live
	} else {
		e.units = -sp.units(p, s.Local)
	}
	if !o.Crash {
		e.units += sp.units(p, local)
	}
	if !o.Crash && !o.Revives && !sp.settles && !sp.Links && len(sp.procs) <= fewProcs {
		heard, many := protocol.Set(0), false // many: more than one envelope to one of them
		for _, sent := range sp.sendings[e.firstSending:][:e.sendings] {
			heard = heard.With(protocol.Proc(sent.to))
			many = many || len(sp.procs[sent.to].groups.at(sent.group)) > 1
		}
		e.tag = SleepTag(heard)<<tagHeard | SleepTag(p)
		if many {
			e.tag |= tagMany
		}
	}
	noted := sp.decl.Medium.History && (o.Note != 0 || o.Crash)
	if noted || (sp.Links || sp.Recovers) && o.Crash || o.Fault != protocol.NoFault {
		is := protocol.Event{Proc: p, Note: o.Note, Crash: o.Crash, Dead: dead}
		event := sp.numberOf(occurrence{is, o.Fault})
		e.event = event + 1
		e.flags |= eventful
		e.tag |= tagNoted
	}
	return e, local
}

func (sp *space) numberOf(o occurrence) uint32 {
	return sp.events.of(o, hashWords([]uint32{uint32(o.Proc), o.Note, uint32(o.Dead), uint32(o.fault)}))
}

// after returns the number of the local state of p after an outcome.
func (sp *space) after(p protocol.Proc, o *protocol.Outcome) uint32 {
	if o.Known > 0 {
		return o.Known - 1
	}
	return sp.local(p, o.Local)
}

// deadAfter returns the dead processes after an outcome.
func deadAfter(s *protocol.MemoKey, o *protocol.Outcome) protocol.Set {
	switch {
	case o.Crash: // perhaps inside its recovery
		return s.Dead.With(s.Proc)
	case o.Revives:
		return s.Dead.Without(s.Proc)
	}
	return s.Dead
}

// chargesOf returns the number of what an outcome costs, where some are dead after it.
func (sp *space) chargesOf(o *protocol.Outcome, dead protocol.Set) uint32 {
	owners := sp.bytes[:0]
	for i := range o.Sent {
		if s := &o.Sent[i]; !dead.Has(s.To) {
			owners = append(owners, byte(s.Owner))
		}
	}
	sp.bytes = owners
	slices.Sort(owners)
	if id, known := sp.owners.find(owners); known {
		return id
	}
	var c protocol.Charges
	for _, p := range owners {
		c.Add(protocol.Proc(p))
	}
	sp.charges = append(sp.charges, c)
	return sp.owners.add(owners)
}
