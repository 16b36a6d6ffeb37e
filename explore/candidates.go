package explore

import (
	"math/bits"

	"github.com/atmostk/atmostk/explore/kernel"
	"github.com/atmostk/atmostk/explore/store"
	"github.com/atmostk/atmostk/model"
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

// expansions expands states and visits their successors.
func (e *Expander) expansions(entries, passed []uint32) error {
	s := e.s
	for len(passed) > 0 && s.report.Stopped == "" {
		if s.report.Stopped = s.interruption(atExpansion); s.report.Stopped != "" {
			return nil
		}
		if e.progress != nil {
			e.progress()
		}
		n := e.share(entries, passed)
		chunks := s.chunks[:n]
		s.workers.run(n, func(w, i int) { e.expand(w, i) })
		if s.failedToExpand(chunks) {
			return nil
		}
		s.missing = s.missing[:0]
		var lacking, left, leftPassed []uint32
		for i := range chunks {
			s.missing, lacking = append(s.missing, chunks[i].missing...), append(lacking, e.lacking[i]...)
			left = append(left, chunks[i].left...)
			leftPassed = append(leftPassed,
				e.passed[i][len(e.passed[i])-len(chunks[i].left)/(s.width+1):]...)
		}
		var err error
		if len(lacking) > 0 {
			entries, err = e.fill(chunks, lacking, left)
		} else {
			entries, err = left, e.visit(chunks)
		}
		if passed = leftPassed; err != nil {
			return err
		}
	}
	return nil
}

// share hands out states to chunks, and returns to how many.
func (e *Expander) share(entries, passed []uint32) (n int) {
	s, length := e.s, e.s.width+1
	for ; n < chunksPerExpansion && len(passed) > 0; n++ {
		k := min(chunkStates, len(passed))
		ch := &s.chunks[n]
		ch.reset(s.width)
		ch.left = nil
		ch.input = append(ch.input[:0], entries[:k*length]...)
		e.passed[n], e.lacking[n] = passed[:k], e.lacking[n][:0]
		entries, passed = entries[k*length:], passed[k:]
	}
	return n
}

// expand collects the successors of the states of chunk i.
func (e *Expander) expand(w, i int) {
	s, ch := e.s, &e.s.chunks[i]
	length := s.width + 1
	defer model.Catch(&ch.mistake)
	for at := 0; at < len(ch.input); at += length {
		entry, origin := ch.input[at:at+length], e.passed[i][at/length]
		if e.expandOne(s.cursors[w], ch, entry, origin) {
			ch.missing = append(ch.missing, entry...)
			e.lacking[i] = append(e.lacking[i], origin)
		} else if ch.full() {
			ch.left = ch.input[at+length:]
			break
		}
	}
	e.sort(w, ch)
}

// expandOne adds the successors of a state to a chunk, with the origin that it passes on. It returns true if
// the tables lack something.
func (e *Expander) expandOne(c *checker, ch *chunk, entry []uint32, origin uint32) (lacking bool) {
	b := &ch.batch
	from := len(b.Words)
	if _, lacking = e.s.expandThese(c, ch, entry); lacking {
		return true
	}
	for at := from + b.Width + kernel.RecordParent; at < len(b.Words); at += b.Stride {
		b.Words[at] = origin
	}
	if ch.found != 0 {
		e.keepLeast(ch, origin)
	}
	return false
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

// sort is chunk.sort, but repeats are merged as a merge of files does it.
func (e *Expander) sort(w int, ch *chunk) {
	siblings := &e.s.siblingCaches[w]
	for i := range ch.lookups {
		ch.lookups[i] = ch.lookups[i][:0]
	}
	b := &ch.batch.Records
	for at := 0; at < len(b.Words); at += b.Stride {
		h := b.HashAt(at)
		r := &siblings[h>>(64-siblingBits)]
		last := *r
		*r = h<<32 | uint64(at)
		if j := int(uint32(last)); uint32(last>>32) == uint32(h) && j < at && equal(b.Words[at:at+b.Width],
			b.Words[j:]) {
			first := reachedIn(b, j).with(reachedIn(b, at))
			b.Words[j+b.Width+kernel.RecordParent], b.Words[j+b.Width+kernel.RecordTag] = first.origin,
				first.tag
			*r = h<<32 | uint64(j)
			continue
		}
		s := &ch.lookups[shardOf(h)]
		*s = append(*s, lookup{uint32(at), placeOf(h)})
	}
}

// reachedIn returns how the successor was reached whose record begins at a word.
func reachedIn(b *kernel.Records, at int) reached {
	return reached{b.Words[at+b.Width+kernel.RecordParent], b.Words[at+b.Width+kernel.RecordTag]}
}

// with returns what remains of two ways to reach a state.
func (r reached) with(o reached) reached {
	return reached{min(r.origin, o.origin), uint32(kernel.SleepTag(r.tag).Over(kernel.SleepTag(o.tag)))}
}

// fill completes an expansion in which the tables lacked something. It returns what was left over of it,
// in the present layout.
func (e *Expander) fill(chunks []chunk, lacking, left []uint32) ([]uint32, error) {
	s := e.s
	chunks = s.chunks[:len(chunks)+1]
	ch := &chunks[len(chunks)-1]
	ch.reset(s.width)
	for {
		if s.report.Stopped = s.interruption(atFilled); s.report.Stopped != "" {
			return nil, nil
		}
		length := s.width + 1
		again := e.fillOne(ch, s.missing[:length], lacking[0])
		if s.failedToFill(ch, s.missing) {
			return nil, nil
		}
		if err := s.filler.Err(); again && err != nil {
			s.report.Stopped = "stopped: " + err.Error()
			return nil, nil
		}
		if !again {
			s.missing, lacking = s.missing[length:], lacking[1:]
			if len(lacking) > 0 && !ch.full() {
				continue
			}
		}
		if s.verify() {
			return nil, nil
		}
		e.sort(0, ch)
		if err := e.visit(chunks); err != nil || s.report.Stopped != "" || len(lacking) == 0 {
			return left, err
		}
		if again { // states no longer fit their vectors
			s.missing = append(s.missing, left...)
			if err := s.relayout(); err != nil || s.report.Stopped != "" {
				return nil, err
			}
			n := len(lacking) * (s.width + 1)
			s.missing, left = s.missing[:n:n], s.missing[n:]
		}
		chunks, ch = s.chunks[:1], &s.chunks[0]
		ch.reset(s.width)
	}
}

// fillOne is expandOne, by the filler.
func (e *Expander) fillOne(ch *chunk, entry []uint32, origin uint32) (lacking bool) {
	defer model.Catch(&ch.mistake)
	return e.expandOne(e.s.filling, ch, entry, origin)
}

// visit puts the successors collected in chunks into the table of candidates.
func (e *Expander) visit(chunks []chunk) error {
	s := e.s
	for i := range chunks {
		ch := &chunks[i]
		if l := &ch.least; l.found != 0 {
			ch.found, ch.first, l.found = l.found, l.first, 0
		}
		s.mergeChunk(ch)
		s.expanded += ch.expanded
		ch.expanded = 0
		e.note()
	}
	if more := e.growth(chunks); more > 0 && !e.fits(more) {
		if err := e.flush(); err != nil {
			return err
		}
	}
	if ok, err := s.makeRoom(chunks); !ok {
		return err
	}
	s.workers.run(numShards, func(_, i int) { e.visitShard(i, chunks) })
	return nil
}

// growth returns by how much the table would grow if all successors in chunks were new.
func (e *Expander) growth(chunks []chunk) (more int64) {
	most := int(e.mostCells() / numShards)
	for i := range e.s.shards {
		sh, n := &e.s.shards[i], 0
		sh.most = most
		for k := range chunks {
			n += len(chunks[k].lookups[i])
		}
		if words := sh.reserve(n, e.s.width); words != 0 {
			more += 4*int64(words) - sh.bytes()
		}
	}
	return more
}

// visitShard puts those in that belong to one shard. As in search.visitNew all are touched first.
func (e *Expander) visitShard(i int, chunks []chunk) {
	sh := &e.s.shards[i]
	touch := uint32(0)
	for k := range chunks {
		words := chunks[k].batch.Words
		for _, lookup := range chunks[k].lookups[i] {
			touch += sh.cells[sh.home(lookup.place)] + words[lookup.at]
		}
	}
	e.s.shardResults[i].touch = touch
	for k := range chunks {
		b := &chunks[k].batch.Records
		for _, lookup := range chunks[k].lookups[i] {
			rec := b.Words[lookup.at : int(lookup.at)+b.Stride]
			rec[b.Width+kernel.RecordTag] |= uint32(kernel.TakenTag)
			at, found := sh.find(rec, lookup.place)
			if !found {
				sh.fill(at, rec)
				continue
			}
			how := sh.cells[at+b.Width : at+b.Width+reachedWords]
			both := reached{how[0], how[1]}.with(reachedIn(b, int(lookup.at)))
			how[0], how[1] = both.origin, both.tag
		}
	}
}
