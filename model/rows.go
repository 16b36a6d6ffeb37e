package model

// rows maps a row and a key to a result. Rows are dense numbers; a row has few of
// all keys, and they stand together: what belongs to one local state, or to one
// inbox, is looked up at the same time and mostly lies in one cache line. A row is
// a small table with linear probing that begins at the key itself, since the keys
// of a row tend to be consecutive numbers.
type rows[T any] struct {
	index []rowSpan
	cells []rowCell[T]
	free  [][]uint32 // per logarithm of the length: where rows stood that have grown
}

// A rowSpan is where a row stands in cells. Its length is a power of two, and more
// than what it holds, so that a search for what is not there ends.
type rowSpan struct {
	first uint32
	shape uint32 // cells in use << 5 | logarithm of the length
}

// A rowCell is free if its key is 0, else it holds the result of key-1.
type rowCell[T any] struct {
	key   uint32
	value T
}

// row returns where a row stands.
func (t *rows[T]) row(i uint32) rowSpan {
	if int(i) >= len(t.index) {
		return rowSpan{}
	}
	return t.index[i]
}

// find returns the result of a key in a row; nil if there is none.
func (t *rows[T]) find(s rowSpan, key uint32) *T {
	i := s.first + key&(1<<(s.shape&31)-1)
	if int(i) < len(t.cells) && t.cells[i].key == key+1 {
		return &t.cells[i].value
	}
	return t.probe(s, key)
}

// probe is find where the key is not in the first place.
func (t *rows[T]) probe(s rowSpan, key uint32) *T {
	if s.shape == 0 {
		return nil
	}
	mask := uint32(1)<<(s.shape&31) - 1
	for k := key + 1; ; k++ {
		c := &t.cells[s.first+k&mask]
		if c.key == key+1 {
			return &c.value
		}
		if c.key == 0 {
			return nil
		}
	}
}

// put stores the result of a key that is not in the row yet.
func (t *rows[T]) put(i, key uint32, value T) {
	if len(t.cells) == 0 {
		t.cells = append(t.cells, rowCell[T]{}) // where rows that hold nothing stand
	}
	for int(i) >= len(t.index) {
		t.index = append(t.index, rowSpan{})
	}
	s := &t.index[i]
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
	old, log := *s, int(s.shape&31)
	for len(t.free) < log+2 {
		t.free = append(t.free, nil)
	}
	if free := t.free[log+1]; len(free) > 0 {
		s.first, t.free[log+1] = free[len(free)-1], free[:len(free)-1]
	} else {
		s.first = uint32(len(t.cells))
		t.cells = append(t.cells, make([]rowCell[T], 2<<log)...)
	}
	s.shape++
	if log == 0 { // it stood where all rows do that hold nothing
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
