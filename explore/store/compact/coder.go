// Package compact makes codes of states: numbers of 64 or 128 bits that identify states. The
// compact store keeps the code of each visited state, and nothing else; files on disk know the states of
// systems by theirs.
package compact

import (
	"math/rand/v2"

	"github.com/atmostk/atmostk/explore/kernel"
	"github.com/atmostk/atmostk/model/protocol"
)

// A Coder makes codes. Each 32 bits of one are the upper half of a sum of the state's numbers times keys,
// modulo 2^64, which is strongly universal: for any two states the keys that give both the same are one in
// 2^32 (Lemire and Kaser, Strongly Universal String Hashing is Fast, 2014). It reads numbers and not words,
// so that codes stay as they are when the layout of vectors changes. Where the keys are drawn at random two
// states have the same code with a probability that no model can know of, 2^-64 for any two.
type Coder struct {
	keys    [4][]uint64 // of each 32 bits: one more than there are numbers
	slots   []protocol.Slot
	bits    int
	numbers int // that a state has: words of a system, or parts
}

// NewCoder returns a coder of the states of a space, with a number of bits and the keys of a seed.
func NewCoder(space kernel.Space, bits int, seed [32]byte) *Coder {
	c := &Coder{bits: bits, slots: space.Slots(), numbers: space.Width()}
	if c.slots != nil {
		c.numbers = len(c.slots)
	}
	r := rand.NewChaCha8(seed)
	for half := range c.keys[:c.bits/32] {
		keys := make([]uint64, c.numbers+1)
		for i := range keys {
			keys[i] = r.Uint64()
		}
		c.keys[half] = keys
	}
	return c
}

// Relayout takes over the layout of a space whose vectors have changed.
func (c *Coder) Relayout(space kernel.Space) { c.slots = space.Slots() }

// Half returns 64 bits of the code: the first ones, or those behind them.
func (c *Coder) Half(v []uint32, second int) uint64 {
	a, b := c.keys[2*second], c.keys[2*second+1]
	x, y := a[0], b[0]
	if c.slots == nil {
		a, b = a[1:][:len(v)], b[1:][:len(v)]
		for i, w := range v {
			x += a[i] * uint64(w)
			y += b[i] * uint64(w)
		}
	} else {
		a, b = a[1:][:len(c.slots)], b[1:][:len(c.slots)]
		for i := range c.slots {
			s := &c.slots[i]
			w := v[s.Word] >> (s.Shift & 31) & s.Mask
			x += a[i] * uint64(w)
			y += b[i] * uint64(w)
		}
	}
	return x&^(1<<32-1) | y>>32
}

// A cell of a table begins with the lower and the upper half of the first 64 bits of a code. The code of a
// parent follows, if it is remembered. The last word is not 0: an upper half of 0 is taken for 1, which makes
// the bound of the probability no larger, as that has one pair more for each state.

// Width is how many words of a cell are the code of the state.
const Width = 2

// Put makes the first words of a cell 64 bits of a code.
func Put(cell []uint32, code uint64) {
	c := (*[Width]uint32)(cell)
	c[0], c[1] = uint32(code), max(1, uint32(code>>32))
}

// Code returns the 64 bits of a code with which a cell begins.
func Code(cell []uint32) uint64 { return uint64(cell[1])<<32 | uint64(cell[0]) }

// Place returns where a code stands in its shard: see memory.Lookup.
func Place(cell []uint32) uint32 { return cell[1] }
