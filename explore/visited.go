package explore

import (
	"fmt"
	"math/bits"

	"github.com/atmostk/atmostk/model"
)

// The visited set is split into shards by the first bits of the hash, so that
// workers can insert without locks and each batch of look-ups stays within a few
// megabytes; docs/decisions/01-rounds.md tells what other numbers of shards cost.
const (
	shardBits = 6
	numShards = 1 << shardBits
)

func shardOf(h uint64) int { return int(h >> (64 - shardBits)) }

// A link is what a state remembers of its parent: model.Parent of the parent's hash.
// 0 marks a free cell.
type link = uint32

// rootLink is the link of initial states, and also of the children of states
// whose hash happens to begin with 31 zeros.
const rootLink link = 1

// A shard is a hash table with linear probing. The cells are the states
// themselves, each followed by its link, so that a look-up mostly costs a single
// cache miss. The first bits of the hash choose the shard, the next 32 the place: a
// hash maps to a place in proportion to its value. So the cells are almost in the
// order of hashes, and growing the table is one pass from left to right over the
// old and the new cells.
//
// Cells come in buckets, and a search begins with the first cell of one. As long
// as it makes sense a bucket is a cache line.
type shard struct {
	cells    []uint32
	pages    pages // what cells lie in
	stride   int   // words of a cell
	bucket   int   // words of a bucket
	lastLink int   // index in a bucket of the link of its last cell
	used     int
}

const lineWords = 16

// bucketWords returns the size of a bucket of cells of the given stride.
func bucketWords(stride int) int {
	if lineWords%stride <= 1 && stride <= lineWords/2 {
		return lineWords
	}
	return stride // too much of the line would be wasted
}

// capacity returns the number of cells.
func (s *shard) capacity() int {
	if s.bucket == 0 {
		return 0
	}
	return len(s.cells) / s.bucket * (s.bucket / s.stride)
}

// Tables are filled up to 3/4. Then they grow: small ones fourfold, which saves
// moves, those of a gigabyte and more by half, which saves memory.
const (
	minCapacity   = 256
	smallCapacity = 1 << 14
	largeCapacity = 1 << 21
)

// home returns the index in cells where the search for a hash begins.
func (s *shard) home(h uint64) int {
	hi, _ := bits.Mul64(h<<shardBits, uint64(len(s.cells)/s.bucket))
	return int(hi) * s.bucket
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
// belongs. The first words of a bucket's cells are compared without a branch,
// because where in its bucket a state stands cannot be predicted; a bucket fills
// from the front, so it has a free cell if and only if its last one is.
func (s *shard) find(v []uint32, h uint64) int {
	stride, width := s.stride, s.stride-1
	v = v[:width]
	first := v[0]
	for i := s.home(h); ; i += s.bucket {
		if i == len(s.cells) {
			i = 0
		}
		bucket := s.cells[i : i+s.bucket]
		likely := uint32(0)
		for at, bit := 0, uint32(1); at < s.lastLink; at, bit = at+stride, bit<<1 {
			likely |= bit & -truth(bucket[at] == first)
		}
		for ; likely != 0; likely &= likely - 1 {
			at := bits.TrailingZeros32(likely) * stride
			if cell := bucket[at : at+stride]; cell[width] != 0 && equal(cell[:width], v) {
				return i + at
			}
		}
		if bucket[s.lastLink] == 0 {
			at := width
			for bucket[at] != 0 {
				at += stride
			}
			return i + at - width
		}
	}
}

// truth is 1 for true; the compiler makes no branch of it.
func truth(b bool) uint32 {
	if b {
		return 1
	}
	return 0
}

// place puts a state that is known to be new into the first free cell for it.
func (s *shard) place(v []uint32, h uint64, parent link) {
	for i := s.home(h); ; i += s.bucket {
		if i == len(s.cells) {
			i = 0
		}
		bucket := s.cells[i : i+s.bucket]
		if bucket[s.lastLink] != 0 {
			continue
		}
		at := len(v)
		for bucket[at] != 0 {
			at += s.stride
		}
		bucket[at] = uint32(parent)
		copy(bucket[at-len(v):], v)
		s.used++
		return
	}
}

// touchNext reads from the bucket behind the home of a hash, if that is full.
func (s *shard) touchNext(h uint64) uint32 {
	next := s.home(h) + s.bucket
	if next < len(s.cells) && s.cells[next-s.bucket+s.lastLink] != 0 {
		return s.cells[next]
	}
	return 0
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
	larger := 2 * s.capacity()
	switch {
	case s.capacity() < smallCapacity:
		larger = 4 * s.capacity()
	case s.capacity() >= largeCapacity:
		larger = s.capacity() + s.capacity()/2
	}
	return wordsFor(max(minCapacity, larger, need*4/3+1), width)
}

// wordsFor returns how many words at least so many cells take, in whole buckets.
func wordsFor(cells, width int) int {
	bucket := bucketWords(width + 1)
	perBucket := bucket / (width + 1)
	return (cells + perBucket - 1) / perBucket * bucket
}

// grow moves the states into so many words of cells, with vectors translated to a
// new width; translate may be nil.
func (s *shard) grow(words, width int, hash func([]uint32) uint64, translate func(dst, src []uint32)) error {
	pages, err := newPages(words)
	if err != nil {
		return fmt.Errorf("no memory for the visited set: %w", err)
	}
	old := *s
	*s = shard{cells: pages.words, pages: pages, stride: width + 1, bucket: bucketWords(width + 1)}
	s.lastLink = s.bucket/s.stride*s.stride - 1
	v := make([]uint32, width)
	for _, cell := range old.each {
		if translate == nil {
			copy(v, cell)
		} else {
			translate(v, cell)
		}
		s.place(v, hash(v), link(cell[old.stride-1]))
	}
	return old.pages.free()
}

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
	last := s.home(first | (1<<33 - 1))
	past := false
	for b := s.home(first); ; b += s.bucket {
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
			if v := cell[:s.stride-1]; model.Parent(hash(v)) == l {
				states = append(states, v)
			}
		}
	}
}
