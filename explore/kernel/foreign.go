package kernel

import (
	"encoding/binary"
	"slices"

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

// Files of memo keys. The reductions dead and movers are proved from all memo keys of a search, and from all
// receipts at once. A search that is resumed, or that several processes work on, keeps both in files.

// A keptHead begins an entry of a file. The local state follows, and then the message, behind the byte of its
// sender, if there is one.
type keptHead struct {
	Proc  protocol.Proc
	Kind  uint8        // index in keptKinds
	Dead  protocol.Set // all of the context: both reductions are refused with clocks and links
	Local uint32       // length of the local state
}

// keptKinds are the kinds of the entries of files. A receiptEntry is the question whether the message is
// received at once.
var keptKinds = []entryKind{memoEntry, receiptEntry, endlessEntry}

// Kept returns what was filled in, from a number of entries on, in this order.
func (sp *space) Kept(from int) (all [][]byte) {
	for _, x := range sp.kept[from:] {
		t := &sp.procs[x.proc]
		local := t.locals.values[x.a]
		head := keptHead{x.proc, uint8(slices.Index(keptKinds, x.kind)), x.in.Dead, uint32(len(local))}
		b, _ := binary.Append(nil, binary.LittleEndian, head) // it has a fixed size
		if b = append(b, local...); x.b > 0 {
			b = append(b, t.envelopes.values[x.b-1]...)
		}
		all = append(all, b)
	}
	return all
}

// Keep fills in what is not known, in this order. Verify and CheckMovers check it with all that is known.
func (sp *space) Keep(all [][]byte) {
	for _, b := range all {
		var head keptHead
		n, _ := binary.Decode(b, binary.LittleEndian, &head)
		local, message := b[n:][:head.Local], b[n:][head.Local:]
		x := entry{proc: head.Proc, a: sp.local(head.Proc, local), in: protocol.Context{Dead: head.Dead}}
		if len(message) > 0 {
			x.b = 1 + sp.envelope(x.proc, protocol.Proc(message[0]), message[1:])
		}
		x.kind = keptKinds[head.Kind]
		if _, known := sp.memos(x.proc, x.in).receipts.get(x.a, x.b-1); x.kind == memoEntry {
			sp.row(x)
		} else if !known || x.kind == endlessEntry {
			x.b--
			sp.fill(x)
		}
	}
}

func (sp systemSpace) Kept(int) [][]byte { return nil }
func (sp systemSpace) Keep([][]byte)     {}
