package topology

import (
	"math/bits"
	"slices"
	"testing"
)

func all(int) bool { return true }

// without is the predicate that all but the given processes are correct.
func without(faulty ...int) func(int) bool {
	return func(j int) bool { return !slices.Contains(faulty, j) }
}

// TestClustersAreAsInFigure1 is the table of Fig. 1 as far as the text of the paper quotes it.
func TestClustersAreAsInFigure1(t *testing.T) {
	for _, c := range []struct {
		i, s int
		want []int
	}{
		{0, 1, []int{1}}, {0, 2, []int{2, 3}}, {0, 3, []int{4, 5, 6, 7}},
		{2, 1, []int{3}}, {4, 1, []int{5}}, {4, 2, []int{6, 7}},
		{5, 1, []int{4}}, {5, 2, []int{7, 6}}, {7, 1, []int{6}}, {7, 2, []int{5, 4}},
	} {
		if got := slices.Collect(C(c.i, c.s)); !slices.Equal(got, c.want) {
			t.Errorf("c(%d,%d) = %v, want %v", c.i, c.s, got, c.want)
		}
	}
}

// TestFunctionsAreAsInSection51 holds the examples of the definitions. The last one is printed as
// neighborhood_0(1) = ⊥ with p4 detected as faulty, which contradicts the
// definition (p1 is correct); it is read as p1 detected.
func TestFunctionsAreAsInSection51(t *testing.T) {
	for j, want := range []int{1: 1, 2: 2, 3: 2, 4: 3, 5: 3, 6: 3, 7: 3} {
		if got := Cluster(0, j); j > 0 && got != want {
			t.Errorf("cluster_0(%d) = %d, want %d", j, got, want)
		}
	}
	for _, f := range []struct {
		i, s   int
		faulty []int
		want   int
		ok     bool
	}{
		{4, 1, nil, 5, true}, {4, 2, nil, 6, true},
		{4, 2, []int{6}, 7, true}, {4, 2, []int{6, 7}, 0, false},
		{0, 3, []int{4}, 5, true}, {5, 1, []int{4}, 0, false}, {5, 2, []int{4}, 7, true},
	} {
		if got, ok := FFNeighbor(f.i, f.s, without(f.faulty...)); got != f.want || ok != f.ok {
			t.Errorf("FF_neighbor_%d(%d) without %v = %d, %v, want %d, %v", f.i, f.s, f.faulty, got, ok,
				f.want, f.ok)
		}
	}
	for _, h := range []struct {
		i, h   int
		faulty []int
		want   []int
	}{
		{0, 1, nil, []int{1}}, {0, 2, nil, []int{1, 2}}, {0, 3, nil, []int{1, 2, 4}},
		{0, 3, []int{4}, []int{1, 2, 5}}, {2, 1, nil, []int{3}}, {4, 2, nil, []int{5, 6}},
		{0, 1, []int{1}, nil},
	} {
		if got := Neighborhood(h.i, h.h, without(h.faulty...)); !slices.Equal(got, h.want) {
			t.Errorf("neighborhood_%d(%d) without %v = %v, want %v", h.i, h.h, h.faulty, got, h.want)
		}
	}
}

// TestTreesAreAsInFigure2 compares with both trees of Fig. 2, as the text walks through them.
func TestTreesAreAsInFigure2(t *testing.T) {
	for _, f := range []struct {
		faulty []int
		want   [][2]int
	}{
		{nil, [][2]int{{0, 1}, {0, 2}, {2, 3}, {0, 4}, {4, 5}, {4, 6}, {6, 7}}},
		{[]int{4}, [][2]int{{0, 1}, {0, 2}, {2, 3}, {0, 5}, {5, 7}, {7, 6}}},
	} {
		if got := Tree(0, 8, without(f.faulty...)); !slices.Equal(got, f.want) {
			t.Errorf("without %v: %v, want %v", f.faulty, got, f.want)
		}
	}
}

// powers are all sizes of the cube up to 1024.
func powers(yield func(n int) bool) {
	for n := 2; n <= 1024 && yield(n); n *= 2 {
	}
}

// TestClustersPartition: the clusters of i hold each other process once, in the
// cluster that Cluster names, and that is the same seen from the other side.
func TestClustersPartition(t *testing.T) {
	for n := range powers {
		for i := range n {
			seen := make([]bool, n)
			seen[i] = true
			for s := 1; s <= Dimension(n); s++ {
				c := slices.Collect(C(i, s))
				if len(c) != 1<<(s-1) {
					t.Fatalf("n=%d: c(%d,%d) has %d processes", n, i, s, len(c))
				}
				for _, j := range c {
					if seen[j] {
						t.Fatalf("n=%d: %d is twice in the clusters of %d", n, j, i)
					}
					seen[j] = true
					if Cluster(i, j) != s || Cluster(j, i) != s {
						t.Fatalf("cluster_%d(%d) = %d, cluster_%d(%d) = %d, want %d", i, j, Cluster(i, j), j,
							i, Cluster(j, i), s)
					}
				}
			}
			if slices.Contains(seen, false) {
				t.Fatalf("n=%d: the clusters of %d are not all processes", n, i)
			}
		}
	}
}

// TestTreeReachesAll: the fault-free tree from any root reaches all in n-1 messages, which
// means once each, over at most log2 n hops.
func TestTreeReachesAll(t *testing.T) {
	for n := range powers {
		for root := range n {
			edges := Tree(root, n, all)
			reached := make([]bool, n)
			reached[root] = true
			for _, e := range edges {
				reached[e[1]] = true
			}
			if len(edges) != n-1 || slices.Contains(reached, false) || depth(edges) > Dimension(n) {
				t.Fatalf("n=%d root=%d: %d messages, depth %d, reached %v", n, root, len(edges), depth(edges),
					reached)
			}
		}
	}
}

// TestTreeReachesAllCorrect: if all are informed, any set of faulty processes leaves
// a tree of the others.
func TestTreeReachesAllCorrect(t *testing.T) {
	const n = 16
	for faulty := range 1 << n {
		if faulty&1 == 1 {
			continue // the root is correct
		}
		correct := func(j int) bool { return faulty>>j&1 == 0 }
		reached := 1
		edges := Tree(0, n, correct)
		for _, e := range edges {
			if reached>>e[1]&1 == 1 || !correct(e[1]) {
				t.Fatalf("without %b: %d is reached twice or faulty", faulty, e[1])
			}
			reached |= 1 << e[1]
		}
		if reached|faulty != 1<<n-1 || depth(edges) > Dimension(n) {
			t.Fatalf("without %b: reached %b, depth %d", faulty, reached, depth(edges))
		}
	}
}

// TestTreesAreAsInTheExamples follows the trees of the examples of sections 6.3 and 7.3, and the processes
// to which p0 tests in section 4.
func TestTreesAreAsInTheExamples(t *testing.T) {
	if got := Neighborhood(0, 3, all); !slices.Equal(got, []int{1, 2, 4}) {
		t.Errorf("p0 tests %v", got)
	}
	for _, c := range []struct {
		root   int
		faulty []int
		want   [][2]int
	}{
		{0, nil, [][2]int{{0, 1}, {0, 2}, {2, 3}}},
		{0, []int{2}, [][2]int{{0, 1}, {0, 3}}},
		{2, nil, [][2]int{{2, 3}, {2, 0}, {0, 1}}},
		{1, nil, [][2]int{{1, 0}, {1, 3}, {3, 2}}},
	} {
		if got := Tree(c.root, 4, without(c.faulty...)); !slices.Equal(got, c.want) {
			t.Errorf("from %d without %v: %v, want %v", c.root, c.faulty, got, c.want)
		}
	}
}

// TestLinksAreTheHypercube: without faults the links are those of the hypercube, between addresses
// that differ in one bit, and every tree uses links only.
func TestLinksAreTheHypercube(t *testing.T) {
	for n := range powers {
		links := Links(n, all)
		if len(links) != n*Dimension(n)/2 {
			t.Errorf("n=%d: %d links", n, len(links))
		}
		for _, l := range links {
			if bits.OnesCount(uint(l[0]^l[1])) != 1 {
				t.Errorf("n=%d: link %v", n, l)
			}
		}
	}
	links := Links(8, without(4))
	for root := range 8 {
		for _, e := range Tree(root, 8, without(4)) {
			if root != 4 && !slices.Contains(links, e) && !slices.Contains(links, [2]int{e[1], e[0]}) {
				t.Errorf("the tree of %d uses %v", root, e)
			}
		}
	}
}

// depth returns the number of edges from the root of a tree to the farthest process.
func depth(tree [][2]int) (most int) {
	level := map[int]int{}
	for _, e := range tree {
		level[e[1]] = level[e[0]] + 1
		most = max(most, level[e[1]])
	}
	return most
}
