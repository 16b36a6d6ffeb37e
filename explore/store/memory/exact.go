package memory

import (
	"slices"

	"github.com/atmostk/atmostk/explore/kernel"
	"github.com/atmostk/atmostk/model/protocol"
)

// Exact is the visited set of a search in memory: it keeps states whole, each with a link to its parent.
type Exact struct {
	*Set
	Hash func(v []uint32) uint64
	Code func(v []uint32) protocol.Code
}

// Touch loads the cells and the records that are looked up in a shard next, some of them written by other
// workers, so that the cache misses overlap. Its result keeps the loads from being optimised away.
func (s *Set) Touch(shard int, b *kernel.Records, lookups []Lookup) (touched uint32) {
	t := &s[shard]
	for _, e := range lookups {
		touched += t.Touch(e.Place) + b.Words[e.At]
	}
	return touched
}

// Enter makes the record of a new state an entry of the next queue: its tag comes behind the vector, and
// IsNew in the place of the tag. It returns the tag.
func Enter(rec []uint32, width int) uint32 {
	tag := rec[width+kernel.RecordTag]
	rec[width], rec[width+kernel.RecordTag] = tag, IsNew
	return tag
}

// Take looks successors up, stores those that are new, and makes their records entries of the next queue.
func (s *Exact) Take(shard int, b *kernel.Records, lookups []Lookup) (fresh int, tags uint32) {
	t, words, stride, width := &s.Set[shard], b.Words, b.Stride, b.Width
	for _, e := range lookups {
		rec := words[e.At : int(e.At)+stride]
		if at, found := t.Find(rec, e.Place); !found {
			t.Fill(at, rec)
			tags |= Enter(rec, width)
			fresh++
		}
	}
	return fresh, tags
}

// Holds reports whether a state, of a hash, was visited.
func (s *Exact) Holds(v []uint32, h uint64) bool {
	t := &s.Set[ShardOf(h)]
	if t.Used() == 0 {
		return false
	}
	_, found := t.Find(v, PlaceOf(h))
	return found
}

// Ancestry returns, for each level up to that of a visited state, the codes of states through which there is
// a run to it. It goes back by links, which name a parent by the beginning of its hash: there may be several
// states with it in a level.
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
