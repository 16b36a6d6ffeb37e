package graph

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// random draws a graph with few nodes.
func random(t *rapid.T) *Graph {
	n := rapid.Uint32Range(1, 12).Draw(t, "nodes")
	g := &Graph{Begin: []uint32{0}}
	for range n {
		g.To = append(g.To, rapid.SliceOfN(rapid.Uint32Range(0, n-1), 0, 4).Draw(t, "successors")...)
		g.Begin = append(g.Begin, uint32(len(g.To)))
	}
	return g
}

func noTick(int) {}

// distances returns how many edges lead from a node to each, as Floyd has it; -1: none do.
func distances(g *Graph) [][]int {
	d := make([][]int, g.Nodes())
	for n := range d {
		d[n] = slices.Repeat([]int{-1}, len(d))
		for _, m := range g.Successors(uint32(n)) {
			d[n][m] = 1
		}
		d[n][n] = 0
	}
	for k := range d {
		for i := range d {
			for j := range d {
				if d[i][k] >= 0 && d[k][j] >= 0 && (d[i][j] < 0 || d[i][k]+d[k][j] < d[i][j]) {
					d[i][j] = d[i][k] + d[k][j]
				}
			}
		}
	}
	return d
}

// TestWalk: a walk meets what can be reached, by ways than which none is shorter, again and again.
func TestWalk(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := random(t)
		d, w := distances(g), NewWalk(g.Nodes(), noTick)
		for root := range g.Nodes() {
			w.Start(root)
			for n, ok := w.Next(); ok; n, ok = w.Next() {
				for _, m := range g.Successors(n) {
					w.Meet(m, n)
				}
			}
			for n := range g.Nodes() {
				if w.Met(n) != (d[root][n] >= 0) {
					t.Fatalf("from %d: %d was met: %v", root, n, w.Met(n))
				}
				if !w.Met(n) {
					continue
				}
				way := w.Way(n)
				if len(way)-1 != d[root][n] || way[0] != root || way[len(way)-1] != n {
					t.Fatalf("from %d to %d: %v, of %d steps the shortest", root, n, way, d[root][n])
				}
				for i := range way[1:] {
					if !slices.Contains(g.Successors(way[i]), way[i+1]) {
						t.Fatalf("%v: no edge from %d", way, way[i])
					}
				}
			}
		}
	})
}

// TestComponents: two usable nodes are in one component if each leads to the other, no component
// is numbered before one it leads to, and each is completed once.
func TestComponents(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := random(t)
		usable := rapid.SliceOfN(rapid.Bool(), len(g.Begin), len(g.Begin)).Draw(t, "usable")
		follow := rapid.SliceOfN(rapid.Bool(), len(g.To), len(g.To)).Draw(t, "follow")
		cut := &Graph{Begin: []uint32{0}} // what is left of the graph
		for n := range g.Nodes() {
			for e, end := g.Edges(n); e < end; e++ {
				if follow[e] && usable[n] && usable[g.To[e]] {
					cut.To = append(cut.To, g.To[e])
				}
			}
			cut.Begin = append(cut.Begin, uint32(len(cut.To)))
		}
		times := make([]int, g.Nodes())
		c := NewComponents(g, func(n uint32) bool { return usable[n] },
			func(e uint32) bool { return follow[e] },
			func(members []uint32) {
				for _, n := range members {
					times[n]++
				}
			}, noTick)
		c.Find()
		d := distances(cut)
		for n := range g.Nodes() {
			if usable[n] != (times[n] == 1) {
				t.Fatalf("%d was completed %d times", n, times[n])
			}
			for m := range g.Nodes() {
				leads := usable[n] && usable[m] && d[n][m] >= 0
				if usable[n] && usable[m] && c.Same(n, m) != (leads && d[m][n] >= 0) {
					t.Fatalf("%d and %d: the same component: %v", n, m, c.Same(n, m))
				}
				if leads && c.Number(n) > c.Number(m) {
					t.Fatalf("%d leads to %d, and its component is numbered first", n, m)
				}
			}
		}
	})
}

// TestReversed: a graph reversed has the edges the other way, and reversed again is the same.
func TestReversed(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := random(t)
		count := func(g *Graph, n, m uint32) (k int) {
			for _, to := range g.Successors(n) {
				if to == m {
					k++
				}
			}
			return k
		}
		r := g.Reversed()
		for n := range g.Nodes() {
			for m := range g.Nodes() {
				if count(g, n, m) != count(r, m, n) {
					t.Fatalf("%d edges from %d to %d, %d back", count(g, n, m), n, m, count(r, m, n))
				}
			}
		}
	})
}
