package starfile

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/atmostk/atmostk/explore"
	"github.com/atmostk/atmostk/model"
)

// TestRandomModelsAgree: random models with two roles, crashes, recoveries, losses and timers have the
// states, verdicts and lengths of a second program, and with symmetric roles a state of each of its orbits.
// In the sweep they are 2,000 in which each of these happens.
func TestRandomModelsAgree(t *testing.T) {
	models, most, whole := 30, 300, 0
	if os.Getenv("ATMOSTK_SWEEP") != "" {
		models, most = 2000, 600
	}
	for seed, compared := uint64(0), 0; compared < models; seed++ {
		p := randomProgram(rand.New(rand.NewPCG(seed, 41)))
		b, small := p.search(most)
		if !small || !b.whole() && (len(b.worlds) > 40 || most > 300) {
			continue
		}
		compared++
		if b.whole() {
			whole++
		}
		members := [][]string{{`"A"`, `"B"`, `"C"`}, {"4", "5", "6"}}[seed%2]
		for _, symmetric := range []string{"[]", "[M, T]"} {
			states := len(b.worlds)
			if symmetric != "[]" {
				states = b.orbits(p.n)
			}
			text := p.file(members, symmetric)
			if got, want := searched(t, text), p.found(&b, states, symmetric == "[]"); got != want {
				t.Fatalf("seed %d: %s, want %s\n%s", seed, got, want, text)
			}
		}
	}
	t.Logf("%d models, %d whole", models, whole)
}

// searched returns what a search of a file finds, as found does.
func searched(t *testing.T, text string) string {
	t.Helper()
	spec, err := load(t, text)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	in, _, err := spec.Instantiate(nil)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	r, err := explore.Run(context.Background(), in, explore.Options{KeepGoing: true, Workers: 1})
	if err != nil || r.Mistake != nil {
		t.Fatalf("%v, %+v\n%s", err, r.Mistake, text)
	}
	all := fmt.Sprint(r.States, " ", r.Depth)
	for _, p := range r.Properties {
		all += fmt.Sprint(" ", p.Verdict)
		if p.Kind != model.Liveness {
			all += fmt.Sprint("(", p.Length, ")")
		}
	}
	return all
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
