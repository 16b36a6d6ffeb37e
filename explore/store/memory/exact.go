// Package memory keeps the states of a search in memory: visited states in hash tables outside of the heap,
// states that are not expanded yet in queues.
package memory

import (
	"math/bits"
	"slices"

	"github.com/atmostk/atmostk/explore/kernel"
	"github.com/atmostk/atmostk/model/protocol"
)

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
