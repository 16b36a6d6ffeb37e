package vcube

import (
	"fmt"
	"strings"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/papers"
	"github.com/atmostk/atmostk/specs/vcube/topology"
)

var logarithmic = papers.Claim{
	Name: "Logarithmic properties", Place: "sections 3 and 4",
	Ruling: papers.Stands,
	Text: "Without failures a process has log2 n links to others, and two processes are at most log2 " +
		"n links apart.",
	Trials: []papers.Trial{
		{
			Compute: hypercube, How: "show vcube-tree n=16 --draw text",
			Remark: "all n up to 1024",
		},
	},
}

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

var selfHealing = papers.Claim{
	Name: "Logarithmic properties in spite of failures", Place: "sections 3 and 4",
	Ruling: papers.Erroneous,
	Text:   "When the others have reconnected after failures, the logarithmic properties are kept.",
	Trials: []papers.Trial{
		{
			Compute: func() papers.Finding {
				return underFaults(8, func(f linkFigures) int { return max(f.own, f.apart) - 3 },
					linkFigures.String)
			},
			Remark: "each process has at most log2 n neighbours of its own, distances are at " +
				"most log2 n; n=8",
			How: "show vcube-tree n=8 dead=4 --draw text",
		},
		{
			Compute: func() papers.Finding {
				return underFaults(8, func(f linkFigures) int { return f.most - 3 }, linkFigures.String)
			},
			Remark: "at most log2 n links at a process, those included that others chose; n=8",
			How:    "show vcube-tree n=8 dead=0 --draw text",
		},
	},
	Account: `**What happens.** A process chooses at most log2 n neighbours, one for each of its clusters, but nothing
bounds how many others choose it. Without p0, the processes p2 and p4, whose neighbour it was, turn to p1, which
is the neighbour of p3 and p5 already. And if of a half of the cube only one process is left, it is the neighbour of
everybody in the other half. Distances stay logarithmic, and so does the work of a source; that of the process to
which all turn does not.`,
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

var tests = papers.Claim{
	Name: "Number of tests", Place: "section 4, second paragraph",
	Ruling: papers.Stands,
	Text:   "At most n log2 n tests are executed in log2 n testing rounds.",
	Trials: []papers.Trial{
		{
			Compute: func() papers.Finding { return testsPerCycle(8) },
			Remark:  "n=8, when everybody knows who is faulty",
		},
		{
			Compute: func() papers.Finding { return testsPerCycle(16) },
			Remark:  "n=16, when everybody knows who is faulty",
		},
		{
			Spec: "vcube-rounds", Args: "n=4 crashes=3 tests=counted", Property: "tests",
			Remark: "any log2 n rounds in a row, with crashes that not everybody knows of",
		},
		{Spec: "vcube-rounds", Args: "n=8 crashes=1 tests=counted", Property: "tests", Remark: "likewise"},
		{Spec: "vcube-rounds", Args: "n=8 crashes=3 offsets=common tests=counted", Property: "tests",
			Remark: "likewise, in step"},
		{Spec: "vcube-rounds", Args: "n=16 crashes=2 offsets=common tests=counted", Property: "tests",
			Remark: "likewise"},
	},
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

var examples = papers.Claim{
	Name: "Examples of section 5.1", Place: "section 5.1",
	Ruling: papers.Slip, Because: "the definition of neighborhood in the same item",
	Text: "With p4 faulty, neighborhood_0(1) is ⊥.",
	Trials: []papers.Trial{
		{
			Compute: func() papers.Finding { return neighborhoodIs(0, 1, 4) }, Remark: "as printed",
			How: "show vcube-tree n=8 dead=4 --draw text",
		},
		{
			Compute: func() papers.Finding { return neighborhoodIs(0, 1, 1) }, Remark: "with p1 faulty",
			Aside: papers.Repaired,
			How:   "show vcube-tree n=8 dead=1 --draw text",
		},
	},
	Account: `A slip of the pen: neighborhood_0(1) looks into the first cluster of p0, which is p1 alone, and p4 is in the
third. With p1 faulty it is empty, and with p4 faulty it is neighborhood_0(3) that changes, from {1, 2, 4} to {1, 2, 5}. The other
examples of sections 4 to 7 and Figures 1 and 2 come out as printed; the tests of the topology hold them.`,
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
