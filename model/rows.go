package model

// rows are small tables that map keys to results, with linear probing that begins at the
// key itself, since the keys of a row tend to be consecutive numbers. What belongs to
// one local state, or to one inbox, is a row: it is looked up at the same time and
// mostly lies in one cache line.
type rows[T any] struct {
	cells []rowCell[T]
	free  [][]uint32 // per logarithm of the length: where rows stood that have grown
}

// A rowSpan is where a row stands in cells. Its length is a power of two, and more
// than what it holds, so that a search for what is not there ends. The zero value is a
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

// place returns where in cells a search for a key begins.
func (s rowSpan) place(key uint32) uint32 { return s.first + key&(1<<(s.shape&31)-1) }

// find returns the result of a key in a row; nil if there is none.
func (t *rows[T]) find(s rowSpan, key uint32) *T {
	i := s.place(key)
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
func (t *rows[T]) put(s *rowSpan, key uint32, value T) {
	if len(t.cells) == 0 {
		t.cells = append(t.cells, rowCell[T]{}) // where rows stand that hold nothing
	}
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
