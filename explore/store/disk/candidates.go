package disk

import (
	"math"

	"github.com/atmostk/atmostk/explore/kernel"
	"github.com/atmostk/atmostk/explore/store"
	"github.com/atmostk/atmostk/explore/store/memory"
)

// The candidates of the next level are in a table, like the visited states of a search in memory, until it
// is as large as the budget allows. Then they are written, in the order of their codes, and forgotten. So
// most repeats are found here, by comparing vectors, and a code is computed once for each candidate.
//
// A cell is the beginning of a record. Origin and tag of a candidate stand in the line that is read
// anyway, so a repeat costs no other miss.
//
//	cell, of a vector of width words
//	    0 .. width-1   width    width+1
//	   | vector      | origin | SleepTag, with TakenTag |

// remembered is how many words stand behind the vector of a candidate, and of an entry.
const remembered = 2

// Room makes room in the table for the wanted successors of each shard. The candidates are written first if
// the table would become too large.
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

// Touch loads the cells that Take looks at next.
func (l *Level) Touch(shard int, b *kernel.Records, lookups []memory.Lookup) uint32 {
	return l.Tables.Touch(shard, b, lookups)
}

// Take puts successors into the table. Which are new turns out when they are merged.
func (l *Level) Take(shard int, b *kernel.Records, lookups []memory.Lookup) (fresh int, tags uint32) {
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
	return 0, 0
}

// forget empties the table.
func (l *Level) forget() {
	for i := range l.Tables {
		l.Tables[i].Clear()
	}
}

// fits reports whether there is room for the table of candidates, if it grows by more bytes and is filled
// then, beside the batch.
func (l *Level) fits(more int64) bool {
	return more+l.Tables.Bytes() <= l.mostCells()*l.cellBytes()
}

// cellBytes is the size of a cell, without the memory to write it.
func (l *Level) cellBytes() int64 { return 4 * int64(l.length()) }

// mostCells returns how many cells of candidates there is room for beside the batch, with the rows of as
// many of them as are taken before the table grows.
func (l *Level) mostCells() int64 {
	cell := l.cellBytes()
	if l.Budget == 0 {
		return math.MaxInt64 / cell
	}
	return (l.available() - l.batchBytes()) / (cell + (cell+4*codeWords)*3/4)
}

// Bytes returns the memory of the candidates, and to write them.
func (l *Level) Bytes() int64 {
	return l.Tables.Bytes() + 4*int64(l.Tables.Used()*(l.length()+codeWords))
}
