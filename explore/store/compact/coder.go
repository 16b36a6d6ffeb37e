// Package compact computes codes: numbers of 64 or 128 bits that identify states. The compact store keeps
// only the code of each visited state. Files on disk identify the states of systems by their codes.
package compact

import (
	"math/rand/v2"

	"github.com/atmostk/atmostk/explore/kernel"
	"github.com/atmostk/atmostk/explore/store"
	"github.com/atmostk/atmostk/model/protocol"
)

// A Coder computes codes. Each 32 bits of a code are the upper half of a sum of the state's numbers times
// keys, modulo 2^64. This is strongly universal: for any two states one in 2^32 keys gives both the same 32
// bits (Lemire and Kaser, Strongly Universal String Hashing is Fast, 2014). A Coder reads numbers and not
// words, so that codes do not change with the layout of vectors. With random keys, any two states have the
// same code of 64 bits with probability 2^-64, whatever the model.
type Coder struct {
	keys    [4][]uint64 // per 32 bits of the code: one more than numbers
	slots   []protocol.Slot
	bits    int
	numbers int // of a state: words of a system, or parts
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

// Relayout adopts the new layout of a space's vectors.
func (c *Coder) Relayout(space kernel.Space) { c.slots = space.Slots() }

// half returns 64 bits of the code: the first ones (second is 0), or the next ones (1).
func (c *Coder) half(v []uint32, second int) uint64 {
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
			w := c.slots[i].Get(v)
			x += a[i] * uint64(w)
			y += b[i] * uint64(w)
		}
	}
	return x&^(1<<32-1) | y>>32
}

// Codes of states in files are codes of their canonical bytes, which for a composition are sums of the codes
// of its parts. The state of a system would have to be hashed whole each time that it is met: SHA-256 took a
// quarter of a search. Its words are the same on all machines, so its codes come from a Coder with fixed
// keys. The bound of the probability is a theorem about random keys; no model was written with a view to
// these.

// fixedSeed is the seed of the keys, which are the same on all machines.
var fixedSeed = [32]byte{'s', 't', 'a', 't', 'e', 's', ' ', 'o', 'f', ' ', 's', 'y', 's', 't', 'e', 'm', 's'}

// OfFiles returns a function that computes the codes of states in files, for one goroutine.
func OfFiles(space kernel.Space) func(v []uint32) protocol.Code {
	if space.Slots() != nil {
		return func(v []uint32) protocol.Code { return store.Cut(space.Code(v)) }
	}
	c := NewCoder(space, 128, fixedSeed)
	return func(v []uint32) protocol.Code {
		// Sorted runs rely on codes like random numbers; sums of products of regular numbers are not.
		return store.Cut(protocol.Code{Hi: protocol.Mixed(c.half(v, 0)), Lo: c.half(v, 1)})
	}
}
