// Package coterie is the combinatorics of quorums that the algorithms need: cohorts structures, and families
// of quorums with the properties of k-coteries (Jiang, sections 2 and 3). All is decided by enumeration, for
// the up to 16 nodes that a model.Set can hold.
package coterie

import (
	"fmt"
	"math/bits"
	"slices"

	"github.com/atmostk/atmostk/model"
)

// A Structure is a cohorts structure Coh(k,m): a list of m sets of nodes.
type Structure struct {
	K       int
	Cohorts []model.Set // C_1 first
}

// Consecutive returns the structure with cohorts of the given sizes over the nodes
// from first on, with k as large as C_1.
func Consecutive(sizes []int, first model.Proc) Structure {
	s := Structure{K: sizes[0]}
	at := int(first)
	for _, size := range sizes {
		s.Cohorts = append(s.Cohorts, model.All(at+size)&^model.All(at))
		at += size
	}
	return s
}

// Nodes returns the union of the cohorts.
func (s Structure) Nodes() (all model.Set) {
	for _, c := range s.Cohorts {
		all |= c
	}
	return all
}

// Check returns an error that names the property that the structure breaks: P1 to
// P3. For m >= k there is Enough.
func (s Structure) Check() error {
	if n := s.Cohorts[0].Len(); n != s.K {
		return fmt.Errorf("P1 is broken: C_1 has %d members and not k=%d", n, s.K)
	}
	least := max(2*s.K-1, 2)
	var seen model.Set
	for i, c := range s.Cohorts {
		if i > 0 && c.Len() < least {
			return fmt.Errorf("P2 is broken: C_%d has %d members, with k=%d allowed are %d or more", i+1,
				c.Len(), s.K, least)
		}
		if c&seen != 0 {
			return fmt.Errorf("P3 is broken: C_%d has members in common with an earlier cohort", i+1)
		}
		seen |= c
	}
	return nil
}

// Primary returns the number of members of C_i in a quorum whose primary cohort is C_i.
func (s Structure) Primary(i int) int { return s.Cohorts[i-1].Len() - (s.K - 1) }

// Contains reports whether nodes contains h pairwise disjoint quorums.
func (s Structure) Contains(nodes model.Set, h int) bool {
	return s.contains(nodes, len(s.Cohorts), h)
}

// contains reports whether g disjoint quorums with primary cohorts among C_1..C_i
// can be found, as far as these cohorts go. A quorum needs all but k-1 members of its
// primary cohort, and one of each cohort behind that.
func (s Structure) contains(nodes model.Set, i, g int) bool {
	if g == 0 {
		return true
	}
	if i == 0 {
		return false
	}
	n := (nodes & s.Cohorts[i-1]).Len()
	for primary := 0; primary <= g; primary++ {
		if primary*s.Primary(i)+g-primary <= n && s.contains(nodes, i-1, g-primary) {
			return true
		}
	}
	return false
}

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
