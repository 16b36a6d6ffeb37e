package occupancy

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/atmostk/atmostk/traces/logs/formats"
	"github.com/atmostk/atmostk/traces/logs/order"
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

// TestWindowSortsWhatComesFarOutOfOrder adds pairs at random moments, most of them far from the last one.
func TestWindowSortsWhatComesFarOutOfOrder(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 2))
	w, gone := recorded(1000, false)
	for i := range 500 {
		from := r.Int64N(1 << 20)
		w.add(i, 0, from, certainBegin, from+r.Int64N(1<<10), certainEnd)
	}
	w.flush(1 << 19)
	if !slices.IsSortedFunc(*gone, compareEdges) || len(*gone) < 400 || len(*gone)+len(w.edges) != 1000 {
		t.Fatalf("%d of 1000 ends are let go, and %d are kept", len(*gone), len(w.edges))
	}
}

// TestSweepNamesAllThatAreInside compares the definite sets that a sweep finds among many holdings with the
// holdings that are inside then, and looks for a better moment for those that pass.
func TestSweepNamesAllThatAreInside(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 1))
	sets, passing := 0, 0
	for range 60 {
		u := newResource(&order.Log{}, "", 3+r.IntN(9), &Rules{}, true, false)
		u.live = true // all sets are kept
		var all []*holding
		for i := range 300 {
			s := &holding{units: 1, enter: nothing, sure: nothing}
			s.enter.line, s.enter.end = uint32(i), 2*r.Int64N(200)
			s.sure.at, s.sure.begin = 1, s.enter.end+2*(r.Int64N(40)-15)
			all = append(all, s)
			u.certain(s)
		}
		u.finish()
		inside := func(within func(s *holding) bool) (n int) {
			for _, s := range all {
				n += one(within(s))
			}
			return n
		}
		for _, c := range u.sets {
			sets++
			last := c.holdings[len(c.holdings)-1]
			if !c.Passing {
				want := inside(func(s *holding) bool {
					begun := s.from < last.from || s.from == last.from && s.enter.line <= last.enter.line
					return begun && last.from < s.to
				})
				if len(c.holdings) != want || want <= u.K {
					t.Fatalf("%d holdings, and %d are inside", len(c.holdings), want)
				}
				continue
			}
			passing++
			fewest := len(all)
			for at := last.to; at <= last.from; at++ {
				fewest = min(fewest, inside(func(s *holding) bool { return s.from < at && at < s.to }))
			}
			if len(c.holdings) != fewest+1 || fewest < u.K {
				t.Fatalf("%d holdings, and at least %d are inside", len(c.holdings), fewest)
			}
		}
	}
	if sets < 1000 || passing < 100 {
		t.Errorf("%d sets, %d with holdings that pass", sets, passing)
	}
}
