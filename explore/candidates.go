package explore

import (
	"math/bits"

	"github.com/atmostk/atmostk/explore/kernel"
	"github.com/atmostk/atmostk/explore/store"
	"github.com/atmostk/atmostk/explore/store/memory"
)

// The candidates of the next level are in a table, that of the visited states of a search in memory, until it
// is as large as the budget allows. Then they are written, in the order of their codes, and forgotten. So
// most repeats are found here, by comparing vectors, and a code is computed once for each candidate.
//
// A cell is the beginning of a record. What is known of a candidate stands in the line that is looked at
// anyway, so a repeat costs no other miss.
//
//	cell, of a vector of so many words
//	    0 .. width-1   width    width+1
//	   | vector      | origin | SleepTag, with TakenTag |

// reachedWords is how many words stand behind the vector of a candidate: those of a reached.
const reachedWords = 2

// candidateForm is the form of the table of candidates.
var candidateForm = memory.Form{Behind: reachedWords, Eighths: 6}

// passOn gives an origin to the successors of a state, those in a chunk from a word on, and keeps what was
// found there.
func (e *Expander) passOn(ch *chunk, from int, origin uint32) {
	b := &ch.batch
	for at := from + b.Width + kernel.RecordParent; at < len(b.Words); at += b.Stride {
		b.Words[at] = origin
	}
	if ch.found != 0 {
		e.keepLeast(ch, origin)
	}
}

// keepLeast takes over what was found at a state with an origin, if no state with a lesser code is known of
// which the same was found: states come in an order that differs from process to process.
func (e *Expander) keepLeast(ch *chunk, origin uint32) {
	l := &ch.least
	for ; ch.found != 0; ch.found &= ch.found - 1 {
		i := bits.TrailingZeros64(ch.found)
		if l.found>>i&1 == 0 || e.lesser(origin, ch.first[i].state, l.origin[i], l.first[i].state) {
			l.found |= 1 << i
			l.origin[i], l.first[i] = origin, ch.first[i]
		}
	}
}

// lesser reports whether a state, of which successors have an origin, has a lesser code than another one.
func (e *Expander) lesser(origin uint32, v []uint32, than uint32, w []uint32) bool {
	if first, other := origin>>16, than>>16; first != other {
		return first < other
	}
	e.coding.Lock()
	defer e.coding.Unlock()
	return store.Less(e.s.code(v), e.s.code(w))
}

// reachedIn returns how the successor was reached whose record begins at a word.
func reachedIn(b *kernel.Records, at int) reached {
	return reached{b.Words[at+b.Width+kernel.RecordParent], b.Words[at+b.Width+kernel.RecordTag]}
}

// with returns what remains of two ways to reach a state.
func (r reached) with(o reached) reached {
	return reached{min(r.origin, o.origin), uint32(kernel.SleepTag(r.tag).Over(kernel.SleepTag(o.tag)))}
}

// room makes room in the table of candidates. What is in it is written if the table would take too much else.
func (e *Expander) room(chunks []chunk) (ok bool, err error) {
	if more := e.growth(chunks); more > 0 && !e.fits(more) {
		if err := e.flush(); err != nil {
			return false, err
		}
	}
	return e.s.makeRoom(chunks)
}

// growth returns by how much the table would grow if all successors in chunks were new.
func (e *Expander) growth(chunks []chunk) (more int64) {
	most := int(e.mostCells() / memory.Shards)
	for i := range e.s.tables {
		t, n := &e.s.tables[i], 0
		t.Most = most
		for k := range chunks {
			n += len(chunks[k].lookups[i])
		}
		if words := t.Reserve(n, e.s.width); words != 0 {
			more += 4*int64(words) - t.Bytes()
		}
	}
	return more
}

// take puts successors into the table of candidates. As in search.take all are touched first.
func (e *Expander) take(i int, chunks []chunk) {
	t := &e.s.tables[i]
	touch := uint32(0)
	for k := range chunks {
		words := chunks[k].batch.Words
		for _, lookup := range chunks[k].lookups[i] {
			touch += t.Touch(lookup.Place) + words[lookup.At]
		}
	}
	e.s.shardResults[i].touch = touch
	for k := range chunks {
		b := &chunks[k].batch.Records
		for _, lookup := range chunks[k].lookups[i] {
			rec := b.Words[lookup.At : int(lookup.At)+b.Stride]
			rec[b.Width+kernel.RecordTag] |= uint32(kernel.TakenTag)
			at, found := t.Find(rec, lookup.Place)
			if !found {
				t.Fill(at, rec)
				continue
			}
			how := t.Remembered(at)
			both := reached{how[0], how[1]}.with(reachedIn(b, int(lookup.At)))
			how[0], how[1] = both.origin, both.tag
		}
	}
}
