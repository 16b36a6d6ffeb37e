package occupancy_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/atmostk/atmostk/traces/logs/formats"
	"github.com/atmostk/atmostk/traces/logs/occupancy"
)

// TestLargestAntichainAsAmongAllSets compares the largest antichain with one found among all sets of
// holdings, in logs that are too large for all orders of events.
func TestLargestAntichainAsAmongAllSets(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := gossip(t)
		l := rapidRead(t, text)
		o := newOracle(l.History())
		if len(o.stays) > 17 {
			t.Skip("too many stays")
		}
		best := o.antichain()
		u := used(l, 1, occupancy.Possibly, false)
		if u.Possibly != best || !u.Exact {
			t.Fatalf("possibly %d, want %d\n%s", u.Possibly, best, text)
		}
	})
}

// antichain is the largest number of units of holdings of which none is over before
// another begins.
func (o *oracle) antichain() int {
	past := o.past()
	// no holding of the set is over before i begins, nor the other way round
	together := func(s, i int) bool {
		for j := range o.stays {
			if s&(1<<j) == 0 {
				continue
			}
			a, b := o.stays[i], o.stays[j]
			if a.release >= 0 && past[b.enter][a.release] || b.release >= 0 && past[a.enter][b.release] {
				return false
			}
		}
		return true
	}
	best := 0
	fits := make([]bool, 1<<len(o.stays))
	fits[0] = true
	for s := 1; s < len(fits); s++ {
		top := 0
		for s>>(top+1) != 0 {
			top++
		}
		rest := s &^ (1 << top)
		if fits[s] = fits[rest] && together(rest, top); fits[s] {
			best = max(best, o.units(uint32(s)))
		}
	}
	return best
}

// past tells for each event which are before it.
func (o *oracle) past() [][]bool {
	past := make([][]bool, o.n)
	var of func(i int) []bool
	of = func(i int) []bool {
		if past[i] == nil {
			past[i] = make([]bool, o.n)
			for j := range o.n {
				if o.before[i]&(1<<j) == 0 {
					continue
				}
				past[i][j] = true
				for k, is := range of(j) {
					past[i][k] = past[i][k] || is
				}
			}
		}
		return past[i]
	}
	for i := range o.n {
		of(i)
	}
	return past
}

// shifted is a log in which chains have to be changed to be as few as possible.
const shifted = `{"node":"p0","event":"enter","clock":{"p0":1}}
{"node":"p0","event":"release","clock":{"p0":2}}
{"node":"p0","event":"enter","clock":{"p0":3}}
{"node":"p0","event":"release","clock":{"p0":4}}
{"node":"p1","event":"enter","clock":{"p1":1}}
{"node":"p1","event":"release","clock":{"p1":2}}
{"node":"p1","event":"enter","clock":{"p1":3}}
{"node":"p1","event":"release","clock":{"p1":4}}
{"node":"p2","event":"enter","clock":{"p2":1}}
{"node":"p5","event":"enter","clock":{"p5":1}}
{"node":"p1","event":"enter","clock":{"p1":5}}
{"node":"p5","event":"release","clock":{"p5":2}}
{"node":"p2","event":"release","clock":{"p1":5,"p2":2}}
{"node":"p0","event":"enter","clock":{"p0":5}}
{"node":"p1","event":"release","clock":{"p1":6}}
{"node":"p3","event":"enter","clock":{"p3":1}}
{"node":"p6","event":"enter","clock":{"p1":5,"p2":2,"p6":1}}
{"node":"p2","event":"enter","clock":{"p1":5,"p2":3,"p5":2}}
{"node":"p3","event":"release","clock":{"p3":2}}
{"node":"p1","event":"enter","clock":{"p1":7}}
{"node":"p1","event":"release","clock":{"p1":8}}
{"node":"p0","event":"release","clock":{"p0":6,"p3":2}}
{"node":"p5","event":"enter","clock":{"p0":6,"p3":2,"p5":3}}
{"node":"p1","event":"enter","clock":{"p1":9}}
`

// TestChainsNeedAugmentingPath needs an augmenting path.
func TestChainsNeedAugmentingPath(t *testing.T) {
	l := read(t, formats.Options{Keep: true}, shifted)
	want := newOracle(l.History()).antichain()
	if u := used(l, 1, occupancy.Possibly, false); u.Possibly != want {
		t.Errorf("possibly %d, want %d", u.Possibly, want)
	}
}

// gossip draws a log of many nodes that enter, leave, and hear of each other: each
// event may know of an earlier one.
func gossip(t *rapid.T) string {
	const events = 24
	nodes := rapid.IntRange(4, 9).Draw(t, "nodes")
	inside := make([]bool, nodes)
	clocks := make([][]int, nodes)
	for p := range clocks {
		clocks[p] = make([]int, nodes)
	}
	var all [][]int
	var b strings.Builder
	for i := range events {
		p := rapid.IntRange(0, nodes-1).Draw(t, "node")
		name := map[bool]string{true: "release", false: "enter"}[inside[p]]
		inside[p] = !inside[p]
		if i > 0 && rapid.IntRange(0, 3).Draw(t, "hear") > 0 {
			for q, n := range all[i-rapid.IntRange(1, min(i, 6)).Draw(t, "of")] {
				clocks[p][q] = max(clocks[p][q], n)
			}
		}
		clocks[p][p]++
		all = append(all, slices.Clone(clocks[p]))
		var counts []string
		for q, n := range clocks[p] {
			counts = append(counts, fmt.Sprintf(`"p%d":%d`, q, n))
		}
		fmt.Fprintf(&b, `{"node":"p%d","event":"%s","clock":{%s}}`+"\n", p, name, strings.Join(counts, ","))
	}
	return b.String()
}
