package model

import (
	"fmt"
	"math/bits"
	"reflect"
	"slices"
	"unsafe"

	"github.com/atmostk/atmostk/model/codec"
	"github.com/atmostk/atmostk/model/protocol"
)

// A packing is what the search makes of the Touches of all actions: vectors that hold only the bits that
// steps touch, and a table of steps for each set of such bits. Then 2pc n=9 executes an action 24,000 times
// in place of 486 million times, and its states take 8 bytes in place of 12.
type packing struct {
	runs   []bitRun
	words  int                // of a vector
	fixed  codec.Value        // a state in which all touched bits are 0, and the others as they always are
	bits   []uint32           // of vectors that are in use
	masks  [][]uint32         // per table, in vectors
	labels [][]protocol.Label // per table: the instances in it
}

// A bitRun is a row of bits that is within one word of vectors.
type bitRun struct {
	at         uintptr // the first byte, in a state, of four in which the bits are
	shift      int     // where they begin in these
	word, slot int     // where they begin in vectors
	mask       uint32  // the bits, before a shift
}

// tableBits is the number of bits up to which steps that touch different bits share a table: fewer tables are
// fewer lookups, and a table of 12 bits has at most 4,096 rows.
const tableBits = 12

// joins reports whether steps that touch some bits belong into a table of others.
func joins(some, table []byte) bool {
	both := slices.Clone(table)
	for i, b := range some {
		both[i] |= b
	}
	return slices.Equal(both, table) || ones(both) <= tableBits
}

func ones(set []byte) (n int) {
	for _, b := range set {
		n += bits.OnesCount8(b)
	}
	return n
}

// place gives each row of bits its place in vectors: the first word with room.
func (p *packing) place(all []byte) {
	var free []int // bits per word
	for from := 0; from < len(all); from += 4 {
		at := min(from, len(all)-4) // the last four bytes may overlap with those before
		left := uint32(0)
		for i := from; i < at+4; i++ {
			left |= uint32(all[i]) << (8 * (i - at))
		}
		for left != 0 {
			shift := bits.TrailingZeros32(left)
			n := bits.TrailingZeros32(^(left >> shift))
			word := slices.IndexFunc(free, func(room int) bool { return room >= n })
			if word < 0 {
				word, free = len(free), append(free, 32)
			}
			mask := uint32(1<<n - 1)
			p.runs = append(p.runs, bitRun{uintptr(at), shift, word, 32 - free[word], mask})
			free[word] -= n
			left &^= mask << shift
		}
	}
	p.words = max(1, len(free))
}

// pack writes the vector of a state.
func (p *packing) pack(v []uint32, s codec.Value) {
	clear(v)
	for _, r := range p.runs {
		v[r.word] |= *(*uint32)(unsafe.Add(unsafe.Pointer(s), r.at)) >> r.shift & r.mask << r.slot
	}
}

// unpack adds the bits of a vector to a state in which they are 0. It is called for each new state that is
// judged.
func (p *packing) unpack(s codec.Value, v []uint32) {
	for i := range p.runs {
		r := &p.runs[i]
		x := v[r.word] >> (r.slot & 31) & r.mask
		*(*uint32)(unsafe.Add(unsafe.Pointer(s), r.at)) |= x << (r.shift & 31)
	}
}

// A tabledStep is a step in a table: its label, and the vector after it.
type tabledStep struct {
	label protocol.Label
	to    []uint32
}

// alike reports whether two steps of a table, from two states, change the same bits, of those in the table.
func (p *packing) alike(table int, a, b *tabledStep, from, other []uint32) bool {
	same := a.label == b.label
	for i, m := range p.masks[table] {
		same = same && a.to[i]^from[i] == b.to[i]^other[i] && (a.to[i]^from[i])&^m == 0
	}
	return same
}

// A pad is a range of bytes of a type that belongs to no field. The compiler leaves any values there, so
// it is cleared where states are compared byte by byte.
type pad struct{ from, to uintptr }

// layoutOf returns the pads of a type of states, or the reason why its values cannot be compared by bytes.
func layoutOf(t reflect.Type) (pads []pad, why string) {
	end := uintptr(0)
	skip := func(to uintptr) {
		if to > end {
			pads = append(pads, pad{end, to})
		}
	}
	codec.Walk(t, 0, func(t reflect.Type, at uintptr) (inside bool) {
		switch k := t.Kind(); {
		case k == reflect.Array || k == reflect.Struct:
			return true
		case k < reflect.Bool || k > reflect.Uint64:
			why = fmt.Sprintf("a state cannot hold a %v", t)
		}
		skip(at)
		end = at + t.Size()
		return false
	})
	skip(t.Size())
	return pads, why
}

// clearPads clears the pads of a vector.
func clearPads(v []uint32, pads []pad) {
	bytes := unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(v))), 4*len(v))
	for _, p := range pads {
		clear(bytes[p.from:p.to])
	}
}
