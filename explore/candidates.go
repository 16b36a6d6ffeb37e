package explore

import (
	"github.com/atmostk/atmostk/explore/kernel"
	"github.com/atmostk/atmostk/model"
)

// The candidates of the next level are in a table, that of the visited states of a search in memory, until it
// is as large as the budget allows. Then they are written, in the order of their codes, and forgotten. So
// most repeats are found here, by comparing vectors, and a code is computed once for each candidate.

// rounds expands states and visits their successors.
func (e *Expander) rounds(entries, prefixes []uint32) error {
	s := e.s
	for len(prefixes) > 0 && s.report.Stopped == "" {
		if s.report.Stopped = s.interruption(atRound); s.report.Stopped != "" {
			return nil
		}
		if e.progress != nil {
			e.progress()
		}
		n := e.share(entries, prefixes)
		chunks := s.chunks[:n]
		s.workers.run(n, func(w, i int) { e.expand(w, i) })
		if s.failedToExpand(chunks) {
			return nil
		}
		s.missing = s.missing[:0]
		var lacking, left, leftPrefixes []uint32
		for i := range chunks {
			s.missing, lacking = append(s.missing, chunks[i].missing...), append(lacking, e.lacking[i]...)
			left = append(left, chunks[i].left...)
			leftPrefixes = append(leftPrefixes,
				e.prefixes[i][len(e.prefixes[i])-len(chunks[i].left)/(s.width+1):]...)
		}
		var err error
		if len(lacking) > 0 {
			entries, err = e.learn(chunks, lacking, left)
		} else {
			entries, err = left, e.visit(chunks)
		}
		if prefixes = leftPrefixes; err != nil {
			return err
		}
	}
	return nil
}

// share hands out states to chunks, and returns to how many.
func (e *Expander) share(entries, prefixes []uint32) (n int) {
	s, length := e.s, e.s.width+1
	for ; n < chunksPerRound && len(prefixes) > 0; n++ {
		k := min(chunkStates, len(prefixes))
		ch := &s.chunks[n]
		ch.reset(s.width)
		ch.left = nil
		ch.input = append(ch.input[:0], entries[:k*length]...)
		e.prefixes[n], e.lacking[n] = prefixes[:k], e.lacking[n][:0]
		entries, prefixes = entries[k*length:], prefixes[k:]
	}
	return n
}

// expand collects the successors of the states of chunk i.
func (e *Expander) expand(w, i int) {
	s, ch := e.s, &e.s.chunks[i]
	length := s.width + 1
	defer model.Catch(&ch.mistake)
	for at := 0; at < len(ch.input); at += length {
		entry, prefix := ch.input[at:at+length], e.prefixes[i][at/length]
		if e.expandOne(s.cursors[w], ch, entry, prefix) {
			ch.missing = append(ch.missing, entry...)
			e.lacking[i] = append(e.lacking[i], prefix)
		} else if ch.full() {
			ch.left = ch.input[at+length:]
			break
		}
	}
	e.sort(w, ch)
}

// expandOne adds the successors of a state to a chunk, with the Prefix of its code. It returns true if the
// tables lack something.
func (e *Expander) expandOne(c *checker, ch *chunk, entry []uint32, prefix uint32) (lacking bool) {
	b := &ch.batch
	from := len(b.Words)
	if _, lacking = e.s.expandThese(c, ch, entry); lacking {
		return true
	}
	for at := from + b.Width + kernel.RecordParent; at < len(b.Words); at += b.Stride {
		b.Words[at] = prefix
	}
	return false
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
			b.Words[j+b.Width+kernel.RecordParent], b.Words[j+b.Width+kernel.RecordTag] = first.parent,
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
	return reached{min(r.parent, o.parent), uint32(kernel.SleepTag(r.tag).Over(kernel.SleepTag(o.tag)))}
}

// learn completes a round in which the tables lacked something. It returns what was left over of the round,
// in the present layout.
func (e *Expander) learn(chunks []chunk, lacking, left []uint32) ([]uint32, error) {
	s := e.s
	chunks = s.chunks[:len(chunks)+1]
	ch := &chunks[len(chunks)-1]
	ch.reset(s.width)
	for {
		if s.report.Stopped = s.interruption(atLearnt); s.report.Stopped != "" {
			return nil, nil
		}
		length := s.width + 1
		again := e.learnOne(ch, s.missing[:length], lacking[0])
		if s.failedToLearn(ch, s.missing) {
			return nil, nil
		}
		if err := s.learner.Err(); again && err != nil {
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

// learnOne is expandOne, by the learner.
func (e *Expander) learnOne(ch *chunk, entry []uint32, prefix uint32) (lacking bool) {
	defer model.Catch(&ch.mistake)
	return e.expandOne(e.s.learning, ch, entry, prefix)
}

// visit puts the successors collected in chunks into the table of candidates.
func (e *Expander) visit(chunks []chunk) error {
	s := e.s
	for i := range chunks {
		s.mergeChunk(&chunks[i])
		s.expanded += chunks[i].expanded
		chunks[i].expanded = 0
	}
	e.note()
	if ok, err := s.makeRoom(chunks); !ok {
		return err
	}
	s.workers.run(numShards, func(_, i int) { e.visitShard(i, chunks) })
	if e.budget > 0 && e.bytes() > max(e.budget-baseline-s.space.Footprint(), e.budget/4)*6/10 {
		return e.flush()
	}
	return nil
}

// A repeat is another way to reach a candidate that is in the table.
type repeat struct {
	seen uint32 // index
	reached
}

// visitShard puts those in that belong to one shard. As in search.visitNew all are touched first. Repeats are
// entered in the end: what is known of a candidate is mostly in no cache, and so they wait for it together.
func (e *Expander) visitShard(i int, chunks []chunk) {
	sh, seen, repeats := &e.s.shards[i], e.seen[i], e.repeats[i][:0]
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
			rec, how := b.Words[lookup.at:int(lookup.at)+b.Stride], reachedIn(b, int(lookup.at))
			at, found := sh.find(rec, lookup.place)
			if found {
				repeats = append(repeats, repeat{sh.cells[at+b.Width] - 1, how})
				continue
			}
			seen = append(seen, how)
			rec[b.Width] = link(len(seen))
			sh.fill(at, rec)
		}
	}
	for i := range repeats {
		r := &repeats[i]
		seen[r.seen] = seen[r.seen].with(r.reached)
	}
	e.seen[i], e.repeats[i] = seen, repeats
}
