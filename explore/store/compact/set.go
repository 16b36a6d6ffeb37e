package compact

import (
	"slices"

	"github.com/atmostk/atmostk/explore/kernel"
	"github.com/atmostk/atmostk/explore/store/memory"
	"github.com/atmostk/atmostk/model/protocol"
)

// Bits is the number of bits of the codes in a Set.
const Bits = 64

// A Set is a visited set that keeps the codes of states, in tables in memory. If it is linked, each code has
// a link: the upper half of the parent's code. A cell has the lower and the upper half of the code, and then
// the link. The last word must not be 0: an upper half of 0 is stored as 1. The bound of the probability
// includes that, because it counts one pair more for each state.
type Set struct {
	*Coder
	*memory.Set
	Linked bool
	cells  [memory.Shards][]uint32 // of the successors that are looked up next
	taken  [memory.Shards]int      // number of words in cells that were looked up
}

// Width is the number of words of a cell for the code of the state.
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

// Place returns the place of a code in its shard: see memory.Lookup.
func Place(cell []uint32) uint32 { return cell[1] }

// size returns the number of words of a cell.
func (s *Set) size() int {
	if s.Linked {
		return Width + 1
	}
	return Width
}

// put writes 64 bits of a code to the beginning of a cell.
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

func codeIn(cell []uint32) protocol.Code {
	return protocol.Code{Hi: uint64(cell[1])<<32 | uint64(cell[0])}
}

// Code returns the code of a state.
func (s *Set) Code(v []uint32) protocol.Code { return codeIn(s.cell(v)) }

// Link enters v as the parent of its successors, the records of a batch from word from on.
func (s *Set) Link(b *kernel.Records, from int, v []uint32) {
	if !s.Linked {
		return
	}
	cell := s.cell(v)
	for at := from + b.Width + kernel.RecordParent; at < len(b.Words); at += b.Stride {
		b.Words[at] = Place(cell)
	}
}

// Touch computes the cells of the successors that belong to a shard, and loads the cells of the table where
// they are looked up, so that cache misses overlap.
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
		touched += t.Touch(Place((*cells)[at:])) // in a loop of its own, so that cache misses overlap
	}
	return touched
}

// Take looks up the successors that were touched, stores the new ones, and makes their records entries of the
// next queue. It returns the union of their tags.
func (s *Set) Take(shard int, b *kernel.Records, lookups []memory.Lookup) (tags uint32) {
	t, size := &s.Set[shard], s.size()
	cells := s.cells[shard][s.taken[shard]:cap(s.cells[shard])]
	s.taken[shard] += len(lookups) * size
	for _, e := range lookups {
		cell := cells
		cells = cells[size:]
		if at, found := t.Find(cell, Place(cell)); !found {
			t.Fill(at, cell)
			tags |= memory.Enter(b.Words[e.At:], b.Width)
		}
	}
	return tags
}

// Holds reports whether state v, with hash h, was visited.
func (s *Set) Holds(v []uint32, h uint64) bool {
	cell := s.cell(v)
	return s.Set[memory.ShardOf(h)].Has(cell, Place(cell))
}

// Ancestry returns, for each level up to the level of a visited state, the codes of states through which a
// run may lead to it. It follows links backwards. A link does not name the parent's shard, so it reads all
// shards.
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

// at yields the cells with a place, in all shards.
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
