package starfile

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/atmostk/atmostk/explore"
	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/lts"
)

// effects are statements of actions of a member m that treat all members alike; %d is a small number.
var effects = []string{
	`when(s.does[m] == "x")`, `when(s.owner != m)`, `when(s.owner == None or m in s.waits)`,
	`when(len(s.waits) > %d)`, `when(s.mark[m] <= %d)`, `when(not s.rows[m].on)`, `when(("ask", m) in s.sent)`,
	`s.does[m] = pick(["x", "y"])`, `s.does[m] = "z"`, `s.owner = m`, `s.owner = None`, `s.waits.add(m)`,
	`s.mark[m] = %d`, `s.rows[m].on = not s.rows[m].on`, `s.rows[m].to = pick(M)`, `s.sent.add(("ask", m))`,
	`s.line = ([m] + list(s.line))[:2]`, `s.waits = set(pick(subsets(M)))`, `s.near[s.rows[m].to] = m`,
	`s.owner = s.near[m]`, `s.total = %d`, `s.total = (s.total + len(s.waits) + %d) %% 3`, `s.third = m`,
}

// randomSymmetric returns a file whose members are interchangeable, declared so by what symmetric is.
func randomSymmetric(seed uint64, members, symmetric string) string {
	r := rand.New(rand.NewPCG(seed, 41))

	text := `"""A model."""
M = ` + members + `
T = ["t1", "t2"]
state = record(does = array(M, enum("x", "y", "z")), owner = optional(M), waits = set_of(M),
    mark = array(M, range(0, 9)), rows = array(M, record(on = bool, to = M)), third = optional(M),
    sent = set_of([("ask", m) for m in M] + ["end"]), line = list_of(M, max = 2), near = array(M, M),
    total = range(0, 9), thread = array(T, optional(M)), turn = optional(T))
def init(s):
    first = pick(M)
    for m in M:
        s.near[m] = first
        s.rows[m].to = first
def thread(s, t):
    s.thread[t] = s.owner
    s.turn = t
`
	var names []string
	for i := range 2 + r.IntN(2) {
		name := fmt.Sprint("act", i)
		names = append(names, "action("+name+", M)")
		text += "def " + name + "(s, m):\n"
		for range 2 + r.IntN(3) {
			effect := effects[r.IntN(len(effects))]
			if strings.Contains(effect, "%") {
				effect = fmt.Sprintf(effect, r.IntN(3))
			}
			text += "    " + effect + "\n"
		}
	}
	return text + fmt.Sprintf(`system(state = state, init = init, actions = [%s, action(thread, T)], symmetric = %s,
    properties = [invariant("i", lambda s: len(s.waits) < 2 or s.owner == None or s.turn == None)])
`, strings.Join(names, ", "), symmetric)
}

// orbit is the least text of a state in all orders of the members, and of the threads.
func orbit(s lts.State, members []string) (least string) {
	for _, threads := range [][]string{{"t1", "t2"}, {"t2", "t1"}} {
		for _, order := range orders(members) {
			var pairs []string
			for i, m := range append(slices.Clone(members), "t1", "t2") {
				pairs = append(pairs, m, append(slices.Clone(order), threads...)[i])
			}
			text := renamed(s, strings.NewReplacer(pairs...), order, threads)
			if least == "" || text < least {
				least = text
			}
		}
	}
	return least
}

// renamed is the text of a state with other names: arrays over members or threads are put in the new order,
// and sets are sorted. The fields of records in an array are variables of their own, such as rows[A].on.
func renamed(s lts.State, names *strings.Replacer, orders ...[]string) string {
	var lines []string
	for _, v := range s.Vars() {
		if strings.Contains(v.Name, "[") {
			v.Name = names.Replace(v.Name)
		}
		value := names.Replace(v.Value)
		inner := strings.Trim(value, "{}[]")
		parts := strings.Split(strings.ReplaceAll(strings.ReplaceAll(inner, "),", ")|"), ",(", "|("), "|")
		if !strings.Contains(value, "(") {
			parts = strings.Split(inner, ",")
		}
		switch keyed := map[string]int{"does": 0, "mark": 0, "rows": 0, "near": 0, "thread": 1}; {
		case strings.HasPrefix(value, "{"):
			slices.Sort(parts)
		default:
			if which, is := keyed[v.Name]; is {
				for i, key := range orders[which] {
					parts[i] = key + ":" + parts[i]
				}
				slices.Sort(parts)
			}
		}
		lines = append(lines, v.Name+"="+strings.Join(parts, ";"))
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

func orders(xs []string) (all [][]string) {
	if len(xs) == 0 {
		return [][]string{nil}
	}
	for i, x := range xs {
		for _, rest := range orders(slices.Delete(slices.Clone(xs), i, i+1)) {
			all = append(all, append([]string{x}, rest...))
		}
	}
	return all
}

// reached returns all states, found in the most obvious way.
func reached(p lts.Plain) (all []lts.State) {
	known, next := map[string]bool{}, p.Init()
	for len(next) > 0 {
		s := next[0].Next
		if next = next[1:]; !known[s.Key()] {
			known[s.Key()] = true
			all, next = append(all, s), append(next, p.Steps(s)...)
		}
	}
	return all
}

// TestSymmetryCountsOrbits: with symmetric members the search visits a state of each orbit of the states that
// the naive explorer reaches without, and finds a violation in as many steps.
func TestSymmetryCountsOrbits(t *testing.T) {
	n, ctx := 8, context.Background()
	if os.Getenv("ATMOSTK_SWEEP") != "" {
		n = 2000
	}
	searched := 0
	for seed := range uint64(n) {
		members := []string{"A", "B", "C"}
		list := `["A", "B", "C"]`
		if seed%2 == 1 {
			members, list = []string{"4", "5", "6"}, "range(4, 7)"
		}
		instance := func(symmetric string) model.Instance {
			spec, err := load(t, randomSymmetric(seed, list, symmetric))
			if err != nil {
				t.Fatal(seed, err)
			}
			in, _, err := spec.Instantiate(nil)
			if err != nil {
				t.Fatal(seed, err)
			}
			return in
		}
		plain, err := explore.Run(ctx, instance("[]"), explore.Options{MaxStates: 1500, KeepGoing: true})
		if err != nil {
			t.Fatal(seed, err)
		}
		if !plain.Complete {
			continue
		}
		searched++
		orbits := map[string]bool{}
		for _, s := range reached(instance("[]").Plain) {
			orbits[orbit(s, members)] = true
		}
		got, err := explore.Run(ctx, instance("[M, T]"), explore.Options{KeepGoing: true})
		if err != nil || got.Mistake != nil || got.States != int64(len(orbits)) || got.Depth != plain.Depth ||
			got.Properties[0].Length != plain.Properties[0].Length {
			t.Errorf("seed %d: %v, %+v\n%d of %d states, want %d; depth %d, want %d\n%s", seed, err,
				got.Mistake, got.States, plain.States, len(orbits), got.Depth, plain.Depth,
				randomSymmetric(seed, list, "[M, T]"))
		}
	}
	if searched < n/4 {
		t.Errorf("only %d of %d models were searched", searched, n)
	}
}

// TestSymmetryThatIsNone: what is not symmetric is a mistake of the model.
func TestSymmetryThatIsNone(t *testing.T) {
	const file = `"""A model."""
M = ["A", "B", "C"]
N = range(1, 4)
def go(s, m):
    when(%s)
    s.on[m] = True
    %s
system(state = record(on = array(M, bool), who = optional(M), count = %s), actions = [action(go, M)],
    symmetric = %s, properties = [invariant("i", lambda s: %s)])
`
	for _, row := range []struct{ when, do, count, symmetric, holds, want string }{
		{`True`, `s.who = m`, `range(9)`, `[M]`, `True`, "holds"},
		{`m != "B"`, `s.who = m`, `range(9)`, `[M]`, `True`, "Symmetry[0]: steps distinguish members"},
		{`True`, `s.who = "A"`, `range(9)`, `[M]`, `True`, "Symmetry[0]: steps distinguish members"},
		{`True`, `s.who = m`, `range(9)`, `[M]`, `not s.on["C"]`, "property i: it is not symmetric"},
		{`True`, `s.who = m`, `["A", "none"]`, `[M]`, `True`,
			`m.star:8:7: system: symmetric: "A" is a value of a type; with A and B exchanged it is not: list both`},
		{`True`, `s.who = m`, `range(9)`, `[["A", "B"], ["B", "C"]]`, `True`,
			`m.star:8:7: system: symmetric: B is listed twice; a member is in one list`},
		{`True`, `s.who = m`, `range(9)`, `[N]`, `True`,
			`m.star:8:7: system: symmetric: no variable has the members as keys or values`},
		{`True`, `s.who = m`, `range(9)`, `M`, `True`, `m.star:8:7: system: symmetric holds "A"; ` +
			`allowed: lists of members, such as symmetric = [THREADS]`},
		{`True`, `s.count = s.count % 3 + 1`, `N`, `[M, N]`, `True`,
			"Symmetry[1]: steps distinguish members"},
	} {
		text := fmt.Sprintf(file, row.when, row.do, row.count, row.symmetric, row.holds)
		spec, err := load(t, text)
		got := ""
		if err != nil {
			got = shortened(err)
		} else if in, _, err := spec.Instantiate(nil); err != nil {
			got = shortened(err)
		} else if r, err := explore.Run(context.Background(), in, explore.Options{}); err != nil {
			got = err.Error()
		} else if got = string(r.Verdict); r.Mistake != nil {
			got = r.Mistake.Part + ": " + r.Mistake.What
		}
		if !strings.HasPrefix(got, row.want) {
			t.Errorf("%+v: %s", row, got)
		}
	}
}

// TestSymmetryCountsGraphs: the sets of pairs of members are the directed graphs with loops. Up to
// isomorphism there are 10 on two nodes and 104 on three (OEIS A000595). The bits of a set lie across two
// words.
func TestSymmetryCountsGraphs(t *testing.T) {
	for n, want := range map[int]int64{2: 10, 3: 104} {
		spec, err := load(t, fmt.Sprintf(`"""Graphs."""
N = range(%d)
def add(s, i, j):
    s.of.edges.add((i, j))
system(state = record(of = record(pad = array(["q%%d" %% i for i in range(30)], bool),
    edges = set_of([(i, j) for i in N for j in N]))), actions = [action(add, N, N)], symmetric = [N],
    properties = [deadlock_free()])
`, n))
		if err != nil {
			t.Fatal(err)
		}
		in, _, err := spec.Instantiate(nil)
		if err != nil {
			t.Fatal(err)
		}
		r, err := explore.Run(context.Background(), in, explore.Options{})
		if err != nil || r.Verdict != explore.Holds || r.States != want {
			t.Errorf("n=%d: %v, %+v", n, err, r)
		}
	}
}
