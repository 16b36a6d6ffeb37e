package kernel

import (
	"cmp"
	"math"
	"math/bits"
	"slices"
	"unsafe"

	"github.com/atmostk/atmostk/model/protocol"
)

// A layout packs numbers into a vector of 32-bit words. A number never straddles
// two words, so that it is read with one shift and one mask.
type layout struct {
	width int // words
	slots []protocol.Slot
}

// pack lays out numbers, with counts of their values; one that is always 0 has no bits. Bits
// that are left over in a word go, one at a time, to the number in it that outgrows its bits first
// if as many come up as are expected. That postpones the next layout, which changes every state that is
// known.
func pack(counts []int, expected []float64) layout {
	words, sizes := spread(counts)
	l := layout{width: len(words), slots: make([]protocol.Slot, len(counts))}
	for w := range words {
		numbers := words[w].numbers
		for range 32 - words[w].bits {
			sizes[slices.MaxFunc(numbers, func(a, b int) int {
				return cmp.Compare(math.Ldexp(expected[a], -sizes[a]), math.Ldexp(expected[b], -sizes[b]))
			})]++
		}
		at := 0
		for _, i := range numbers {
			mask := uint32(uint64(1)<<sizes[i] - 1)
			l.slots[i] = protocol.Slot{Word: uint32(w), Mask: mask, Shift: uint8(at)}
			at += sizes[i]
		}
	}
	return l
}

// spread puts numbers into words, with the bits that each takes. There are as few words as if the largest
// came first, each into the first word with room, but the numbers are spread evenly: so that bits are left
// over beside those that grow, which are the large ones.
func spread(counts []int) (words []word, sizes []int) {
	sizes, order := make([]int, len(counts)), make([]int, 0, len(counts))
	for i, n := range counts {
		if n > 0 {
			sizes[i], order = bitsFor(n), append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return sizes[b] - sizes[a] })
	words = place(order, sizes, nil)
	if even := place(order, sizes, make([]word, len(words))); len(even) == len(words) {
		words = even
	}
	return words, sizes
}

// A word is which numbers are packed into it.
type word struct {
	numbers []int
	bits    int // taken
}

// place puts numbers into words, each into the one with most room, or into a new one if none has.
// Without words to begin with that is the first with room: all before it are fuller.
func place(order, sizes []int, words []word) []word {
	even := words != nil
	for _, i := range order {
		at := -1
		for w := range words {
			if words[w].bits+sizes[i] <= 32 && (at < 0 || even && words[w].bits < words[at].bits) {
				at = w
			}
		}
		if at < 0 {
			at, words = len(words), append(words, word{})
		}
		words[at].numbers, words[at].bits = append(words[at].numbers, i), words[at].bits+sizes[i]
	}
	return words
}

// A Translation turns a vector of an old layout into one of a new layout, and returns the
// hash of the state.
type Translation func(dst, src []uint32) (hash uint64)

// A moving is where a number of a state moves from one layout to another.
type moving struct {
	from, to           uintptr // the words, in bytes from the first
	fromShift, toShift uint8
	mask               uint32
	constant           hash
}

// translate returns the translation of vectors of layout l to vectors of now. Every state that is
// known goes through it when states no longer fit: 17% of the instructions of raymond n=4, and
// a third more if each index is checked and not the vectors as a whole.
func (l layout) translate(now layout) Translation {
	moves := make([]moving, len(l.slots))
	for i := range moves {
		from, to := l.slots[i], now.slots[i]
		moves[i] = moving{4 * uintptr(from.Word), 4 * uintptr(to.Word), from.Shift, to.Shift, from.Mask,
			hashConstants[i]}
	}
	return func(dst, src []uint32) uint64 {
		src, dst = src[:l.width], dst[:now.width]
		clear(dst)
		from, to := unsafe.Pointer(unsafe.SliceData(src)), unsafe.Pointer(unsafe.SliceData(dst))
		var h hash
		for i := range moves {
			m := &moves[i]
			x := *(*uint32)(unsafe.Add(from, m.from)) >> (m.fromShift & 31) & m.mask
			*(*uint32)(unsafe.Add(to, m.to)) |= x << (m.toShift & 31)
			h += hash(x) * m.constant
		}
		return uint64(h)
	}
}

// bitsFor returns how many bits a number takes now, with room to grow: a table
// that is more than half full will soon need one bit more.
func bitsFor(count int) int {
	n := bits.Len(uint(count - 1))
	if count > 1<<n/2+1<<n/4 {
		n++
	}
	return min(max(n, 2), 32)
}

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
