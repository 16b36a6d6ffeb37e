package explore

import (
	"cmp"
	"math/bits"
	"slices"

	"github.com/atmostk/atmostk/explore/kernel"
	"github.com/atmostk/atmostk/explore/store"
	"github.com/atmostk/atmostk/explore/store/memory"
	"github.com/atmostk/atmostk/model"
)

// A chunk is a few hundred consecutive states of a level, which one worker expands, with the results.
type chunk struct {
	input []uint32 // entries of the level's queue
	batch kernel.Batch
	// lookups has the successors to look up, per shard, without the repeats that a siblingCache found.
	lookups [memory.Shards][]memory.Lookup
	missing []uint32 // entries of states that were not expanded, because the tables lack a memo
	left    []uint32 // entries of states that were not expanded, because the batch was full

	counts store.Counts
	findings
	mistake *model.Error // met while states were expanded or judged; nil: none
	fresh   []uint32     // entries of the new states, within the batch
	judged  int          // the word of the latest state, in input or, while new ones are judged, in the batch
}

func (ch *chunk) reset(width int) {
	ch.batch.Reset(width)
	ch.input, ch.missing, ch.mistake = ch.input[:0], ch.missing[:0], nil
}

// bytes returns the memory that the chunk holds.
func (ch *chunk) bytes() int64 {
	n := 0
	for i := range ch.lookups {
		n += cap(ch.lookups[i])
	}
	b := &ch.batch
	return 4 * int64(cap(ch.input)+cap(ch.missing)+cap(b.Words)+cap(b.Loops)+cap(b.Outside.Words)+2*n)
}

// findings are the results of one chunk, or of the visits to one shard, per property.
type findings struct {
	found uint64 // bit i: property i has to be reported
	least int64  // rank of finds that are added: on disk 1 + 32 bits of the state's code, seldom equal
	first [64]find
	count [64]int64 // states or, of step invariants, steps
}

// add records that the properties in found have to be reported at a place.
func (f *findings) add(found uint64, at find) {
	if at.rank = cmp.Or(at.rank, f.least); at.beyond != nil && f.least > 0 {
		at.rank |= beyondRank
	}
	for ; found != 0; found &= found - 1 {
		i := bits.TrailingZeros64(found)
		f.count[i]++
		if f.found>>i&1 == 0 || at.rank < f.first[i].rank {
			f.found |= 1 << i
			at.known, at.state, at.beyond = true, slices.Clone(at.state), slices.Clone(at.beyond)
			f.first[i] = at
		}
	}
}

// beyondRank is added to the rank of a find on disk that is a step, because its run is longer.
const beyondRank = 1 << 33

// merge adds findings to the results of the search, and empties them.
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

// note records the first state or step at which a property has to be reported.
func (s *search) note(property int, f *find) {
	if s.disk != nil {
		s.disk.note(property, f)
	} else if known := &s.finds[property]; !known.known || f.rank > 0 && f.rank < known.rank {
		*known = *f
	}
}

// A siblingCache is a direct-mapped cache: the first bits of a hash are the index of the latest successor
// whose hash begins with them. Neighbours in a level are mostly siblings and have common successors, which
// the cache finds before any lookup in the visited set. A comparison of records detects an entry of another
// chunk. Each worker has its own cache, small enough for the first-level cache of the processor. It is
// cleared when records get another length.
//
//	entry
//	    63 .. 32                  31 .. 0
//	   | last 32 bits of a hash | where the record begins in the batch, in words |
type siblingCache [1 << siblingBits]uint64

// sort sorts the successors by shard, keeps their order within a shard, and leaves out the repeats that the
// cache finds: 70% of the successors of 2pc n=9. With unite it unites the origins and tags of equal
// successors, as a merge of files does.
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

// uniteRecords unites the origins and tags of two records, the words behind their states. It is not inlined,
// so that sort has enough registers.
//
//go:noinline
func uniteRecords(kept, again []uint32) {
	store.Unite(&kept[kernel.RecordParent], &kept[kernel.RecordTag],
		again[kernel.RecordParent], again[kernel.RecordTag])
}

// full reports whether the batch is too large for the successors of another state.
func (ch *chunk) full() bool {
	b := &ch.batch
	return len(b.Words)+len(b.Outside.Words)+len(b.Loops)+len(b.Pruned) >= fullBatch
}
