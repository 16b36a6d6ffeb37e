package kernel

import "github.com/atmostk/atmostk/model/protocol"

// The hash of a state is a sum of numbers times constants: of its words in a
// System, of the numbers in its slots in a Composition. So it does not depend on
// the layout of vectors, and a successor's follows from its parent's by
// adding (new-old)*constant for what changed. The high bits are the good ones:
// every bit of every number reaches them. Nobody may use only the low bits. That a hash follows from
// what changed is Zobrist's idea (A New Hashing Method with Application for Game Playing, 1970), with
// sums in place of exclusive or, and products in place of a table of random numbers.
type hash uint64

// hashConstants are odd and otherwise arbitrary: a splitmix64 sequence.
var hashConstants = func() (c [1 << 8]hash) {
	x := uint64(0)
	for i := range c {
		x += 0x9E3779B97F4A7C15
		c[i] = hash(protocol.Mixed(x) | 1)
	}
	return c
}()

// hashWords returns the hash of a vector that is not divided into slots.
func hashWords(v []uint32) hash {
	var h hash
	for i, x := range v {
		h += hash(x) * hashConstants[uint8(i)]
	}
	return h
}
