package memory

import "sort"

// A Set is a table for each shard. Its states are the nodes of the state graph; a node has the number of its
// cell.
type Set [Shards]Table

// Bytes returns the size of all tables.
func (s *Set) Bytes() (n int64) {
	for i := range s {
		n += s[i].Bytes()
	}
	return n
}

// Used returns the number of states.
func (s *Set) Used() (n int) {
	for i := range s {
		n += s[i].used
	}
	return n
}

// Free returns the memory to the system. The tables keep their forms.
func (s *Set) Free() {
	for i := range s {
		// An error would mean that the pages were not ours; then nothing has to be freed.
		_ = s[i].free()
	}
}

// SetForm changes the form of all tables, which have to be empty.
func (s *Set) SetForm(f Form) {
	for i := range s {
		s[i].Form = f
	}
}

// number returns the number, within its shard, of the cell at an index of words.
func (t *Table) number(at int) uint32 { return uint32(at/t.bucket*t.perBucket + at%t.bucket/t.stride) }

// cell returns the state in the cell with a number; nil if the cell is free.
func (t *Table) cell(number uint32) []uint32 {
	at := int(number)/t.perBucket*t.bucket + int(number)%t.perBucket*t.stride
	if t.cells[at+t.stride-1] == 0 {
		return nil
	}
	return t.cells[at : at+t.width]
}

// Has reports whether the table has a cell with this beginning, at a place.
func (t *Table) Has(cell []uint32, place uint32) (found bool) {
	if t.used > 0 {
		_, found = t.Find(cell, place)
	}
	return found
}

// Nodes yields the states with their numbers.
func (s *Set) Nodes(yield func(uint32, []uint32) bool) {
	base := uint32(0)
	for i := range s {
		t := &s[i]
		for at, cell := range t.Each {
			if !yield(base+t.number(at), cell[:t.width]) {
				return
			}
		}
		base += uint32(t.capacity())
	}
}

// Bases returns the first number of each shard, and the number of all cells.
func (s *Set) Bases() (base [Shards]uint32, cells uint64) {
	for i := range s {
		base[i] = uint32(cells)
		cells += uint64(s[i].capacity())
	}
	return base, cells
}

// Node returns the number of state v with hash h; found is false if the set does not have it.
func (s *Set) Node(base *[Shards]uint32, v []uint32, h uint64) (n uint32, found bool) {
	i := ShardOf(h)
	if s[i].used == 0 {
		return 0, false
	}
	at, found := s[i].Find(v, PlaceOf(h))
	return base[i] + s[i].number(at), found
}

// Vector returns the state with a number; nil if its cell is free.
func (s *Set) Vector(base *[Shards]uint32, n uint32) []uint32 {
	i := sort.Search(Shards, func(i int) bool { return base[i] > n }) - 1
	for s[i].capacity() == 0 || n-base[i] >= uint32(s[i].capacity()) {
		i-- // an empty shard with the same base
	}
	return s[i].cell(n - base[i])
}
