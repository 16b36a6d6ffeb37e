package kernel

import (
	"fmt"
	"slices"
	"strings"

	"github.com/atmostk/atmostk/model/protocol"
)

// The parts of states, which get numbers as they come up.

// local returns the number of a local state of p.
func (sp *space) local(p protocol.Proc, local []byte) uint32 {
	if id, known := sp.procs[p].locals.find(local); known {
		return id
	}
	if sp.decl.Forgets {
		return sp.normalForm(p, local)
	}
	return sp.newLocal(p, local)
}

// newLocal gives a number to a local state of p that has none. It has none either if what the
// model says of it fails.
func (sp *space) newLocal(p protocol.Proc, local []byte) uint32 {
	t := &sp.procs[p]
	id := uint32(len(t.locals.values))
	is := sp.protocol.NewLocal(p, id, local)
	marked := mark(min(is.Units, int(countedUnits)))
	if is.Broken {
		marked |= broken
	}
	if marked > sp.maxHeld {
		sp.markNeedsCheck(true)
	}
	t.outside, t.localMarks = append(t.outside, is.Outside), append(t.localMarks, marked)
	if sp.Links {
		t.localTraces = append(t.localTraces, is.Trace)
	}
	if sp.settles {
		t.localTimes = append(t.localTimes, timing{Times: is.Times, beyond: is.Beyond})
	}
	t.locals.add(local)
	m := entry{kind: localEntry, proc: p, a: id, b: uint32(len(sp.facts))}
	sp.filled = append(sp.filled, filledEntry{entry: m})
	sp.facts = append(sp.facts, is)
	sp.name(int(p), is.Named)
	return id
}

// envelope returns the number of a message to p.
func (sp *space) envelope(p, from protocol.Proc, message []byte) uint32 {
	t := &sp.procs[p]
	sp.bytes = append(append(sp.bytes[:0], byte(from)), message...)
	if id, known := t.envelopes.find(sp.bytes); known {
		return id
	}
	is := sp.protocol.NewMessage(p, uint32(len(t.senders)), protocol.Envelope{From: from,
		Message: sp.bytes[1:]})
	t.senders = append(t.senders, from)
	if sp.Links {
		t.traces = append(t.traces, is.Trace)
	}
	if sp.settles {
		t.times = append(t.times, is.Times)
	}
	id := t.envelopes.add(sp.bytes)
	sp.name(2*len(sp.procs)+int(p), is.Named)
	if sp.Order {
		sp.addRanked(p, id, is.Times.Order.Stamps)
	}
	return id
}

// inbox returns the number of the inbox of p with the given envelopes.
func (sp *space) inbox(p protocol.Proc, envelopes []uint32) uint32 {
	t := &sp.procs[p]
	switch {
	case sp.Channel == protocol.Bag && sp.movers != nil: // the first mover is received first
		slices.SortFunc(envelopes, func(a, b uint32) int {
			return strings.Compare(t.envelopes.values[a], t.envelopes.values[b])
		})
	case sp.Channel == protocol.Bag:
		slices.Sort(envelopes)
	default:
		slices.SortStableFunc(envelopes,
			func(a, b uint32) int { return int(t.senders[a]) - int(t.senders[b]) })
	}
	if id, known := t.inboxes.find(envelopes); known {
		return id
	}
	if sp.protocol.NewInbox(p, uint32(len(t.inboxes.values)), envelopes) {
		sp.markNeedsCheck(true)
	}
	sp.enterInbox(t, envelopes)
	var named protocol.Set
	for i := 0; sp.symmetry != nil && i < len(envelopes); i++ {
		named |= sp.symmetry.named[2*len(sp.procs)+int(p)][envelopes[i]]
	}
	sp.name(sp.inboxSlot(p), named)
	return t.inboxes.add(bytesOf(envelopes))
}

// enterInbox enters a new inbox in the tables.
func (sp *space) enterInbox(t *tables, envelopes []uint32) {
	if sp.Links {
		var all protocol.Trace
		for _, envelope := range envelopes {
			all.Merge(&t.traces[envelope])
		}
		t.inboxTraces = append(t.inboxTraces, all)
	}
	if sp.settles {
		all := timing{Times: protocol.NoTimes(), envelopes: uint32(len(envelopes))}
		for _, envelope := range envelopes {
			all.Merge(t.times[envelope])
		}
		t.inboxTimes = append(t.inboxTimes, all)
	}
	t.inboxRows = append(t.inboxRows, inboxRows{delivers: unknown})
}

// past returns the number of a history, with its record behind it.
func (sp *space) past(h []byte) uint32 {
	if id, known := sp.histories.find(h); known {
		return id
	}
	end := len(h) - protocol.RecordBytes
	r := protocol.RecordOf(h[end:])
	sp.protocol.NewHistory(uint32(len(sp.histories.values)), h[:end], r)
	sp.apart = append(sp.apart, r.Partition == protocol.Parted)
	return sp.histories.add(h)
}

// number returns the numbers of a state.
func (sp *space) number(s protocol.Initial) []uint32 {
	numbers := make([]uint32, 2*len(sp.procs)+1)
	for p := range protocol.Proc(len(sp.procs)) {
		numbers[p] = sp.local(p, s.Locals[p])
		if s.Dead.Has(p) {
			numbers[sp.inboxSlot(p)] = dead
			continue
		}
		var envelopes []uint32
		for _, e := range s.Inboxes[p] {
			envelopes = append(envelopes, sp.envelope(p, e.From, e.Message))
		}
		numbers[sp.inboxSlot(p)] = sp.inbox(p, envelopes)
	}
	numbers[sp.historySlot()] = sp.past(append(slices.Clone(s.History), protocol.Record{}.Bytes()...))
	return numbers
}

// fits reports whether a slot has room for so many numbers.
func (sp *space) fits(slot, numbers int) bool { return numbers-1 <= int(sp.layout.slots[slot].Mask) }

func (sp *space) Tight() bool {
	for slot := range sp.codes {
		if n := sp.known(slot); !sp.fits(slot, n+n/16) {
			return true
		}
	}
	return false
}

func (sp *space) Outgrown() (grow bool, err error) {
	grow = !sp.fits(sp.historySlot(), len(sp.histories.values))
	for p := range sp.procs {
		t, inbox := &sp.procs[p], sp.inboxSlot(protocol.Proc(p))
		grow = grow || !sp.fits(p, len(t.locals.values)) || !sp.fits(inbox, len(t.inboxes.values))
		if len(t.locals.values) > maxLocals || len(t.envelopes.values) > maxEnvelopes {
			err = fmt.Errorf("%s has more than %d local states or %d messages to receive", sp.decl.Names[p],
				maxLocals, maxEnvelopes)
		}
	}
	if sp.exhausted {
		err = errExhausted
	}
	return grow, err
}

// Local states that have the same normal form are taken for one, where the protocol declares how it
// forgets. That is right if no event distinguishes them: whatever happens to one of them happens to the
// other, sends the same and leads to the same normal form. This is verified: each question about
// a normal form is asked about every local state merged into it too, and a local state to which one
// of these is led is merged, and asked, in turn. See docs/decisions/05-reductions.md for the proof.

// mergedEntry is the kind of a local state that was merged: a is its normal form.
const mergedEntry entryKind = localEntry + 1

// maxMerged is how many local states are merged into one before it is taken that there is no end of them.
const maxMerged = 4096

// A merging has the local states with one normal form.
type merging struct {
	memos  []uint32 // of the normal form, by number in kept, in the order in which they came up
	states []uint32 // the others, by number among those merged
	// How many of these were verified. A memo key is asked of all states that were before it, a state of
	// all memo keys.
	verifiedMemos, verifiedStates int
}

// normalForm returns the number of the normal form of a local state of p that is not known.
func (sp *space) normalForm(p protocol.Proc, local []byte) uint32 {
	t := &sp.procs[p]
	compared, normal := sp.protocol.Forget(p, local)
	id, known := t.locals.find(normal)
	if !known {
		id = sp.newLocal(p, normal)
	}
	if _, known := t.merged.find(compared); !known && string(normal) != string(compared) {
		sp.merge(p, compared, id)
	}
	return id
}

// merge takes a local state of p for another one, its normal form.
func (sp *space) merge(p protocol.Proc, local []byte, normal uint32) {
	t := &sp.procs[p]
	id := uint32(len(t.merged.values))
	sp.protocol.Merge(p, protocol.Merged+id, local, normal)
	t.merged.add(local)
	m := t.merging(normal)
	if len(m.states) == maxMerged {
		sp.protocol.MergesOn(p, protocol.Merged+id)
	}
	x := entry{kind: mergedEntry, proc: p, a: normal}
	m.states = append(m.states, id)
	sp.filled = append(sp.filled, filledEntry{entry: x, cause: sp.cause})
}

// merging returns the local states with a normal form.
func (t *tables) merging(normal uint32) *merging {
	t.mergings = upTo(t.mergings, normal)
	return &t.mergings[normal]
}

// recheckMerged asks about the next memo key of a normal form for each local state merged before it.
func (sp *space) recheckMerged(s protocol.MemoKey) {
	m := sp.procs[s.Proc].merging(s.Local)
	m.verifiedMemos++
	for _, state := range m.states[:m.verifiedStates] { // to ask may merge more, and asks that later
		sp.recheckSteps(s, protocol.Merged+state)
	}
}

// recheckAll asks about the next local state merged into another in all memo keys that came up before it.
func (sp *space) recheckAll(p protocol.Proc, normal uint32) {
	m := sp.procs[p].merging(normal)
	state := protocol.Merged + m.states[m.verifiedStates]
	m.verifiedStates++
	for i := range m.verifiedMemos {
		x := sp.kept[sp.procs[p].merging(normal).memos[i]] // to ask may merge more
		sp.recheckSteps(x.memoKey(), state)
	}
}
