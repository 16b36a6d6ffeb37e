package kernel

import "github.com/atmostk/atmostk/model/protocol"

// The proofs that local states and messages may be left out are about all memo keys and all receipts at
// once of a search. One that is resumed, or that many processes work on, keeps both in files, as canonical
// bytes.

// A Kept is a memo key, or the question whether a message is received at once.
type Kept struct {
	Proc     protocol.Proc
	Receipt  bool // it is the question
	Dead     protocol.Set
	Local    string
	Envelope string // the byte of its sender and the message; "": none
}

// Kept returns what was filled in, from a number of entries on, in this order; nothing where nothing is left
// out.
func (sp *space) Kept(from int) []Kept {
	all := make([]Kept, len(sp.kept)-from)
	for i, x := range sp.kept[from:] {
		t := &sp.procs[x.proc]
		all[i] = Kept{Proc: x.proc, Receipt: x.kind == receiptEntry, Dead: x.in.Dead,
			Local: t.locals.values[x.a]}
		if x.b > 0 {
			all[i].Envelope = t.envelopes.values[x.b-1]
		}
	}
	return all
}

// Keep fills in what is not known, in this order. Verify and CheckMovers check it with all that is known.
func (sp *space) Keep(all []Kept) {
	for _, k := range all {
		x := entry{kind: memoEntry, proc: k.Proc, a: sp.local(k.Proc, []byte(k.Local))}
		x.in.Dead = k.Dead
		if k.Envelope != "" {
			x.b = 1 + sp.envelope(k.Proc, protocol.Proc(k.Envelope[0]), []byte(k.Envelope[1:]))
		}
		if !k.Receipt {
			sp.row(x)
		} else if _, known := sp.procs[k.Proc].receipts.get(x.a, x.b-1); !known {
			sp.fill(entry{kind: receiptEntry, proc: k.Proc, a: x.a, b: x.b - 1, in: x.in})
		}
	}
}

func (sp systemSpace) Kept(int) []Kept { return nil }
func (sp systemSpace) Keep([]Kept)     {}
