package prove

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"time"

	starfile "github.com/atmostk/atmostk/model/starlark"
)

// Many small searches would pay more for the collection of their heap than for themselves.
var _ = debug.SetGCPercent(1000)

// tokenModel is a lock: who has the token may enter, and gives it to who asks.
const tokenModel = `"""A token."""

n = param("n", 2, range(2, 3), doc = "number of processes")

PROCS = range(1, n + 1)

local = record(token = bool, inside = bool, asks = bool)

ASK = message("ASK")
TOKEN = message("TOKEN")

def init(me):
    me.token = me.id == 1

def ask(me):
    when(not me.asks and not me.token)
    me.asks = True
    send(without(PROCS, me.id), ASK())

def enter(me):
    when(me.token)
    me.inside = True

def leave(me):
    me.inside = False

def receive_ask(me, j, m):
    if me.token and not me.inside:
        me.token = False
        send(j, TOKEN())

def receive_token(me, j, m):
    me.token = True
    me.asks = False

def one_token(g):
    return all([p.id == q.id for p in g.live if p.token for q in g.live if q.token])

def no_other(g):
    return all([not p.token for e in g.messages if e.kind == "TOKEN" for p in g.live])

def one_message(g):
    return all([(e.src, e.dst) == (f.src, f.dst)
        for e in g.messages if e.kind == "TOKEN" for f in g.messages if f.kind == "TOKEN"])

processes(
    n = n,
    local = local,
    init = init,
    steps = [ask, enter, leave],
    receive = [on(ASK, receive_ask), on(TOKEN, receive_token)],
    units = lambda me: me.inside,
    capacity = 1,
    properties = [
        at_most(1),
        invariant("inside", each = lambda me: not me.inside or me.token),
        invariant("one-token", one_token),
        invariant("no-other", no_other),
        invariant("one-message", one_message),
        no_starvation(lambda me: me.asks),
    ],
)
`

// proofOf proves a model in a file.
func proofOf(t *testing.T, text string, args []string, opt Options) (*Report, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "m.star")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return proofIn(t, path, args, opt)
}

func proofIn(t *testing.T, path string, args []string, opt Options) (*Report, error) {
	t.Helper()
	spec, err := starfile.Load(path)
	if err != nil {
		t.Fatal(err)
	}
	parsed, err := starfile.Parse(path)
	if err != nil {
		t.Fatal(err)
	}
	if opt.Limit == 0 {
		opt.Limit = 10 * time.Second
	}
	opt.Workers = 2
	return Run(context.Background(), spec, parsed, args, opt)
}

// z3 are the options of a proof by z3; without it the test is skipped.
func z3(t *testing.T) Options {
	t.Helper()
	if _, err := exec.LookPath("z3"); err != nil {
		t.Skip("z3 is not installed")
	}
	return Options{Solvers: []string{"z3"}}
}

// changed is a text with a part replaced, which must occur once.
func changed(t *testing.T, text, from, to string) string {
	t.Helper()
	if strings.Count(text, from) != 1 {
		t.Fatalf("%d times %q", strings.Count(text, from), from)
	}
	return strings.Replace(text, from, to, 1)
}

// TestTokenIsProved: the proof succeeds, and its queries are written.
func TestTokenIsProved(t *testing.T) {
	opt := z3(t)
	opt.Dir = t.TempDir()
	for i := range 99 { // of an earlier proof
		name := filepath.Join(opt.Dir, fmt.Sprintf("%03d.smt2", i+1))
		if err := os.WriteFile(name, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	asked := 0
	opt.Progress = func(done, _ int) { asked = done }
	text := changed(t, tokenModel, "at_most(1),", `at_most(1), invariant("use", use = lambda u, l: u < 2),`)
	r, err := proofOf(t, text, nil, opt)
	if err != nil || r.Verdict != Proved || len(r.Failed) > 0 || len(r.Invariants) != 5 ||
		!slices.Contains(r.Allows, "use is not proved: use = ... is outside the fragment") {
		t.Fatalf("%+v, %v", r, err)
	}
	files, _ := filepath.Glob(filepath.Join(opt.Dir, "*.smt2"))
	if len(files) != asked || asked == 0 || r.Queries <= asked {
		t.Errorf("%d files, %d queries of %d", len(files), asked, r.Queries)
	}
	for i, s := range r.Searched {
		if !s.Complete {
			t.Errorf("search %d is not complete: %+v", i, s)
		}
	}
}

// goalOf returns the theory of a model without an invariant, and its goal of a name.
func goalOf(t *testing.T, path, name, without string, args map[string]string) (*theory, *goal) {
	t.Helper()
	parsed, err := starfile.Parse(path)
	if err != nil {
		t.Fatal(err)
	}
	th, err := translate(parsed, args, nil, without)
	if err != nil {
		t.Fatal(err)
	}
	goals := th.goals()
	i := slices.IndexFunc(goals, func(g *goal) bool { return g.name == name })
	if i < 0 {
		t.Fatalf("there is no goal %q", name)
	}
	return th, goals[i]
}

// TestMistakesAreRefused: with a mistake in the model, or with an invariant left out, some step leads to a
// state that violates an invariant. The counterexample is checked without the solver. An impossible query has
// none.
func TestMistakesAreRefused(t *testing.T) {
	z3, err := findSolver(context.Background(), "z3")
	if err != nil {
		t.Skip(err)
	}
	for _, m := range []struct{ from, to, without, goal, shown string }{
		{"        me.token = False\n", "", "", "receive ASK keeps no-other", "TOKEN from p1]"},
		{"me.token and not me.inside", "me.token", "", "receive ASK keeps inside", "True -> False"},
		{"when(me.token)\n", "when(me.token or me.asks)\n", "", "enter keeps at-most-k", "False -> True"},
		{"me.token = me.id == 1", "me.token = me.id != 1", "", "one-token holds at the start", ""},
		{"", "", "inside", "enter keeps at-most-k", "inside: False -> True"},
		{"", "", "no-other", "receive TOKEN keeps one-token", "token: False -> True"},
		{"", "", "one-token", "enter keeps at-most-k", "inside: False -> True"},
		{"at_most(1),", "at_most(1), invariant(\"a\", each = lambda me: me.asks), " +
			"invariant(\"b\", each = lambda me: not me.asks),", "", "the invariants are possible", unsat},
		{"    me.inside = False\n", "    when(me.inside and not me.token)\n", "", "leave is possible", unsat},
	} {
		text := tokenModel
		if m.from != "" {
			text = changed(t, text, m.from, m.to)
		}
		path := filepath.Join(t.TempDir(), "m.star")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		th, g := goalOf(t, path, m.goal, m.without, nil)
		if m.shown == unsat {
			if a := z3.ask(context.Background(), th.text(g, nil, nil), time.Minute); a.verdict != unsat {
				t.Errorf("%s: %+v", m.goal, a)
			}
			continue
		}
		found := th.counterexample(context.Background(), z3, g, time.Minute)
		switch {
		case found == nil:
			t.Errorf("%s without %s: no counterexample", m.goal, m.without)
		case g.step != nil:
			shown := found.changes(found.then(g.step.after, g.step.changed))
			if !strings.Contains(strings.Join(shown, "; "), m.shown) {
				t.Errorf("%s without %s: %q", m.goal, m.without, shown)
			}
		}
	}
}

// TestFalseIsNotProved: files whose invariants are violated, with 4 processes at the earliest. The first line
// of a file has what is said of it, and its title may end with parameters.
func TestFalseIsNotProved(t *testing.T) {
	z3 := z3(t)
	names, _ := filepath.Glob("testdata/false/*.star")
	if len(names) == 0 {
		t.Fatal("no files")
	}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		want, rest, _ := strings.Cut(strings.TrimPrefix(string(text), "# "), "\n")
		var args []string
		if title, _, _ := strings.Cut(rest, "\n"); strings.Contains(title, "crashes=4") {
			args = []string{"crashes=4"}
		}
		r, err := proofIn(t, name, args, z3)
		if got := fmt.Sprint(err); !strings.Contains(got, want) && (r == nil || string(r.Verdict) != want) {
			t.Errorf("%s: %v %v, want %s", name, r, err, want)
		}
	}
}

// TestRefusals: what is outside the fragment is refused with its line, and with what to write instead.
func TestRefusals(t *testing.T) {
	_, properties, _ := strings.Cut(tokenModel, "properties = [")
	properties, _, _ = strings.Cut(properties, "no_starvation")
	for _, m := range []struct{ from, to, want string }{
		{"inside = bool", "inside = (bool, False), x = list_of(int)", "list_of is outside the fragment"},
		{"    me.inside = True\n", "    me.inside = len(PROCS) * 2 > 3\n", "the operator * is outside"},
		{"p.id == q.id for", "any([r.token and r.id != p.id for r in g.live]) for", "some process for each"},
		{"    me.asks = True\n", "    for j in PROCS:\n        me.asks = j == me.id\n", "own, not"},
		{"    me.asks = True\n", "    me.asks = pick([True])\n", "pick is outside the fragment"},
		{"capacity = 1", "capacity = 1, crash = init", "crash = ... is outside the fragment"},
		{properties, `reachable("a", one_token), reachable("b", no_other), reachable("c", one_message),`,
			"nothing to prove"},
		{"me.id == 1", "me.id == 2", "or process 1"},
		{`message("ASK")`, `message("ASK", to = set_of(PROCS), late = bool)`, "are its last fields"},
		{"capacity = 1,\n    properties = [",
			"capacity = 1, notice = lambda me, dead: False,\n    properties = [" +
				`invariant("a", lambda g: all([p.token for p in g.all])),`, "take g.live or g.dead"},
		{"capacity = 1,\n    properties = [",
			"capacity = 1, notice = lambda me, dead: False,\n    properties = [" +
				`invariant("a", lambda g: g[1].token),`, "take p for p in g.live"},
		{"(e.src, e.dst) == (f.src, f.dst)", "ahead(e, f)", `where channel is "fifo"`},
	} {
		_, err := proofOf(t, changed(t, tokenModel, m.from, m.to), nil, Options{})
		if err == nil || !strings.Contains(err.Error(), m.want) || !strings.Contains(err.Error(), "m.star:") {
			t.Errorf("%q: %v, want %q", m.to, err, m.want)
		}
	}
	_, err := proofOf(t, changed(t, tokenModel, "n = param(", "n = 2 #"), nil, Options{})
	if err == nil || !strings.Contains(err.Error(), "the number of processes is missing: n = param(") {
		t.Error(err)
	}
	if _, err := proofOf(t, tokenModel, []string{"n=3"}, Options{}); err == nil {
		t.Error("n=3 was accepted")
	}
	text := changed(t, specText(t, "raymond-sets"), `e.kind == "REPLY" for p`, `e.kind == "REPLY" and ahead(e, e) for p`)
	_, err = proofOf(t, text, []string{"channel=fifo", "k=1"}, Options{})
	if err == nil || !strings.Contains(err.Error(), "a loop that sends messages to one process") {
		t.Error(err)
	}
}

// fake puts a solver into the path, a script for each question.
func fake(t *testing.T, script string) Options {
	t.Helper()
	dir := t.TempDir()
	text := "#!/bin/sh\nif [ \"$1\" = --version ]; then echo fake 1.2; exit; fi\n" + script + "\n"
	if err := os.WriteFile(filepath.Join(dir, "z3"), []byte(text), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir)
	return Options{Solvers: []string{"z3"}}
}

// TestBadSolvers: whatever a solver does, nothing is proved by it.
func TestBadSolvers(t *testing.T) {
	for script, want := range map[string]string{
		"echo hello":              `the solver answers "hello"`,
		"kill -9 $$":              "the solver ended: signal: killed",
		"exit 3":                  "the solver ended: exit status 3",
		"echo unsat; exit 3":      `the solver ended: exit status 3, output "unsat"`,
		"echo unknown":            `the solver answers "unknown"`,
		`echo '(error "line 1")'`: "the solver answers",
	} {
		fake(t, script)
		s, err := findSolver(context.Background(), "z3")
		if err != nil {
			t.Fatal(err)
		}
		if a := s.ask(context.Background(), "", time.Minute); a.verdict != unsure ||
			!strings.Contains(a.reason, want) {
			t.Errorf("%s: %+v, %v", script, a, err)
		}
	}
	r, err := proofOf(t, tokenModel, nil, fake(t, "echo sat"))
	if err != nil || r.Verdict != NotInductive || r.Failed[0].Before != nil {
		t.Errorf("a counterexample without values: %+v, %v", r, err)
	}
}

// TestSlowSolver: a query ends at its limit, and all end when the context does.
func TestSlowSolver(t *testing.T) {
	fake(t, "exec /bin/sleep 60")
	s, err := findSolver(context.Background(), "z3")
	if err != nil || s.version != "1.2" {
		t.Fatal(s, err)
	}
	if a := s.ask(context.Background(), "", 10*time.Millisecond); a.reason != "no answer in 10ms" {
		t.Errorf("%+v", a)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	p := prepared(t, ctx, tokenModel, "")
	if a := p.answers(ctx, []*solver{s}, p.goals[:2], func() {}); a[1][0].reason != "interrupted" {
		t.Errorf("%+v", a)
	}
}

// TestNoSolver: without a solver the error says how to get one.
func TestNoSolver(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	_, err := proofOf(t, tokenModel, nil, Options{Solvers: Solvers})
	if !errors.Is(err, errNoSolver) || !strings.Contains(err.Error(), "apt-get install") {
		t.Error(err)
	}
}

// specText is a model of specs/files.
func specText(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "specs", "files", name+".star"))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestProofsOfSpecs: the models of specs/files are proved by each solver, and not without one of their
// invariants.
func TestProofsOfSpecs(t *testing.T) {
	if os.Getenv("ATMOSTK_SWEEP") == "" {
		t.Skip("ATMOSTK_SWEEP is not set")
	}
	for _, m := range [][]string{{"ricart-agrawala"}, {"raymond-sets", "k=1"}, {"raymond-sets", "k=2"},
		{"raymond-sets", "k=3"}, {"raymond-sets", "k=4"}, {"token-lock"}, {"fenced-lock"},
		{"lamport-mutex"}, {"timerfree-sets", "k=1"}, {"timerfree-sets", "k=2"},
		{"timerfree-sets", "k=3"}} {
		t.Run(strings.Join(m, " "), func(t *testing.T) { proveAndLeaveOut(t, m) })
	}
}

// proveAndLeaveOut proves a model by each solver, and by z3 without each of its invariants in turn.
func proveAndLeaveOut(t *testing.T, m []string) {
	text := specText(t, m[0])
	for _, solver := range Solvers {
		if _, err := exec.LookPath(solver); err != nil {
			t.Skip(err)
		}
		r, err := proofOf(t, text, m[1:], Options{Solvers: []string{solver}, Limit: 30 * time.Second})
		if err != nil || r.Verdict != Proved {
			t.Fatalf("by %s: %+v, %v", solver, r, err)
		}
		t.Logf("by %s: %d queries, %.1f s", solver, r.Queries, r.Solvers[0].Seconds)
		if solver == "cvc5" || len(m) > 1 && m[1] != "k=2" {
			continue
		}
		for _, name := range r.Invariants {
			if slices.Contains([]string{"at-most-k", "mutex", "no-stale-write", "one-writer",
				"permissions-live"}, name) {
				continue // it is to be proved, and helps to prove no other one
			}
			opt := Options{Solvers: []string{solver}, without: name}
			if r, err := proofOf(t, text, m[1:], opt); err != nil || r.Verdict != NotInductive {
				t.Errorf("without %s: %+v, %v", name, r, err)
			} else {
				t.Logf("without %s: %s, shown in %d lines", name, r.Failed[0].Query, len(r.Failed[0].Before))
			}
		}
	}
}

// TestPlantedMistakes: mistakes in the algorithms are refused, with a step; the search finds a run to
// each violation that is there for three processes.
func TestPlantedMistakes(t *testing.T) {
	if os.Getenv("ATMOSTK_SWEEP") == "" {
		t.Skip("ATMOSTK_SWEEP is not set")
	}
	for _, m := range []struct{ model, from, to string }{
		{"raymond-sets", "(me.last, me.id) < (m.ts, j)", "me.last < m.ts"}, // the order of the footnote
		{"raymond-sets", "not me.miss[j]]) >= n - k)", "not me.miss[j]]) >= n - k - 1)"},
		{"raymond-sets", "me.H = max(me.H, m.ts) + 1", "me.H = me.H"},
		{"raymond-sets", "me.state == \"CS\" or me.state ==", "me.state =="},
		{"raymond-sets", "    me.H = me.last\n", ""},
		{"timerfree-sets", "(me.last, me.id) < (m.time, j)", "me.last < m.time"},
		{"timerfree-sets", "m.time == me.last and me.state", "me.state"},
		{"timerfree-sets", "    me.H = me.last\n", ""},
		{"timerfree-sets", "me.have_perm - (m.crashed - me.crashed_i)", "me.have_perm"},
		{"timerfree-sets", "me.crashed_i = me.crashed_i | m.crashed",
			"me.crashed_i = me.crashed_i | me.have_perm"},
		{"token-lock", `mistake == "yes"`, "True"},
		{"lamport-mutex", "or (me.req[me.id], me.id) < (me.req[q], q))\n    me",
			"or me.req[me.id] <= me.req[q])\n    me"},
		{"lamport-mutex", "len(me.ack) == n", "len(me.ack) >= n - 1"},
		{"lamport-mutex", "passed(max(me.clock, m.time))", "me.clock"},
		{"lamport-mutex", "    me.req[q] = 0\n", "    me.req[q] = 0\n    me.ack.add(q)\n"},
		{"fenced-lock", ` or fencing == "off"`, " or True"},
		{"fenced-lock", "me.latest = me.latest + 1", "me.latest = 1"},
		{"fenced-lock", "max(me.seen, m.token)", "me.seen"},
		{"fenced-lock", "WRITE(me.token)", "WRITE(1)"},
	} {
		var args []string
		if strings.HasSuffix(m.model, "-sets") {
			args = []string{"k=1"}
		}
		opt := z3(t)
		opt.Limit = time.Minute
		r, err := proofOf(t, changed(t, specText(t, m.model), m.from, m.to), args, opt)
		if err != nil || r.Verdict == Proved || len(r.Failed) == 0 {
			t.Errorf("%s: %+v, %v", m.to, r, err)
			continue
		}
		f := r.Failed[0]
		t.Logf("%q: %s: %s, %q -> %q", m.to, r.Verdict, f.Query, f.Mover, f.Changes)
	}
}
