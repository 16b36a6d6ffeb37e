package memory

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestQueue compares a queue with a slice: through pushes of one and of many, pops, entries
// put back, segments lent to it, and changes of the width.
func TestQueue(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 9))
	var q, other Queue
	var want []uint32
	width := 1
	entry := func() []uint32 {
		e := make([]uint32, width+1)
		for i := range e {
			e[i] = r.Uint32()
		}
		return e
	}
	for op := range 2000 {
		length := width + 1
		switch r.IntN(8) {
		case 0, 1:
			e := entry()
			q.Push(e, length)
			want = append(want, e...)
		case 2, 3:
			want = append(want, pushSome(&q, r, length)...)
		case 4, 5:
			n := r.IntN(SegmentStates)
			got := q.Pop([]uint32{7}, n, length)
			n = min(n, len(want)/length)
			if got[0] != 7 || !slices.Equal(got[1:], want[:n*length]) {
				t.Fatalf("operation %d: other entries than were pushed", op)
			}
			back := r.IntN(min(n, SegmentStates) + 1)
			if q.Count == 0 || back == 0 || r.IntN(2) == 0 {
				want = want[n*length:]
				break
			}
			q.Unpop(got[1+(n-back)*length:], length)
			want = want[(n-back)*length:]
		case 6:
			other = Queue{}
			other.Push(entry(), length)
			other.Pop(nil, 1, length)
			other.Lend(&q)
			if other.Bytes() != 0 || len(other.spare) != 0 {
				t.Fatal("the lender still holds segments")
			}
		case 7:
			if r.IntN(10) > 0 {
				break
			}
			old := width
			width = 1 + r.IntN(6)
			put := func(dst, src []uint32) uint64 {
				for i := range dst {
					dst[i] = src[i%len(src)] ^ uint32(i)
				}
				return 0
			}
			held, dropped := q.Bytes(), int64(0)
			for _, c := range q.spare {
				held -= 4 * int64(cap(c))
			}
			q = q.Translated(old, width, 1, put, func(bytes int64) { dropped += bytes })
			if dropped != held {
				t.Fatalf("operation %d: %d bytes of segments let go, want %d", op, dropped, held)
			}
			var now []uint32
			for e := range slices.Chunk(want, old+1) {
				v := make([]uint32, width)
				put(v, e[:old])
				now = append(append(now, v...), e[old])
			}
			want = now
		}
		held := int64(0)
		for _, c := range slices.Concat(q.segments, q.spare) {
			held += 4 * int64(cap(c))
		}
		if q.Count != len(want)/(width+1) || q.Bytes() != held {
			t.Fatalf("operation %d: %d entries, want %d; %d bytes, want %d", op, q.Count, len(want)/(width+1),
				q.Bytes(), held)
		}
	}
	if got := q.Pop(nil, q.Count, width+1); !slices.Equal(got, want) {
		t.Error("other entries are left than were pushed")
	}
}

// pushSome pushes those of some records that are marked as new, and returns them.
func pushSome(q *Queue, r *rand.Rand, length int) (want []uint32) {
	stride, mark := length+3, length+r.IntN(3)
	records := make([]uint32, r.IntN(2*SegmentStates)*stride, 2*SegmentStates*stride+copied)
	for at := 0; at < len(records); at += stride {
		for i := range stride {
			records[at+i] = r.Uint32() >> 1
		}
		if r.IntN(3) == 0 {
			records[at+mark] = IsNew
			want = append(want, records[at:at+length]...)
		}
	}
	q.Push(Marked(records, stride, length, mark), length)
	return want
}
