package disk

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

// portionBytes returns what the portion takes.
func (l *Level) portionBytes() int64 {
	p := &l.portion
	return withSlack(p.states.Bytes() + 8*int64(cap(p.order)+cap(p.sorting)))
}

// withSlack returns how much so many bytes in the heap may be with what the collector has not freed yet.
func withSlack(bytes int64) int64 { return bytes * 3 / 2 }

// available returns how many bytes candidates and the portion that they come from may take.
func (l *Level) available() int64 {
	return max(l.Budget-l.Base-l.Space.Footprint(), l.Budget/4) * 6 / 10
}

// filled reports whether the portion takes as much as it may.
func (l *Level) filled() bool { return l.exceeds(int64(l.portion.states.Count)) }

// exceeds reports whether so many states are more than the portion may take.
func (l *Level) exceeds(states int64) bool {
	if l.Portion > 0 {
		return states > l.Portion
	}
	const perState = 8 + 8 // order and sorting
	eighths := int64(portionEighths)
	if l.Scratch != nil {
		eighths = dealtEighths
	}
	return l.Budget > 0 && withSlack(states*(4*int64(l.length())+perState)) > l.available()*eighths/8
}

// takeUp takes states up, to be expanded at once or when all of the level was read.
func (l *Level) takeUp(entries []uint32) error {
	slots := l.slots()
	for entry := range slices.Chunk(entries, l.length()) {
		if l.ranges.dealt() {
			if err := l.aside(entry, slots); err != nil {
				return err
			}
			continue
		}
		l.portion.states.Push(entry)
	}
	switch {
	case l.ranges.dealt() || !l.filled():
		return nil
	case l.Scratch != nil:
		return l.deal()
	}
	return l.expandPortion()
}

// expandPortion expands the states of the portion.
func (l *Level) expandPortion() error {
	p := &l.portion
	if err := l.arrange(); err != nil {
		return err
	}
	if !l.fits(0) || l.Portion > 0 { // beside the portion
		if err := l.flush(); err != nil {
			return err
		}
		l.releaseTable()
	}
	for order := range slices.Chunk(p.order, memory.SegmentStates) {
		l.gather(order)
		if err := l.Expand(); err != nil {
			return err
		}
	}
	p.states.Clear()
	return nil
}

// gather puts the states with these keys, a segment at most, where they are expanded. They stand all over the
// portion, so all workers do it.
func (l *Level) gather(order []uint64) {
	const piece = 512
	n, length := len(order), l.length()
	segment := l.Segment(n)
	l.Run((n+piece-1)/piece, func(_, i int) {
		for k := i * piece; k < min(n, (i+1)*piece); k++ {
			copy(segment[k*length:], l.portion.states.At(int(uint32(order[k])), length))
		}
	})
}

// releaseTable gives the table of candidates, which is empty, back.
func (l *Level) releaseTable() {
	l.Tables.Free()
	for w := range l.flushers {
		f := &l.flushers[w]
		f.spare, f.rows, f.refs = nil, nil, nil
	}
}

// arrange puts the states in order, by the first 32 of those bits in which their vectors differ.
func (l *Level) arrange() error {
	p := &l.portion
	p.varying = make([]uint32, l.Space.Width())
	n, length := p.states.Count, l.length()
	for i := range n {
		first, v := p.states.At(0, length), p.states.At(i, length)
		for k := range p.varying {
			p.varying[k] |= first[k] ^ v[k]
		}
	}
	p.order = slices.Grow(p.order[:0], n)
	for i := range n {
		if i%memory.SegmentStates == 0 && l.cancelled() != nil {
			return l.cancelled()
		}
		p.order = append(p.order, key(p.states.At(i, length), p.varying)<<32|uint64(i))
	}
	p.sorting = slices.Grow(p.sorting[:0], len(p.order))[:len(p.order)]
	for shift := 32; shift < 64 && l.cancelled() == nil; shift += sortDigit {
		p.sort(shift)
	}
	return l.cancelled()
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
