package kernel

import (
	"math/bits"
	"unsafe"

	"github.com/atmostk/atmostk/model/protocol"
)

// A stepTable remembers the steps of a system that depend on some bits of a state only, a row for each value
// of these bits. Each worker has its own. Of 2pc n=9's time the actions took 54%; the tables take 19%.
type stepTable struct {
	number int
	first  keyPart
	others []keyPart
	rows   []stepRow // open addressing; the length is a power of two
	used   int
	// entries of a row are the labels of the steps that do not change the state, and then the others: the
	// label, by how much the step changes the hash (low word, high word), and by how much each word of the
	// state. A change is a difference, and the same in each state of the row: the row's bits are known.
	entries []uint32
}

// A keyPart is the part of a table's bits that stand in one word. A key has the parts at places that do not
// overlap, each rotated to its own.
type keyPart struct {
	word   int
	mask   uint32
	rotate int
}

type stepRow struct {
	key               uint64
	first, loops, end uint32 // entries: the first, the end of those that change nothing, the end; 0: no row
	flags             rowFlags
}

// rowFlags report whether a row has a step, and an ordinary one.
type rowFlags uint32

const (
	rowAny rowFlags = 1 << iota
	rowOrdinary
)

const (
	firstRows = 1 << 6  // of a table
	mostRows  = 1 << 14 // in use in a table; one that would exceed it begins again

	stepExtra = 3 // words of an entry besides the changes of words
)

// newTables returns the empty tables of a system; nil: it has none.
func newTables(masks [][]uint32) (tables []stepTable) {
	for i, mask := range masks {
		t, taken := stepTable{number: i}, uint64(0)
		t.clear(firstRows)
		for w, m := range mask {
			for m != 0 {
				p := keyPart{w, m, 0}
				for taken&bits.RotateLeft64(uint64(p.mask), p.rotate) != 0 {
					if p.rotate++; p.rotate == 64 { // no room: only the lowest bit
						p = keyPart{w, m & -m, 0}
					}
				}
				taken |= bits.RotateLeft64(uint64(p.mask), p.rotate)
				m &^= p.mask
				t.others = append(t.others, p)
			}
		}
		t.first, t.others = t.others[0], t.others[1:]
		tables = append(tables, t)
	}
	return tables
}

func (t *stepTable) clear(rows int) {
	t.rows, t.entries, t.used = make([]stepRow, rows), make([]uint32, 1, rows), 0
}

// find returns the row of a key, or the free one for it, whose end is 0.
func (t *stepTable) find(key uint64) *stepRow {
	const odd = 0x9e3779b97f4a7c15 // 2^64 divided by the golden ratio
	last := uint64(len(t.rows) - 1)
	for i := key * odd >> 32; ; i++ {
		if r := &t.rows[i&last]; r.key == key || r.end == 0 {
			return r
		}
	}
}

// fill fills the row of a key in, for a state with the key.
func (c *systemCursor) fill(t *stepTable, key uint64, v []uint32) *stepRow {
	switch old := t.rows; {
	case t.used == mostRows:
		t.clear(firstRows)
	case 2*t.used >= len(old):
		t.rows = make([]stepRow, 4*len(old))
		for i := range old {
			if old[i].end != 0 {
				*t.find(old[i].key) = old[i]
			}
		}
	}
	r := t.find(key)
	*r = c.row(t, key, v)
	t.used++
	return r
}

// A rowTaker takes the steps of a row: labels of those that change nothing, entries of the others.
type rowTaker struct {
	protocol.Successors
	from, entries []uint32
}

func (x *rowTaker) Take(label uint32) {
	h := hashWords(x.Room) - hashWords(x.from)
	x.entries = append(x.entries, label, uint32(h), uint32(h>>32))
	for i, to := range x.Room {
		x.entries = append(x.entries, to-x.from[i])
	}
}

// row enters the steps from a state as a row.
func (c *systemCursor) row(t *stepTable, key uint64, v []uint32) stepRow {
	x := rowTaker{from: v}
	x.Taker, x.Room = &x, make([]uint32, len(v))
	c.Row(t.number, v, &x.Successors)
	r := stepRow{key: key, first: uint32(len(t.entries)), flags: rowFlags(bit(x.Any) | bit(x.Ordinary)<<1)}
	for _, l := range x.Loops {
		t.entries = append(t.entries, l.Word())
	}
	r.loops = uint32(len(t.entries))
	t.entries = append(t.entries, x.entries...)
	r.end = uint32(len(t.entries))
	return r
}

// checkedRowsBits: the rows of a state whose hash begins with this number of zeros are computed again.
const checkedRowsBits = 12

// expandByTables adds the successors of a state, as its rows have them.
func (c *systemCursor) expandByTables(v []uint32, b *Batch) Enabled {
	h, flags := hashWords(v), rowFlags(0)
	c.parent = Parent(uint64(h))
	check := uint64(h)>>(64-checkedRowsBits) == 0
	for i := range c.tables {
		t := &c.tables[i]
		key := bits.RotateLeft64(uint64(v[t.first.word]&t.first.mask), t.first.rotate)
		for k := range t.others {
			p := &t.others[k]
			key |= bits.RotateLeft64(uint64(v[p.word]&p.mask), p.rotate)
		}
		r := t.find(key)
		if r.end == 0 {
			r = c.fill(t, key, v)
		} else if check {
			c.row(&stepTable{number: i}, key, v)
		}
		flags |= r.flags
		for _, label := range t.entries[r.first:r.loops] {
			b.Fired[uint8(label)]++
			if !b.Distinct {
				b.Loops = append(b.Loops, protocol.LabelOf(label))
			}
		}
		if r.loops < r.end {
			c.addRow(v, h, t.entries[r.loops:r.end], b)
		}
	}
	if c.constrained {
		c.separate(b)
	}
	return Enabled{Any: flags&rowAny != 0, Ordinary: flags&rowOrdinary != 0}
}

// addRow adds the successors of a state with hash h by the steps of a row. It leaves out repeats without a
// branch on them, which could not be predicted: it writes each record, and the next one in the place of a
// repeat. A step takes 60 instructions, and 130 if each index is checked and not the room as a whole.
func (c *systemCursor) addRow(v []uint32, h hash, steps []uint32, b *Batch) {
	b.room(len(steps)) // more than there are steps
	words, in := unsafe.Pointer(unsafe.SliceData(b.Words)), unsafe.Pointer(unsafe.SliceData(v))
	width, stride, at := 4*uintptr(len(v)), 4*uintptr(b.Stride), 4*uintptr(len(b.Words))
	distinct := bit(b.Distinct && !c.constrained)
	entries, size := unsafe.Pointer(unsafe.SliceData(steps)), 4*uintptr(len(steps))
	for from := uintptr(0); from < size; from += 4*stepExtra + width {
		step := unsafe.Add(entries, from)
		label, to := *(*uint32)(step), h+*(*hash)(unsafe.Add(step, 4))
		b.Fired[uint8(label)]++
		sibling := &c.siblings[to>>(64-siblingBits)]
		last := min(4*uintptr(uint32(*sibling)), at)
		differs := uint32(*sibling>>32) ^ uint32(to)
		rec, other := unsafe.Add(words, at), unsafe.Add(words, last)
		for i := uintptr(0); i < width; i += 4 {
			x := *(*uint32)(unsafe.Add(in, i)) + *(*uint32)(unsafe.Add(step, 4*stepExtra+i))
			*(*uint32)(unsafe.Add(rec, i)) = x
			differs |= x ^ *(*uint32)(unsafe.Add(other, i))
		}
		end := (*[recordExtra]uint32)(unsafe.Add(rec, width))
		end[RecordTag], end[RecordParent], end[recordLabel] = uint32(tagSuspect), c.parent, label
		end[recordHash], end[recordHash+1] = uint32(to), uint32(to>>32)
		drop := bit(differs == 0) & bit(last < at) & distinct
		*sibling = uint64(to)<<32 | uint64(at^(at^last)&-drop)/4
		at += stride &^ -drop
	}
	b.Words = b.Words[:at/4]
}

// separate takes the new successors that the constraint rejects out of the state space.
func (c *systemCursor) separate(b *Batch) {
	at := b.Began.In
	for from := at; from < len(b.Words); from += b.Stride {
		rec := b.Words[from : from+b.Stride]
		if c.Keeps(rec[:b.Width]) {
			at += copy(b.Words[at:], rec)
		} else {
			b.Outside.Words = append(b.Outside.Words, rec...)
		}
	}
	b.Words = b.Words[:at]
}

// bit returns 1 for true, without a branch.
func bit(b bool) uintptr {
	if b {
		return 1
	}
	return 0
}
