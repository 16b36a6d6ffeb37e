package explore

import "math/bits"

// The visited set is split into shards by the first bits of the hash, so that
// workers can insert without locks and each batch of look-ups stays within a few
// megabytes. Measured on 2pc n=9 (10.3 million states): see docs/benchmarks.md.
const (
	shardBits = 6
	numShards = 1 << shardBits
)

func shardOf(h uint64) int { return int(h >> (64 - shardBits)) }

// A link is what a state remembers of its parent: the first 31 bits of the
// parent's hash, and a last bit that is always set, so that 0 marks a free cell.
type link uint32

// rootLink is the link of initial states, and also of the children of states
// whose hash happens to begin with 31 zeros.
const rootLink link = 1

func linkTo(parent uint64) link { return link(parent>>32) | 1 }

// A shard is a hash table with linear probing. The cells are the states
// themselves, each followed by its link, so that a look-up mostly costs a single
// cache miss. A hash maps to a cell in proportion to its value: cells are almost
// in the order of hashes, and growing the table is one pass from left to right
// over the old and the new cells.
type shard struct {
	cells    []uint32 // stride words each
	stride   int      // words of a state, and one for the link
	capacity uint64   // number of cells
	used     int
}

// Tables are filled up to 3/4. Small ones grow fourfold then; the larger ones,
// where memory counts, by half, so that a state takes 1.3 to 2 cells.
const (
	minCapacity   = 256
	smallCapacity = 1 << 14
)

// home returns the index in cells where the search for a hash begins.
func (s *shard) home(h uint64) int {
	hi, _ := bits.Mul64(h<<shardBits, s.capacity)
	return int(hi) * s.stride
}

// insert adds a state, unless it is there. There must be room: see reserve.
func (s *shard) insert(v []uint32, h uint64, parent link) bool {
	i := s.find(v, h)
	if s.cells[i+len(v)] != 0 {
		return false
	}
	copy(s.cells[i:], v)
	s.cells[i+len(v)] = uint32(parent)
	s.used++
	return true
}

// find returns the index in cells of the state, or of the free cell where it
// belongs.
func (s *shard) find(v []uint32, h uint64) int {
	width := s.stride - 1
	v = v[:width]
probe:
	for i := s.home(h); ; i += s.stride {
		if i == len(s.cells) {
			i = 0
		}
		cell := s.cells[i : i+width+1]
		if cell[width] == 0 {
			return i
		}
		for k, x := range v {
			if cell[k] != x {
				continue probe
			}
		}
		return i
	}
}

// reserve returns the number of cells that room for so many more states takes;
// 0 if there is room.
func (s *shard) reserve(more int) uint64 {
	need := uint64(s.used + more)
	if 4*need <= 3*s.capacity {
		return 0
	}
	larger := 4 * s.capacity
	if s.capacity >= smallCapacity {
		larger = s.capacity + s.capacity/2
	}
	return max(minCapacity, larger, need*4/3+1)
}

// grow moves the states into so many cells, with vectors translated to a new
// width; translate may be nil.
func (s *shard) grow(capacity uint64, width int, hash func([]uint32) uint64, translate func(dst, src []uint32)) error {
	cells, err := newPages(int(capacity) * (width + 1))
	if err != nil {
		return err
	}
	old := *s
	*s = shard{cells: cells, stride: width + 1, capacity: capacity}
	v := make([]uint32, width)
	for i := 0; i < len(old.cells); i += old.stride {
		cell := old.cells[i : i+old.stride]
		parent := link(cell[old.stride-1])
		if parent == 0 {
			continue
		}
		if translate == nil {
			copy(v, cell)
		} else {
			translate(v, cell)
		}
		s.insert(v, hash(v), parent)
	}
	return freePages(old.cells)
}

// bytes returns the size of a table of so many cells.
func (s *shard) bytes() int64 { return 4 * int64(len(s.cells)) }

// each yields the states with the index of their cells.
func (s *shard) each(yield func(i int, v []uint32) bool) {
	for i := 0; i < len(s.cells); i += s.stride {
		if s.cells[i+s.stride-1] != 0 && !yield(i, s.cells[i:i+s.stride-1]) {
			return
		}
	}
}

// begin returns the states whose hash begins as the link says: they stand
// between the first cell for such a hash and the first free cell after the last.
func (s *shard) begin(l link, hash func([]uint32) uint64) (states [][]uint32) {
	if s.used == 0 {
		return nil
	}
	first := uint64(l&^1) << 32
	last := s.home(first | (1<<33 - 1))
	past := false
	for i := s.home(first); ; i += s.stride {
		if i == len(s.cells) {
			i, past = 0, true // all further cells were reached by probing past the end
		}
		past = past || i >= last
		v := s.cells[i : i+s.stride-1]
		if s.cells[i+s.stride-1] == 0 {
			if past {
				return states
			}
			continue
		}
		if linkTo(hash(v)) == l {
			states = append(states, v)
		}
	}
}
