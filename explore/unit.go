package explore

import (
	"math/bits"

	"github.com/atmostk/atmostk/explore/kernel"
	"github.com/atmostk/atmostk/model"
)

// A unit is a run of consecutive states of a level and what came of them.
type unit struct {
	input []uint32
	batch kernel.Batch
	// the successors to be looked up, by shard: those that do not occur earlier in the unit
	order   [numShards][]lookup
	missing []uint32 // entries of states that could not be expanded: the tables lack something
	left    []uint32 // entries of states that were not expanded as the batch was full

	expanded int64
	outside  int64
	beyond   int64
	pruned   int64
	stuck    int64
	quiet    int64
	findings
	least   leastFinds
	mistake *model.Error // that showed when the states were expanded
}

// leastFinds are the finds, one of each property, at the states with the least codes: see Expander.expandOne.
type leastFinds struct {
	found  uint64
	origin [64]uint32 // which begins as the state's code
	first  [64]find
}

// A lookup is a successor to be looked up.
type lookup struct {
	at    uint32 // where its record begins in the batch
	place uint32
}

func (u *unit) reset(width int) {
	u.batch.Reset(width)
	u.missing = u.missing[:0]
}

// bytes returns the memory held.
func (u *unit) bytes() int64 {
	n := 0
	for i := range u.order {
		n += cap(u.order[i])
	}
	return 4 * int64(cap(u.input)+cap(u.batch.Words)+cap(u.batch.Loops)+cap(u.batch.Outside.Words)+2*n+cap(
		u.missing))
}

// findings are what was found of the properties in one place.
type findings struct {
	found uint64 // the properties that have to be reported
	first [64]find
	count [64]int64
}

// add records that the properties in found have to be reported.
func (f *findings) add(found uint64, level int, state, beyond []uint32) {
	for ; found != 0; found &= found - 1 {
		i := bits.TrailingZeros64(found)
		f.count[i]++
		if f.found>>i&1 == 0 {
			f.found |= 1 << i
			f.first[i] = find{known: true, level: level, state: clone(state), beyond: clone(beyond)}
		}
	}
}

// merge takes over findings made somewhere, and empties them.
func (s *search) merge(f *findings) {
	for ; f.found != 0; f.found &= f.found - 1 {
		i := bits.TrailingZeros64(f.found)
		s.report.Properties[i].Count += f.count[i]
		f.count[i] = 0
		if !s.finds[i].known {
			s.finds[i] = f.first[i]
		}
	}
}

func clone(v []uint32) []uint32 { return append([]uint32(nil), v...) }

// siblings holds, by the first bits of the hash, the last 32 bits of the latest hash that
// began so, and where the record of that successor begins. What another unit left is recognised as wrong; it
// is cleared when records get another length. There is one for
// each worker, because it should stay in the cache.
type siblings [1 << siblingBits]uint64

// sort sorts the successors by shard, keeping their order within one. States that
// follow each other in a level are mostly siblings and have children in common: of
// 2pc n=9's successors 70% are found to be repeats here, without a look-up in the
// visited set.
func (u *unit) sort(siblings *siblings) {
	for i := range u.order {
		u.order[i] = u.order[i][:0]
	}
	b := &u.batch.Records
	for at := 0; at < len(b.Words); at += b.Stride {
		h := b.HashAt(at)
		r := &siblings[h>>(64-siblingBits)]
		last := *r
		*r = h<<32 | uint64(at)
		j := int(uint32(last))
		if uint32(last>>32) == uint32(h) && j < at && equal(b.Words[at:at+b.Width], b.Words[j:]) {
			tag := &b.Words[j+b.Width+kernel.RecordTag]
			*tag = uint32(kernel.SleepTag(*tag).Better(kernel.SleepTag(b.Words[at+b.Width+kernel.RecordTag])))
			continue
		}
		s := &u.order[shardOf(h)]
		*s = append(*s, lookup{uint32(at), placeOf(h)})
	}
}

// full reports whether no more states are to be expanded into the batch.
func (u *unit) full() bool {
	b := &u.batch
	return len(b.Words)+len(b.Outside.Words)+len(b.Loops)+len(b.Pruned) >= fullBatch
}
