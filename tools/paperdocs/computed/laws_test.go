package computed

import (
	"math/big"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/specs/cohorts/coterie"
)

// drawn draws a cohorts structure over at most ten nodes.
func drawn(t *rapid.T) coterie.Structure {
	k := rapid.IntRange(1, 4).Draw(t, "k")
	sizes := []int{k}
	for left := 10 - k; left >= max(2*k-1, 2) && rapid.Bool().Draw(t, "more"); {
		size := rapid.IntRange(max(2*k-1, 2), left).Draw(t, "size")
		sizes = append(sizes, size)
		left -= size
	}
	return coterie.Consecutive(sizes, 0)
}

// TestCohortsCoterie: the quorums under a cohorts structure are as many as the formula
// says and a k-coterie, and three ways to ask for h disjoint ones agree: the recursion
// over cohorts, the walk of Figure 1, and the packing of the quorums themselves.
func TestCohortsCoterie(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawn(t)
		all := quorumsOf(s)
		if len(all) != count(s) {
			t.Fatalf("%d quorums, counted as %d", len(all), count(s))
		}
		if err := all.Check(s.K); err != nil {
			t.Fatal(err)
		}
		for nodes, most := range all.Pack() {
			for h := 1; h <= s.K; h++ {
				set, want := model.Set(nodes), int(most) >= h
				if s.Contains(set, h) != want || walk(s, set, h) != want {
					t.Fatalf("%v: %d disjoint quorums %v, recursion %v, walk %v", set, h, want,
						s.Contains(set, h), walk(s, set, h))
				}
			}
		}
	})
}

// TestDominate: the result of dominate is another k-coterie, and dominates;
// k-coteries of at most four nodes are compared with all the others there are.
func TestDominate(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawn(t)
		f := quorumsOf(s)
		verdict, by := dominate(f, s.K)
		switch {
		case (verdict == dominatedBy) != (by != nil):
			t.Fatalf("%s by %v", verdict, by)
		case by == nil:
			return
		}
		if err := by.Check(s.K); err != nil || !dominates(by, f) {
			t.Fatalf("%v dominated by %v: %v", f, by, err)
		}
	})
	const n = 4
	verdicts := map[domination]int{}
	for k := 1; k <= 3; k++ {
		all := coteries(n, k)
		for _, f := range all {
			verdict, _ := dominate(f, k)
			verdicts[verdict]++
			others := slices.ContainsFunc(all, func(g coterie.Family) bool {
				return g.Nodes()&^f.Nodes() == 0 && dominates(g, f)
			})
			if verdict == dominatedBy && !others || verdict == nondominated && others {
				t.Errorf("k=%d: %v is %s; some k-coterie dominates it: %v", k, f, verdict, others)
			}
		}
	}
	if verdicts[dominatedBy] == 0 || verdicts[nondominated] == 0 {
		t.Errorf("verdicts %v", verdicts)
	}
	t.Log(verdicts)
}

// coteries returns all k-coteries over at most n nodes.
func coteries(n, k int) (all []coterie.Family) {
	for chosen := range 1 << (1<<n - 1) {
		var f coterie.Family
		for s := 1; s < 1<<n; s++ {
			if chosen>>(s-1)&1 == 1 {
				f = append(f, model.Set(s))
			}
		}
		if f != nil && f.Check(k) == nil {
			all = append(all, f)
		}
	}
	return all
}

// TestAddition: section 3's nondomination holds with k=1, and fails with every k > 1: the
// argument is in docs/claims/cohorts.md. Both for drawn structures with m >= k, and without
// the addition there would be nothing that dominates.
func TestAddition(t *testing.T) {
	for _, sizes := range [][]int{{2, 3}, {2, 6}, {2, 4, 3}, {2, 3, 3, 3, 3}, {3, 5, 5}, {3, 6, 5},
		{3, 5, 8}} {
		s := coterie.Consecutive(sizes, 0)
		all := quorumsOf(s)
		extended := extendedBy(all, addition(s))
		if err := extended.Check(s.K); err != nil || !dominates(extended, all) ||
			dominates(all, extended) {
			t.Errorf("%v with %v: %v", sizes, addition(s), err)
		}
		if dominates(all, all) {
			t.Errorf("%v dominates itself", sizes)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		s := drawn(t)
		verdict, _ := dominate(quorumsOf(s), s.K)
		if len(s.Cohorts) >= s.K && (verdict == nondominated) != (s.K == 1) {
			t.Fatalf("%v: %s", s.Cohorts, verdict)
		}
	})
}

// TestAvailability adds up over all sets of nodes that may be up.
func TestAvailability(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawn(t)
		n, h := s.Nodes().Len(), rapid.IntRange(1, s.K).Draw(t, "h")
		one := big.NewRat(1, 1)
		up := make([]*big.Rat, n)
		for i := range up {
			up[i] = big.NewRat(rapid.Int64Range(0, 5).Draw(t, "up"), 5)
		}
		want := new(big.Rat)
		for set := range model.Set(1) << n {
			if !s.Contains(set, h) {
				continue
			}
			p := big.NewRat(1, 1)
			for i := range model.Proc(n) {
				if set.Has(i) {
					p.Mul(p, up[i])
				} else {
					p.Mul(p, new(big.Rat).Sub(one, up[i]))
				}
			}
			want.Add(want, p)
		}
		if got := availability(quorumsOf(s), up, h); got.Cmp(want) != 0 {
			t.Fatalf("availability %v, want %v", got, want)
		}
	})
}

// TestArbiters: any h/k+1 quorums of a uniform arbiter have a common member, and one
// node less is too few where h divides k; so it is for cubes, whose quorums have the size
// that is computed.
func TestArbiters(t *testing.T) {
	for n := 1; n <= 9; n++ {
		for k := 1; k <= 4; k++ {
			for h := 1; h <= k; h++ {
				r, size := arbiterSharing(h, k), uniformArbiterSize(n, h, k)
				if err := common(ofSize(n, size), r); err != nil {
					t.Errorf("n=%d k=%d h=%d: %v", n, k, h, err)
				}
				if k%h == 0 && size > 1 && common(ofSize(n, size-1), r) == nil {
					t.Errorf("n=%d k=%d h=%d: size %d would do", n, k, h, size-1)
				}
			}
		}
	}
	for _, c := range [][2]int{{1, 2}, {2, 2}, {3, 2}, {4, 2}, {2, 3}, {2, 4}} {
		side, dim := c[0], c[1]
		f := cube(side, dim)
		if err := common(f, dim); err != nil {
			t.Errorf("cube %v: %v", c, err)
		}
		if side > 2 && common(f, dim+1) == nil { // with 2 nodes on a side quorums lack one node only
			t.Errorf("cube %v: even %d quorums have a common member", c, dim+1)
		}
		least, most := f.Sizes()
		if want := power(side, dim) - power(side-1, dim); least != want || most != want {
			t.Errorf("cube %v: quorums of %d to %d nodes, want %d", c, least, most, want)
		}
	}
}

// count is the number of quorums under a structure, by the formula.
func count(s coterie.Structure) int {
	sum, supporting := 0, 1
	for i := len(s.Cohorts); i >= 1; i-- {
		n := s.Cohorts[i-1].Len()
		sum += int(new(big.Int).Binomial(int64(n), int64(s.Primary(i))).Int64()) * supporting
		supporting *= n
	}
	return sum
}
