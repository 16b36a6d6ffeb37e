// Package coterie is the combinatorics behind quorum-based mutual exclusion: cohorts
// structures and their quorums, k-coteries, domination, availability, and the
// arbiters with which they are compared (Jiang, sections 2 and 3). Everything is
// decided by enumeration, for the up to 16 nodes that a model.Set can hold.
package coterie

import (
	"fmt"

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

// Sizes returns the sizes of the cohorts, C_1 first.
func (s Structure) Sizes() (sizes []int) {
	for _, c := range s.Cohorts {
		sizes = append(sizes, c.Len())
	}
	return sizes
}

// Enough reports whether there are as many cohorts as the definition of Coh(k,m) asks
// for, m >= k. With fewer the quorums are a k-coterie all the same.
func (s Structure) Enough() bool { return len(s.Cohorts) >= s.K }

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

// Primary returns how many members of C_i a quorum has whose primary cohort it is.
func (s Structure) Primary(i int) int { return s.Cohorts[i-1].Len() - (s.K - 1) }

// Quorums returns the quorums under the structure: those whose primary cohort is C_1
// come first.
func (s Structure) Quorums() (f Family) {
	for i := range s.Cohorts {
		parts := subsets(s.Cohorts[i], s.Primary(i+1))
		for _, supporting := range s.Cohorts[i+1:] {
			var longer []model.Set
			for _, q := range parts {
				for p := range supporting.Each() {
					longer = append(longer, q.With(p))
				}
			}
			parts = longer
		}
		f = append(f, parts...)
	}
	return f
}

// Count returns the number of quorums without enumerating them.
func (s Structure) Count() int {
	sum, supporting := 0, 1
	for i := len(s.Cohorts); i >= 1; i-- {
		sum += binomial(s.Cohorts[i-1].Len(), s.Primary(i)) * supporting
		supporting *= s.Cohorts[i-1].Len()
	}
	return sum
}

func binomial(n, k int) int {
	c := 1
	for i := range k {
		c = c * (n - i) / (i + 1)
	}
	return c
}

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

// Walk reports whether Figure 1 succeeds for h units when the members of nodes, and
// nobody else, have granted: each Probe returns by case 1 if it can, or else by case 2
// or 3, with "at least" in place of the printed "more than".
func (s Structure) Walk(nodes model.Set, h int) bool {
	g := h
	for i := len(s.Cohorts); i > 1; i-- {
		n := (nodes & s.Cohorts[i-1]).Len()
		switch {
		case n >= s.Primary(i)+g-1:
			g--
		case n < g:
			return false
		}
		if g == 0 {
			return true
		}
	}
	return (nodes & s.Cohorts[0]).Len() >= g
}
