package occupancy_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/atmostk/atmostk/traces/logs/formats"
	"github.com/atmostk/atmostk/traces/logs/occupancy"
)

// A tokenLog has events with fencing tokens, and what is known of their order.
type tokenLog struct {
	text   string
	node   []int
	before [][2]int // pairs of events
	token  []int
	used   []bool
}

// The ways in which the order of such events is known.
const (
	byInterval = iota
	byMessage
	byNothing
)

// drawTokens draws holdings of some nodes with tokens that mostly grow, and uses of them.
func drawTokens(r *rand.Rand, how int) *tokenLog {
	x := &tokenLog{}
	var begin, end []int
	now := 0
	held := map[int]bool{}
	last := map[int]int{}
	var b strings.Builder
	for i := range 3 + r.IntN(4) {
		n := r.IntN(3)
		now += r.IntN(4)
		used := held[n] && r.IntN(2) == 0
		if held[n] && !used { // so that the token is not taken for that of an acquisition by its holder
			x.line(&b, how, n, "release", begin[last[n]], 1000, 0, i) // which narrows nothing
		}
		token := i + 1
		if r.IntN(4) == 0 {
			token = 1 + r.IntN(6)
		}
		name := "acquire"
		if used {
			name = "use"
		}
		begin, end = append(begin, now), append(end, now+r.IntN(3))
		if k, ok := last[n]; ok {
			begin[i], end[i] = max(begin[i], begin[k]), max(end[i], end[k])
			x.before = append(x.before, [2]int{k, i})
		}
		last[n], held[n] = i, true
		x.node, x.token, x.used = append(x.node, n), append(x.token, token), append(x.used, used)
		x.line(&b, how, n, name, begin[i], end[i], token, i)
	}
	for i := range x.node {
		for j := range x.node {
			if how == byInterval && end[i] < begin[j] ||
				how == byMessage && i+2 == j && x.node[i] != x.node[j] {
				x.before = append(x.before, [2]int{i, j})
			}
		}
	}
	x.text = b.String()
	return x
}

// line writes an event. By messages each event sends one that the next but one receives.
func (x *tokenLog) line(b *strings.Builder, how, node int, name string, begin, end, token, i int) {
	fmt.Fprintf(b, `{"node":"n%d","event":"%s"`, node, name)
	if token > 0 {
		fmt.Fprintf(b, `,"fence":%d`, token)
	}
	switch {
	case how == byInterval:
		fmt.Fprintf(b, `,"begin":%d,"end":%d`, begin, max(begin, end))
	case how == byMessage && token > 0:
		if i >= 2 && x.node[i-2] != node {
			fmt.Fprintf(b, `,"id":"m%d"`, i-2)
		}
		fmt.Fprintf(b, `,"sent":[{"id":"m%d"}]`, i)
	}
	fmt.Fprintln(b, "}")
}

// right reports whether there is an order of the events that fits and in which tokens that are handed out
// are each greater than those before or, if they are used, at least as great.
func (x *tokenLog) right(used bool, order []int) bool {
	if len(order) == len(x.node) {
		return true
	}
	greatest := 0
	for _, i := range order {
		if x.used[i] == used {
			greatest = max(greatest, x.token[i])
		}
	}
	for i := range x.node {
		wrong := x.used[i] == used && (x.token[i] < greatest || x.token[i] == greatest && !used)
		if slices.Contains(order, i) || wrong {
			continue
		}
		if slices.ContainsFunc(
			x.before,
			func(p [2]int) bool { return p[1] == i && !slices.Contains(order, p[0]) },
		) {
			continue
		}
		if x.right(used, append(slices.Clone(order), i)) {
			return true
		}
	}
	return false
}

// TestStaleTokensAsSearchOverAllOrders compares what is said of fencing tokens with a search through all
// orders of their events, for logs whose order is known by intervals, by messages, and by nothing but the
// nodes' own; and with small windows.
func TestStaleTokensAsSearchOverAllOrders(t *testing.T) {
	defer occupancy.Windows(1, 3)()
	rounds := 150
	if os.Getenv("ATMOSTK_SWEEP") != "" {
		rounds = 5000
	}
	kinds := map[string]int{"intervals": byInterval, "messages": byMessage, "nothing": byNothing}
	for _, name := range slices.Sorted(maps.Keys(kinds)) {
		t.Run(name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(33, uint64(kinds[name])))
			stale, right := 0, 0
			for range rounds {
				x := drawTokens(r, kinds[name])
				how := occupancy.Judging{
					Units: func(formats.Header) (func(string) int, error) {
						return func(string) int { return 9 },
							nil
					},
				}
				l, uses, err := occupancy.Judge(write(t, x.text), formats.Options{Format: "ndjson"}, how)
				if err != nil || l.Contradictory() {
					t.Fatalf("%v %v\n%s", err, l.Findings, x.text)
				}
				want := x.right(false, nil) && x.right(true, nil)
				if got := uses[0].Tokens.Count == 0; got != want {
					t.Fatalf("%+v; by all orders right: %v\n%s%v", uses[0].Tokens, want, x.text, x.before)
				}
				if want {
					right++
				} else {
					stale++
				}
			}
			t.Log(stale, right)
			if stale < rounds/10 || right < rounds/10 {
				t.Errorf("one-sided: %d stale, %d right", stale, right)
			}
		})
	}
}
