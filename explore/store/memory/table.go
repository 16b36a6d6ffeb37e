package memory

import (
	"iter"
	"math/bits"
	"unsafe"

	"github.com/atmostk/atmostk/explore/kernel"
)

// The visited set is split into shards by the first bits of the hash, so that
// workers can insert without locks and each batch of look-ups stays within a few
// megabytes; docs/decisions/01-expansions.md reports what other numbers of shards cost.
const (
	shardBits = 6 // of a hash that choose a shard
	Shards    = 1 << shardBits
)

// ShardOf returns the shard of a hash.
func ShardOf(h uint64) int { return int(h >> (64 - shardBits)) }

// A Link is what a state remembers of its parent: kernel.Parent of the parent's hash.
// 0 marks a free cell.
type Link = uint32

// RootLink is the link of initial states, and also of the children of states
// whose hash happens to begin with 31 zeros.
const RootLink Link = 1

// A Lookup is a successor to be looked up.
type Lookup struct {
	At    uint32 // where its record begins in the batch, in words
	Place uint32 // see PlaceOf
}

// IsNew stands in place of the tag of a record whose state was visited for the first
// time. It is not the tag of anything.
const IsNew = 1<<32 - 1

// A Table is the hash table of a shard, with linear probing. The cells are the states
// themselves, or their codes, each followed by remembered words, such as its link, so that a look-up
// mostly costs a single cache miss. The first bits of the hash choose the shard, the next 32 the place: a
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
type Table struct {
	Form
	cells     []uint32
	lines     [][lineWords]uint32 // the same, where a bucket is a line
	pages     Pages               // what cells lie in
	stride    int                 // words of a cell
	width     int                 // words of the vector in it
	bucket    int                 // words of a bucket
	perBucket int                 // cells of a bucket
	buckets   uint64              // how many there are
	used      int
}

// A Form is the form of a table's cells. The last word of a cell is never 0.
type Form struct {
	Behind  int // words behind the vector
	Eighths int // of the cells may be in use, until there have to be more
	Most    int // cells to which a table grows for the sake of growing; 0: no limit
}

// HashOf returns a hash with a place: all that a table wants of one.
func HashOf(place uint32) uint64 { return uint64(place) << (32 - shardBits) }

// PlaceOf returns the 32 bits of a hash that say where in its shard a state stands.
func PlaceOf(h uint64) uint32 { return uint32(h << shardBits >> 32) }

const lineWords = 16

// bucketWords returns the size of a bucket of cells of the given stride.
func bucketWords(stride int) int {
	if lineWords%stride <= 1 && stride <= lineWords/2 {
		return lineWords
	}
	return stride // too much of the line would be wasted
}

// Capacity returns the number of cells.
func (t *Table) capacity() int { return int(t.buckets) * t.perBucket }

// Tables are filled up to 3/4. Then they grow: small ones eightfold, which saves
// moves, tables of half a gigabyte and more by a fifth, which saves memory: a state of 12 bytes
// takes at most 26, where doubling would take up to 43.
const (
	minCapacity   = 256
	smallCapacity = 1 << 14
	largeCapacity = 1 << 19
)

// bucketOf returns the bucket where the search for a place begins.
func (t *Table) bucketOf(place uint32) uint64 { return uint64(place) * t.buckets >> 32 }

// Touch loads the first word of that bucket.
func (t *Table) Touch(place uint32) uint32 { return t.cells[t.home(place)] }

// Remembered returns the words behind the vector in the cell at an index.
func (t *Table) Remembered(at int) []uint32 { return t.cells[at+t.width : at+t.stride] }

// home returns the index in cells of that bucket.
func (t *Table) home(place uint32) int { return int(t.bucketOf(place)) * t.bucket }

// Fill puts the cell that stands at the beginning of rec, a state and its remembered words, where
// Find has found that it belongs.
func (t *Table) Fill(at int, rec []uint32) {
	switch cell := t.cells[at:]; t.stride {
	case 2:
		copyPair(cell, rec)
	case 3, 4:
		// Of three words a fourth is copied with them: into the first of the next cell, which is
		// free as long as its link is 0, or behind the last cell of the line.
		_ = cell[copied-1]
		copyWords(&cell[0], &rec[0])
	default:
		copy(cell[:t.stride], rec)
	}
	t.used++
}

func copyPair(to, from []uint32) { *(*[2]uint32)(to) = *(*[2]uint32)(from) }

// Find returns the index in cells of the state, the first words of v, or else of the free
// cell where it belongs. There must be room: see reserve.
func (t *Table) Find(v []uint32, place uint32) (at int, found bool) {
	for b := t.bucketOf(place); ; b++ {
		if b == t.buckets {
			b = 0
		}
		likely, used := t.scan(b, v[0])
		for likely &= 1<<(used&31) - 1; likely != 0; likely &= likely - 1 {
			at := int(b)*t.bucket + bits.TrailingZeros32(likely)*t.stride
			if Equal(t.cells[at:at+t.width], v) {
				return at, true
			}
		}
		if used < t.perBucket {
			return int(b)*t.bucket + used*t.stride, false
		}
	}
}

// scan returns the cells of a bucket whose first word is the given one, as
// the bits of a number, and the number of cells in use. It does so without branches,
// because where in its bucket a state stands cannot be predicted; and without a loop
// for the usual sizes, which takes a third of the instructions.
func (t *Table) scan(number uint64, first uint32) (likely uint32, used int) {
	if t.bucket == lineWords {
		b := &t.lines[number]
		switch t.stride {
		case 2:
			likely = Same(b[0], first) | Same(b[2], first)<<1 | Same(b[4], first)<<2 | Same(b[6], first)<<3 |
				Same(b[8], first)<<4 | Same(b[10], first)<<5 | Same(b[12], first)<<6 | Same(b[14], first)<<7
			used = 8 - int(Same(b[1], 0)+Same(b[3], 0)+Same(b[5], 0)+Same(b[7], 0)+
				Same(b[9], 0)+Same(b[11], 0)+Same(b[13], 0)+Same(b[15], 0))
			return likely, used
		case 3:
			likely = Same(b[0], first) | Same(b[3], first)<<1 | Same(b[6], first)<<2 |
				Same(b[9], first)<<3 | Same(b[12], first)<<4
			used = 5 - int(Same(b[2], 0)+Same(b[5], 0)+Same(b[8], 0)+Same(b[11], 0)+Same(b[14], 0))
			return likely, used
		case 4:
			likely = Same(b[0], first) | Same(b[4], first)<<1 | Same(b[8], first)<<2 | Same(b[12], first)<<3
			used = 4 - int(Same(b[3], 0)+Same(b[7], 0)+Same(b[11], 0)+Same(b[15], 0))
			return likely, used
		case 5:
			likely = Same(b[0], first) | Same(b[5], first)<<1 | Same(b[10], first)<<2
			used = 3 - int(Same(b[4], 0)+Same(b[9], 0)+Same(b[14], 0))
			return likely, used
		}
	}
	bucket := t.cells[int(number)*t.bucket:][:t.bucket]
	if t.perBucket == 1 {
		return Same(bucket[0], first), 1 - int(Same(bucket[len(bucket)-1], 0))
	}
	for at, k := 0, 0; k < t.perBucket; at, k = at+t.stride, k+1 {
		likely |= Same(bucket[at], first) << (k & 31)
		used += 1 - int(Same(bucket[at+t.stride-1], 0))
	}
	return likely, used
}

// Same is 1 if x and y are equal, else 0; the compiler makes no branch of it.
func Same[T uint32 | uint64](x, y T) uint32 {
	if x == y {
		return 1
	}
	return 0
}

// put puts a state that is known to be new into the first free cell for it, with the rest of its cell.
func (t *Table) put(v []uint32, place uint32, rest []uint32) {
	for b := t.bucketOf(place); ; b++ {
		if b == t.buckets {
			b = 0
		}
		if _, used := t.scan(b, 0); used < t.perBucket {
			at := int(b)*t.bucket + used*t.stride
			copy(t.cells[at:], v)
			copy(t.cells[at+len(v):], rest)
			t.used++
			return
		}
	}
}

// Equal compares a few words; slices.Equal takes longer to be called.
func Equal(a, b []uint32) bool {
	for i, x := range a {
		if x != b[i] {
			return false
		}
	}
	return true
}

// Reserve returns how many words of cells there should be to have room for more states, with vectors
// of a width; 0 if there is room.
func (t *Table) Reserve(more, width int) int {
	need := t.used + more
	if 8*need <= t.Eighths*t.capacity() {
		return 0
	}
	return wordsFor(max(minCapacity, t.larger(), need*8/t.Eighths+1), width+t.Behind)
}

// larger returns how many cells there should be when they grow.
func (t *Table) larger() int {
	switch {
	case t.Most > 0:
		return min(2*t.capacity(), max(t.Most, t.capacity()))
	case t.capacity() < smallCapacity:
		return 8 * t.capacity()
	case t.capacity() >= largeCapacity:
		return t.capacity() + t.capacity()/5
	}
	return 2 * t.capacity()
}

// Translated returns how many words of cells there should be for vectors of a new width:
// small tables grow at once if they are half full, as they would soon.
func (t *Table) Translated(width int) int {
	switch {
	case t.capacity() == 0:
		return 0
	case t.capacity() < smallCapacity && 2*t.used > t.capacity():
		return wordsFor(t.larger(), width+t.Behind)
	}
	return wordsFor(t.capacity(), width+t.Behind)
}

// wordsFor returns how many words cells take at least, in whole buckets.
func wordsFor(cells, stride int) int {
	bucket := bucketWords(stride)
	perBucket := bucket / stride
	return (cells + perBucket - 1) / perBucket * bucket
}

// Grow moves the states into other cells, with vectors translated to the given width.
func (t *Table) Grow(pages Pages, width int, translate kernel.Translation) error {
	old := *t
	pages.populate()
	t.adopt(pages, width)
	v := make([]uint32, width)
	for _, cell := range old.Each {
		h := translate(v, cell)
		t.put(v, PlaceOf(h), cell[old.width:])
	}
	return old.free()
}

// adopt makes pages the table, which is empty then, for vectors of a width.
func (t *Table) adopt(p Pages, width int) {
	stride := width + t.Behind
	bucket := bucketWords(stride)
	*t = Table{Form: t.Form, cells: p.Words, pages: p, stride: stride, width: width,
		bucket: bucket, perBucket: bucket / stride, buckets: uint64(len(p.Words) / bucket)}
	t.lines = unsafe.Slice((*[lineWords]uint32)(unsafe.Pointer(unsafe.SliceData(t.cells))),
		len(t.cells)/lineWords)
}

// Clear empties the table, and keeps its cells.
func (t *Table) Clear() {
	if t.used > 0 {
		clear(t.cells)
		t.used = 0
	}
}

// Used returns how many states there are.
func (t *Table) Used() int { return t.used }

// free gives the memory back. Of the table its form is left.
func (t *Table) free() error {
	pages := t.pages
	*t = Table{Form: t.Form}
	return pages.Free()
}

// Bytes returns the size of the table.
func (t *Table) Bytes() int64 { return 4 * int64(len(t.cells)) }

// Each yields the cells that are taken, with their index.
func (t *Table) Each(yield func(i int, cell []uint32) bool) {
	for b := 0; b < len(t.cells); b += t.bucket {
		for i := b; i+t.stride <= b+t.bucket; i += t.stride {
			if t.cells[i+t.stride-1] != 0 && !yield(i, t.cells[i:i+t.stride]) {
				return
			}
		}
	}
}

// begin returns the states whose hash begins as the link says.
func (t *Table) begin(l Link, hash func([]uint32) uint64) (states [][]uint32) {
	first := uint64(l&^1) << 32
	for cell := range t.Between(PlaceOf(first), PlaceOf(first|(1<<33-1))) {
		if v := cell[:t.width]; kernel.Parent(hash(v)) == l {
			states = append(states, v)
		}
	}
	return states
}

// Between yields the cells of all states with a place from first to last, and others: they stand between the
// first bucket for such a place and the first free cell from the last such bucket on.
func (t *Table) Between(first, last uint32) iter.Seq[[]uint32] {
	return func(yield func([]uint32) bool) {
		if t.used == 0 {
			return
		}
		for b, past := t.home(first), false; ; b += t.bucket {
			if b == len(t.cells) {
				b, past = 0, true // all further cells were reached by probing past the end
			}
			past = past || b >= t.home(last)
			for i := b; i+t.stride <= b+t.bucket; i += t.stride {
				cell := t.cells[i : i+t.stride]
				if cell[t.stride-1] == 0 {
					if past {
						return
					}
					break
				}
				if !yield(cell) {
					return
				}
			}
		}
	}
}
