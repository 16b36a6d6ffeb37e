package kernel

import "github.com/atmostk/atmostk/model/protocol"

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
