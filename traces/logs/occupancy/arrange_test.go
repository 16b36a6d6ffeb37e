package occupancy

import (
	"math/rand/v2"
	"testing"

	"github.com/atmostk/atmostk/traces/logs/formats"
	"github.com/atmostk/atmostk/traces/logs/order"
)

// drawHoldings draws events of some nodes within intervals, and certain holdings of several units from one of
// them to another.
func drawHoldings(r *rand.Rand) (l *order.Log, list []*holding) {
	l = &order.Log{}
	for node := range 2 + r.IntN(4) {
		now := r.Int64N(4)
		first := len(l.Recs)
		for range 2 + r.IntN(5) {
			now += r.Int64N(4)
			l.Recs = append(l.Recs, order.Record{Node: int32(node), Begin: now, End: now + 6})
		}
		for at := first; at < len(l.Recs)-1; at++ {
			if r.IntN(4) == 0 {
				continue
			}
			s := &holding{node: int32(node), units: 1 + r.Int32N(3), certain: true, late: nothing}
			s.enter.at = int32(at)
			s.sure = point{at: int32(at + 1 + r.IntN(len(l.Recs)-at-1)), role: formats.Leaves}
			switch r.IntN(8) {
			case 0:
				s.sure = nothing
			case 1:
				s.sure.role = formats.Other
			}
			list = append(list, s)
		}
	}
	return l, list
}

// anyOrder looks through all orders of the steps of an arrangement.
func (a *arrangement) anyOrder() bool {
	if len(a.path) == a.length {
		return true
	}
	length := len(a.path)
	for n := range a.nodes {
		if !a.fits(n) {
			continue
		}
		a.take(n, 1)
		if a.anyOrder() {
			return true
		}
		a.back(length)
	}
	return false
}

// TestSearchForOrderAsThroughAllOrders compares the search, which takes rows of steps and knows cuts again,
// with one through all orders.
func TestSearchForOrderAsThroughAllOrders(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 8))
	counts := map[bool]int{}
	for range 3000 {
		l, list := drawHoldings(r)
		k := 2 + r.IntN(5)
		want := newArrangement(l, list, k).anyOrder()
		if got := newArrangement(l, list, k).search(); got != want {
			t.Fatalf("k=%d: %v, by all orders %v: %+v", k, got, want, list)
		}
		counts[want]++
	}
	if counts[true] < 200 || counts[false] < 200 {
		t.Errorf("one-sided: %v", counts)
	}
}
