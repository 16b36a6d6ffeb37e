package model

// numbered gives out numbers 0, 1, 2, .. to distinct values in the order in
// which they are first met.
type numbered[T comparable] struct {
	values []T
	index  map[T]uint32
}

// of returns the number of x, and whether x is new.
func (t *numbered[T]) of(x T) (id uint32, isNew bool) {
	if id, ok := t.index[x]; ok {
		return id, false
	}
	if t.index == nil {
		t.index = map[T]uint32{}
	}
	id = uint32(len(t.values))
	t.values = append(t.values, x)
	t.index[x] = id
	return id, true
}

// memo maps keys to results: linear probing in one slice, because every
// successor costs two or three look-ups, which a Go map does not inline. The key 0
// is never used.
type memo struct {
	cells []memoCell
	used  int
	shift uint8
}

type memoCell struct{ key, value uint64 }

func (m *memo) get(key uint64) (uint64, bool) {
	if len(m.cells) == 0 {
		return 0, false
	}
	mask := uint64(len(m.cells) - 1)
	for i := key * 0x9E3779B97F4A7C15 >> (m.shift & 63); ; i++ {
		c := &m.cells[i&mask]
		if c.key == key {
			return c.value, true
		}
		if c.key == 0 {
			return 0, false
		}
	}
}

// put stores the result of a key that is not there yet.
func (m *memo) put(key, value uint64) {
	if 2*(m.used+1) > len(m.cells) {
		old := m.cells
		n := max(16, 2*len(old))
		*m = memo{cells: make([]memoCell, n), shift: 64 - log2(n)}
		for _, c := range old {
			if c.key != 0 {
				m.put(c.key, c.value)
			}
		}
	}
	mask := uint64(len(m.cells) - 1)
	i := key * 0x9E3779B97F4A7C15 >> m.shift
	for m.cells[i&mask].key != 0 {
		i++
	}
	m.cells[i&mask] = memoCell{key, value}
	m.used++
}

// log2 returns the logarithm of n, a power of two.
func log2(n int) (l uint8) {
	for ; n > 1; n /= 2 {
		l++
	}
	return l
}
