package vcube

import (
	"encoding/binary"
	"fmt"
	"iter"
	"sort"
	"strings"

	"github.com/atmostk/atmostk/model"
)

// ack is an element ⟨From, To, M⟩ of ack_set: M came from From (bottom at its
// source), was sent on to To, and is not acknowledged yet.
type ack struct {
	From, To model.Proc
	M        content
}

func (a ack) String() string { return fmt.Sprintf("⟨%s,%s,(%v)⟩", name(a.From), name(a.To), a.M) }

// ackSet is a set of acks: the bytes of each, in ascending order. A string, because local states are copied
// and compared often, and large systems have sets of hundreds of acks.
type ackSet string

const ackBytes = 14

// bytes are the bytes of an ack in an ackSet. Adding 1 makes ⊥, which is the largest number, the least.
func (a ack) bytes() (b [ackBytes]byte) {
	binary.BigEndian.PutUint16(b[:], uint16(a.From+1))
	binary.BigEndian.PutUint16(b[2:], uint16(a.To))
	binary.BigEndian.PutUint16(b[4:], uint16(a.M.Source))
	binary.BigEndian.PutUint32(b[6:], a.M.T)
	binary.BigEndian.PutUint32(b[10:], a.M.C)
	return b
}

func (s ackSet) acks() iter.Seq[ack] {
	return func(yield func(ack) bool) {
		var b [ackBytes]byte
		for at := 0; at < len(s); at += ackBytes {
			copy(b[:], s[at:])
			if !yield(ack{
				From: model.Proc(binary.BigEndian.Uint16(b[:])) - 1,
				To:   model.Proc(binary.BigEndian.Uint16(b[2:])),
				M: content{model.Proc(binary.BigEndian.Uint16(b[4:])),
					binary.BigEndian.Uint32(b[6:]), binary.BigEndian.Uint32(b[10:])},
			}) {
				return
			}
		}
	}
}

// find returns the index of an ack in the set, or the index where it would be inserted.
func (s ackSet) find(a string) (at int, found bool) {
	i, found := sort.Find(len(s)/ackBytes, func(i int) int {
		return strings.Compare(a, string(s[i*ackBytes:(i+1)*ackBytes]))
	})
	return i * ackBytes, found
}

func (s ackSet) has(a ack) bool {
	b := a.bytes()
	_, found := s.find(string(b[:]))
	return found
}

func (s ackSet) with(a ack) ackSet {
	b := a.bytes()
	if at, found := s.find(string(b[:])); !found {
		return s[:at] + ackSet(b[:]) + s[at:]
	}
	return s
}

func (s ackSet) without(a ack) ackSet {
	b := a.bytes()
	if at, found := s.find(string(b[:])); found {
		return s[:at] + s[at+ackBytes:]
	}
	return s
}

// pending reports whether there is an element ⟨from, *, m⟩.
func (s ackSet) pending(from model.Proc, m content) bool {
	for a := range s.acks() {
		if a.From == from && a.M == m {
			return true
		}
	}
	return false
}

// awaits returns every x with ⟨x, to, m⟩ in the set.
func (s ackSet) awaits(to model.Proc, m content) (xs []model.Proc) {
	for a := range s.acks() {
		if a.To == to && a.M == m {
			xs = append(xs, a.From)
		}
	}
	return xs
}

func (s ackSet) String() string {
	var words []string
	for a := range s.acks() {
		words = append(words, a.String())
	}
	return "{" + strings.Join(words, " ") + "}"
}
