package explore

import (
	"math/bits"
	"unsafe"

	"github.com/atmostk/atmostk/explore/kernel"
)

// The visited set is split into shards by the first bits of the hash, so that
// workers can insert without locks and each batch of look-ups stays within a few
// megabytes; docs/decisions/01-search.md tells what other numbers of shards cost.
const (
	shardBits = 6
	numShards = 1 << shardBits
)

func shardOf(h uint64) int { return int(h >> (64 - shardBits)) }

// A link is what a state remembers of its parent: kernel.Parent of the parent's hash.
// 0 marks a free cell.
type link = uint32

// rootLink is the link of initial states, and also of the children of states
// whose hash happens to begin with 31 zeros.
const rootLink link = 1

// A shard is a hash table with linear probing. The cells are the states
// themselves, each followed by its link, so that a look-up mostly costs a single
// cache miss. The first bits of the hash choose the shard, the next 32 the place: a
// hash maps to a bucket in proportion to its place. So the cells are almost in the
// order of hashes, and growing the table is one pass from left to right over the
// old and the new cells.
//
// Cells come in buckets, and a search begins with the first cell of one. As long
// as it makes sense a bucket is a cache line. A bucket fills from the front.
//
//	hash, bits 63 .. 58  57 .. 26  25 .. 0
//	          | shard   | place   |       |
//	bucket, of 16 words and states of 2
//	     0 1   2      3 4   5      6 7   8      9 10  11    12 13  14    15
//	    | v v | link | v v | link | v v | link | v v | link | v v | link | - |
type shard struct {
	cells      []uint32
	lines      [][lineWords]uint32 // the same, where a bucket is a line
	pages      pages               // what cells lie in
	stride     int                 // words of a cell
	width      int                 // of them those of the vector
	bucket     int                 // words of a bucket
	perBucket  int                 // cells of a bucket
	buckets    uint64              // how many there are
	used       int
	candidates bool // it is one of a table of candidates: see candidates.go
	most       int  // and need not have more cells for the sake of growing than that
}

// placeOf returns the 32 bits of a hash that say where in its shard a state stands.
func placeOf(h uint64) uint32 { return uint32(h << shardBits >> 32) }

const lineWords = 16

// bucketWords returns the size of a bucket of cells of the given stride.
func bucketWords(stride int) int {
	if lineWords%stride <= 1 && stride <= lineWords/2 {
		return lineWords
	}
	return stride // too much of the line would be wasted
}

// capacity returns the number of cells.
func (s *shard) capacity() int { return int(s.buckets) * s.perBucket }

// Tables are filled up to 3/4. Then they grow: small ones eightfold, which saves
// moves, those of half a gigabyte and more by a fifth, which saves memory: a state of 12 bytes
// takes at most 26, where doubling would take up to 43.
const (
	minCapacity   = 256
	smallCapacity = 1 << 14
	largeCapacity = 1 << 19
)

// bucketOf returns the bucket where the search for a place begins.
func (s *shard) bucketOf(place uint32) uint64 { return uint64(place) * s.buckets >> 32 }

// home returns the index in cells of that bucket.
func (s *shard) home(place uint32) int { return int(s.bucketOf(place)) * s.bucket }

// fill puts the cell that stands at the beginning of rec, a state and what is remembered of it, where
// find has found that it belongs.
func (s *shard) fill(at int, rec []uint32) {
	switch cell := s.cells[at:]; s.stride {
	case 2:
		copyPair(cell, rec)
	case 3, 4:
		// Of three words a fourth is copied with them: into the first of the next cell, which is
		// free as long as its link is 0, or behind the last cell of the line.
		_ = cell[copied-1]
		copyWords(&cell[0], &rec[0])
	default:
		copy(cell[:s.stride], rec)
	}
	s.used++
}

func copyPair(to, from []uint32) { *(*[2]uint32)(to) = *(*[2]uint32)(from) }

// find returns the index in cells of the state, the first words of v, or else of the free
// cell where it belongs. There must be room: see reserve.
func (s *shard) find(v []uint32, place uint32) (at int, found bool) {
	for b := s.bucketOf(place); ; b++ {
		if b == s.buckets {
			b = 0
		}
		likely, used := s.scan(b, v[0])
		for likely &= 1<<(used&31) - 1; likely != 0; likely &= likely - 1 {
			at := int(b)*s.bucket + bits.TrailingZeros32(likely)*s.stride
			if equal(s.cells[at:at+s.width], v) {
				return at, true
			}
		}
		if used < s.perBucket {
			return int(b)*s.bucket + used*s.stride, false
		}
	}
}

// scan returns the cells of a bucket whose first word is the given one, as
// the bits of a number, and the number of cells in use. It does so without branches,
// because where in its bucket a state stands cannot be predicted; and without a loop
// for the usual sizes, which takes a third of the instructions.
func (s *shard) scan(number uint64, first uint32) (likely uint32, used int) {
	if s.bucket == lineWords {
		b := &s.lines[number]
		switch s.stride {
		case 2:
			likely = same(b[0], first) | same(b[2], first)<<1 | same(b[4], first)<<2 | same(b[6], first)<<3 |
				same(b[8], first)<<4 | same(b[10], first)<<5 | same(b[12], first)<<6 | same(b[14], first)<<7
			used = 8 - int(same(b[1], 0)+same(b[3], 0)+same(b[5], 0)+same(b[7], 0)+
				same(b[9], 0)+same(b[11], 0)+same(b[13], 0)+same(b[15], 0))
			return likely, used
		case 3:
			likely = same(b[0], first) | same(b[3], first)<<1 | same(b[6], first)<<2 |
				same(b[9], first)<<3 | same(b[12], first)<<4
			used = 5 - int(same(b[2], 0)+same(b[5], 0)+same(b[8], 0)+same(b[11], 0)+same(b[14], 0))
			return likely, used
		case 4:
			likely = same(b[0], first) | same(b[4], first)<<1 | same(b[8], first)<<2 | same(b[12], first)<<3
			used = 4 - int(same(b[3], 0)+same(b[7], 0)+same(b[11], 0)+same(b[15], 0))
			return likely, used
		case 5:
			likely = same(b[0], first) | same(b[5], first)<<1 | same(b[10], first)<<2
			used = 3 - int(same(b[4], 0)+same(b[9], 0)+same(b[14], 0))
			return likely, used
		}
	}
	bucket := s.cells[int(number)*s.bucket:][:s.bucket]
	if s.perBucket == 1 {
		return same(bucket[0], first), 1 - int(same(bucket[len(bucket)-1], 0))
	}
	for at, k := 0, 0; k < s.perBucket; at, k = at+s.stride, k+1 {
		likely |= same(bucket[at], first) << (k & 31)
		used += 1 - int(same(bucket[at+s.stride-1], 0))
	}
	return likely, used
}

// same is 1 if x and y are equal, else 0; the compiler makes no branch of it.
func same(x, y uint32) uint32 {
	if x == y {
		return 1
	}
	return 0
}

// put puts a state that is known to be new into the first free cell for it, with the rest of its cell.
func (s *shard) put(v []uint32, place uint32, rest []uint32) {
	for b := s.bucketOf(place); ; b++ {
		if b == s.buckets {
			b = 0
		}
		if _, used := s.scan(b, 0); used < s.perBucket {
			at := int(b)*s.bucket + used*s.stride
			copy(s.cells[at:], v)
			copy(s.cells[at+len(v):], rest)
			s.used++
			return
		}
	}
}

// equal compares a few words; slices.Equal takes longer to be called.
func equal(a, b []uint32) bool {
	for i, x := range a {
		if x != b[i] {
			return false
		}
	}
	return true
}

// reserve returns how many words of cells there should be to have room for so
// many more states; 0 if there is room.
func (s *shard) reserve(more, width int) int {
	need := s.used + more
	if 4*need <= 3*s.capacity() {
		return 0
	}
	return wordsFor(max(minCapacity, s.larger(), need*4/3+1), width+s.behind())
}

// larger returns how many cells there should be when they grow.
func (s *shard) larger() int {
	switch {
	case s.candidates:
		return min(2*s.capacity(), max(s.most, s.capacity()))
	case s.capacity() < smallCapacity:
		return 8 * s.capacity()
	case s.capacity() >= largeCapacity:
		return s.capacity() + s.capacity()/5
	}
	return 2 * s.capacity()
}

// translated returns how many words of cells there should be for vectors of a new width:
// small tables grow at once if they are half full, as they would soon.
func (s *shard) translated(width int) int {
	if s.capacity() < smallCapacity && 2*s.used > s.capacity() {
		return wordsFor(s.larger(), width+s.behind())
	}
	return wordsFor(s.capacity(), width+s.behind())
}

// behind returns how many words follow the vector in a cell: its link, or what a candidate remembers.
func (s *shard) behind() int {
	if s.candidates {
		return reachedWords
	}
	return 1
}

// wordsFor returns how many words at least so many cells take, in whole buckets.
func wordsFor(cells, stride int) int {
	bucket := bucketWords(stride)
	perBucket := bucket / stride
	return (cells + perBucket - 1) / perBucket * bucket
}

// grow moves the states into other cells, with vectors translated to those of the given
// width.
func (s *shard) grow(pages pages, width int, translate kernel.Translation) error {
	words, old := len(pages.words), *s
	pages.populate()
	s.adopt(pages, rememberedShard{Words: words, Stride: width + s.behind()})
	v := make([]uint32, width)
	for _, cell := range old.each {
		h := translate(v, cell)
		s.put(v, placeOf(h), cell[old.width:])
	}
	return old.pages.free()
}

// adopt makes pages the table, which are to be filled as another's were, of a shape.
func (s *shard) adopt(p pages, shape rememberedShard) {
	*s = shard{cells: p.words, pages: p, stride: shape.Stride, bucket: bucketWords(shape.Stride),
		used: shape.Used, candidates: s.candidates, most: s.most}
	s.width = s.stride - s.behind()
	s.perBucket, s.buckets = s.bucket/s.stride, uint64(shape.Words/s.bucket)
	s.lines = unsafe.Slice((*[lineWords]uint32)(unsafe.Pointer(unsafe.SliceData(s.cells))),
		shape.Words/lineWords)
}

func (s *shard) words() []uint32 { return s.cells }

func (s *shard) shape() rememberedShard { return rememberedShard{len(s.cells), s.stride, s.used} }

// count returns how many states there are.
func (s *shard) count() int { return s.used }

func (s *shard) free() error { return s.pages.free() }

// bytes returns the size of the table.
func (s *shard) bytes() int64 { return 4 * int64(len(s.cells)) }

// each yields the cells that are taken, with their index.
func (s *shard) each(yield func(i int, cell []uint32) bool) {
	for b := 0; b < len(s.cells); b += s.bucket {
		for i := b; i+s.stride <= b+s.bucket; i += s.stride {
			if s.cells[i+s.stride-1] != 0 && !yield(i, s.cells[i:i+s.stride]) {
				return
			}
		}
	}
}

// begin returns the states whose hash begins as the link says: they stand
// between the first bucket for such a hash and the first free cell from the last
// such bucket on.
func (s *shard) begin(l link, hash func([]uint32) uint64) (states [][]uint32) {
	if s.used == 0 {
		return nil
	}
	first := uint64(l&^1) << 32
	last := s.home(placeOf(first | (1<<33 - 1)))
	past := false
	for b := s.home(placeOf(first)); ; b += s.bucket {
		if b == len(s.cells) {
			b, past = 0, true // all further cells were reached by probing past the end
		}
		past = past || b >= last
		for i := b; i+s.stride <= b+s.bucket; i += s.stride {
			cell := s.cells[i : i+s.stride]
			if cell[s.stride-1] == 0 {
				if past {
					return states
				}
				break
			}
			if v := cell[:s.stride-1]; kernel.Parent(hash(v)) == l {
				states = append(states, v)
			}
		}
	}
}
