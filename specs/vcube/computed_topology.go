package vcube

import (
	"fmt"
	"strings"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/papers"
	"github.com/atmostk/atmostk/specs/vcube/topology"
)

// hypercube looks at the links of all sizes.
func hypercube() papers.Finding {
	sizes := 0
	for n := 2; n <= 1024; n *= 2 {
		sizes++
		d := topology.Dimension(n)
		if v := ofLinks(n, topology.Links(n, everybody), everybody); v.fewest != d || v.most != d ||
			v.apart > d {
			return papers.Finding{Verdict: "violated", Detail: fmt.Sprintf("n=%d", n)}
		}
	}
	return papers.Finding{Verdict: "holds", Detail: fmt.Sprintf("%d sizes", sizes)}
}

func everybody(int) bool { return true }

// linkFigures are what the paper says of a topology.
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
			f.apart = max(f.apart, topology.Depth(topology.Tree(i, n, correct)))
		}
	}
	return f
}

// underFaults asks of every set of faulty processes that leaves somebody, and describes
// the worst.
func underFaults(n int, excess func(linkFigures) int, describe func(linkFigures) string) papers.Finding {
	sets, worst := 0, 0
	found := papers.Finding{Verdict: "holds"}
	for faulty := range 1<<n - 1 {
		correct := func(j int) bool { return faulty>>j&1 == 0 }
		f := ofLinks(n, topology.Links(n, correct), correct)
		if e := excess(f); e > worst {
			worst = e
			found = papers.Finding{Verdict: "violated", Detail: fmt.Sprintf("%s, with %s faulty", describe(f),
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
			words = append(words, name(model.Proc(j)))
		}
	}
	return strings.Join(words, " ")
}

// testsPerCycle counts the tests of a cycle for every set of faulty processes that
// all others know: in cluster s process i tests the j whose first fault-free
// process in c_{j,s} it is.
func testsPerCycle(n int) papers.Finding {
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
	return papers.Finding{
		Verdict: verdict,
		Detail: fmt.Sprintf("at most %d, over %d sets of faulty processes",
			most, sets),
	}
}

// neighborhoodIs asks whether neighborhood_i(h) of eight processes is empty when one
// process is faulty.
func neighborhoodIs(i, h, faulty int) papers.Finding {
	got := topology.Neighborhood(i, h, func(j int) bool { return j != faulty })
	verdict := "violated"
	if len(got) == 0 {
		verdict = "holds"
	}
	return papers.Finding{Verdict: verdict, Detail: fmt.Sprintf("with %s faulty it is %v",
		name(model.Proc(faulty)), got)}
}

// trees looks at the fault-free trees of all sizes from all sources.
func trees() papers.Finding {
	count := 0
	for n := 2; n <= 1024; n *= 2 {
		for root := range n {
			tree := topology.Tree(root, n, everybody)
			reached := map[int]bool{root: true}
			for _, e := range tree {
				reached[e[1]] = true
			}
			if len(tree) != n-1 || len(reached) != n || topology.Depth(tree) > topology.Dimension(n) {
				return papers.Finding{Verdict: "violated", Detail: fmt.Sprintf("n=%d from %d", n, root)}
			}
			count++
		}
	}
	return papers.Finding{Verdict: "holds", Detail: fmt.Sprintf("%d trees", count)}
}
