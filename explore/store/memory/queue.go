package memory

import (
	"slices"
	"unsafe"

	"github.com/atmostk/atmostk/explore/kernel"
)

// A Queue holds the states of one level, each followed by its tag and, on disk, by the origin of its
// successors. It consists of segments, so that it grows without copying and shrinks while it is read.
//
//	entry, of a state of width words
//	    0 .. width-1   width      width+1
//	   | vector      | SleepTag | origin, on disk |
type Queue struct {
	segments [][]uint32
	spare    [][]uint32 // segments that were read and can be filled again
	read     int        // number of words of the first segment that were read
	Count    int        // number of states not read yet
	held     int64      // words of all segments, including spare ones
}

// SegmentStates is the number of states that a segment has room for.
const SegmentStates = 4096

// room returns the last segment, with room for an entry of the given length.
func (q *Queue) room(length int) *[]uint32 {
	n := len(q.segments)
	if n > 0 && len(q.segments[n-1]) < SegmentStates*length {
		return &q.segments[n-1]
	}
	q.segments = append(q.segments, q.segment(length))
	return &q.segments[n]
}

// segment returns an empty segment for entries of the given length.
func (q *Queue) segment(length int) (segment []uint32) {
	if k := len(q.spare); k > 0 {
		segment, q.spare = q.spare[k-1][:0], q.spare[:k-1]
		return segment
	}
	segment = make([]uint32, 0, SegmentStates*length)
	q.held += int64(cap(segment))
	return segment
}

// Push appends copies of entries of the given length.
func (q *Queue) Push(entries []uint32, length int) {
	q.Count += len(entries) / length
	for len(entries) > 0 {
		segment := q.room(length)
		n := min(len(entries), SegmentStates*length-len(*segment))
		*segment, entries = append(*segment, entries[:n]...), entries[n:]
	}
}

// Marked moves the first words, of the given length, of each record whose word at index mark is IsNew to the
// front, and returns them. It moves all records and keeps those: a branch could not be predicted.
func Marked(records []uint32, stride, length, mark int) []uint32 {
	used, free := 0, records[:cap(records)]
	for at := 0; at < len(records); at += stride {
		isNew := int(Same(records[at+mark], IsNew))
		for i := 0; i < length; i += copied { // mostly once
			copyWords(&free[used+i], &free[at+i])
		}
		used += length & -isNew
	}
	return records[:used]
}

// copied is the number of words that copyWords copies. Records have as many spare words behind them.
const copied = 4

// copyWords copies some words at once, without a check of bounds for each.
func copyWords(to, from *uint32) {
	*(*[copied]uint32)(unsafe.Pointer(to)) = *(*[copied]uint32)(unsafe.Pointer(from))
}

// Pop moves up to states entries of the given length to the end of dst.
func (q *Queue) Pop(dst []uint32, states, length int) []uint32 {
	for states > 0 && q.Count > 0 {
		segment := q.segments[0]
		n := min(states*length, len(segment)-q.read)
		dst = append(dst, segment[q.read:q.read+n]...)
		q.read += n
		q.Count -= n / length
		states -= n / length
		if q.read == len(segment) {
			q.spare = append(q.spare, segment)
			q.segments = q.segments[1:]
			q.read = 0
		}
	}
	return dst
}

// Unpop puts entries, no more than a segment has room for, back in front of the others.
func (q *Queue) Unpop(entries []uint32, length int) {
	if q.read > 0 {
		first := q.segments[0]
		q.segments[0] = first[:copy(first, first[q.read:])]
		q.read = 0
	}
	q.segments = slices.Insert(q.segments, 0, append(q.segment(length), entries...))
	q.Count += len(entries) / length
}

// Extend appends n entries of the given length, no more than a segment has room for. The caller fills them.
func (q *Queue) Extend(n, length int) []uint32 {
	segment := q.segment(length)[:n*length]
	q.segments, q.Count = append(q.segments, segment), q.Count+n
	return segment
}

// unread returns the unread part of a segment.
func (q *Queue) unread(i int) []uint32 {
	if i == 0 {
		return q.segments[0][q.read:]
	}
	return q.segments[i]
}

// At returns entry i, of the given length, of a queue that is not being read.
func (q *Queue) At(i, length int) []uint32 {
	return q.segments[i/SegmentStates][i%SegmentStates*length:][:length]
}

// Clear empties a queue that was not read, and keeps its memory.
func (q *Queue) Clear() {
	q.spare = append(q.spare, q.segments...)
	q.segments, q.Count = nil, 0
}

// Bytes returns the memory that the queue holds.
func (q *Queue) Bytes() int64 { return 4 * q.held }

// Lend gives the segments that were read to another queue.
func (q *Queue) Lend(to *Queue) {
	for _, c := range q.spare {
		to.held += int64(cap(c))
		q.held -= int64(cap(c))
	}
	to.spare = append(to.spare, q.spare...)
	q.spare = nil
}

// Translated returns the queue with all states changed to a new width; the behind words after each state
// stay. It drops each segment that it has read, and calls dropped with its bytes.
func (q *Queue) Translated(old, width, behind int, translate kernel.Translation,
	dropped func(bytes int64)) Queue {
	var r Queue
	entry := make([]uint32, width+behind)
	q.spare = nil
	for i, c := range q.segments {
		bytes := 4 * int64(cap(c))
		for s := range slices.Chunk(q.unread(i), old+behind) {
			translate(entry[:width], s[:old])
			copy(entry[width:], s[old:])
			r.Push(entry, len(entry))
		}
		q.segments[i] = nil
		dropped(bytes)
	}
	return r
}

// Widened returns the number of bytes by which the queue grows if its states become wider by words.
func (q *Queue) Widened(words int) int64 { return 4 * int64(words) * int64(q.Count) }
