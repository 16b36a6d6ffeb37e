package explore

import (
	"math/bits"
	"slices"

	"github.com/atmostk/atmostk/explore/store/memory"
)

// A portion is as many states of the frontier as there is room for. In files they are in the order of their
// codes, which is none that means anything. They are expanded in the order of their vectors: states that have
// successors in common follow each other then, so that most repeats are met while the candidate is still in a
// cache, and few come after it was written.
type portion struct {
	states  memory.Queue
	order   []uint64 // per state: its key, of 32 bits, and its number
	sorting []uint64 // as many, for sorting
	varying []uint32 // per word: the bits in which vectors differ
}

// A portion takes so many eighths of the room at most, and the table of candidates has the rest. Where a
// level can be dealt into ranges portions can be small; else they have to be large, for their order to be of
// use.
const (
	dealtEighths   = 2
	portionEighths = 5
)

// add adds the states of a block to the portion.
func (e *Expander) add(entries []uint32) {
	for entry := range slices.Chunk(entries, e.s.length()) {
		e.portion.states.Push(entry)
	}
}

// portionBytes returns what the portion takes.
func (e *Expander) portionBytes() int64 {
	p := &e.portion
	return withSlack(p.states.Bytes() + 8*int64(cap(p.order)+cap(p.sorting)))
}

// withSlack returns how much so many bytes in the heap may be with what the collector has not freed yet.
func withSlack(bytes int64) int64 { return bytes * 3 / 2 }

// available returns how many bytes candidates and the portion that they come from may take.
func (e *Expander) available() int64 {
	return max(e.budget-baseline-e.s.space.Footprint(), e.budget/4) * 6 / 10
}

// filled reports whether the portion takes as much as it may.
func (e *Expander) filled() bool { return e.exceeds(int64(e.portion.states.Count)) }

// exceeds reports whether so many states are more than the portion may take.
func (e *Expander) exceeds(states int64) bool {
	if most := e.s.opt.Store.portion; most > 0 {
		return states > most
	}
	const perState = 8 + 8 // order and sorting
	eighths := int64(portionEighths)
	if e.scratch != nil {
		eighths = dealtEighths
	}
	return e.budget > 0 && withSlack(states*(4*int64(e.s.length())+perState)) > e.available()*eighths/8
}

// takeUp takes states of the frontier up, to be expanded at once or when all of the level was read.
func (e *Expander) takeUp(entries []uint32) error {
	if !e.ranges.dealt() {
		e.add(entries)
		switch {
		case !e.filled():
			return nil
		case e.scratch != nil:
			return e.deal()
		}
		return e.expandPortion()
	}
	for entry := range slices.Chunk(entries, e.s.length()) {
		if err := e.aside(entry); err != nil {
			return err
		}
	}
	return nil
}

// expandPortion expands the states of the portion.
func (e *Expander) expandPortion() error {
	s, p := e.s, &e.portion
	if err := e.arrange(); err != nil {
		return err
	}
	if err := e.shrink(); err != nil {
		return err
	}
	for order := range slices.Chunk(p.order, memory.SegmentStates) {
		e.gather(order)
		if err := s.expandAll(); err != nil || s.report.Stopped != "" {
			return err
		}
	}
	p.states.Clear()
	return nil
}

// gather puts the states with these keys, a segment at most, into the queue. They stand all over the portion,
// so all workers do it.
func (e *Expander) gather(order []uint64) {
	s, p, length := e.s, &e.portion, e.s.length()
	n := len(order)
	s.next.Lend(&s.now) // what was read before
	segment := s.now.Extend(n, length)
	s.workers.run((n+chunkStates-1)/chunkStates, func(_, piece int) {
		for k := piece * chunkStates; k < min(n, (piece+1)*chunkStates); k++ {
			i := int(uint32(order[k]))
			copy(segment[k*length:], p.states.At(i, length))
		}
	})
}

// shrink gives the table of candidates back, and what it takes to write them, if it takes more than the
// portion leaves.
func (e *Expander) shrink() error {
	if e.fits(0) && e.s.opt.Store.portion == 0 {
		return nil
	}
	err := e.flush()
	e.releaseTable()
	return err
}

// releaseTable gives the table of candidates, which is empty, back.
func (e *Expander) releaseTable() {
	e.s.tables.Free()
	for w := range e.flushers {
		f := &e.flushers[w]
		f.spare, f.rows, f.refs = nil, nil, nil
	}
}

// release gives back what a large level took, before its candidates are merged, which takes memory as well.
func (e *Expander) release() {
	if e.budget > 0 && e.portionBytes() >= e.budget/16 {
		e.portion = portion{}
		e.releaseTable()
	}
}

// arrange puts the states in order, by the first 32 of those bits in which their vectors differ.
func (e *Expander) arrange() error {
	s, p := e.s, &e.portion
	p.varying = make([]uint32, s.width)
	n, length := p.states.Count, s.length()
	for i := range n {
		first, v := p.states.At(0, length), p.states.At(i, length)
		for k := range p.varying {
			p.varying[k] |= first[k] ^ v[k]
		}
	}
	p.order = slices.Grow(p.order[:0], n)
	for i := range n {
		if i%memory.SegmentStates == 0 && e.cancelled() != nil {
			return e.cancelled()
		}
		p.order = append(p.order, key(p.states.At(i, length), p.varying)<<32|uint64(i))
	}
	p.sorting = slices.Grow(p.sorting[:0], len(p.order))[:len(p.order)]
	for shift := 32; shift < 64 && e.cancelled() == nil; shift += sortDigit {
		p.sort(shift)
	}
	return e.cancelled()
}

// sortDigit is how many bits make a digit of a key.
const sortDigit = 11

// sort sorts by a digit of the keys, which are the upper halves of the numbers in order, into as many piles
// as it has values: by each from the last one on. A sort that compares took a twentieth of the search.
func (p *portion) sort(shift int) {
	const mask = 1<<sortDigit - 1
	var ends [1 << sortDigit]int
	for _, x := range p.order {
		ends[x>>shift&mask]++
	}
	at := 0
	for i, n := range ends {
		ends[i] = at // where the pile begins, until it is filled
		at += n
	}
	for _, x := range p.order {
		end := &ends[x>>shift&mask]
		p.sorting[*end] = x
		*end++
	}
	p.order, p.sorting = p.sorting, p.order
}

// key returns the first 32 bits of a vector, of those from the first to the last in each word that vary.
func key(v, varying []uint32) uint64 {
	all, n := uint64(0), 0
	for k, mask := range varying {
		if mask == 0 {
			continue
		}
		low := bits.TrailingZeros32(mask)
		width := bits.Len32(mask) - low
		all = all<<width | uint64(v[k]&mask>>low)
		if n += width; n >= 32 {
			return all >> (n - 32)
		}
	}
	return all
}
