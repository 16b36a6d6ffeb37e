package store

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestSorter sorts codes that are like random numbers, that have high halves in common, and that are crowded,
// and wants each of them to be let through by a sieve, and found.
func TestSorter(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 29))
	var sorter Sorter
	var s sieve
	for _, n := range []int{1, 2, 3, 100, 5000} {
		for _, high := range []func() uint64{
			r.Uint64,
			func() uint64 { return r.Uint64N(uint64(n)) << 40 },
			func() uint64 { return 7 },
			func() uint64 { return []uint64{0, 1, 2, 1<<64 - 1}[r.IntN(4)] },
		} {
			var refs []Ref
			for i := range n {
				refs = append(refs, Ref{Code{Hi: high(), Lo: r.Uint64N(uint64(4 * n))}, 0, uint32(i)})
			}
			want := slices.Clone(refs)
			slices.SortFunc(want, func(a, b Ref) int { return Compare(a.Code, b.Code) })
			got := sorter.Sort(refs)
			s.fill(got)
			for i := range want {
				if got[i].Code != want[i].Code {
					t.Fatalf("%d codes: number %d is %v, want %v", n, i, got[i].Code, want[i].Code)
				}
				if refs[got[i].At].Code != got[i].Code {
					t.Fatalf("%d codes: that of %d is now of %d", n, got[i].At, i)
				}
				if hi := got[i].Hi; !s.may(hi) {
					t.Fatalf("%d codes: %x is held back", n, hi)
				} else if at, k := s.find(hi); i < at || i >= at+k {
					t.Fatalf("%d codes: %x stands at %d, and is looked for at %d to %d", n, hi, i, at, at+k)
				}
			}
		}
	}
}
