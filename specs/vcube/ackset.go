package vcube

import (
	"bytes"
	"fmt"
	"slices"
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

// ackSet is a set of acks: five bytes for each, in ascending order. A string,
// because a set of any size must be comparable to be a part of a local state.
type ackSet string

// bytes spells an ack as an ackSet has it. Adding 1 makes ⊥, which is the largest
// number, the least.
func (a ack) bytes() []byte {
	return []byte{byte(a.From + 1), byte(a.To), byte(a.M.Source), a.M.T, a.M.C}
}

const ackSize = 5

// all returns the elements in ascending order.
func (s ackSet) all() (as []ack) {
	for ; s != ""; s = s[ackSize:] {
		as = append(as, ack{model.Proc(s[0]) - 1, model.Proc(s[1]), content{model.Proc(s[2]), s[3], s[4]}})
	}
	return as
}

// ackSetOf is the set of the given acks.
func ackSetOf(as []ack) ackSet {
	spelled := make([][]byte, len(as))
	for i, a := range as {
		spelled[i] = a.bytes()
	}
	slices.SortFunc(spelled, bytes.Compare)
	return ackSet(bytes.Join(spelled, nil))
}

func (s ackSet) has(a ack) bool { return slices.Contains(s.all(), a) }

// with returns the set with a added.
func (s ackSet) with(a ack) ackSet {
	if s.has(a) {
		return s
	}
	return ackSetOf(append(s.all(), a))
}

// without returns the set with a removed.
func (s ackSet) without(a ack) ackSet {
	return ackSetOf(slices.DeleteFunc(s.all(), func(b ack) bool { return a == b }))
}

// pending reports whether there is an element ⟨from, *, m⟩.
func (s ackSet) pending(from model.Proc, m content) bool {
	return slices.ContainsFunc(s.all(), func(a ack) bool { return a.From == from && a.M == m })
}

// awaits returns every x with ⟨x, to, m⟩ in the set.
func (s ackSet) awaits(to model.Proc, m content) (xs []model.Proc) {
	for _, a := range s.all() {
		if a.To == to && a.M == m {
			xs = append(xs, a.From)
		}
	}
	return xs
}

func (s ackSet) String() string {
	var words []string
	for _, a := range s.all() {
		words = append(words, a.String())
	}
	return "{" + strings.Join(words, " ") + "}"
}
