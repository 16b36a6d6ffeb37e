package computed

import (
	"fmt"
	"slices"
	"strings"

	"github.com/atmostk/atmostk/model"
)

// The demands of the Responsiveness Property RP on the order of answers. A process waits
// for n-f answers, its own included, so that f processes are missing when a request is over,
// as long as nobody has crashed: line 37 of Algorithm 1 as printed, and the text of section 2.

// mayKeep reports whether n processes can keep RP if all request before the first crash. Each has the
// answers of some n-f-1 others in time, always the same at best; each has to be among the answers of f
// others.
func mayKeep(n, f int) bool {
	within := make([]int, n) // of how many others each process is heard in time
	var choose func(j int) bool
	choose = func(j int) bool {
		for i, by := range within {
			if left := n - j; by+left < f || by+left == f && i >= j {
				return false // too few are left, and i itself may be one of them
			}
		}
		if j == n {
			return true
		}
		for _, heard := range ofSize(n, n-f-1) {
			if heard.Has(model.Proc(j)) {
				continue
			}
			for i := range heard.Each() {
				within[i]++
			}
			if choose(j + 1) {
				return true
			}
			for i := range heard.Each() {
				within[i]--
			}
		}
		return false
	}
	return choose(0)
}

// satisfiable compares mayKeep with the bound n > 2f.
func satisfiable() finding {
	const most = 7
	asked := 0
	for n := 1; n <= most; n++ {
		for f := range n {
			if asked++; mayKeep(n, f) != (n > 2*f) {
				return finding{Verdict: "violated", Detail: fmt.Sprintf("n=%d, f=%d", n, f)}
			}
		}
	}
	return finding{Verdict: "holds", Detail: fmt.Sprintf("%d pairs of n up to %d and f < n", asked,
		most)}
}

// An ordering is an order in which answers may come to a process, the others by their numbers.
type ordering func(to int, first []int) bool

// guarantees reports whether RP holds whatever orders allowed admits, each process's answers
// always coming in the same one; and whether there are such orders. A process i has to be among
// the first n-f-1 of f others.
func guarantees(n, f int, allowed ordering) (always, some bool) {
	within := make([]int, n)
	for to := range n {
		var others []int
		for i := range n {
			if i != to {
				others = append(others, i)
			}
		}
		inTime, possible := model.All(n).Without(model.Proc(to)), false
		for order := range permutations(others) {
			if !allowed(to, order) {
				continue
			}
			possible = true
			var first model.Set
			for _, i := range order[:n-f-1] {
				first = first.With(model.Proc(i))
			}
			inTime &= first
		}
		if !possible {
			return false, false
		}
		for i := range inTime.Each() {
			within[i]++
		}
	}
	return slices.Min(within) >= f, true
}

// permutations visits the orders of the given numbers. The slice is used again.
func permutations(of []int) func(yield func([]int) bool) {
	return func(yield func([]int) bool) {
		var place func(k int) bool
		place = func(k int) bool {
			if k == len(of) {
				return yield(of)
			}
			for i := k; i < len(of); i++ {
				of[k], of[i] = of[i], of[k]
				ok := place(k + 1)
				of[k], of[i] = of[i], of[k]
				if !ok {
					return false
				}
			}
			return true
		}
		place(0)
	}
}

// ringOrder is the first example of section 3: processes in a ring; neither neighbour is among the given
// number of slowest answers.
func ringOrder(n, slowest int) ordering {
	return func(to int, order []int) bool {
		for _, i := range order[max(0, n-1-slowest):] {
			if i == (to+1)%n || i == (to+n-1)%n {
				return false
			}
		}
		return true
	}
}

// rings asks whether RP holds with f=2 in rings from least to most processes.
func rings(least, most, slowest int) finding {
	const f = 2
	for n := least; n <= most; n++ {
		switch always, some := guarantees(n, f, ringOrder(n, slowest)); {
		case !some:
			return finding{
				Verdict: "violated",
				Detail:  fmt.Sprintf("n=%d: there is no such system", n),
			}
		case !always:
			return finding{Verdict: "violated", Detail: fmt.Sprintf("n=%d", n)}
		}
	}
	return finding{Verdict: "holds", Detail: fmt.Sprintf("rings of %d to %d", least, most)}
}

// clusters is the second example of section 3: members of the own cluster answer first. A process
// belongs to the cluster in whose range its number is.
func clusters(sizes []int) ordering {
	cluster := func(i int) (c int) {
		for c = 0; i >= sizes[c]; c++ {
			i -= sizes[c]
		}
		return c
	}
	return func(to int, order []int) bool {
		left := false
		for _, i := range order {
			own := cluster(i) == cluster(to)
			if left && own {
				return false
			}
			left = left || !own
		}
		return true
	}
}

// grids asks of all systems of least or more clusters, each of two nodes or more, with at most most
// nodes, whether RP holds for each f below the smallest cluster's size, and whether a
// process has an answer of every other cluster, as any n-f-1 others are.
func grids(least, most int) finding {
	asked := 0
	var wrong []string
	var grow func(sizes []int, nodes int)
	grow = func(sizes []int, nodes int) {
		if len(sizes) >= least {
			for f := range slices.Min(sizes) {
				asked++
				if always, _ := guarantees(nodes, f, clusters(sizes)); !always {
					wrong = append(wrong, fmt.Sprintf("clusters of %v, f=%d", sizes, f))
				}
			}
		}
		for size := 2; nodes+size <= most; size++ {
			if len(sizes) == 0 || size <= sizes[len(sizes)-1] {
				grow(append(slices.Clip(sizes), size), nodes+size)
			}
		}
	}
	grow(nil, 0)
	if len(wrong) > 0 {
		return finding{Verdict: "violated", Detail: strings.Join(wrong[:min(3, len(wrong))], "; ")}
	}
	detail := fmt.Sprintf("%d systems of at most %d nodes, with f", asked, most)
	return finding{Verdict: "holds", Detail: detail}
}
