package memory

import (
	"iter"
	"math/bits"
	"unsafe"

	"github.com/atmostk/atmostk/explore/kernel"
)

// The visited set is split into shards by the first bits of the hash, so that
// workers can insert without locks and each batch of lookups stays within a few
// megabytes; docs/decisions/01-search.md has the costs of other numbers.
const (
	shardBits = 6 // number of bits of a hash that choose a shard
	Shards    = 1 << shardBits
)

// ShardOf returns the shard of a hash.
func ShardOf(h uint64) int { return int(h >> (64 - shardBits)) }

// A Link identifies the parent of a state: it is kernel.Parent of the parent's hash.
// 0 marks a free cell.
type Link = uint32

// RootLink is the link of initial states, and also of the children of states
// whose hash happens to begin with 31 zeros.
const RootLink Link = 1

// A Lookup is a successor to be looked up.
type Lookup struct {
	At    uint32 // index of its record in the words of the batch
	Place uint32 // see PlaceOf
}

// IsNew replaces the tag in a record whose state was visited for the first time. No tag
// has this value.
const IsNew = 1<<32 - 1

// A Table is the hash table of a shard, with linear probing. A cell is the state
// itself, or its code, followed by remembered words, such as its link, so that a lookup
// mostly costs a single cache miss. The first bits of the hash choose the shard, the next
// 32 are the place; the bucket is proportional to the place. So the cells are almost in
// the order of hashes, and growing the table is one pass from right to left, in place if the memory allows.
//
// Cells are grouped into buckets; a lookup begins at the first cell of a bucket. A bucket
// is a cache line if that wastes few words: see bucketWords. It fills from the front.
//
//	hash, bits 63 .. 58  57 .. 26  25 .. 0
//	          | shard   | place   |       |
//	bucket, of 16 words and states of 2
//	     0 1   2      3 4   5      6 7   8      9 10  11    12 13  14    15
//	    | v v | link | v v | link | v v | link | v v | link | v v | link | - |
type Table struct {
	Form
	cells     []uint32
	lines     [][lineWords]uint32 // the same words, for buckets that are a line
	pages     Pages               // the memory of cells
	stride    int                 // words of a cell
	width     int                 // words of the vector in it
	bucket    int                 // words of a bucket
	perBucket int                 // cells of a bucket
	buckets   uint64              // number of buckets
	used      int                 // number of cells in use
}

// A Form is the form of a table's cells. The last word of a cell is never 0.
type Form struct {
	Behind  int // words behind the vector
	Eighths int // eighths of the cells that may be in use before the table grows
	Most    int // cells up to which a table grows by more than it needs at once; 0: no limit
}

// HashOf returns a hash with a place; a table uses no other bits of it.
func HashOf(place uint32) uint64 { return uint64(place) << (32 - shardBits) }

// PlaceOf returns the place of a state in its shard: 32 bits of its hash.
func PlaceOf(h uint64) uint32 { return uint32(h << shardBits >> 32) }

const lineWords = 16

// bucketWords returns the size of a bucket of cells of the given stride.
func bucketWords(stride int) int {
	if lineWords%stride <= 1 && stride <= lineWords/2 {
		return lineWords
	}
	return stride // a line would waste too many words
}

func (t *Table) capacity() int { return int(t.buckets) * t.perBucket }

// Tables of whole states are filled up to 3/4. Then they grow: small ones eightfold, which saves moves,
// medium ones by half, large ones by a fifth, which saves memory: a state of 12 bytes takes at most 26
// bytes, and up to 43 if tables doubled. 64 large tables take half a gigabyte and more.
const (
	minCapacity    = 256
	smallCapacity  = 1 << 14
	mediumCapacity = 1 << 16
	largeCapacity  = 1 << 19
)

// bucketOf returns the bucket where the lookup of a place begins.
func (t *Table) bucketOf(place uint32) uint64 { return uint64(place) * t.buckets >> 32 }

// Touch loads the first word of the bucket of a place.
func (t *Table) Touch(place uint32) uint32 { return t.cells[t.home(place)] }

// Remembered returns the words behind the vector in the cell at an index.
func (t *Table) Remembered(at int) []uint32 { return t.cells[at+t.width : at+t.stride] }

// home returns the index in cells of the bucket of a place.
func (t *Table) home(place uint32) int { return int(t.bucketOf(place)) * t.bucket }

// Fill copies a state and its remembered words, the beginning of rec, to the free cell that Find has
// returned.
func (t *Table) Fill(at int, rec []uint32) {
	switch cell := t.cells[at:]; t.stride {
	case 2:
		*(*[2]uint32)(cell) = *(*[2]uint32)(rec)
	case 3, 4:
		// With three words a fourth one is copied: to the first word of the next cell, which is
		// free as long as its link is 0, or behind the last cell of the line.
		_ = cell[copied-1]
		copyWords(&cell[0], &rec[0])
	default:
		copy(cell[:t.stride], rec)
	}
	t.used++
}

// Find returns the index in cells of a state, the first words of v. If the state is not found, it
// is the index of the free cell for it. The table must have a free cell: see Reserve.
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

// scan returns the cells of a bucket whose first word is first, as bits of a number,
// and the number of cells in use. It has no branches, because the cell of a state
// in its bucket cannot be predicted. For the usual sizes it has no loop, which saves
// two thirds of the instructions.
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

// Same returns 1 if x and y are equal, and 0 otherwise. The compiler makes no branch of it.
func Same[T uint32 | uint64](x, y T) uint32 {
	if x == y {
		return 1
	}
	return 0
}

// put writes a record of a state that is known to be new, as Fill does, to the first free cell from its
// bucket on. It returns false if the table ends before.
func (t *Table) put(rec []uint32, place uint32) bool {
	for b := t.bucketOf(place); b < t.buckets; b++ {
		if _, used := t.scan(b, 0); used < t.perBucket {
			t.Fill(int(b)*t.bucket+used*t.stride, rec)
			return true
		}
	}
	return false
}

// Equal reports whether b begins with the words of a. For a few words it is faster than slices.Equal.
func Equal(a, b []uint32) bool {
	for i, x := range a {
		if x != b[i] {
			return false
		}
	}
	return true
}

// Reserve returns the number of words that the table needs to have room for more states, with vectors
// of a width; 0: it has room.
func (t *Table) Reserve(more, width int) int {
	need := t.used + more
	if 8*need <= t.Eighths*t.capacity() {
		return 0
	}
	return wordsFor(max(minCapacity, t.larger(), need*8/t.Eighths+1), width+t.Behind)
}

// larger returns the number of cells of the table after growing.
func (t *Table) larger() int {
	switch {
	case t.Most > 0:
		return min(2*t.capacity(), max(t.Most, t.capacity()))
	case t.capacity() < smallCapacity:
		return 8 * t.capacity()
	case t.capacity() >= largeCapacity:
		return t.capacity() + t.capacity()/5
	case t.capacity() >= mediumCapacity:
		return t.capacity() + t.capacity()/2
	}
	return 2 * t.capacity()
}

// GrowsSoon reports whether the table is small, and half full.
func (t *Table) GrowsSoon() bool { return t.capacity() < smallCapacity && 2*t.used > t.capacity() }

// Translated returns the number of words that the table needs for vectors of a new width. Small
// tables that are half full grow at the same time, because they would grow soon.
func (t *Table) Translated(width int) int {
	switch {
	case t.capacity() == 0:
		return 0
	case t.GrowsSoon():
		return wordsFor(t.larger(), width+t.Behind)
	}
	return wordsFor(t.capacity(), width+t.Behind)
}

// wordsFor returns the number of words of at least the given number of cells, in whole buckets.
func wordsFor(cells, stride int) int {
	bucket := bucketWords(stride)
	perBucket := bucket / stride
	return (cells + perBucket - 1) / perBucket * bucket
}

// NewCells returns pages for n words of cells, with vectors of a width: those of the table, longer, if they
// can be, or else new ones.
func (t *Table) NewCells(n, width int) (Pages, error) {
	if width == t.width && n <= cap(t.pages.Words) {
		return t.pages.extended(n)
	}
	return newPages(n)
}

// Drop frees pages that NewCells has returned.
func (t *Table) Drop(p Pages) {
	if !t.within(p) { // else the words behind the cells were never used
		_ = p.free() // no error: see Set.Free
	}
}

// within reports whether the table has these pages already.
func (t *Table) within(p Pages) bool {
	return len(t.cells) > 0 && unsafe.SliceData(p.Words) == unsafe.SliceData(t.cells)
}

// Grow moves the states into the cells of pages, which NewCells has returned, with vectors translated to
// the given width. It goes from right to left. In longer pages a cell mostly moves to the right, behind all
// buckets that were not moved yet; the others wait for the end.
func (t *Table) Grow(pages Pages, width int, translate kernel.Translation) {
	old, within := *t, t.within(pages)
	pages.populate()
	t.adopt(pages, width)
	bucket, moved := make([]uint32, old.bucket), make([]uint32, t.stride+copied)
	var places, waiting []uint32
	for b := len(old.cells); b > 0; {
		b -= old.bucket
		copy(bucket, old.cells[b:])
		if within {
			clear(old.cells[b:][:old.bucket])
		}
		for at := 0; at+old.stride <= old.bucket && bucket[at+old.stride-1] != 0; at += old.stride {
			cell := bucket[at:][:old.stride]
			place := PlaceOf(translate(moved[:width], cell[:old.width]))
			copy(moved[width:], cell[old.width:])
			if within && t.home(place) < b || !t.put(moved, place) {
				places, waiting = append(places, place), append(waiting, moved...)
			}
		}
	}
	for i, place := range places {
		if rec := waiting[i*len(moved):]; !t.put(rec, place) {
			t.put(rec, 0)
		}
	}
	if !within {
		_ = old.free() // no error: see Set.Free
	}
}

// adopt makes pages the memory of the table, for vectors of a width. The table is empty then.
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

// Used returns the number of states.
func (t *Table) Used() int { return t.used }

// free returns the memory to the system. The table keeps its form.
func (t *Table) free() error {
	pages := t.pages
	*t = Table{Form: t.Form}
	return pages.free()
}

// Bytes returns the size of the table.
func (t *Table) Bytes() int64 { return 4 * int64(len(t.cells)) }

// Each yields the cells in use, with their index.
func (t *Table) Each(yield func(i int, cell []uint32) bool) {
	for b := 0; b < len(t.cells); b += t.bucket {
		for i := b; i+t.stride <= b+t.bucket; i += t.stride {
			if t.cells[i+t.stride-1] != 0 && !yield(i, t.cells[i:i+t.stride]) {
				return
			}
		}
	}
}

// begin returns the states whose hash begins with the bits of a link.
func (t *Table) begin(l Link, hash func([]uint32) uint64) (states [][]uint32) {
	first := uint64(l&^1) << 32
	for cell := range t.Between(PlaceOf(first), PlaceOf(first|(1<<33-1))) {
		if v := cell[:t.width]; kernel.Parent(hash(v)) == l {
			states = append(states, v)
		}
	}
	return states
}

// Between yields the cells of all states with a place from first to last, and some others: all cells from the
// bucket of first to the first free cell in or behind the bucket of last.
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
