package computed

import (
	"fmt"
	"slices"
	"strings"

	"github.com/atmostk/atmostk/specs/vcube/topology"
)

// slowest returns how many rounds the news of the crash of p0 takes at most until all
// other processes of n know it, when each starts its cycle of clusters where it likes.
//
// A process that does not know of a crash tests in its cluster s the process that differs from it
// in bit s-1, and learns in the first round in which that one is p0 or has known before. Its
// own start changes no other's knowledge but through its own, and later news are never earlier
// news for others. So each process may choose the worst start for itself, in the order in
// which they learn.
func slowest(n int) (rounds int) {
	d := topology.Dimension(n)
	known := make([]int, n) // the round in which each process learns; 0: not yet
	for left := n - 1; left > 0; {
		rounds++
		var now []int
		for i := 1; i < n; i++ {
			if known[i] == 0 && informed(i, rounds, d, known) {
				now = append(now, i)
			}
		}
		for _, i := range now {
			known[i] = rounds
		}
		left -= len(now)
	}
	return rounds
}

// informed reports whether i learns by the given round wherever it starts its cycle, when
// known says in which earlier round others have learnt.
func informed(i, round, d int, known []int) bool {
	for start := range d {
		learns := false
		for r := 1; r <= round; r++ {
			j := i ^ 1<<((start+r-1)%d)
			learns = learns || j == 0 || known[j] > 0 && known[j] < r
		}
		if !learns {
			return false
		}
	}
	return true
}

// logRounds compares slowest with log2 n.
func logRounds() finding {
	var worst []string
	verdict := "holds"
	for n := 2; n <= 1024; n *= 2 {
		if slowest(n) > topology.Dimension(n) {
			verdict = "violated"
		}
		worst = append(worst, fmt.Sprintf("n=%d %d", n, slowest(n)))
	}
	return finding{Verdict: verdict, Detail: "rounds until the news of one crash are everywhere: " +
		strings.Join(worst, ", ")}
}

// leaves asks section 5.2's condition for a leaf of each process that is reached in a tree
// over eight processes: a process that was reached by j is one exactly if cluster_i(j) is 1,
// or there is no correct process in c_{i,s} with s = cluster_i(j)-1.
func leaves() finding {
	const n = 8
	sets := 0
	for faulty := range 1<<n - 1 {
		correct := func(j int) bool { return faulty>>j&1 == 0 }
		for root := range n {
			if !correct(root) {
				continue
			}
			for _, e := range topology.Tree(root, n, correct) {
				i, s := e[1], topology.Cluster(e[1], e[0])-1
				_, below := topology.FFNeighbor(i, max(s, 1), correct)
				children := topology.Neighborhood(i, s, correct)
				if leaf := s == 0 || !below; leaf != (len(children) == 0) {
					return finding{Verdict: "violated", Detail: fmt.Sprintf(
						"%s, reached from %s with %s faulty, has nobody in its cluster %d, and sends to %s",
						name(i), name(e[0]), listed(faulty), s,
						name(children[0]))}
				}
			}
		}
		sets++
	}
	return finding{Verdict: "holds", Detail: fmt.Sprintf("all %d sets of faulty processes", sets)}
}

// symmetric asks whether cluster_i(j) = cluster_j(i), for all n up to 1024.
func symmetric() finding {
	pairs := 0
	for i := range 1024 {
		for j := range i {
			if topology.Cluster(i, j) != topology.Cluster(j, i) {
				return finding{Verdict: "violated", Detail: fmt.Sprintf("%s and %s",
					name(i), name(j))}
			}
			pairs++
		}
	}
	return finding{Verdict: "holds", Detail: fmt.Sprintf("%d pairs of 1024 processes", pairs)}
}

// sent asks what a broadcast along the tree takes when nobody fails: of one process at most
// log2 n messages, and of all together n-1, for every n up to 1024 and from every source.
func sent(total bool) finding {
	trees := 0
	for n := 2; n <= 1024; n *= 2 {
		for root := range n {
			tree, own := topology.Tree(root, n, everybody), map[int]int{}
			for _, e := range tree {
				own[e[0]]++
				if own[e[0]] > topology.Dimension(n) {
					return finding{
						Verdict: "violated",
						Detail: fmt.Sprintf("n=%d from %d: %d sends %d",
							n, root, e[0], own[e[0]]),
					}
				}
			}
			if total && len(tree) > topology.Dimension(n) {
				return finding{Verdict: "violated", Detail: fmt.Sprintf(
					"n=%d: %d messages, log2 n is %d", n, len(tree), topology.Dimension(n))}
			}
			trees++
		}
	}
	return finding{Verdict: "holds", Detail: fmt.Sprintf("%d trees", trees)}
}

// fewestTests compares the tests that it takes until all know of a crash with log2 n, for the
// first n where they are more: n-1, one of each process that has to learn.
func fewestTests() finding {
	for n := 2; n <= 1024; n *= 2 {
		if learners := n - 1; learners > topology.Dimension(n) {
			return finding{Verdict: "violated", Detail: fmt.Sprintf("n=%d: at least %d, log2 n is %d",
				n, learners, topology.Dimension(n))}
		}
	}
	return finding{Verdict: "holds"}
}

// ownCluster asks whether cluster_i(j) = cluster_i(i) for eight processes.
func ownCluster() finding {
	for i := range 8 {
		for j := range 8 {
			if got, own := topology.Cluster(i, j), topology.Cluster(i, i); i != j && got != own {
				return finding{Verdict: "violated", Detail: fmt.Sprintf(
					"cluster_%d(%d) is %d, and %d is in none of its own clusters", i, j, got, i)}
			}
		}
	}
	return finding{Verdict: "holds"}
}

// pictures compares Figures 1 and 2 as far as the text tells them: clusters, the tests of p0,
// and two trees of p0.
func pictures() finding {
	for _, c := range []struct {
		i, s int
		want []int
	}{{0, 1, []int{1}}, {0, 2, []int{2, 3}}, {0, 3, []int{4, 5, 6, 7}}, {4, 2, []int{6, 7}},
		{5, 2, []int{7, 6}}} {
		if got := slices.Collect(topology.C(c.i, c.s)); !slices.Equal(got, c.want) {
			return finding{Verdict: "violated", Detail: fmt.Sprintf("c_{%d,%d} is %v", c.i, c.s, got)}
		}
	}
	if got := topology.Neighborhood(0, 3, everybody); !slices.Equal(got, []int{1, 2, 4}) {
		return finding{Verdict: "violated", Detail: fmt.Sprintf("p0 tests %v", got)}
	}
	whole := [][2]int{{0, 1}, {0, 2}, {2, 3}, {0, 4}, {4, 5}, {4, 6}, {6, 7}}
	without4 := [][2]int{{0, 1}, {0, 2}, {2, 3}, {0, 5}, {5, 7}, {7, 6}}
	for dead, want := range map[int][][2]int{-1: whole, 4: without4} {
		if got := topology.Tree(0, 8, func(j int) bool { return j != dead }); !slices.Equal(got, want) {
			return finding{Verdict: "violated", Detail: fmt.Sprint(got)}
		}
	}
	return finding{Verdict: "holds", Detail: "5 clusters, the tests of p0, 2 trees"}
}

// hypercube looks at the links of all sizes.
func hypercube() finding {
	sizes := 0
	for n := 2; n <= 1024; n *= 2 {
		sizes++
		d := topology.Dimension(n)
		if v := ofLinks(n, topology.Links(n, everybody), everybody); v.fewest != d || v.most != d ||
			v.apart > d {
			return finding{Verdict: "violated", Detail: fmt.Sprintf("n=%d", n)}
		}
	}
	return finding{Verdict: "holds", Detail: fmt.Sprintf("%d sizes", sizes)}
}

func everybody(int) bool { return true }

// linkFigures are the figures of a topology in the paper.
type linkFigures struct {
	fewest, most int // links at a process
	own          int // links that a process chooses itself, at most
	apart        int // depth of the deepest tree, which bounds the distances
}

func (f linkFigures) String() string {
	return fmt.Sprintf("%d links at one process, %d of its own, trees of depth %d", f.most, f.own, f.apart)
}

func ofLinks(n int, links [][2]int, correct func(int) bool) (f linkFigures) {
	at := make([]int, n)
	for _, l := range links {
		at[l[0]]++
		at[l[1]]++
	}
	f.fewest = n
	for i := range n {
		if correct(i) {
			f.fewest, f.most = min(f.fewest, at[i]), max(f.most, at[i])
			f.own = max(f.own, len(topology.Neighborhood(i, topology.Dimension(n), correct)))
			f.apart = max(f.apart, depth(topology.Tree(i, n, correct)))
		}
	}
	return f
}

// underFaults asks of every set of faulty processes that leaves somebody, and describes
// the worst.
func underFaults(n int, excess func(linkFigures) int, describe func(linkFigures) string) finding {
	sets, worst := 0, 0
	found := finding{Verdict: "holds"}
	for faulty := range 1<<n - 1 {
		correct := func(j int) bool { return faulty>>j&1 == 0 }
		f := ofLinks(n, topology.Links(n, correct), correct)
		if e := excess(f); e > worst {
			worst = e
			found = finding{Verdict: "violated", Detail: fmt.Sprintf("%s, with %s faulty", describe(f),
				listed(faulty))}
		}
		sets++
	}
	if found.Verdict == "holds" {
		found.Detail = fmt.Sprintf("all %d sets of faulty processes", sets)
	}
	return found
}

// listed names the processes of a set of bits.
func listed(set int) string {
	var words []string
	for j := 0; set>>j > 0; j++ {
		if set>>j&1 == 1 {
			words = append(words, name(j))
		}
	}
	return strings.Join(words, " ")
}

// testsPerCycle counts the tests of a cycle for every set of faulty processes that
// all others know: in cluster s process i tests the j whose first fault-free
// process in c_{j,s} it is.
func testsPerCycle(n int) finding {
	var clusters []int // as sets of bits; who tests is the first of them that is correct
	for j := range n {
		for s := 1; s <= topology.Dimension(n); s++ {
			cluster := 0
			for i := range topology.C(j, s) {
				cluster |= 1 << i
			}
			clusters = append(clusters, cluster)
		}
	}
	sets, most := 0, 0
	for faulty := range 1<<n - 1 {
		count := 0
		for _, cluster := range clusters {
			if cluster&^faulty != 0 {
				count++
			}
		}
		most = max(most, count)
		sets++
	}
	verdict := "holds"
	if most > n*topology.Dimension(n) {
		verdict = "violated"
	}
	return finding{
		Verdict: verdict,
		Detail: fmt.Sprintf("at most %d, over %d sets of faulty processes",
			most, sets),
	}
}

// neighborhoodIs asks whether neighborhood_i(h) of eight processes is empty when one
// process is faulty.
func neighborhoodIs(i, h, faulty int) finding {
	got := topology.Neighborhood(i, h, func(j int) bool { return j != faulty })
	verdict := "violated"
	if len(got) == 0 {
		verdict = "holds"
	}
	return finding{Verdict: verdict, Detail: fmt.Sprintf("with %s faulty it is %v",
		name(faulty), got)}
}

// trees looks at the fault-free trees of all sizes from all sources.
func trees() finding {
	count := 0
	for n := 2; n <= 1024; n *= 2 {
		for root := range n {
			tree := topology.Tree(root, n, everybody)
			reached := map[int]bool{root: true}
			for _, e := range tree {
				reached[e[1]] = true
			}
			if len(tree) != n-1 || len(reached) != n || depth(tree) > topology.Dimension(n) {
				return finding{Verdict: "violated", Detail: fmt.Sprintf("n=%d from %d", n, root)}
			}
			count++
		}
	}
	return finding{Verdict: "holds", Detail: fmt.Sprintf("%d trees", count)}
}

// name is how VCube counts its processes.
func name(p int) string { return fmt.Sprintf("p%d", p) }

// depth returns the number of edges from the root of a tree to its farthest node
// from it.
func depth(tree [][2]int) (most int) {
	level := map[int]int{}
	for _, e := range tree {
		level[e[1]] = level[e[0]] + 1
		most = max(most, level[e[1]])
	}
	return most
}
