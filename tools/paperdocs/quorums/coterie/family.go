// Package coterie is the combinatorics that claims about quorums need, beside what the algorithms do: the
// quorums of cohorts structures, domination, availability, and the arbiters with which they are compared
// (Jiang, sections 2 and 3). All is decided by enumeration, for the up to 16 nodes that a model.Set can
// hold.
package coterie

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/specs/cohorts/coterie"
)

// A Family is a collection of sets of nodes, its quorums.
type Family []model.Set

// Nodes returns the union of the quorums.
func (f Family) Nodes() model.Set { return coterie.Family(f).Nodes() }

// Sizes returns the sizes of the smallest and of the largest quorum.
func (f Family) Sizes() (least, most int) { return coterie.Family(f).Sizes() }

// Pack computes of each set of nodes how many pairwise disjoint quorums it contains at most.
func (f Family) Pack() coterie.Packing { return coterie.Family(f).Pack() }

// Check returns an error that names the property of k-coteries that f breaks.
func (f Family) Check(k int) error { return coterie.Family(f).Check(k) }

// Common returns an error unless any r quorums have a common member, as the
// quorums of an arbiter do.
func (f Family) Common(r int) error {
	shared := map[model.Set]bool{f.Nodes(): true}
	for range r {
		next := map[model.Set]bool{}
		for s := range shared {
			for _, q := range f {
				next[s&q] = true
			}
		}
		shared = next
	}
	if shared[0] {
		return fmt.Errorf("some %d quorums have no common member", r)
	}
	return nil
}

// minimal returns the sets of f that contain no other, smallest first.
func (f Family) minimal() Family {
	sorted := slices.Clone(f)
	slices.SortFunc(sorted, bySize)
	var kept Family
	for _, q := range slices.Compact(sorted) {
		if !slices.ContainsFunc(kept, func(r model.Set) bool { return r&^q == 0 }) {
			kept = append(kept, q)
		}
	}
	return kept
}

func bySize(a, b model.Set) int { return cmp.Or(cmp.Compare(a.Len(), b.Len()), cmp.Compare(a, b)) }

// subsets returns the subsets of s of the given size, in ascending order of their
// representation.
func subsets(s model.Set, size int) (sets []model.Set) {
	for t := model.Set(0); ; t = (t - s) & s { // all subsets of s
		if t.Len() == size {
			sets = append(sets, t)
		}
		if t == s {
			return sets
		}
	}
}

// A Structure is a cohorts structure, with what the algorithm does not need.
type Structure struct{ coterie.Structure }

// Consecutive returns the structure with cohorts of the given sizes over the nodes from first on, with k as
// large as C_1.
func Consecutive(sizes []int, first model.Proc) Structure {
	return Structure{coterie.Consecutive(sizes, first)}
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
