package disk

import (
	"math"

	"github.com/atmostk/atmostk/explore/kernel"
	"github.com/atmostk/atmostk/explore/store"
	"github.com/atmostk/atmostk/explore/store/memory"
)

// The candidates of the next level are in a table, like the visited states of a search in memory, until it
// is as large as the budget allows. Then they are written, in the order of their codes, and the table is
// emptied. So most repeats are found here, by comparing vectors, and a code is computed once per candidate.
//
// A cell is the beginning of a record. Origin and tag of a candidate are in the cache line that a lookup
// reads anyway, so a repeat costs no other cache miss.
//
//	cell, of a vector of width words
//	    0 .. width-1   width    width+1
//	   | vector      | origin | SleepTag, with TakenTag |

// remembered is the number of words behind the vector of a candidate, and of an entry.
const remembered = 2

// Room makes room in the table for the wanted successors of each shard. It writes the candidates first if the
// table would become too large.
func (l *Level) Room(wanted *[memory.Shards]int) error {
	most, more := int(l.mostCells()/memory.Shards), int64(0)
	for i := range l.Tables {
		t := &l.Tables[i]
		t.Most = most
		if words := t.Reserve(wanted[i], l.Space.Width()); words != 0 {
			more += 4*int64(words) - t.Bytes()
		}
	}
	if more > 0 && !l.fits(more) {
		return l.flush()
	}
	return nil
}

// Touch loads the cells that Take reads next.
func (l *Level) Touch(shard int, b *kernel.Records, lookups []memory.Lookup) uint32 {
	return l.Tables.Touch(shard, b, lookups)
}

// Take puts successors into the table. Whether they are new is known only after the merge.
func (l *Level) Take(shard int, b *kernel.Records, lookups []memory.Lookup) (tags uint32) {
	t := &l.Tables[shard]
	for _, lookup := range lookups {
		rec := b.Words[lookup.At : int(lookup.At)+b.Stride]
		rec[b.Width+kernel.RecordTag] |= uint32(kernel.TakenTag)
		at, found := t.Find(rec, lookup.Place)
		if !found {
			t.Fill(at, rec)
			continue
		}
		how := t.Remembered(at)
		store.Unite(&how[kernel.RecordParent], &how[kernel.RecordTag], rec[b.Width+kernel.RecordParent],
			rec[b.Width+kernel.RecordTag])
	}
	return 0
}

func (l *Level) forget() {
	for i := range l.Tables {
		l.Tables[i].Clear()
	}
}

// fits reports whether the table of candidates, grown by more bytes and filled, fits into the memory beside
// the batch.
func (l *Level) fits(more int64) bool {
	return more+l.Tables.Bytes() <= l.mostCells()*l.cellBytes()
}

// cellBytes returns the size of a cell in bytes, without the memory for writing it.
func (l *Level) cellBytes() int64 { return 4 * int64(l.length()) }

// mostCells returns the number of cells of candidates for which memory is left beside the batch. It includes
// the rows for writing the cells in use, three quarters of them.
func (l *Level) mostCells() int64 {
	cell := l.cellBytes()
	if l.Budget == 0 {
		return math.MaxInt64 / cell
	}
	return (l.available() - l.batchBytes()) / (cell + (cell+4*codeWords)*3/4)
}

// Bytes returns the memory of the candidates, including the memory for writing them.
func (l *Level) Bytes() int64 {
	return l.Tables.Bytes() + 4*int64(l.Tables.Used()*(l.length()+codeWords))
}
