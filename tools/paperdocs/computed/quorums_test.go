package computed

import (
	"cmp"
	"fmt"
	"math/big"
	"slices"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/specs/cohorts/coterie"
)

// The combinatorics of claims about quorums: the quorums of cohorts structures, domination, availability, and
// the arbiters with which they are compared (Jiang, sections 2 and 3). All is decided by enumeration, for at
// most 16 nodes.

// ofSize returns all sets of the given size among the first n nodes.
func ofSize(n, size int) coterie.Family { return subsets(model.All(n), size) }

// majoritySize is the size of the quorums of the majority-like k-coterie over n nodes: the smallest for
// which k+1 cannot be disjoint.
func majoritySize(n, k int) int { return n/(k+1) + 1 }

// uniformArbiterSize is the size of the quorums of the uniform (h,k)-arbiter over n nodes, of section 2.
func uniformArbiterSize(n, h, k int) int { return k*n/(k+h) + 1 }

// arbiterSharing is the number of quorums of an (h,k)-arbiter that must have a common member: as many
// requests of h units need more than k units together.
func arbiterSharing(h, k int) int { return k/h + 1 }

// cube returns the quorums over side^dim nodes in a cube of the given dimension: for each node, all nodes
// that agree with it in some coordinate. Any dim quorums have a common member: take coordinate i from the
// i-th. With dim=k+1 it is the cube k-arbiter of section 2.
func cube(side, dim int) (f coterie.Family) {
	n := power(side, dim)
	for center := range n {
		var q model.Set
		for p := range n {
			if agree(center, p, side, dim) {
				q = q.With(model.Proc(p))
			}
		}
		f = append(f, q)
	}
	return minimal(f)
}

// agree reports whether two nodes have a coordinate in common, which are the digits of their numbers.
func agree(p, q, side, dim int) bool {
	for range dim {
		if p%side == q%side {
			return true
		}
		p, q = p/side, q/side
	}
	return false
}

// power returns base to the power of exponent.
func power(base, exponent int) int {
	n := 1
	for range exponent {
		n *= base
	}
	return n
}

// quorumsOf returns the quorums under a cohorts structure: those with primary cohort C_1 come first.
func quorumsOf(s coterie.Structure) (f coterie.Family) {
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

// walk reports whether Figure 1 succeeds for h units under a structure when exactly the members of nodes
// have granted: each Probe returns by case 1 if it can, or else by case 2 or 3, with "at least" in place of
// "more than".
func walk(s coterie.Structure, nodes model.Set, h int) bool {
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

// common returns an error unless any r quorums have a common member, as the quorums of an arbiter do.
func common(f coterie.Family, r int) error {
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

// availability returns the exact probability that the nodes that are up contain h disjoint quorums, when
// node i is up with probability up[i], independently of the others (section 1 has h=1).
func availability(f coterie.Family, up []*big.Rat, h int) *big.Rat {
	most := f.Pack()
	mask := model.Set(len(most) - 1)
	one := big.NewRat(1, 1)
	var sum func(node int, set model.Set, p *big.Rat) *big.Rat
	sum = func(node int, set model.Set, p *big.Rat) *big.Rat {
		switch {
		case p.Sign() == 0 || int(most[set&mask]) >= h: // whatever the other nodes are
			return p
		case node == len(up):
			return new(big.Rat)
		}
		without := new(big.Rat).Mul(p, new(big.Rat).Sub(one, up[node]))
		with := new(big.Rat).Mul(p, up[node])
		return without.Add(sum(node+1, set, without), sum(node+1, set.With(model.Proc(node)), with))
	}
	return sum(0, 0, one)
}

// domination answers whether a k-coterie is dominated.
type domination string

// The answers.
const (
	dominatedBy  domination = "dominated"    // by the k-coterie that comes with it
	nondominated domination = "nondominated" // by none over the same nodes
	undecided    domination = "undecided"    // neither argument of dominate applies
)

// dominate searches for a k-coterie over the same nodes that dominates f, a k-coterie: a different one such
// that each quorum of f contains one of its quorums (section 3).
//
// It goes through all sets X. A k-coterie that dominates f has a quorum X that contains none of f; and
// nodes outside X do not contain k disjoint quorums of f, because each of those contains a quorum of it. If
// there is no such X, f is nondominated. If there is, f together with X, without sets that are no longer
// minimal, has the intersection property; where it is a k-coterie, it dominates f.
func dominate(f coterie.Family, k int) (domination, coterie.Family) {
	most := f.Pack()
	all := f.Nodes()
	var candidates []model.Set
	for i := 1; i < len(most); i++ {
		if x := model.Set(i); x&^all == 0 && most[x] == 0 && int(most[all&^x]) < k {
			candidates = append(candidates, x)
		}
	}
	if len(candidates) == 0 {
		return nondominated, nil
	}
	slices.SortFunc(candidates, bySize)
	for _, x := range candidates {
		if g := extendedBy(f, x); g.Check(k) == nil && dominates(g, f) {
			return dominatedBy, g
		}
	}
	return undecided, nil
}

// dominates reports whether f, a k-coterie, dominates g, another one: they differ, and each quorum of g
// contains one of f (section 3).
func dominates(f, g coterie.Family) bool {
	for _, q := range g {
		if !slices.ContainsFunc(f, func(r model.Set) bool { return r&^q == 0 }) {
			return false
		}
	}
	return !slices.Equal(slices.Sorted(slices.Values(f)), slices.Sorted(slices.Values(g)))
}

// addition returns a set that can be made a quorum of a structure of m >= k cohorts, with k > 1: all of C_1
// and the first node of each of C_3 to C_m. The page docs/claims/cohorts.md has the argument.
func addition(s coterie.Structure) model.Set {
	h := s.Cohorts[0]
	for _, c := range s.Cohorts[2:] {
		h |= c & -c
	}
	return h
}

// extendedBy returns f with the quorum x, without the quorums that contain it.
func extendedBy(f coterie.Family, x model.Set) coterie.Family {
	return minimal(append(slices.Clone(f), x))
}

// minimal returns the sets of f that contain no other, smallest first.
func minimal(f coterie.Family) (kept coterie.Family) {
	sorted := slices.Clone(f)
	slices.SortFunc(sorted, bySize)
	for _, q := range slices.Compact(sorted) {
		if !slices.ContainsFunc(kept, func(r model.Set) bool { return r&^q == 0 }) {
			kept = append(kept, q)
		}
	}
	return kept
}

func bySize(a, b model.Set) int { return cmp.Or(cmp.Compare(a.Len(), b.Len()), cmp.Compare(a, b)) }

// subsets returns the subsets of s of the given size, in ascending order of their representation.
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
