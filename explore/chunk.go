package explore

import (
	"math/bits"
	"slices"

	"github.com/atmostk/atmostk/explore/kernel"
	"github.com/atmostk/atmostk/explore/store"
	"github.com/atmostk/atmostk/explore/store/memory"
	"github.com/atmostk/atmostk/model"
)

// A chunk is some hundred consecutive states of a level, which one worker expands, and what came of them.
type chunk struct {
	input []uint32 // entries of the level's queue
	batch kernel.Batch
	// lookups are, by shard, the successors to be looked up: without the repeats that a siblingCache knew.
	lookups [memory.Shards][]memory.Lookup
	missing []uint32 // entries of states that could not be expanded: the tables lack something
	left    []uint32 // entries of states that were not expanded as the batch was full

	counts store.Counts
	findings
	mistake *model.Error // that showed when the states were expanded
}

func (ch *chunk) reset(width int) {
	ch.batch.Reset(width)
	ch.missing = ch.missing[:0]
}

// bytes returns the memory held.
func (ch *chunk) bytes() int64 {
	n := 0
	for i := range ch.lookups {
		n += cap(ch.lookups[i])
	}
	b := &ch.batch
	return 4 * int64(cap(ch.input)+cap(ch.missing)+cap(b.Words)+cap(b.Loops)+cap(b.Outside.Words)+2*n)
}

// findings are what one chunk, or the visits to one shard, found of the properties, by their index.
type findings struct {
	found uint64 // bit i: property i has to be reported
	first [64]find
	count [64]int64 // states or, of step invariants, steps
}

// add records that the properties in found have to be reported.
func (f *findings) add(found uint64, level int, state, beyond []uint32) {
	for ; found != 0; found &= found - 1 {
		i := bits.TrailingZeros64(found)
		f.count[i]++
		if f.found>>i&1 == 0 {
			f.found |= 1 << i
			f.first[i] = find{true, level, slices.Clone(state), slices.Clone(beyond), nil}
		}
	}
}

// merge takes over findings made somewhere, and empties them.
func (s *search) merge(f *findings) {
	for ; f.found != 0; f.found &= f.found - 1 {
		i := bits.TrailingZeros64(f.found)
		s.note(i, &f.first[i])
	}
	for i := range s.counts.Properties {
		s.counts.Properties[i] += f.count[i]
		f.count[i] = 0
	}
}

// note takes down the first of some states or steps at which a property has to be reported.
func (s *search) note(property int, f *find) {
	if s.disk != nil {
		s.disk.note(property, f)
	} else if !s.finds[property].known {
		s.finds[property] = *f
	}
}

// A siblingCache is direct-mapped: the entry at the first bits of a hash is the latest successor whose hash
// begins with them. States that follow each other in a level are mostly siblings, and have successors in
// common, which are found here before any look-up in the visited set. An entry of another chunk is recognised
// as wrong when the records are compared. Each worker has a cache of its own, small enough for the first
// level of the processor's; it is cleared when records get another length.
//
//	entry
//	    63 .. 32                  31 .. 0
//	   | last 32 bits of a hash | where the record begins in the batch, in words |
type siblingCache [1 << siblingBits]uint64

// sort sorts the successors by shard, keeping their order within one, and leaves out repeats that the cache
// knows: 70% of the successors of 2pc n=9. unite: origins and tags of both are united, as in a merge of
// files.
func (ch *chunk) sort(siblings *siblingCache, unite bool) {
	for i := range ch.lookups {
		ch.lookups[i] = ch.lookups[i][:0]
	}
	b := &ch.batch.Records
	for at := 0; at < len(b.Words); at += b.Stride {
		h := b.HashAt(at)
		r := &siblings[h>>(64-siblingBits)]
		last := *r
		*r = h<<32 | uint64(at)
		j := int(uint32(last))
		if uint32(last>>32) == uint32(h) && j < at && memory.Equal(b.Words[at:at+b.Width], b.Words[j:]) {
			if unite {
				uniteRecords(b.Words[j+b.Width:], b.Words[at+b.Width:])
				*r = h<<32 | uint64(j)
				continue
			}
			tag := &b.Words[j+b.Width+kernel.RecordTag]
			*tag = uint32(kernel.SleepTag(*tag).Better(kernel.SleepTag(b.Words[at+b.Width+kernel.RecordTag])))
			continue
		}
		s := &ch.lookups[memory.ShardOf(h)]
		*s = append(*s, memory.Lookup{At: uint32(at), Place: memory.PlaceOf(h)})
	}
}

// uniteRecords unites origins and tags, the words behind the states of two records. It is not inlined, so
// that sort has registers left.
//
//go:noinline
func uniteRecords(kept, again []uint32) {
	store.Unite(&kept[kernel.RecordParent], &kept[kernel.RecordTag],
		again[kernel.RecordParent], again[kernel.RecordTag])
}

// full reports whether no more states are to be expanded into the batch.
func (ch *chunk) full() bool {
	b := &ch.batch
	return len(b.Words)+len(b.Outside.Words)+len(b.Loops)+len(b.Pruned) >= fullBatch
}
