package kernel

import (
	"math/bits"
	"slices"
	"unsafe"
)

// A layout packs numbers into a vector of 32-bit words. A number never straddles
// two words, so that it is read with one shift and one mask; bits left over in a
// word go to the numbers that live there, which postpones the next layout.
type layout struct {
	width int // words
	slots []slot
}

type slot struct {
	word  uint32
	shift uint8
	bits  uint8
	mask  uint32 // of the number, before the shift
}

// pack lays out numbers of the given bits; the largest first, each into the
// first word with room. A number of no bits is always 0.
func pack(sizes []int) layout {
	order := make([]int, len(sizes))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return sizes[b] - sizes[a] })
	var words [][]int // per word: the numbers in it
	var free []int    // per word: bits
	for _, i := range order {
		w := slices.IndexFunc(free, func(bits int) bool { return bits >= sizes[i] })
		if w < 0 {
			w = len(words)
			words, free = append(words, nil), append(free, 32)
		}
		if sizes[i] > 0 {
			words[w] = append(words[w], i)
			free[w] -= sizes[i]
		}
	}
	l := layout{width: len(words), slots: make([]slot, len(sizes))}
	for w, tenants := range words {
		at := 0
		for k, i := range tenants {
			extra := free[w] / (len(tenants) - k)
			free[w] -= extra
			size := sizes[i] + extra
			l.slots[i] = slot{uint32(w), uint8(at), uint8(size), uint32(uint64(1)<<size - 1)}
			at += size
		}
	}
	return l
}

// A Translation turns a vector of an old layout into that of a new one, and returns the
// hash of the state.
type Translation func(dst, src []uint32) (hash uint64)

// A moving is where a number of a state moves from one layout to another.
type moving struct {
	from, to           uintptr // the words, in bytes from the first
	fromShift, toShift uint8
	mask               uint32
	constant           hash
}

// translate returns the translation of vectors of layout l to those of now. Every state that is
// known goes through it when states no longer fit: 17% of the instructions of raymond n=4, and
// a third more if each index is checked and not the vectors as a whole.
func (l layout) translate(now layout) Translation {
	moves := make([]moving, len(l.slots))
	for i := range moves {
		from, to := l.slots[i], now.slots[i]
		moves[i] = moving{4 * uintptr(from.word), 4 * uintptr(to.word), from.shift, to.shift, from.mask,
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

// Shifts are less than 32; the compiler makes shorter code if it is told so.

func (s *slot) get(v []uint32) uint32 { return v[s.word] >> (s.shift & 31) & s.mask }

// set changes the number from old to new.
func (s *slot) set(v []uint32, old, new uint32) { v[s.word] ^= (old ^ new) << (s.shift & 31) }

// fits reports whether count different numbers can be told apart.
func (s *slot) fits(count int) bool { return count-1 <= int(s.mask) }

// bitsFor returns how many bits a number takes now, with room to grow: a table
// that is more than half full will soon need one bit more.
func bitsFor(count int) int {
	n := bits.Len(uint(count - 1))
	if count > 1<<n/2+1<<n/4 {
		n++
	}
	return min(max(n, 2), 32)
}
