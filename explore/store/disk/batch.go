package disk

import (
	"math/bits"
	"slices"

	"github.com/atmostk/atmostk/explore/store/memory"
)

// A batch is as many states of the frontier as there is room for. In files they are in the order of their
// codes, which means nothing. They are expanded in the order of their vectors: states that have
// successors in common follow each other then, so that most repeats are met while the candidate is still in a
// cache, and few come after it was written.
type batch struct {
	states  memory.Queue
	order   []uint64 // per state: its key, of 32 bits, and its number
	varying []uint32 // per word: the bits in which vectors differ
}

// A batch takes these eighths of the room at most, and the table of candidates has the rest. Where a level
// can be split into partitions batches can be small; else they have to be large, for their order to be of
// use.
const (
	splitEighths = 2
	batchEighths = 5
)

// batchBytes returns what the batch takes.
func (l *Level) batchBytes() int64 {
	p := &l.batch
	return withSlack(p.states.Bytes() + 8*int64(cap(p.order)))
}

// withSlack returns how much bytes in the heap may be with garbage that the collector has not freed yet.
func withSlack(bytes int64) int64 { return bytes * 3 / 2 }

// available returns how many bytes candidates and the batch that they come from may take.
func (l *Level) available() int64 {
	return max(l.Budget-l.Base-l.Space.Footprint(), l.Budget/4) * 6 / 10
}

// filled reports whether the batch takes as much as it may.
func (l *Level) filled() bool { return l.exceeds(int64(l.batch.states.Count)) }

// exceeds reports whether the states are more than the batch may take.
func (l *Level) exceeds(states int64) bool {
	if l.BatchStates > 0 {
		return states > l.BatchStates
	}
	const perState = 8 // order
	eighths := int64(batchEighths)
	if l.Scratch != nil {
		eighths = splitEighths
	}
	return l.Budget > 0 && withSlack(states*(4*int64(l.length())+perState)) > l.available()*eighths/8
}

// add takes states up, to be expanded at once or when all of the level was read.
func (l *Level) add(entries []uint32) error {
	slots := l.slots()
	for entry := range slices.Chunk(entries, l.length()) {
		if l.partitions.begun() {
			if err := l.assign(entry, slots); err != nil {
				return err
			}
			continue
		}
		l.batch.states.Push(entry)
	}
	switch {
	case l.partitions.begun() || !l.filled():
		return nil
	case l.Scratch != nil && !l.partitions.taken:
		return l.split()
	}
	return l.expandBatch()
}

// expandBatch expands the states of the batch.
func (l *Level) expandBatch() error {
	p := &l.batch
	if err := l.arrange(); err != nil {
		return err
	}
	if !l.fits(0) || l.BatchStates > 0 { // beside the batch
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
// batch, so all workers do it.
func (l *Level) gather(order []uint64) {
	const piece = 512
	n, length := len(order), l.length()
	segment := l.Segment(n)
	l.Run((n+piece-1)/piece, func(_, i int) {
		for k := i * piece; k < min(n, (i+1)*piece); k++ {
			copy(segment[k*length:], l.batch.states.At(int(uint32(order[k])), length))
		}
	})
}

// releaseTable gives the table of candidates, which is empty, back.
func (l *Level) releaseTable() {
	l.Tables.Free()
	for w := range l.flushers {
		f := &l.flushers[w]
		f.rows, f.refs = nil, nil
	}
}

// arrange puts the states in order, by the first 32 of those bits in which their vectors differ.
func (l *Level) arrange() error {
	p := &l.batch
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
	slices.Sort(p.order)
	return l.cancelled()
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
