package vcube

import (
	"encoding/binary"
	"fmt"
	"iter"
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

// ackSet is a set of acks: five varints for each, in ascending order of their bytes. A string,
// because local states are copied often, and large systems have sets of hundreds of acks.
type ackSet string

// spelled spells an ack as an ackSet has it. Adding 1 makes ⊥, which is the largest
// number, the least.
func (a ack) spelled() string {
	b := binary.AppendUvarint(make([]byte, 0, 16), uint64(a.From+1))
	return string(a.M.appended(binary.AppendUvarint(b, uint64(a.To))))
}

// appended appends how an ack spells the message.
func (m content) appended(b []byte) []byte {
	for _, x := range [...]uint64{uint64(m.Source), uint64(m.T), uint64(m.C)} {
		b = binary.AppendUvarint(b, x)
	}
	return b
}

// mayHold reports whether the bytes of the message are anywhere in the set, so that there may be an ack of
// it. Most large sets need not be read otherwise.
func (s ackSet) mayHold(m content) bool {
	var b [16]byte
	return strings.Contains(string(s), string(m.appended(b[:0])))
}

// each yields the elements in ascending order, with the places where each begins and ends.
func (s ackSet) each(yield func(a ack, from, to int) bool) {
	for at := 0; at < len(s); {
		from := at
		if w := s[at:]; len(w) >= 5 && w[0]|w[1]|w[2]|w[3]|w[4] < 0x80 { // the usual case
			at += 5
			m := content{model.Proc(w[2]), uint32(w[3]), uint32(w[4])}
			if !yield(ack{model.Proc(w[0]) - 1, model.Proc(w[1]), m}, from, at) {
				return
			}
			continue
		}
		var x [5]uint64
		for i := range x {
			for shift := 0; ; shift += 7 {
				b := s[at]
				at++
				x[i] |= uint64(b&0x7F) << shift
				if b < 0x80 {
					break
				}
			}
		}
		a := ack{model.Proc(x[0]) - 1, model.Proc(x[1]), content{model.Proc(x[2]), uint32(x[3]),
			uint32(x[4])}}
		if !yield(a, from, at) {
			return
		}
	}
}

// all returns the elements in ascending order.
func (s ackSet) all() (as []ack) {
	for a := range s.acks() {
		as = append(as, a)
	}
	return as
}

// acks yields the elements in ascending order.
func (s ackSet) acks() iter.Seq[ack] {
	return func(yield func(ack) bool) {
		s.each(func(a ack, _, _ int) bool { return yield(a) })
	}
}

func (s ackSet) has(a ack) bool {
	if !strings.Contains(string(s), a.spelled()) {
		return false
	}
	for b := range s.acks() {
		if a == b {
			return true
		}
	}
	return false
}

// with returns the set with a added.
func (s ackSet) with(a ack) ackSet {
	spelled := a.spelled()
	for at := 0; at < len(s); {
		end := s.end(at)
		if old := string(s[at:end]); old == spelled {
			return s
		} else if old > spelled {
			return s[:at] + ackSet(spelled) + s[at:]
		}
		at = end
	}
	return s + ackSet(spelled)
}

// end returns the end of the element that begins at a place: after five last bytes of varints.
func (s ackSet) end(at int) int {
	for left := 5; left > 0; at++ {
		if s[at] < 0x80 {
			left--
		}
	}
	return at
}

// without returns the set with a removed.
func (s ackSet) without(a ack) ackSet {
	less := s
	s.each(func(b ack, from, to int) bool {
		if a == b {
			less = s[:from] + s[to:]
		}
		return a != b
	})
	return less
}

// pending reports whether there is an element ⟨from, *, m⟩.
func (s ackSet) pending(from model.Proc, m content) bool {
	if !s.mayHold(m) {
		return false
	}
	for a := range s.acks() {
		if a.From == from && a.M == m {
			return true
		}
	}
	return false
}

// awaits returns every x with ⟨x, to, m⟩ in the set.
func (s ackSet) awaits(to model.Proc, m content) (xs []model.Proc) {
	if !s.mayHold(m) {
		return nil
	}
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
