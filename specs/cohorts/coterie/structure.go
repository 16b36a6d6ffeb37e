// Package coterie is the combinatorics of quorums that the algorithms need: cohorts structures, and families
// of quorums with the properties of k-coteries (Jiang, sections 2 and 3). All is decided by enumeration, for
// the up to 16 nodes that a model.Set can hold.
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
