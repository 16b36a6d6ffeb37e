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

// rounds expands states and visits their successors.
func (e *Expander) rounds(entries, passed []uint32) error {
	s := e.s
	for len(passed) > 0 && s.report.Stopped == "" {
		if s.report.Stopped = s.interruption(atRound); s.report.Stopped != "" {
			return nil
		}
		if e.progress != nil {
			e.progress()
		}
		n := e.share(entries, passed)
		units := s.units[:n]
		s.workers.run(n, func(w, i int) { e.expand(w, i) })
		if s.failedToExpand(units) {
			return nil
		}
		s.missing = s.missing[:0]
		var lacking, left, leftPassed []uint32
		for i := range units {
			s.missing, lacking = append(s.missing, units[i].missing...), append(lacking, e.lacking[i]...)
			left = append(left, units[i].left...)
			leftPassed = append(leftPassed,
				e.passed[i][len(e.passed[i])-len(units[i].left)/(s.width+1):]...)
		}
		var err error
		if len(lacking) > 0 {
			entries, err = e.learn(units, lacking, left)
		} else {
			entries, err = left, e.visit(units)
		}
		if passed = leftPassed; err != nil {
			return err
		}
	}
	return nil
}

// share hands out states to units, and returns to how many.
func (e *Expander) share(entries, passed []uint32) (n int) {
	s, length := e.s, e.s.width+1
	for ; n < unitsPerRound && len(passed) > 0; n++ {
		k := min(unitStates, len(passed))
		u := &s.units[n]
		u.reset(s.width)
		u.left = nil
		u.input = append(u.input[:0], entries[:k*length]...)
		e.passed[n], e.lacking[n] = passed[:k], e.lacking[n][:0]
		entries, passed = entries[k*length:], passed[k:]
	}
	return n
}

// expand collects the successors of the states of unit i.
func (e *Expander) expand(w, i int) {
	s, u := e.s, &e.s.units[i]
	length := s.width + 1
	defer model.Catch(&u.mistake)
	for at := 0; at < len(u.input); at += length {
		entry, origin := u.input[at:at+length], e.passed[i][at/length]
		if e.expandOne(s.cursors[w], u, entry, origin) {
			u.missing = append(u.missing, entry...)
			e.lacking[i] = append(e.lacking[i], origin)
		} else if u.full() {
			u.left = u.input[at+length:]
			break
		}
	}
	e.sort(w, u)
}

// expandOne adds the successors of a state to a unit, with the origin that it passes on. It returns true if
// the tables lack something.
func (e *Expander) expandOne(c *checker, u *unit, entry []uint32, origin uint32) (lacking bool) {
	b := &u.batch
	from := len(b.Words)
	if _, lacking = e.s.expandThese(c, u, entry); lacking {
		return true
	}
	for at := from + b.Width + kernel.RecordParent; at < len(b.Words); at += b.Stride {
		b.Words[at] = origin
	}
	if u.found != 0 {
		e.keepLeast(u, origin)
	}
	return false
}

// keepLeast takes over what was found at a state with an origin, if no state with a lesser code is known of
// which the same was found: states come in an order that differs from process to process.
func (e *Expander) keepLeast(u *unit, origin uint32) {
	l := &u.least
	for ; u.found != 0; u.found &= u.found - 1 {
		i := bits.TrailingZeros64(u.found)
		if l.found>>i&1 == 0 || e.lesser(origin, u.first[i].state, l.origin[i], l.first[i].state) {
			l.found |= 1 << i
			l.origin[i], l.first[i] = origin, u.first[i]
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

// sort is unit.sort, but repeats are merged as a merge of files does it.
func (e *Expander) sort(w int, u *unit) {
	siblings := &e.s.siblings[w]
	for i := range u.order {
		u.order[i] = u.order[i][:0]
	}
	b := &u.batch.Records
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
		s := &u.order[shardOf(h)]
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

// learn completes a round in which the tables lacked something. It returns what was left over of the round,
// in the present layout.
func (e *Expander) learn(units []unit, lacking, left []uint32) ([]uint32, error) {
	s := e.s
	units = s.units[:len(units)+1]
	u := &units[len(units)-1]
	u.reset(s.width)
	for {
		if s.report.Stopped = s.interruption(atLearnt); s.report.Stopped != "" {
			return nil, nil
		}
		length := s.width + 1
		again := e.learnOne(u, s.missing[:length], lacking[0])
		if s.failedToLearn(u, s.missing) {
			return nil, nil
		}
		if err := s.learner.Err(); again && err != nil {
			s.report.Stopped = "stopped: " + err.Error()
			return nil, nil
		}
		if !again {
			s.missing, lacking = s.missing[length:], lacking[1:]
			if len(lacking) > 0 && !u.full() {
				continue
			}
		}
		if s.verify() {
			return nil, nil
		}
		e.sort(0, u)
		if err := e.visit(units); err != nil || s.report.Stopped != "" || len(lacking) == 0 {
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
		units, u = s.units[:1], &s.units[0]
		u.reset(s.width)
	}
}

// learnOne is expandOne, by the learner.
func (e *Expander) learnOne(u *unit, entry []uint32, origin uint32) (lacking bool) {
	defer model.Catch(&u.mistake)
	return e.expandOne(e.s.learning, u, entry, origin)
}

// visit puts the successors collected in units into the table of candidates.
func (e *Expander) visit(units []unit) error {
	s := e.s
	for i := range units {
		u := &units[i]
		if l := &u.least; l.found != 0 {
			u.found, u.first, l.found = l.found, l.first, 0
		}
		s.mergeUnit(u)
		s.expanded += u.expanded
		u.expanded = 0
		e.note()
	}
	if more := e.growth(units); more > 0 && !e.fits(more) {
		if err := e.flush(); err != nil {
			return err
		}
	}
	if ok, err := s.makeRoom(units); !ok {
		return err
	}
	s.workers.run(numShards, func(_, i int) { e.visitShard(i, units) })
	return nil
}

// growth returns by how much the table would grow if all successors in units were new.
func (e *Expander) growth(units []unit) (more int64) {
	for i := range e.s.shards {
		sh, n := &e.s.shards[i], 0
		for k := range units {
			n += len(units[k].order[i])
		}
		if words := sh.reserve(n, e.s.width); words != 0 {
			more += 4*int64(words) - sh.bytes()
		}
	}
	return more
}

// A repeat is another way to reach a candidate that is in the table.
type repeat struct {
	seen uint32 // index
	reached
}

// visitShard puts those in that belong to one shard. As in search.visitNew all are touched first. Repeats are
// entered in the end: what is known of a candidate is mostly in no cache, and so they wait for it together.
func (e *Expander) visitShard(i int, units []unit) {
	sh, seen, repeats := &e.s.shards[i], e.seen[i], e.repeats[i][:0]
	touch := uint32(0)
	for k := range units {
		words := units[k].batch.Words
		for _, lookup := range units[k].order[i] {
			touch += sh.cells[sh.home(lookup.place)] + words[lookup.at]
		}
	}
	e.s.places[i].touch = touch
	for k := range units {
		b := &units[k].batch.Records
		for _, lookup := range units[k].order[i] {
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
