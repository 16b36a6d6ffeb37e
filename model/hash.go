package model

import "math/bits"

// hashWords mixes words into 64 bits, all of them well spread.
func hashWords(v []uint32) uint64 {
	h := uint64(0x9E3779B97F4A7C15)
	for ; len(v) >= 2; v = v[2:] {
		hi, lo := bits.Mul64(h^(uint64(v[0])|uint64(v[1])<<32), 0xD6E8FEB86659FD93)
		h = hi ^ lo + 0x2545F4914F6CDD1D
	}
	if len(v) == 1 {
		hi, lo := bits.Mul64(h^uint64(v[0]), 0xD6E8FEB86659FD93)
		h = hi ^ lo + 0x2545F4914F6CDD1D
	}
	return (h ^ h>>32) * 0xFF51AFD7ED558CCD
}

// A linear hash is the sum of numbers times constants, one for each slot of a
// composition's vector. It does not depend on the layout, and that of a successor
// follows from its parent's by adding (new-old)*constant for what changed.
type linear uint64

// slotConstants are odd and otherwise arbitrary: a splitmix64 sequence.
var slotConstants = func() (c [2*MaxProcs + 1]linear) {
	x := uint64(0)
	for i := range c {
		x += 0x9E3779B97F4A7C15
		z := (x ^ x>>30) * 0xBF58476D1CE4E5B9
		z = (z ^ z>>27) * 0x94D049BB133111EB
		c[i] = linear(z ^ z>>31 | 1)
	}
	return c
}()

// add returns the hash after the number in a slot changed from old to new.
func (h linear) add(slot int, old, new uint32) linear {
	return h + (linear(new)-linear(old))*slotConstants[slot]
}

// mixed spreads the hash over all bits (the finaliser of murmur3).
func (h linear) mixed() uint64 {
	x := uint64(h)
	x = (x ^ x>>33) * 0xFF51AFD7ED558CCD
	x = (x ^ x>>33) * 0xC4CEB9FE1A85EC53
	return x ^ x>>33
}
