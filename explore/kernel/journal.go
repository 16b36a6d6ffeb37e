package kernel

import (
	"encoding/binary"

	"github.com/atmostk/atmostk/model/protocol"
)

// The proofs that local states and messages may be left out are about all memo keys and all receipts at
// once of a search. One that is resumed, or that many processes work on, keeps both in files. Each is
//
//	uvarint  twice the process; 1 more if it is the question whether the message is received at once
//	uvarint  the dead processes
//	uvarint  the length of the local state, whose bytes follow, and then the message behind the byte of
//	         its sender, or nothing

// Kept returns what was filled in, from a number of entries on, in this order.
func (sp *space) Kept(from int) (all [][]byte) {
	for _, x := range sp.kept[from:] {
		t := &sp.procs[x.proc]
		local := t.locals.values[x.a]
		b := binary.AppendUvarint(nil, 2*uint64(x.proc)+uint64(x.kind/receiptEntry))
		b = binary.AppendUvarint(binary.AppendUvarint(b, uint64(x.in.Dead)), uint64(len(local)))
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
		var head [3]uint64
		for i := range head {
			x, n := binary.Uvarint(b)
			head[i], b = x, b[n:]
		}
		local, message := b[:head[2]], b[head[2]:]
		x := entry{proc: protocol.Proc(head[0] / 2), in: protocol.Context{Dead: protocol.Set(head[1])}}
		if x.a = sp.local(x.proc, local); len(message) > 0 {
			x.b = 1 + sp.envelope(x.proc, protocol.Proc(message[0]), message[1:])
		}
		if head[0]%2 == 0 {
			sp.row(x)
		} else if _, known := sp.procs[x.proc].receipts.get(x.a, x.b-1); !known {
			x.kind, x.b = receiptEntry, x.b-1
			sp.fill(x)
		}
	}
}

func (sp systemSpace) Kept(int) [][]byte { return nil }
func (sp systemSpace) Keep([][]byte)     {}
