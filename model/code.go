package model

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math/bits"
	"reflect"
	"slices"
)

// A Code identifies a state by its content alone: two states have the same code if they are
// equal, whoever computes it, on whatever machine, in whatever order states were found. That
// states which are not equal have the same code has a probability of about 2^-128 for each pair.
//
// A state's code is the sum of its components' codes, so that of a successor follows from its
// parent's by what changed (Bellare and Micciancio, AdHash, 1997). A component's code is the
// first half of the SHA-256 of its place in the state and its canonical bytes, which are equal
// if and only if the values are. It is computed once for each component, so its speed does not
// matter; that it is like a random number does, since codes are added: with xxh3, 11 of the
// 568 states of a random ring had the code of another one.
type Code struct{ Hi, Lo uint64 }

// plus returns the sum modulo 2^128.
func (c Code) plus(d Code) Code {
	lo, carry := bits.Add64(c.Lo, d.Lo, 0)
	hi, _ := bits.Add64(c.Hi, d.Hi, carry)
	return Code{hi, lo}
}

// String writes the code in 32 hexadecimal digits.
func (c Code) String() string { return fmt.Sprintf("%016x%016x", c.Hi, c.Lo) }

// codeOf returns the code of a component with the given canonical bytes.
func codeOf(place int, canonical []byte) Code {
	h := sha256.Sum256(append([]byte{byte(place)}, canonical...))
	return Code{binary.BigEndian.Uint64(h[:8]), binary.BigEndian.Uint64(h[8:16])}
}

// Components of a composition stand at the places of their slots: n local states, n inboxes,
// and what no handler reads.

func (c *Composition[L, M, H]) localCode(p Proc, l *L) Code {
	return codeOf(int(p), appendValue(nil, reflect.ValueOf(l).Elem()))
}

// inboxCode returns the code of the inbox of p: of its envelopes by sender, each sender's in
// their order under FIFO channels, else in that of their bytes. Nil stands for that of the dead.
func (c *Composition[L, M, H]) inboxCode(p Proc, letters []Letter[M], dead bool) Code {
	place := c.N + int(p)
	if dead {
		return codeOf(place, nil)
	}
	var envelopes [][]byte
	for i := range letters {
		m := appendValue(nil, reflect.ValueOf(&letters[i].M).Elem())
		b := append([]byte{byte(letters[i].From)}, binary.AppendUvarint(nil, uint64(len(m)))...)
		envelopes = append(envelopes, append(b, m...))
	}
	slices.SortStableFunc(envelopes, func(a, b []byte) int {
		if c.Network.Channel == FIFO {
			return int(a[0]) - int(b[0])
		}
		return slices.Compare(a, b)
	})
	return codeOf(place, slices.Concat([]byte{1}, slices.Concat(envelopes...)))
}

func (c *Composition[L, M, H]) pastCode(h *past[H]) Code {
	b := appendValue(nil, reflect.ValueOf(&h.history).Elem())
	return codeOf(2*c.N, append(b, h.record.crashes, h.record.losses, h.record.copies, h.record.breaks, byte(h.record.partition)))
}

// Code adds up the codes of the components in the state, of which each is computed once.
func (sp *space[L, M, H]) Code(v []uint32) Code {
	at := func(slot int) uint32 { return sp.layout.slots[slot].get(v) }
	id := at(sp.historySlot())
	all := cached(&sp.pastCodes, id, func() Code { return sp.c.pastCode(&sp.histories.values[id]) })
	for p := range Proc(sp.c.N) {
		t := &sp.procs[p]
		local, inbox := at(int(p)), at(sp.inboxSlot(p))
		all = all.plus(cached(&t.localCodes, local, func() Code { return sp.c.localCode(p, &t.locals.values[local]) }))
		all = all.plus(cached(&t.inboxCodes, inbox, func() Code {
			return sp.c.inboxCode(p, t.content(inbox), inbox == dead)
		}))
	}
	return all
}

// cached returns the code of a component by its number, and computes it when it is first asked
// for. No code is zero but with a probability of 2^-128, and then it is computed again.
func cached(codes *[]Code, id uint32, compute func() Code) Code {
	for len(*codes) <= int(id) {
		*codes = append(*codes, Code{})
	}
	c := &(*codes)[id]
	if *c == (Code{}) {
		*c = compute()
	}
	return *c
}

// Code is that of the state that is stored for w.
func (w *world[L, M, H]) Code() Code {
	w = w.settled()
	all := w.c.pastCode(&past[H]{w.history, w.record})
	for p := range Proc(w.c.N) {
		all = all.plus(w.c.localCode(p, &w.local[p])).plus(w.c.inboxCode(p, w.inbox[p], w.dead.Has(p)))
	}
	return all
}

// A system is one component.

func (sp *systemSpace[S]) Code(v []uint32) Code {
	var s S
	load(&s, v)
	return codeOf(0, appendValue(nil, reflect.ValueOf(&s).Elem()))
}

func (st *systemState[S]) Code() Code {
	return codeOf(0, appendValue(nil, reflect.ValueOf(&st.s).Elem()))
}
