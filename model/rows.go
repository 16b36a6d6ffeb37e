package model

// rows maps a row and a key to a result. Rows are dense numbers; a row has few of
// all keys, and they stand together: what belongs to one local state, or to one
// inbox, is looked up at the same time and mostly lies in one cache line. A row is
// a small table with linear probing that begins at the key itself, since the keys
// of a row tend to be consecutive numbers.
type rows struct {
	index []rowSpan
	cells []rowCell
	free  [32][]uint32 // per logarithm of the length: where rows stood that have grown
}

// A rowSpan is where a row stands in cells. Its length is a power of two, and more
// than what it holds, so that a search for what is not there ends.
type rowSpan struct {
	first uint32
	shape uint32 // cells in use << 5 | logarithm of the length
}

// A rowCell is free if its key is 0, else it holds the result of key-1.
type rowCell struct{ key, value uint32 }

var emptyRow = make([]rowCell, 1)

// row returns the cells of a row, to be searched with find.
func (t *rows) row(i uint32) []rowCell {
	if int(i) >= len(t.index) {
		return emptyRow
	}
	s := &t.index[i]
	return t.cells[s.first:][:1<<(s.shape&31)]
}

// put stores the result of a key that is not in the row yet.
func (t *rows) put(i, key, value uint32) {
	if len(t.cells) == 0 {
		t.cells = append(t.cells, rowCell{}) // where rows that hold nothing stand
	}
	for int(i) >= len(t.index) {
		t.index = append(t.index, rowSpan{})
	}
	s := &t.index[i]
	if used, length := s.shape>>5, uint32(1)<<(s.shape&31); 4*(used+1) > 3*length {
		t.lengthen(s)
	}
	putCell(t.row(i), rowCell{key + 1, value})
	s.shape += 1 << 5
}

// lengthen moves a row to where it has twice the length.
func (t *rows) lengthen(s *rowSpan) {
	old, log := *s, s.shape&31
	if n := len(t.free[log+1]); n > 0 {
		s.first, t.free[log+1] = t.free[log+1][n-1], t.free[log+1][:n-1]
	} else {
		s.first = uint32(len(t.cells))
		t.cells = append(t.cells, make([]rowCell, 2<<log)...)
	}
	s.shape++
	if log == 0 {
		return
	}
	cells := t.cells[old.first:][:1<<log]
	for _, c := range cells {
		if c.key != 0 {
			putCell(t.cells[s.first:][:2<<log], c)
		}
	}
	clear(cells)
	t.free[log] = append(t.free[log], old.first)
}

// putCell puts a cell into a row with room for it.
func putCell(row []rowCell, c rowCell) {
	mask := uint32(len(row) - 1)
	i := c.key - 1
	for row[i&mask].key != 0 {
		i++
	}
	row[i&mask] = c
}

// bytes returns the memory held.
func (t *rows) bytes() int { return 8 * (len(t.index) + len(t.cells)) }

// find returns the result of a key in the cells of a row.
func find(row []rowCell, key uint32) (uint32, bool) {
	mask := uint32(len(row) - 1)
	for i := key; ; i++ {
		c := &row[i&mask]
		if c.key == key+1 {
			return c.value, true
		}
		if c.key == 0 {
			return 0, false
		}
	}
}
