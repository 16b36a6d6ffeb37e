package occupancy

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/atmostk/atmostk/traces/logs/formats"
)

// recorded is a window that keeps what it lets go of.
func recorded(half int, live bool) (w *window, gone *[]edge) {
	gone = &[]edge{}
	w = &window{half: half, live: live, passed: formats.Never}
	w.run = func(e edge) { *gone = append(*gone, e) }
	return w, gone
}

// TestWindowLetsGoInOrder adds pairs, none with an end before the moment up to which the window has let go,
// and some with one at it.
func TestWindowLetsGoInOrder(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 9))
	for range 300 {
		w, gone := recorded(1+r.IntN(4), false)
		now := int64(0)
		for i := range 20 {
			from := now + r.Int64N(4)
			w.add(i, int64(i), from, certainBegin, from+r.Int64N(4), certainEnd)
			if w.full() {
				now += r.Int64N(3)
				w.flush(now)
			}
		}
		w.finish()
		inOrder := slices.IsSortedFunc(*gone, func(a, b edge) int {
			if a.at != b.at {
				return int(a.at - b.at)
			}
			return int(a.kind()>>tieBits - b.kind()>>tieBits)
		})
		if w.late || len(*gone) != 40 || !inOrder {
			t.Fatalf("late %v: %v", w.late, *gone)
		}
	}
}

// TestLiveWindowKeepsRestOfLatePairs lets a window go of all before 5 and adds pairs with earlier ends.
func TestLiveWindowKeepsRestOfLatePairs(t *testing.T) {
	for _, c := range []struct {
		from, to   int64
		begin, end edgeKind
		want       []int64 // the moments of its ends; none: the pair is lost
	}{
		{5, 7, certainBegin, certainEnd, []int64{5, 7}},
		{3, 7, certainBegin, certainEnd, []int64{5, 7}},
		{3, 7, possibleBegin, possibleEnd, []int64{5, 7}},
		{3, 5, certainBegin, certainEnd, nil},
		{3, 4, certainBegin, certainEnd, nil},
		{3, 7, passFrom, passTo, nil},
		{5, 7, passFrom, passTo, []int64{5, 7}},
	} {
		w, gone := recorded(0, true)
		w.flush(5)
		w.add(1, 0, c.from, c.begin, c.to, c.end)
		w.finish()
		var at []int64
		for _, e := range *gone {
			at = append(at, e.at)
		}
		if !slices.Equal(at, c.want) || w.lost != max(0, 1-len(c.want)) {
			t.Errorf("%+v: %v, %d lost", c, at, w.lost)
		}
		w.late = false
		if w.live = false; c.from < 5 {
			if w.add(1, 0, c.from, c.begin, c.to, c.end); !w.late {
				t.Errorf("%+v: it is not too late", c)
			}
		}
	}
}
