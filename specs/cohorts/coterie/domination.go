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
		if g := append(slices.Clone(f), x).minimal(); g.Check(k) == nil {
			return Dominated, g
		}
	}
	return Undecided, nil
}
