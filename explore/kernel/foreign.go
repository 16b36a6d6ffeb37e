package kernel

import (
	"encoding/binary"

	"github.com/atmostk/atmostk/model/protocol"
)

// Parts of states come from elsewhere, and go there, as canonical bytes, from which codes are made.

// Part returns the canonical bytes of the part of states that has a number in a slot.
func (sp *space) Part(slot int, id uint32) []byte {
	n := len(sp.procs)
	switch {
	case slot < n:
		return []byte(sp.procs[slot].locals.values[id])
	case slot < 2*n:
		return sp.inboxBytes(&sp.procs[slot-n], id)
	}
	return []byte(sp.histories.values[id])
}

// Intern returns the number in a slot of the part that has the given canonical bytes.
func (sp *space) Intern(slot int, part []byte) uint32 {
	n := len(sp.procs)
	switch {
	case slot < n:
		return sp.local(protocol.Proc(slot), part)
	case slot == sp.historySlot():
		return sp.past(part)
	case len(part) == 0:
		return dead
	}
	p := protocol.Proc(slot - n)
	var envelopes []uint32
	for b := part[1:]; len(b) > 0; {
		size, n := binary.Uvarint(b[1:])
		message := b[1+n:][:size]
		envelopes = append(envelopes, sp.envelope(p, protocol.Proc(b[0]), message))
		b = b[1+n+int(size):]
	}
	return sp.inbox(p, envelopes)
}

// Encode computes the codes of all parts that are known.
func (sp *space) Encode() {
	for slot := range sp.codes {
		if n := sp.known(slot); n > 0 {
			sp.codeOf(slot, uint32(n)-1)
		}
	}
}

// known is how many parts have a number in a slot.
func (sp *space) known(slot int) int {
	switch n := len(sp.procs); {
	case slot < n:
		return len(sp.procs[slot].locals.values)
	case slot < 2*n:
		return len(sp.procs[slot-n].inboxes.values)
	}
	return len(sp.histories.values)
}

// A system has no parts.

func (sp systemSpace) Part(int, uint32) []byte   { panic("kernel: a system has no parts") }
func (sp systemSpace) Intern(int, []byte) uint32 { panic("kernel: a system has no parts") }
func (sp systemSpace) Outgrown() (bool, error)   { return false, nil }
func (sp systemSpace) Tight() bool               { return false }
func (sp systemSpace) Encode()                   {}
