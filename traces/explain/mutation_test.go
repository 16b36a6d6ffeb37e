package explain_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/traces/explain"
	"github.com/atmostk/atmostk/traces/logs/order"
)

// rebuilt makes a history of the lines of each node, ordered by the ids of messages.
func rebuilt(nodes []string, lines [][]order.Event) *order.History {
	h := &order.History{Nodes: nodes, ByNode: make([][]int, len(nodes))}
	send := map[string]int{}
	for node := range lines {
		for i, e := range lines[node] {
			e.Line = i + 1
			at := len(h.Events)
			h.ByNode[node] = append(h.ByNode[node], at)
			h.Events = append(h.Events, e)
			for _, m := range e.Sent {
				if m.ID != "" {
					send[m.ID] = at
				}
			}
		}
	}
	for i := range h.Events {
		var after []int
		if at, known := send[h.Events[i].ID]; known && h.Events[at].Node != h.Events[i].Node {
			after = append(after, at)
		}
		h.After = append(h.After, after)
	}
	return h
}

// A mutation changes the lines of the nodes; false if there is nothing to change.
type mutation struct {
	name   string
	mutate func(r *rand.Rand, in model.Instance, lines [][]order.Event) bool
}

// place returns the place of a random line for which ok holds.
func place(r *rand.Rand, lines [][]order.Event, ok func(node, i int) bool) (node, i int, found bool) {
	var all [][2]int
	for node := range lines {
		for i := range lines[node] {
			if ok(node, i) {
				all = append(all, [2]int{node, i})
			}
		}
	}
	if len(all) == 0 {
		return 0, 0, false
	}
	x := all[r.IntN(len(all))]
	return x[0], x[1], true
}

// enters reports whether an event is an entry into the critical section.
func enters(e *order.Event) bool {
	return slices.Contains([]string{"enter", "probe returns", "request"}, strings.ToLower(e.Name))
}

var mutations = []mutation{
	{"drop a line", func(r *rand.Rand, _ model.Instance, lines [][]order.Event) bool {
		node, i, found := place(r, lines, func(int, int) bool { return true })
		if found {
			lines[node] = slices.Delete(lines[node], i, i+1)
		}
		return found
	}},
	{"swap two across a message", func(r *rand.Rand, _ model.Instance, lines [][]order.Event) bool {
		node, i, found := place(r, lines, func(node, i int) bool {
			return i > 0 && (lines[node][i-1].Message != "") != (lines[node][i].Message != "")
		})
		if found {
			lines[node][i-1], lines[node][i] = lines[node][i], lines[node][i-1]
		}
		return found
	}},
	{"move an enter before its permission", func(r *rand.Rand, _ model.Instance, lines [][]order.Event) bool {
		node, i, found := place(r, lines, func(node, i int) bool {
			return i > 0 && enters(&lines[node][i]) && lines[node][i-1].Message != ""
		})
		if found {
			e := lines[node][i]
			lines[node] = slices.Insert(slices.Delete(lines[node], i, i+1), i-1, e)
		}
		return found
	}},
	{"duplicate an enter", func(r *rand.Rand, _ model.Instance, lines [][]order.Event) bool {
		node, i, found := place(r, lines, func(node, i int) bool { return enters(&lines[node][i]) })
		if found {
			lines[node] = slices.Insert(lines[node], i, lines[node][i])
		}
		return found
	}},
	{"forge a reply", func(r *rand.Rand, _ model.Instance, lines [][]order.Event) bool {
		node, i, found := place(r, lines, func(node, i int) bool { return lines[node][i].Message != "" })
		if found {
			e := lines[node][i]
			e.ID, e.Sent = "forged", nil
			at := r.IntN(len(lines[node]) + 1)
			lines[node] = slices.Insert(lines[node], at, e)
		}
		return found
	}},
}

// tiny are instances of which brute force can deal with short runs.
var tiny = []source{
	{"raymond", "n=3 k=2 rounds=1"},
	{"raymond", "n=2 k=1 rounds=2 channel=fifo"},
	{"raymond", "n=3 k=1 rounds=1 crashes=1 crash-sends=none"},
	{"timerfree", "n=2 k=1 f=0 rounds=2 variant=c rp=off"},
	{"timerfree", "n=3 k=2 f=1 rounds=1 rp=off crash-sends=none"},
	{"cohorts", "cohorts=1,2 h=1 crashes-arbiters=1"},
	{"cohorts", "cohorts=1,2 h=1 crashes-arbiters=1 case2=fd"},
	{"arbiter", "sets=1+2,2+3 k=1 h=1,1"},
	{"vcube-kmutex", "n=3 k=2 crashes=1 crash-sends=none"},
	{"lamport-mutex", "n=2 max-clock=20"},
	{"ring-recovery", "n=2 f=1"},
	{"ring-recovery", "n=2 f=1 start=cold rounds=0,1"},
	{"ring-recovery", "scheme=1 n=2 f=1"},
}

// A tally counts what became of the mutations of one kind.
type tally struct{ rejected, repaired, accepted, open int }

// TestMutatedLogsAsBruteForce mutates logs of runs. What is still accepted must be explained by a run
// according to brute force too, and what is rejected must not.
func TestMutatedLogsAsBruteForce(t *testing.T) {
	const most = 20_000
	each := 1
	if large {
		each = 12
	}
	graphs := make([]*graph, len(tiny))
	for i, m := range tiny {
		graphs[i] = newGraph(instance(t, m.spec, m.args))
	}
	for _, d := range []detail{full, ids | texts | sends, texts | sends} {
		tallies := make([]tally, len(mutations))
		r := rand.New(rand.NewPCG(uint64(d), 5))
		for range each {
			for i, g := range graphs {
				h := only(walk(t, g.in, r, 16), d)
				for k, m := range mutations {
					lines := make([][]order.Event, len(h.Nodes))
					for node, events := range h.ByNode {
						for _, e := range events {
							lines[node] = append(lines[node], h.Events[e])
						}
					}
					if m.mutate(r, g.in, lines) {
						what := fmt.Sprintf("%s %s, detail %b: %s", tiny[i].spec, tiny[i].args, d, m.name)
						tallies[k].add(t, what, g, rebuilt(h.Nodes, lines), most)
					}
				}
			}
		}
		for k, m := range mutations {
			x := tallies[k]
			t.Logf("detail %b: %-36s %4d: rejected %d, of them %d with a line missing; accepted, as by "+
				"brute force, %d; brute force undecided %d",
				d, m.name, x.rejected+x.accepted+x.open, x.rejected, x.repaired, x.accepted, x.open)
		}
	}
}

// add compares the verdict on a log with that of the oracle.
func (x *tally) add(t *testing.T, what string, g *graph, h *order.History, most int) {
	t.Helper()
	r := explained(t, g.in, h, explain.Options{Repair: 1, States: 20_000})
	yes, decided := newOracle(g, h, 0).explains(most)
	switch {
	case !decided:
		x.open++
	case yes != (r.Verdict == explain.Accepted) || r.Verdict == explain.Undecided:
		t.Errorf("%s: %s, but by brute force it is %v that it can be explained\n%s", what, r.Verdict, yes,
			written(h))
	case yes:
		x.accepted++
	default:
		x.rejected++
		if r.Repair.Found {
			x.repaired++
		}
	}
}

func written(h *order.History) string {
	var b strings.Builder
	for node := range h.ByNode {
		for _, i := range h.ByNode[node] {
			e := h.Events[i]
			fmt.Fprintf(&b, "%s %s %s %q from %d sent %v seq %d %v\n", h.Nodes[node], e.Name, e.ID, e.Message,
				e.From, e.Sent, e.Seq, e.State)
		}
	}
	return b.String()
}

// TestMissingLinesAsBruteForce compares the verdicts on logs with lines missing with brute force, with and
// without numbers of lines.
func TestMissingLinesAsBruteForce(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 9))
	decisions := map[string]int{}
	times := 1
	if large {
		times = 12
	}
	for range times {
		for i, m := range tiny {
			g := newGraph(instance(t, m.spec, m.args))
			h := walk(t, g.in, r, 12)
			gone := map[int]bool{r.IntN(len(h.Events)): true, r.IntN(len(h.Events)): true}
			h = without(h, func(e int) bool { return gone[e] })
			for _, d := range []detail{full, texts | sends, full | seq, ids | texts, state | seq} {
				for hidden := 1; hidden <= 2; hidden++ {
					log := only(h, d)
					got := explained(t, g.in, log, explain.Options{Hidden: hidden, States: 200_000})
					yes, decided := newOracle(g, log, hidden).explains(20_000)
					switch {
					case !decided || got.Verdict == explain.Undecided:
						decisions["open"]++
					case yes != (got.Verdict == explain.Accepted):
						t.Errorf("%s %s, detail %b, %d hidden: %s, but by brute force it is %v\n%s",
							tiny[i].spec, m.args, d, hidden, got.Verdict, yes, written(log))
					default:
						decisions[string(got.Verdict)]++
					}
				}
			}
		}
	}
	t.Logf("agreed or open: %v", decisions)
}
