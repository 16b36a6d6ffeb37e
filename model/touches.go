package model

import (
	"math"
	"math/bits"
	"slices"
	"unsafe"

	"github.com/atmostk/atmostk/model/check"
	"github.com/atmostk/atmostk/model/codec"
	"github.com/atmostk/atmostk/model/protocol"
)

// A packing is what the search makes of the Touches of all actions: vectors that hold only the bits that
// steps touch, and a table of steps for each set of such bits. Then 2pc n=9 executes an action 24,000 times
// in place of 486 million times, and its states take 8 bytes in place of 12.
type packing struct {
	runs   []bitRun
	words  int        // of a vector
	fixed  value      // a state in which all touched bits are 0, and the others as they always are
	bits   []uint32   // of vectors that are in use
	masks  [][]uint32 // per table, in vectors
	labels [][]Label  // per table: the instances in it
}

// A bitRun is a row of bits that is within one word of vectors.
type bitRun struct {
	at         uintptr // the first byte, in a state, of four in which the bits are
	shift      int     // where they begin in these
	word, slot int     // where they begin in vectors
	mask       uint32  // the bits, before a shift
}

// packed returns the packing of a system; nil: not all actions declare what they touch, or the
// representatives of orbits differ in other bits.
func (sys *system) packed() *packing {
	size := sys.of.Size()
	if sys.Symmetry != nil || size < 4 || slices.ContainsFunc(sys.System.Actions,
		func(a SystemAction[codec.Opaque]) bool { return a.Touches == nil }) {
		return nil
	}
	p, all := &packing{fixed: sys.of.Copied(sys.init[0])}, make([]byte, size)
	for _, x := range sys.init { // bits that differ from the start
		for i, b := range sys.bytes(x) {
			all[i] |= b ^ sys.bytes(p.fixed)[i]
		}
	}
	var touched [][]byte // per table
	for a := range sys.System.Actions {
		action := &sys.System.Actions[a]
		for i := range action.Instances {
			some := sys.touchedBy(action, i)
			k := slices.IndexFunc(touched, func(of []byte) bool { return joins(some, of) })
			if k < 0 {
				k, touched, p.labels = len(touched), append(touched, make([]byte, size)), append(p.labels, nil)
			}
			p.labels[k] = append(p.labels[k], protocol.InstanceLabel(a, i))
			for at, b := range some {
				touched[k][at] |= b
				all[at] |= b
			}
		}
	}
	for i, b := range all {
		sys.bytes(p.fixed)[i] &^= b
	}
	p.place(all)
	p.bits = make([]uint32, p.words)
	p.pack(p.bits, value(unsafe.Pointer(unsafe.SliceData(all))))
	for _, bits := range touched {
		v := make([]uint32, p.words)
		p.pack(v, value(unsafe.Pointer(unsafe.SliceData(bits))))
		p.masks = append(p.masks, v)
	}
	return p
}

// touchedBy returns the bits that an instance of an action touches.
func (sys *system) touchedBy(a *SystemAction[codec.Opaque], i int) []byte {
	defer check.Named(check.Part("Touches of action " + a.Name))
	x := sys.of.Fresh()
	a.Touches(x, a.of(i)...)
	b := slices.Clone(sys.bytes(x))
	for _, p := range sys.pads {
		clear(b[p.from:p.to])
	}
	return b
}

// tableBits is the number of bits up to which steps that touch different bits share a table: fewer tables are
// fewer lookups, and a table of 12 bits has at most 4,096 rows.
const tableBits = 12

// joins reports whether steps that touch some bits belong into a table of others.
func joins(some, table []byte) bool {
	more, n := false, 0
	for i, b := range some {
		more = more || b&^table[i] != 0
		n += bits.OnesCount8(b | table[i])
	}
	return !more || n <= tableBits
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
func (p *packing) pack(v []uint32, s value) {
	clear(v)
	for _, r := range p.runs {
		v[r.word] |= *(*uint32)(unsafe.Add(unsafe.Pointer(s), r.at)) >> r.shift & r.mask << r.slot
	}
}

// unpack adds the bits of a vector to a state in which they are 0. It is called for each new state that is
// judged.
func (p *packing) unpack(s value, v []uint32) {
	for i := range p.runs {
		r := &p.runs[i]
		*(*uint32)(unsafe.Add(unsafe.Pointer(s), r.at)) |= v[r.word] >> (r.slot & 31) & r.mask << (r.shift & 31)
	}
}

func (sys *system) Masks() [][]uint32 {
	if sys.packing == nil {
		return nil
	}
	return sys.packing.masks
}

// otherStates is the number of states, with other bits beside those of a table, for which a row of the table
// has to be the same.
const otherStates = 8

// Row returns the steps of a table from a state. It panics with the mistake of an action that Touches lacks a
// bit if they are not the same from states with other bits beside those of the table: all inverted, then drawn.
func (c *systemCursor) Row(table int, state []uint32) []protocol.TabledStep {
	p, drawn, other := c.packing, uint64(codec.Base), slices.Clone(state)
	steps := c.tabled(table, state)
	for k := range otherStates {
		for i, x := range state {
			if drawn = drawn*codec.Base + uint64(x); k == 0 {
				drawn = math.MaxUint64
			}
			other[i] = x ^ uint32(drawn>>32)&p.bits[i]&^p.masks[table][i]
		}
		var also []protocol.TabledStep
		if e := check.Caught(func() { also = c.tabled(table, other) }); e != nil {
			c.lacking(e.Label, state, other)
		}
		for i := range max(len(steps), len(also)) {
			switch {
			case i >= len(steps):
				c.lacking(also[i].Label, state, other)
			case i >= len(also) || !p.alike(table, &steps[i], &also[i], state, other):
				c.lacking(steps[i].Label, state, other)
			}
		}
	}
	return steps
}

// alike reports whether two steps of a table, from two states, change the same bits, of those in the table.
func (p *packing) alike(table int, a, b *protocol.TabledStep, from, other []uint32) bool {
	same := a.Label == b.Label
	for i, m := range p.masks[table] {
		same = same && a.To[i]^from[i] == b.To[i]^other[i] && (a.To[i]^from[i])&^m == 0
	}
	return same
}

// lacking panics with the mistake that Touches of an action lacks a bit, which two states show.
func (c *systemCursor) lacking(l Label, state, other []uint32) {
	e := c.taking(l)
	e.What = "its Touches lacks a bit on which a step depends, or that it changes"
	e.State = c.spelled(state)
	e.First, e.Second = "it has other steps here", "than from "+c.spelled(other)
	panic(&e)
}

func (c *systemCursor) spelled(v []uint32) string {
	return check.Described(c.Decode(&protocol.Parts{Words: v}))
}

// tabled returns the steps of a table from a state.
func (c *systemCursor) tabled(table int, state []uint32) (steps []protocol.TabledStep) {
	for _, l := range c.packing.labels[table] {
		steps = c.tabledBy(l, state, steps)
	}
	return steps
}

// tabledBy appends the steps of one instance of an action.
func (c *systemCursor) tabledBy(l Label, state []uint32, steps []protocol.TabledStep) []protocol.TabledStep {
	defer check.Named(func() Error { return c.taking(l) })
	action := &c.System.Actions[l.Action]
	c.load(c.from, state)
	for again := true; again; again = c.choice.Picked() && c.choice.Again() {
		c.of.Assign(c.next, c.from)
		if !action.Do(c.next, l.Instance(), &c.choice) {
			continue
		}
		x := protocol.TabledStep{Label: l, Ordinary: action.Kind == protocol.Ordinary, To: make([]uint32, len(state))}
		c.store(x.To, c.next)
		if !c.of.Equal(c.load(c.also, x.To), c.next) { // bits that are in no vector
			c.lacking(l, state, state)
		}
		steps = append(steps, x)
	}
	return steps
}
