package compact

import (
	"slices"

	"github.com/atmostk/atmostk/explore/kernel"
	"github.com/atmostk/atmostk/explore/store/memory"
	"github.com/atmostk/atmostk/model/protocol"
)

// Bits is how many bits the codes of a Set have.
const Bits = 64

// A Set is a visited set that keeps the codes of states, in tables in memory. Where it is linked a code comes
// with a link: the upper half of the parent's code. Cells begin with the lower and the upper half of a code,
// and end with the link. The last word is not 0: an upper half of 0 is taken for 1, which makes the bound of
// the probability no larger, as that has one pair more for each state.
type Set struct {
	*Coder
	*memory.Set
	Linked bool
	cells  [memory.Shards][]uint32 // of the successors that are looked up next
	taken  [memory.Shards]int      // words of them that were looked up
}

// Width is how many words of a cell are the code of the state.
const Width = 2

// NewSet returns an empty set in tables.
func NewSet(c *Coder, tables *memory.Set, linked bool) *Set {
	tables.Free()
	f := memory.Form{Eighths: 7}
	if linked {
		f.Behind = 1
	}
	tables.SetForm(f)
	return &Set{Coder: c, Set: tables, Linked: linked}
}

// Place returns where a code stands in its shard: see memory.Lookup.
func Place(cell []uint32) uint32 { return cell[1] }

// size is how many words a cell has.
func (s *Set) size() int {
	if s.Linked {
		return Width + 1
	}
	return Width
}

// put makes 64 bits of a code the beginning of a cell.
func put(cell []uint32, code uint64) {
	c := (*[Width]uint32)(cell)
	c[0], c[1] = uint32(code), max(1, uint32(code>>32))
}

// cell returns the beginning of the cell of a state.
func (s *Set) cell(v []uint32) []uint32 {
	cell := make([]uint32, Width)
	put(cell, s.half(v, 0))
	return cell
}

// codeIn returns the code in a cell.
func codeIn(cell []uint32) protocol.Code {
	return protocol.Code{Hi: uint64(cell[1])<<32 | uint64(cell[0])}
}

// Code returns the code of a state.
func (s *Set) Code(v []uint32) protocol.Code {
	return codeIn(s.cell(v))
}

// Link makes those successors of a state that are in a batch from a word on name it as their parent.
func (s *Set) Link(b *kernel.Records, from int, v []uint32) {
	if !s.Linked {
		return
	}
	cell := s.cell(v)
	for at := from + b.Width + kernel.RecordParent; at < len(b.Words); at += b.Stride {
		b.Words[at] = Place(cell)
	}
}

// Touch makes the cells of successors that belong to a shard, and loads the cells of the table where they are
// looked up, so that the cache misses overlap.
func (s *Set) Touch(shard int, b *kernel.Records, lookups []memory.Lookup) (touched uint32) {
	cells, t := &s.cells[shard], &s.Set[shard]
	if s.taken[shard] == len(*cells) {
		*cells, s.taken[shard] = (*cells)[:0], 0
	}
	at, size := len(*cells), s.size()
	*cells = slices.Grow(*cells, len(lookups)*size+2) // a table copies four words at a time
	*cells = (*cells)[:at+len(lookups)*size]
	for _, e := range lookups {
		rec, cell := b.Words[e.At:int(e.At)+b.Stride], (*cells)[at:]
		put(cell, s.half(rec[:b.Width], 0))
		if s.Linked {
			cell[Width] = rec[b.Width+kernel.RecordParent]
		}
		at += size
	}
	for at -= len(lookups) * size; at < len(*cells); at += size {
		touched += t.Touch(Place((*cells)[at:])) // in a loop of their own, so that the cache misses overlap
	}
	return touched
}

// Take looks up the successors that were touched, stores those that are new, and makes their records entries
// of the next queue.
func (s *Set) Take(shard int, b *kernel.Records, lookups []memory.Lookup) (fresh int, tags uint32) {
	t, size := &s.Set[shard], s.size()
	cells := s.cells[shard][s.taken[shard]:cap(s.cells[shard])]
	s.taken[shard] += len(lookups) * size
	for _, e := range lookups {
		cell := cells
		cells = cells[size:]
		if at, found := t.Find(cell, Place(cell)); !found {
			t.Fill(at, cell)
			tags |= memory.Enter(b.Words[e.At:], b.Width)
			fresh++
		}
	}
	return fresh, tags
}

// Holds reports whether a state, of a hash, was visited.
func (s *Set) Holds(v []uint32, h uint64) bool {
	t, cell := &s.Set[memory.ShardOf(h)], s.cell(v)
	if t.Used() == 0 {
		return false
	}
	_, found := t.Find(cell, Place(cell))
	return found
}

// Ancestry returns, for each level up to that of a visited state, the codes of states through which there is
// a run to it. It goes back by links. In which shard a parent is they do not say.
func (s *Set) Ancestry(level int, state []uint32) []map[protocol.Code]bool {
	ancestry := make([]map[protocol.Code]bool, level)
	codes := map[protocol.Code]bool{s.Code(state): true}
	for l := range slices.Backward(ancestry) {
		ancestry[l] = codes
		links := map[uint32]bool{}
		for c := range codes {
			for cell := range s.at(uint32(c.Hi >> 32)) {
				if codeIn(cell) == c {
					links[cell[Width]] = true
				}
			}
		}
		codes = map[protocol.Code]bool{}
		for link := range links {
			for cell := range s.at(link) {
				codes[codeIn(cell)] = true
			}
		}
	}
	return ancestry
}

// at yields the cells of all shards that have a place.
func (s *Set) at(place uint32) func(yield func(cell []uint32) bool) {
	return func(yield func(cell []uint32) bool) {
		for i := range s.Set {
			for cell := range s.Set[i].Between(place, place) {
				if Place(cell) == place && !yield(cell) {
					return
				}
			}
		}
	}
}
