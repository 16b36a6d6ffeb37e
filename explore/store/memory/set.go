// Package memory keeps the states of a search in memory: visited states in hash tables outside of the heap,
// states that are not expanded yet in queues.
package memory

import (
	"math/bits"
	"slices"
	"sort"

	"github.com/atmostk/atmostk/explore/kernel"
	"github.com/atmostk/atmostk/model/protocol"
)

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

// Exact is the visited set that keeps whole states in memory, each with a link to its parent.
type Exact struct {
	*Set
	Hash func(v []uint32) uint64
	Code func(v []uint32) protocol.Code
}

// Touch loads the cells and the records of the next lookups in a shard, so that cache misses overlap. Other
// workers may have written them. The result keeps the compiler from removing the loads.
func (s *Set) Touch(shard int, b *kernel.Records, lookups []Lookup) (touched uint32) {
	t := &s[shard]
	for _, e := range lookups {
		touched += t.Touch(e.Place) + b.Words[e.At]
	}
	return touched
}

// Enter makes the record of a new state an entry of the next queue: it moves the tag behind the vector, and
// puts IsNew in its old place. It returns the tag.
func Enter(rec []uint32, width int) uint32 {
	tag := rec[width+kernel.RecordTag]
	rec[width], rec[width+kernel.RecordTag] = tag, IsNew
	return tag
}

// Take looks successors up, stores the new ones, and makes their records entries of the next queue. It
// returns the union of their tags.
func (s *Exact) Take(shard int, b *kernel.Records, lookups []Lookup) (tags uint32) {
	t, words, stride, width := &s.Set[shard], b.Words, b.Stride, b.Width
	for _, e := range lookups {
		rec := words[e.At:][:stride]
		// Mostly the first bucket decides. Find each time took 1% of the instructions of lamport-mutex.
		bucket := t.bucketOf(e.Place)
		likely, used := t.scan(bucket, rec[0])
		first := int(bucket) * t.bucket
		at, found := first+used*t.stride, false
		if likely &= 1<<(used&31) - 1; likely != 0 {
			like := first + bits.TrailingZeros32(likely)*t.stride
			found = Equal(t.cells[like:like+width], rec)
		}
		if !found && (likely != 0 || used == t.perBucket) {
			at, found = t.Find(rec, e.Place)
		}
		if !found {
			t.Fill(at, rec)
			tags |= Enter(rec, width)
		}
	}
	return tags
}

// Holds reports whether state v, with hash h, was visited.
func (s *Exact) Holds(v []uint32, h uint64) bool { return s.Set[ShardOf(h)].Has(v, PlaceOf(h)) }

// Ancestry returns, for each level up to the level of a visited state, the codes of states through which a
// run may lead to it. It follows links backwards. A link is the beginning of the parent's hash, which
// several states may have in common.
func (s *Exact) Ancestry(level int, state []uint32) []map[protocol.Code]bool {
	ancestry, states := make([]map[protocol.Code]bool, level), [][]uint32{state}
	for l := range slices.Backward(ancestry) {
		ancestry[l] = map[protocol.Code]bool{}
		var parents [][]uint32
		for _, v := range states {
			ancestry[l][s.Code(v)] = true
			h := s.Hash(v)
			t := &s.Set[ShardOf(h)]
			at, _ := t.Find(v, PlaceOf(h))
			link := t.Remembered(at)[0]
			parents = append(parents, s.Set[ShardOf(uint64(link)<<32)].begin(link, s.Hash)...)
		}
		states = parents
	}
	return ancestry
}
