package explore

import (
	"math/bits"
	"math/rand/v2"
	"unsafe"

	"github.com/atmostk/atmostk/explore/kernel"
	"github.com/atmostk/atmostk/model/protocol"
)

// The compact store keeps a code of 64 or 128 bits of each visited state, and nothing else. The codes are
// keyed at random: two states have the same with a probability that no model can know of, 2^-64 for any two.

// A coder makes codes. Each 32 bits of one are the upper half of a sum of the state's numbers times keys,
// modulo 2^64, which is strongly universal: for any two states the keys that give both the same are one in
// 2^32 (Lemire and Kaser, Strongly Universal String Hashing is Fast, 2014). It reads numbers and not words,
// so that codes stay as they are when the layout of vectors changes.
type coder struct {
	keys    [4][]uint64 // of each 32 bits: one more than there are numbers
	slots   []protocol.Slot
	bits    int
	numbers int // that a state has: words of a system, or parts
}

// newCoder returns a coder of the states of a space, with keys that a seed says.
func newCoder(space kernel.Space, bits int, seed [32]byte) coder {
	c := coder{bits: bits, slots: space.Slots(), numbers: space.Width()}
	if c.slots != nil {
		c.numbers = len(c.slots)
	}
	c.rekey(seed)
	return c
}

// rekey draws the keys anew.
func (c *coder) rekey(seed [32]byte) {
	r := rand.NewChaCha8(seed)
	for half := range c.keys[:c.bits/32] {
		keys := make([]uint64, c.numbers+1)
		for i := range keys {
			keys[i] = r.Uint64()
		}
		c.keys[half] = keys
	}
}

// half returns 64 bits of the code: those of the first keys, or of the second ones. It is never 0.
func (c *coder) half(v []uint32, second int) uint64 {
	a, b := c.keys[2*second], c.keys[2*second+1]
	x, y := a[0], b[0]
	if c.slots == nil {
		a, b = a[1:][:len(v)], b[1:][:len(v)]
		for i, w := range v {
			x += a[i] * uint64(w)
			y += b[i] * uint64(w)
		}
	} else {
		a, b = a[1:][:len(c.slots)], b[1:][:len(c.slots)]
		for i := range c.slots {
			s := &c.slots[i]
			w := v[s.Word] >> (s.Shift & 31) & s.Mask
			x += a[i] * uint64(w)
			y += b[i] * uint64(w)
		}
	}
	return max(1, x&^(1<<32-1)|y>>32)
}

// A compactShard is a hash table with linear probing, by cache lines. A cell begins with the first half of
// the code, 0 if it is free. The second half follows, or, in a search that is done again for a run to be
// shown, that of the parent.
type compactShard struct {
	cells   []uint64
	pages   pages
	stride  int    // words of a cell: 1 or 2
	compare int    // of them that tell states apart
	lines   uint64 // how many there are
	used    int
}

const lineCells = 8 // of a word

// find returns where the state with a code is, or else the free cell where it belongs. There must be room.
func (s *compactShard) find(code, second uint64) (at int, found bool) {
	if s.stride == 1 {
		return s.findWord(code)
	}
	for l := code >> 32 * s.lines >> 32; ; l++ {
		if l == s.lines {
			l = 0
		}
		line := (*[lineCells]uint64)(s.cells[l*lineCells:])
		for i := 0; i < lineCells; i += s.stride {
			switch c := line[i&(lineCells-1)]; {
			case c == 0:
				return int(l)*lineCells + i, false
			case c == code && (s.compare == 1 || line[(i+1)&(lineCells-1)] == second):
				return int(l)*lineCells + i, true
			}
		}
	}
}

// findWord is find where cells are words. As in shard.scan it does without branches within a line.
func (s *compactShard) findWord(code uint64) (at int, found bool) {
	for l := code >> 32 * s.lines >> 32; ; l++ {
		if l == s.lines {
			l = 0
		}
		c := (*[lineCells]uint64)(s.cells[l*lineCells:])
		if is := same64(c[0], code) | same64(c[1], code)<<1 | same64(c[2], code)<<2 | same64(c[3], code)<<3 |
			same64(c[4], code)<<4 | same64(c[5], code)<<5 | same64(c[6], code)<<6 |
			same64(c[7], code)<<7; is != 0 {
			return int(l)*lineCells + bits.TrailingZeros32(is), true
		}
		if c[lineCells-1] == 0 {
			free := same64(c[0], 0) + same64(c[1], 0) + same64(c[2], 0) + same64(c[3], 0) +
				same64(c[4], 0) + same64(c[5], 0) + same64(c[6], 0) + 1
			return int(l)*lineCells + lineCells - int(free), false
		}
	}
}

// freeCell returns the free cell for a state that is known to be new.
func (s *compactShard) freeCell(code uint64) int {
	for at := int(code >> 32 * s.lines >> 32 * lineCells); ; at += s.stride {
		if at == len(s.cells) {
			at = 0
		}
		if s.cells[at] == 0 {
			return at
		}
	}
}

// same64 is same, of longer words.
func same64(x, y uint64) uint32 {
	if x == y {
		return 1
	}
	return 0
}

// Tables are filled up to 7/8. Then large ones grow by a fifth, others to twice their size: to move the
// states by fifths from the beginning took a tenth of the time.
func (s *compactShard) reserve(more, _ int) (words int) {
	cells, need := len(s.cells)/s.stride, s.used+more
	if 8*need <= 7*cells {
		return 0
	}
	larger := cells + cells/5
	switch {
	case cells < smallCapacity:
		larger = 4 * cells
	case cells < largeCapacity:
		larger = 2 * cells
	}
	larger = max(minCapacity, larger, need*8/7+1)
	return (larger*s.stride + lineCells - 1) / lineCells * lineCells * 2
}

func (s *compactShard) bytes() int64 { return 8 * int64(len(s.cells)) }

func (s *compactShard) count() int { return s.used }

// grow moves the codes into other pages. The states' vectors play no part.
func (s *compactShard) grow(pages pages, _ int, _ kernel.Translation) error {
	old := *s
	pages.populate()
	s.adopt(pages, rememberedShard{})
	for i := 0; i < len(old.cells); i += s.stride {
		if cell := old.cells[i : i+s.stride]; cell[0] != 0 {
			copy(s.cells[s.freeCell(cell[0]):], cell)
			s.used++
		}
	}
	return old.pages.free()
}

// adopt makes pages the table, which are to be filled as another's were, of a shape.
func (s *compactShard) adopt(p pages, shape rememberedShard) {
	s.pages, s.used = p, shape.Used
	s.cells = unsafe.Slice((*uint64)(unsafe.Pointer(unsafe.SliceData(p.words))), len(p.words)/2)
	s.lines = uint64(len(s.cells) / lineCells)
}

func (s *compactShard) words() []uint32 { return s.pages.words }

func (s *compactShard) shape() rememberedShard {
	return rememberedShard{len(s.pages.words), s.stride, s.used}
}

func (s *compactShard) free() error { return s.pages.free() }

// compact is the table of a search with the Compact store.
type compact struct {
	shards [numShards]compactShard
	coder
	codes   [numShards][]uint64 // of the successors that are looked up
	linked  bool                // the table has the codes of parents: see again.go
	noLinks error               // why the search could not be done once more; nil: no reason is known
	seed    [32]byte            // of the keys
}

func newCompact(space kernel.Space, bits int, seed [32]byte) *compact {
	c := &compact{coder: newCoder(space, bits, seed), seed: seed}
	for i := range c.shards {
		c.shards[i].stride, c.shards[i].compare = bits/64, bits/64
	}
	return c
}

// find returns where a state is in a shard, or else the free cell where it belongs.
func (c *compact) find(shard int, v []uint32) (at int, found bool) {
	second := uint64(0)
	if c.shards[shard].compare == 2 {
		second = c.half(v, 1)
	}
	return c.shards[shard].find(c.half(v, 0), second)
}

// visitCompact is visitExact, in the compact table.
func (s *search) visitCompact(c *checker, i int, chunks []chunk) {
	k, sh, pl := s.compact, &s.compact.shards[i], &s.shardResults[i]
	checks := s.purityChecks(i)
	touch, codes := uint64(0), k.codes[i][:0]
	for u := range chunks {
		b := &chunks[u].batch.Records
		for _, e := range chunks[u].lookups[i] {
			code := k.half(b.Words[e.at:int(e.at)+b.Width], 0)
			codes = append(codes, code)
		}
	}
	for _, code := range codes { // on their own, so that many cache misses overlap
		touch += sh.cells[code>>32*sh.lines>>32*lineCells]
	}
	pl.touch, k.codes[i] = uint32(touch), codes
	n := 0
	for u := range chunks {
		b := &chunks[u].batch.Records
		for _, e := range chunks[u].lookups[i] {
			rec := b.Words[e.at : int(e.at)+b.Stride]
			code, second := codes[n], uint64(0)
			n++
			switch {
			case k.linked:
				second = chunks[u].parents[rec[b.Width+kernel.RecordParent]]
			case k.bits == 128:
				second = k.half(rec[:b.Width], 1)
			}
			at, found := sh.find(code, second)
			if found {
				continue
			}
			sh.cells[at] = code
			if sh.stride == 2 {
				sh.cells[at+1] = second
			}
			sh.used++
			tag := rec[b.Width+kernel.RecordTag]
			rec[b.Width], rec[b.Width+kernel.RecordTag] = tag, isNew // an entry of the next level's queue
			if checks > 0 || s.suspect(tag) {
				s.judgeState(c, &pl.findings, s.report.Depth+1, rec[:b.Width], tag, checks > 0)
				checks--
			}
		}
	}
}

// number makes those successors of v that are in a chunk from a word on name it by its number in the chunk.
func (c *compact) number(ch *chunk, from int, v []uint32) {
	b := &ch.batch
	for at := from + b.Width + kernel.RecordParent; at < len(b.Words); at += b.Stride {
		b.Words[at] = uint32(len(ch.parents))
	}
	ch.parents = append(ch.parents, c.half(v, 0))
}
