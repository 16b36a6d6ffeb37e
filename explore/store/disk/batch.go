package disk

import (
	"math/bits"
	"slices"

	"github.com/atmostk/atmostk/explore/store/memory"
)

// A batch is as many states of the frontier as memory allows. Files have them in the order of codes, which is
// random. They are expanded in the order of their vectors: states with common successors are neighbours then,
// so that most repeats are found while the candidate is still in a cache, and few after it was written.
type batch struct {
	states  memory.Queue
	order   []uint64 // per state: its key, of 32 bits, and its number
	sorting []uint64 // buffer for sorting, of the same length
	varying []uint32 // per word: the bits in which vectors differ
}

// A batch takes at most these eighths of the memory; the table of candidates has the rest. With partitions
// small batches are enough. Without them batches have to be large, because a sort by vectors helps little
// within a small batch.
const (
	splitEighths = 2
	batchEighths = 5
)

func (l *Level) batchBytes() int64 {
	p := &l.batch
	return withSlack(p.states.Bytes() + 8*int64(cap(p.order)+cap(p.sorting)))
}

// withSlack returns the bytes in the heap plus the garbage that the collector may not have freed yet.
func withSlack(bytes int64) int64 { return bytes * 3 / 2 }

// available returns the number of bytes for the candidates and the batch together.
func (l *Level) available() int64 {
	return max(l.Budget-l.Base-l.Space.Footprint(), l.Budget/4) * 6 / 10
}

// exceeds reports whether a number of states is above the limit of a batch.
func (l *Level) exceeds(states int64) bool {
	if l.BatchStates > 0 {
		return states > l.BatchStates
	}
	const perState = 8 + 8 // order and sorting
	eighths := int64(batchEighths)
	if l.Scratch != nil {
		eighths = splitEighths
	}
	return l.Budget > 0 && withSlack(states*(4*int64(l.length())+perState)) > l.available()*eighths/8
}

// add adds states to the batch or to the partitions. It expands or splits a batch that is full.
func (l *Level) add(entries []uint32) error {
	slots := l.slots()
	for entry := range slices.Chunk(entries, l.length()) {
		if l.partitions.begun() {
			if err := l.assign(entry, slots); err != nil {
				return err
			}
			continue
		}
		l.batch.states.Push(entry, len(entry))
	}
	switch {
	case l.partitions.begun() || !l.exceeds(int64(l.batch.states.Count)):
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
	if !l.fits(0) || l.BatchStates > 0 { // the table does not fit beside the batch
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

// gather copies the states with these keys, a segment at most, to the queue of the search. They are scattered
// over the batch, so all workers share the work.
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

// releaseTable frees the memory of the table of candidates, which is empty.
func (l *Level) releaseTable() {
	l.Tables.Free()
	for w := range l.flushers {
		f := &l.flushers[w]
		f.rows, f.refs = nil, nil
	}
}

// arrange sorts the states by the first 32 bits of those in which their vectors differ.
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
	p.sorting = slices.Grow(p.sorting[:0], len(p.order))[:len(p.order)]
	for shift := 32; shift < 64 && l.cancelled() == nil; shift += sortDigit {
		p.sort(shift)
	}
	return l.cancelled()
}

const sortDigit = 11

// sort is a pass of a radix sort, by one digit of the keys, the upper halves of the numbers in order. The
// passes go from the last digit to the first. A comparison sort took a twentieth of the search.
func (p *batch) sort(shift int) {
	const mask = 1<<sortDigit - 1
	var ends [1 << sortDigit]int
	for _, x := range p.order {
		ends[x>>shift&mask]++
	}
	at := 0
	for i, n := range ends {
		ends[i] = at // the begin of the pile, until it is filled
		at += n
	}
	for _, x := range p.order {
		end := &ends[x>>shift&mask]
		p.sorting[*end] = x
		*end++
	}
	p.order, p.sorting = p.sorting, p.order
}

// key returns the first 32 bits of a vector, of the bits from the first to the last varying one in each word.
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
