package prove

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	starfile "github.com/atmostk/atmostk/model/starlark"
)

// prepared is a proof of a text without an invariant, before its queries.
func prepared(t *testing.T, ctx context.Context, text, without string) *proof {
	t.Helper()
	path := filepath.Join(t.TempDir(), "m.star")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	spec, err := starfile.Load(path)
	if err != nil {
		t.Fatal(err)
	}
	parsed, err := starfile.Parse(path)
	if err != nil {
		t.Fatal(err)
	}
	opt := &Options{without: without, Limit: time.Minute, Workers: 2}
	p := &proof{Report: &Report{}, ctx: ctx, opt: opt, spec: spec, file: parsed}
	if err := p.translate(nil); err != nil {
		t.Fatal(err)
	}
	return p
}

// TestReachOfCounterexamples: a state that no run reaches, one that a run reaches from which the model's step
// violates nothing, one from which it does, though with more requests only, and one whose search is cut off.
func TestReachOfCounterexamples(t *testing.T) {
	z3, err := findSolver(t.Context(), "z3")
	if err != nil {
		t.Skip(err)
	}
	lock := specText(t, "token-lock")
	asked := strings.NewReplacer(
		"    asks = bool,\n", "    asks = bool,\n    once = bool,\n    twice = bool,\n",
		"    me.asks = True\n", "    me.asks = True\n    me.twice = me.once\n    me.once = True\n",
		"at_most(1),", `at_most(1), invariant("not-twice", each = lambda me: not me.twice),`).Replace(lock)
	jumps := strings.NewReplacer("asks = bool,\n", "asks = bool,\n    c = int,\n",
		"    me.inside = False\n", "    me.inside = False\n    when(me.c == 0)\n    me.c = me.c + 1\n",
		"at_most(1),", `at_most(1), invariant("small", each = lambda me: me.c <= 1),`).Replace(lock)
	eager := changed(t, withoutConjuncts(t, "token-lock", "def one_holder"), "not me.token and not", "not")
	within := changed(t, lock, "    capacity = 1,\n", "    capacity = 1,\n"+
		"    constraint = lambda me: not me.asks,\n")
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for _, m := range []struct {
		ctx                 context.Context
		text, without, goal string
		want                string
	}{
		{t.Context(), lock, "one-on-its-way", "receive TOKEN keeps token-on-its-way", notReached},
		{t.Context(), within, "one-on-its-way", "receive TOKEN keeps token-on-its-way", notKnown},
		{t.Context(), asked, "", "ask keeps not-twice", "violated"},
		{ended, lock, "one-on-its-way", "receive TOKEN keeps token-on-its-way", notKnown},
		{t.Context(), jumps, "", "release keeps small", reached},
		{t.Context(), eager, "", "ask sends no second equal REQUEST", notReached},
	} {
		p := prepared(t, m.ctx, m.text, m.without)
		if !slices.Equal(p.theory.chosen, []string{"mistake=no"}) {
			t.Error(p.theory.chosen)
		}
		g := p.goals[slices.IndexFunc(p.goals, func(g *goal) bool { return g.name == m.goal })]
		state := p.theory.counterexample(t.Context(), z3, g, time.Minute)
		r, err := p.reach(state, g)
		verdict := string(p.Verdict)
		if r != nil && verdict == "" {
			verdict = r.Verdict
		}
		if err != nil || verdict != m.want || verdict == reached && r.States == 0 {
			t.Errorf("%s: %s, %+v, %v", m.goal, p.Verdict, r, err)
		}
	}
}
