package kernel

import (
	"unsafe"

	"github.com/cespare/xxhash/v2"

	"github.com/atmostk/atmostk/model/protocol"
)

// rows are small tables that map keys to results, with linear probing that begins at the
// key itself, since the keys of a row tend to be consecutive numbers. What belongs to
// one local state, or to one inbox, is a row: it is looked up at the same time and
// mostly lies in one cache line.
type rows[T any] struct {
	cells []rowCell[T]
	free  [][]uint32 // per logarithm of the length: where rows stood that have grown
}

// A rowSpan is where a row stands in cells. Its length is a power of two, and more
// than what it holds, so that a search for a missing key ends. The zero value is a
// row that holds nothing.
type rowSpan struct {
	first uint32
	shape uint32 // cells in use << 5 | logarithm of the length
}

// A rowCell is free if its key is 0, else it holds the result of key-1.
type rowCell[T any] struct {
	key   uint32
	value T
}

// newRows returns rows with the cell where all those stand that hold nothing.
func newRows[T any]() rows[T] { return rows[T]{cells: make([]rowCell[T], 1)} }

// start returns where in cells a search for a key begins.
func (s rowSpan) start(key uint32) uint32 { return s.first + key&(1<<(s.shape&31)-1) }

// first returns the cell in which the search for a key begins, and mostly ends. It is short
// enough to be inlined where time counts.
func (t *rows[T]) first(s rowSpan, key uint32) *rowCell[T] { return &t.cells[s.start(key)] }

// probe returns the cell of a key in a row; nil if it has none.
func (t *rows[T]) probe(s rowSpan, key uint32) *rowCell[T] {
	if s.shape == 0 {
		return nil
	}
	mask := uint32(1)<<(s.shape&31) - 1
	for k := key; ; k++ {
		c := &t.cells[s.first+k&mask]
		if c.key == key+1 {
			return c
		}
		if c.key == 0 {
			return nil
		}
	}
}

// put stores the result of a key that is not in the row yet.
func (t *rows[T]) put(s *rowSpan, key uint32, value T) {
	if used, length := s.shape>>5, uint32(1)<<(s.shape&31); 4*(used+1) > 3*length {
		t.lengthen(s)
	}
	t.fill(s, rowCell[T]{key + 1, value})
	s.shape += 1 << 5
}

// fill puts a cell into a row with room for it.
func (t *rows[T]) fill(s *rowSpan, c rowCell[T]) {
	mask := uint32(1)<<(s.shape&31) - 1
	k := c.key - 1
	for t.cells[s.first+k&mask].key != 0 {
		k++
	}
	t.cells[s.first+k&mask] = c
}

// lengthen moves a row to where it has twice the length.
func (t *rows[T]) lengthen(s *rowSpan) {
	old, log := *s, s.shape&31
	t.free = upTo(t.free, log+1)
	if free := t.free[log+1]; len(free) > 0 {
		s.first, t.free[log+1] = free[len(free)-1], free[:len(free)-1]
	} else {
		s.first = uint32(len(t.cells))
		t.cells = append(t.cells, make([]rowCell[T], 2<<log)...)
	}
	s.shape++
	if log == 0 { // it held nothing, and stood where all such rows do
		return
	}
	cells := t.cells[old.first:][:1<<log]
	for _, c := range cells {
		if c.key != 0 {
			t.fill(s, c)
		}
	}
	clear(cells)
	t.free[log] = append(t.free[log], old.first)
}

// A table maps pairs of numbers to results: the results for one first number are a row.
type table struct {
	rows[uint32]
	of []rowSpan // per first number
}

// get returns the result of a pair, if it has one.
func (t *table) get(a, b uint32) (x uint32, known bool) {
	if int(a) < len(t.of) {
		if c := t.probe(t.of[a], b); c != nil {
			return c.value, true
		}
	}
	return 0, false
}

// put stores the result of a pair that has none yet.
func (t *table) put(a, b, x uint32) {
	t.of = upTo(t.of, a)
	t.rows.put(&t.of[a], b, x)
}

// bytes returns the memory held.
func (t *table) bytes() int { return 8 * (len(t.cells) + len(t.of)) }

// numbers gives out the numbers 0, 1, 2, .. to distinct values, in the order in which they are first met.
type numbers[T comparable] struct {
	protocol.Index
	values []T // by number
}

// of returns the number of a value, which may be new, with a hash of it.
func (t *numbers[T]) of(x T, of hash) (id uint32) {
	short := uint32(of >> 32)
	if known := t.Find(short, func(id uint32) bool { return t.values[id] == x }); known > 0 {
		return known - 1
	}
	id = uint32(len(t.values))
	t.Add(short, id)
	t.values = append(t.values, x)
	return id
}

// interned numbers strings of bytes. To look up one that is known costs no allocation.
type interned struct {
	protocol.Index
	values []string // by number
	size   int      // bytes of all values
}

// find returns the number of a value, if it has one.
func (t *interned) find(value []byte) (id uint32, known bool) {
	at := t.Find(uint32(xxhash.Sum64(value)), func(id uint32) bool { return t.values[id] == string(value) })
	return at - 1, at > 0
}

// add gives a number to a value that has none.
func (t *interned) add(value []byte) (id uint32) {
	id = uint32(len(t.values))
	t.Add(uint32(xxhash.Sum64(value)), id)
	t.values, t.size = append(t.values, string(value)), t.size+len(value)
	return id
}

// bytes returns the memory held.
func (t *interned) bytes() int { return t.size + 16*len(t.values) + t.Bytes() }

// listed numbers lists of numbers, as strings of their bytes.
type listed struct{ interned }

// find returns the number of a list, if it has one.
func (t *listed) find(list []uint32) (id uint32, known bool) { return t.interned.find(bytesOf(list)) }

// of returns the number of a list, which may be new.
func (t *listed) of(list []uint32) (id uint32) {
	if id, known := t.find(list); known {
		return id
	}
	return t.add(bytesOf(list))
}

// bytesOf returns the memory of a list.
func bytesOf(list []uint32) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(list))), 4*len(list))
}

// at returns a list, which is not to be changed.
func (t *listed) at(id uint32) []uint32 {
	b := t.values[id]
	return unsafe.Slice((*uint32)(unsafe.Pointer(unsafe.StringData(b))), len(b)/4)
}
