package coterie

import (
	"fmt"
	"math/bits"
	"slices"

	"github.com/atmostk/atmostk/model"
)

// A Family is a collection of sets of nodes, its quorums.
type Family []model.Set

// Nodes returns the union of the quorums.
func (f Family) Nodes() (all model.Set) {
	for _, q := range f {
		all |= q
	}
	return all
}

// Sizes returns the sizes of the smallest and of the largest quorum.
func (f Family) Sizes() (least, most int) {
	least = model.FewProcs
	for _, q := range f {
		least, most = min(least, q.Len()), max(most, q.Len())
	}
	return least, most
}

// A Packing has the largest number of pairwise disjoint quorums in each set of nodes. It is indexed by the
// sets.
type Packing []uint8

// Pack computes the packing of all sets of nodes up to the largest node of f.
func (f Family) Pack() Packing {
	from := make([][]model.Set, model.FewProcs) // quorums by their smallest member
	for _, q := range f {
		first := bits.TrailingZeros16(uint16(q))
		from[first] = append(from[first], q)
	}
	most := make(Packing, 1<<bits.Len16(uint16(f.Nodes())))
	for i := 1; i < len(most); i++ { // the first member of s is in one of the quorums, or in none
		s := model.Set(i)
		best := most[s&(s-1)]
		for _, q := range from[bits.TrailingZeros16(uint16(s))] {
			if q&^s == 0 {
				best = max(best, 1+most[s&^q])
			}
		}
		most[i] = best
	}
	return most
}

// Unions returns the unions of h pairwise disjoint quorums, in ascending order of
// their representation; the empty set for h=0.
func (f Family) Unions(h int) []model.Set {
	unions := []model.Set{0}
	for range h {
		seen := map[model.Set]bool{}
		var next []model.Set
		for _, u := range unions {
			for _, q := range f {
				if v := u | q; u&q == 0 && !seen[v] {
					seen[v] = true
					next = append(next, v)
				}
			}
		}
		unions = next
	}
	slices.Sort(unions)
	return unions
}

// Check returns an error that names the property of k-coteries that f breaks, and
// where: intersection, non-intersection or minimality (section 2).
func (f Family) Check(k int) error {
	most := f.Pack()
	all := f.Nodes()
	if n := int(most[all]); n > k {
		return fmt.Errorf("the intersection property is broken: there are %d disjoint quorums, "+
			"more than k=%d", n, k)
	}
	for h := range k {
		for _, u := range f.Unions(h) {
			if most[all&^u] == 0 {
				return fmt.Errorf("the non-intersection property is broken: no quorum is disjoint from the "+
					"%d that make up %v", h, u)
			}
		}
	}
	for _, q := range f {
		for _, r := range f {
			if q != r && q&^r == 0 {
				return fmt.Errorf("the minimality property is broken: %v contains %v", r, q)
			}
		}
	}
	return nil
}
