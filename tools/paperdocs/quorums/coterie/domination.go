package coterie

import (
	"slices"

	"github.com/atmostk/atmostk/model"
)

// Domination is the answer to the question whether a k-coterie is dominated.
type Domination string

const (
	// Dominated comes with a k-coterie that dominates.
	Dominated Domination = "dominated"
	// Nondominated means that there is none, over the same nodes.
	Nondominated Domination = "nondominated"
	// Undecided means that neither argument of Dominate applies.
	Undecided Domination = "undecided"
)

// Dominate looks for a k-coterie over the same nodes that dominates f, a k-coterie:
// one different from f such that each quorum of f contains one of its quorums
// (section 3).
//
// It goes through all sets X. A k-coterie that dominates f has a quorum X that
// contains none of f; and nodes outside X do not contain k disjoint quorums of f,
// because each of those contains a quorum of it. If there is no such X, f is
// nondominated. If there is, f together with X, without what is not minimal any more,
// has the intersection property; where it is a k-coterie, it dominates f.
func (f Family) Dominate(k int) (Domination, Family) {
	most := f.Pack()
	all := f.Nodes()
	var candidates []model.Set
	for i := 1; i < len(most); i++ {
		if x := model.Set(i); x&^all == 0 && most[x] == 0 && int(most[all&^x]) < k {
			candidates = append(candidates, x)
		}
	}
	if len(candidates) == 0 {
		return Nondominated, nil
	}
	slices.SortFunc(candidates, bySize)
	for _, x := range candidates {
		if g := f.Extended(x); g.Check(k) == nil {
			return Dominated, g
		}
	}
	return Undecided, nil
}

// Addition returns the set H that can be made a quorum of the structure, m >= 2, with k > 1:
// all of C_1 and the first node of each of C_3 to C_m. Together with H, and without
// those that contain it, the quorums are a k-coterie that dominates them:
//
//   - H contains no quorum. One whose primary cohort is C_1 or C_2 needs a node of C_2,
//     and one with C_i needs |C_i|-(k-1) >= k > 1 of C_i, of which H has one (P2).
//   - Outside of H there are no k disjoint quorums. Their primary cohorts are different,
//     since 2(|C_i|-(k-1)) > |C_i| for i > 1 (P2), and none is C_1. So the last of them is
//     C_i with i > k >= 2; its quorum leaves k-2 of the |C_i|-1 nodes of C_i outside of H,
//     and the k-1 others need one of C_i each.
//   - Outside of H, t < k-1 disjoint quorums leave room for one more: the one whose primary
//     cohort is the last of C_2 to C_m that is not primary yet, of which there are m-1 >= k-1.
//     In C_i, |C_i|-1-t nodes are left at least; and in each C_j behind it, which is
//     primary, |C_j|-1-(|C_j|-(k-1))-(t-1) >= 1.
func (s Structure) Addition() model.Set {
	h := s.Cohorts[0]
	for _, c := range s.Cohorts[2:] {
		h |= c & -c
	}
	return h
}

// Extended returns f with the quorum x, without those that contain it.
func (f Family) Extended(x model.Set) Family { return append(slices.Clone(f), x).minimal() }

// Dominates reports whether f, a k-coterie, dominates g, another one: they differ, and each
// quorum of g contains one of f (section 3).
func (f Family) Dominates(g Family) bool {
	for _, q := range g {
		if !slices.ContainsFunc(f, func(r model.Set) bool { return r&^q == 0 }) {
			return false
		}
	}
	return !slices.Equal(slices.Sorted(slices.Values(f)), slices.Sorted(slices.Values(g)))
}
