package computed

import (
	"fmt"
	"math/big"
	"slices"
	"strings"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/specs/cohorts/coterie"
)

// mostNodes is the largest number of nodes of the structures for which claims about sets are judged.
const mostNodes = 8

// structures returns all cohorts structures, m >= k, with at most the given number of nodes.
func structures(most int) (all []coterie.Structure) {
	var extend func(sizes []int, k, left int)
	extend = func(sizes []int, k, left int) {
		if s := coterie.Consecutive(sizes, 0); len(s.Cohorts) >= s.K {
			all = append(all, s)
		}
		for c := max(2*k-1, 2); c <= left; c++ {
			extend(append(sizes[:len(sizes):len(sizes)], c), k, left-c)
		}
	}
	for k := 1; k <= most; k++ {
		extend([]int{k}, k, most-k)
	}
	return all
}

// judgeSets is the finding on a claim about all structures of at most the given number of nodes for which
// all of among hold; breaks returns the mistake of a structure, "" if it has none.
func judgeSets(most int, breaks func(s coterie.Structure) string,
	among ...func(s coterie.Structure) bool) func() finding {
	return func() finding {
		asked, broken, first := 0, 0, ""
		for _, s := range structures(most) {
			if slices.ContainsFunc(among, func(holds func(coterie.Structure) bool) bool {
				return !holds(s)
			}) {
				continue
			}
			asked++
			if why := breaks(s); why != "" {
				if broken == 0 {
					first = fmt.Sprintf("sizes %v: %s", sizesOf(s), why)
				}
				broken++
			}
		}
		if broken == 0 {
			return finding{Verdict: "holds",
				Detail: fmt.Sprintf("all %d structures of at most %d nodes", asked, most)}
		}
		return finding{Verdict: "violated", Detail: fmt.Sprintf(
			"not by %d of %d structures of at most %d nodes; first %s", broken, asked, most, first)}
	}
}

func notCoterie(s coterie.Structure) string {
	if err := quorumsOf(s).Check(s.K); err != nil {
		return err.Error()
	}
	return ""
}

func dominated(s coterie.Structure) string {
	verdict, by := dominate(quorumsOf(s), s.K)
	if verdict == nondominated {
		return ""
	}
	return fmt.Sprintf("%s by %v", verdict, by)
}

// single selects structures with k=1, several the others.
func single(s coterie.Structure) bool  { return s.K == 1 }
func several(s coterie.Structure) bool { return s.K > 1 }

// notExtended returns the mistake if the addition as a further quorum gives no k-coterie that dominates the
// cohorts coterie.
func notExtended(s coterie.Structure) string {
	all := quorumsOf(s)
	extended := extendedBy(all, addition(s))
	if err := extended.Check(s.K); err != nil {
		return err.Error()
	}
	if !dominates(extended, all) {
		return fmt.Sprintf("not dominated by %v", extended)
	}
	return ""
}

// undivided names a set such that neither it nor the rest of the nodes contains a quorum: a
// coterie with k=1 is nondominated if there is no such set.
func undivided(s coterie.Structure) string {
	all, most := s.Nodes(), quorumsOf(s).Pack()
	for x := range model.Set(len(most)) {
		if most[x] == 0 && most[all&^x] == 0 {
			return fmt.Sprintf("no quorum in %v, and none outside of it", x)
		}
	}
	return ""
}

// misses names quorums that the walk of Figure 1 does not find.
func misses(s coterie.Structure) string {
	for nodes, most := range quorumsOf(s).Pack() {
		for h := 1; h <= s.K; h++ {
			if set := model.Set(nodes); walk(s, set, h) != (int(most) >= h) {
				return fmt.Sprintf("%d quorums in %v", h, set)
			}
		}
	}
	return ""
}

// nineQuorums compares the quorums of ({1,2},{3,4,5}) with those that section 3 lists.
func nineQuorums() finding {
	var listed coterie.Family
	for _, q := range [][2]model.Proc{{3, 4}, {3, 5}, {4, 5}, {1, 3}, {1, 4}, {1, 5}, {2, 3}, {2, 4},
		{2, 5}} {
		listed = append(listed, model.SetOf(q[0]-1, q[1]-1))
	}
	got := quorumsOf(coterie.Consecutive([]int{2, 3}, 0))
	slices.Sort(listed)
	slices.Sort(got)
	if !slices.Equal(got, listed) {
		return finding{Verdict: "violated", Detail: fmt.Sprint(got)}
	}
	return finding{Verdict: "holds", Detail: fmt.Sprintf("%d quorums", len(got))}
}

// notedWrongly says which note in the cases of Probe is wrong: that case 1 needs more grants
// than case 2, and that C_1 gives as many primary cohorts as it has nodes.
func notedWrongly(s coterie.Structure) string {
	for g := 1; g <= s.K; g++ {
		for i := 2; i <= len(s.Cohorts); i++ {
			if s.Primary(i)+g-1 <= g {
				return fmt.Sprintf("case 2: %d grants of C_%d with g=%d", s.Primary(i)+g-1, i, g)
			}
		}
	}
	if s.Primary(1) != 1 {
		return fmt.Sprintf("case 3: %d nodes of C_1", s.Primary(1))
	}
	return ""
}

// lessAvailable says for how many units a rival k-coterie over the same nodes, if there is one,
// is more often available, while it is never less often, when every node is up with
// probability 9/10.
func lessAvailable(rival func(s coterie.Structure) coterie.Family) func(s coterie.Structure) string {
	return func(s coterie.Structure) string {
		own, other := quorumsOf(s), rival(s)
		if other == nil {
			return ""
		}
		up := slices.Repeat([]*big.Rat{big.NewRat(9, 10)}, s.Nodes().Len())
		better := ""
		for h := 1; h <= s.K; h++ {
			ours, theirs := availability(own, up, h), availability(other, up, h)
			switch ours.Cmp(theirs) {
			case 1:
				return ""
			case -1:
				better = fmt.Sprintf("%s against %s with h=%d", ours.FloatString(5), theirs.FloatString(5), h)
			}
		}
		return better
	}
}

// majorities is the majority-like k-coterie over the nodes of s; nil: it does not exist.
func majorities(s coterie.Structure) coterie.Family {
	n := s.Nodes().Len()
	if f := ofSize(n, majoritySize(n, s.K)); f.Check(s.K) == nil {
		return f
	}
	return nil
}

// dominating is a k-coterie that dominates the one of s, with k>1.
func dominating(s coterie.Structure) coterie.Family {
	return extendedBy(quorumsOf(s), addition(s))
}

// cubes compares the quorums of cube arbiters with the sizes that section 2 gives:
// (k+2-h) n^((k+1-h)/(k+2-h)), the same as printed for h=1, with n=side^(k+2-h).
func cubes() finding {
	for _, c := range [][3]int{{2, 1, 1}, {3, 1, 1}, {4, 1, 1}, {2, 1, 2}, {2, 1, 3}, {2, 2, 2}, {2, 2, 3},
		{4, 2, 2}} {
		side, h, k := c[0], c[1], c[2]
		dim := k + 2 - h
		f := cube(side, dim)
		if err := common(f, arbiterSharing(h, k)); err != nil {
			return finding{Verdict: "violated", Detail: err.Error()}
		}
		// A quorum has at most dim faces of side^(dim-1) nodes.
		if _, most := f.Sizes(); most > dim*power(side, dim-1) {
			return finding{Verdict: "violated", Detail: fmt.Sprintf("side %d, h=%d, k=%d: %d nodes",
				side, h, k, most)}
		}
	}
	return finding{Verdict: "holds", Detail: "8 cubes of at most 16 nodes; the size is an upper bound"}
}

// printedCube asks whether the size printed for a cube (2,2)-arbiter, 2 n^(1/3), is
// possible. Any two of its quorums meet. If all N quorums have q nodes and each node is
// in d of them, Nq=nd, then those that meet a given one are at most 1+q(d-1), so that
// N <= 1+q(d-1) and n <= q*q.
func printedCube() finding {
	for side := 2; side <= mostNodes; side++ {
		if n, q := power(side, 3), 2*side; q*q < n {
			return finding{Verdict: "violated",
				Detail: fmt.Sprintf("n=%d would need quorums of more than %d nodes", n, q)}
		}
	}
	return finding{Verdict: "holds"}
}

// baldoni asks whether n sets of q nodes, each node in q of them, where any k+1 have a common
// member, can have q below n^(k/(k+1)). Each of the choices of k+1 sets has a common member, and
// a node is one of at most C(q,k+1) choices: C(n,k+1) <= n C(q,k+1). The least q that allows
// this is compared with the bound for all n up to 256 and k up to 4.
func baldoni() finding {
	asked := 0
	for k := 1; k <= 4; k++ {
		for n := k + 1; n <= 256; n++ {
			q := k + 1
			for choices(n, k+1).Cmp(new(big.Int).Mul(big.NewInt(int64(n)), choices(q, k+1))) > 0 {
				q++
			}
			if new(big.Int).Exp(big.NewInt(int64(q)), big.NewInt(int64(k+1)), nil).Cmp(
				new(big.Int).Exp(big.NewInt(int64(n)), big.NewInt(int64(k)), nil)) < 0 {
				return finding{Verdict: "violated", Detail: fmt.Sprintf("n=%d, k=%d: %d nodes", n, k,
					q)}
			}
			asked++
		}
	}
	return finding{
		Verdict: "holds",
		Detail: fmt.Sprintf("%d combinations of n up to 256 and k up to 4",
			asked),
	}
}

// choices is the number of ways to choose m of n.
func choices(n, m int) *big.Int { return new(big.Int).Binomial(int64(n), int64(m)) }

// cyclic asks the same of sets that can be built: all translates of a set of nodes modulo n, up
// to mostCyclic nodes. So it shows where the bound is reached.
func cyclic() finding {
	var least []string
	for k := 1; k <= 2; k++ {
		for n := k + 1; n <= mostCyclic; n++ {
			q := smallestCyclic(n, k)
			if power(q, k+1) < power(n, k) {
				return finding{Verdict: "violated", Detail: fmt.Sprintf("n=%d, k=%d: %d nodes", n, k,
					q)}
			}
			if power(q-1, k+1) < power(n, k) {
				least = append(least, fmt.Sprintf("n=%d k=%d q=%d", n, k, q))
			}
		}
	}
	return finding{Verdict: "holds", Detail: "q is the bound, rounded up, for " + strings.Join(least,
		", ")}
}

// mostCyclic is how many nodes the sets of cyclic have at most.
const mostCyclic = 13

// smallestCyclic is the size of the smallest set modulo n for which any k+1 translates meet.
func smallestCyclic(n, k int) int {
	for q := 1; ; q++ {
		for _, base := range ofSize(n, q) {
			var f coterie.Family
			for i := range n {
				f = append(f, (base<<i|base>>(n-i))&model.All(n))
			}
			if common(f, k+1) == nil {
				return q
			}
		}
	}
}

// uniform compares the uniform arbiters with the sizes that section 2 gives.
func uniform() finding {
	asked := 0
	for n := 1; n <= mostNodes; n++ {
		for k := 1; k <= 4; k++ {
			for h := 1; h <= k; h++ {
				asked++
				f := ofSize(n, uniformArbiterSize(n, h, k))
				if err := common(f, arbiterSharing(h, k)); err != nil {
					return finding{Verdict: "violated", Detail: fmt.Sprintf("n=%d, h=%d, k=%d: %v", n,
						h, k, err)}
				}
			}
		}
	}
	return finding{Verdict: "holds",
		Detail: fmt.Sprintf("%d combinations of n up to %d, k up to 4 and h", asked, mostNodes)}
}

// What section 4 says of the best and the worst case.

// cohortsIn asks of the structures whether C_m to C_(m-h+shift) are h cohorts.
func cohortsIn(shift int) finding {
	asked := 0
	for _, s := range structures(mostNodes) {
		m := len(s.Cohorts)
		for h := 1; h <= s.K; h++ {
			asked++
			if last := m - h + shift; m-last+1 != h || last < 1 {
				return finding{Verdict: "violated", Detail: fmt.Sprintf("m=%d, h=%d: C_%d to C_%d", m,
					h, m, last)}
			}
		}
	}
	return finding{Verdict: "holds", Detail: fmt.Sprintf("%d structures and h", asked)}
}

// sizesOf are the sizes of the cohorts, C_1 first.
func sizesOf(s coterie.Structure) (sizes []int) {
	for _, c := range s.Cohorts {
		sizes = append(sizes, c.Len())
	}
	return sizes
}
