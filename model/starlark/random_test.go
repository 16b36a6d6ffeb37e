package starfile

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/atmostk/atmostk/explore"
	"github.com/atmostk/atmostk/explore/naive"
	"github.com/atmostk/atmostk/model"
)

// Many small searches would pay more for the collection of their heap than for themselves.
var _ = debug.SetGCPercent(1000)

// A randomRole is a role of a random model, and what it does.
type randomRole struct {
	name, steps, crash, recover, kept string
	ids                               []string
}

// randomModel writes a random model in two ways: with roles, and with one record and one list of steps for
// all processes, whose functions ask who they are.
func randomModel(r *rand.Rand) (withRoles, without, args string) {
	var roles []randomRole
	n := 0
	for i := range 1 + r.IntN(2) {
		role := randomRole{name: fmt.Sprintf("r%d", i)}
		for range 1 + r.IntN(2) {
			n++
			role.ids = append(role.ids, fmt.Sprint(n))
		}
		roles = append(roles, role)
	}
	var shared, declared, listed, flat, steps, crash, recover strings.Builder
	shared.WriteString("A, B = message(\"A\", v = range(3)), message(\"B\")\n")
	for i := range roles {
		writeRole(r, &roles[i], roles, &shared)
		role := &roles[i]
		fmt.Fprintf(&declared, "%s = role(%d, local = record(x = range(3), f%d = (range(2), 1)), "+
			"steps = [%s], receive = [on(A, a%d), on(B, b%d)]%s%s)\n", role.name, len(role.ids), i,
			role.steps, i, i, role.recover, role.kept)
		fmt.Fprintf(&listed, "%s = %s, ", role.name, role.name)
		ids := strings.Join(role.ids, ", ")
		fmt.Fprintf(&flat, "%s = [%s]\n", role.name, ids)
		for k := range 2 {
			fmt.Fprintf(&steps, "def s%d_%d(me):\n    when(me.id in %s)\n    return t%d_%d(me)\n", i, k,
				role.name, i, k)
		}
		fmt.Fprintf(&crash, "    if me.id in %s:\n        %s\n", role.name, role.crash)
		if role.recover != "" || role.kept != "" {
			comes := "True"
			if role.recover != "" {
				comes = fmt.Sprintf("c%d(me)", i)
			}
			fmt.Fprintf(&recover, "    if me.id in %s:\n        return %s\n", role.name, comes)
		}
	}
	limit := r.IntN(5)
	rest := fmt.Sprintf(`network = network_params(%d), properties = [
    invariant("each", each = lambda me: %%s me.x != %d),
    invariant("two", lambda g, i: g[i].x + len(g.inbox(i)) != %d), at_end("end", lambda g: not g.dead),
    reachable("all", lambda g: len([1 for me in g.live if me.x == 1]) == %d)])
`, n, limit%3, limit, n)
	withRoles = shared.String() + declared.String() + "processes(" + listed.String() +
		strings.Replace(fmt.Sprintf(rest, ""), "each = lambda", "of = r0, each = lambda", 1)
	flat.WriteString(shared.String())
	flat.WriteString(steps.String())
	fields := ""
	for i := range roles {
		fields += fmt.Sprintf("f%d = (range(2), 1), ", i)
		for _, m := range []string{"a", "b"} {
			if i == 0 {
				fmt.Fprintf(&flat, "def %s(me, sender, m):\n", m)
				for k := range roles {
					fmt.Fprintf(&flat, "    if me.id in r%d:\n        return %s%d(me, sender, m)\n", k, m, k)
				}
			}
		}
	}
	fmt.Fprintf(&flat, "def crashes(me):\n%s", crash.String())
	var names []string
	for i := range roles {
		names = append(names, fmt.Sprintf(`step(s%d_0, name = "t%d_0"), step(s%d_1, name = "t%d_1")`, i, i,
			i, i))
	}
	comes := ""
	if recover.Len() > 0 {
		fmt.Fprintf(&flat, "def comes(me):\n%s    return False\n", recover.String())
		comes = "recover = comes, "
	}
	fmt.Fprintf(&flat, "processes(n = %d, local = record(x = range(3), %s), steps = [%s], "+
		"receive = [on(A, a), on(B, b)], crash = crashes, %s", n, fields, strings.Join(names, ", "), comes)
	return withRoles, flat.String() + fmt.Sprintf(rest, "me.id not in r0 or"), fmt.Sprintf(
		"channel=%s crashes=%d losses=%d", []string{"bag", "fifo"}[r.IntN(2)], min(n, r.IntN(3)), r.IntN(2))
}

// writeRole makes the functions of role i: steps t, receivers a and b, and the recovery c.
func writeRole(r *rand.Rand, role *randomRole, roles []randomRole, w *strings.Builder) {
	i := strings.TrimPrefix(role.name, "r")
	act := func() string {
		text := fmt.Sprintf("    me.x = (me.x + %d) %% 3\n", r.IntN(3))
		if r.IntN(3) == 0 {
			text = fmt.Sprintf("    me.x = pick([me.x, %d])\n", r.IntN(3))
		}
		to := roles[r.IntN(len(roles))]
		switch r.IntN(4) {
		case 0:
			return text + fmt.Sprintf("    send(%s, A(me.x))\n", to.name)
		case 1:
			return text + fmt.Sprintf("    send(%s, B())\n", to.ids[r.IntN(len(to.ids))])
		}
		return text
	}
	for k := range 2 {
		fmt.Fprintf(w, "def t%s_%d(me):\n    when(me.f%s > 0 and me.x != %d)\n    me.f%s -= 1\n%s", i, k, i,
			r.IntN(4), i, act())
		role.steps += fmt.Sprintf("t%s_%d, ", i, k)
	}
	fmt.Fprintf(w, "def a%s(me, sender, m):\n    when(me.x != %d)\n    me.x = m.v\n", i, r.IntN(5))
	fmt.Fprintf(w, "def b%s(me, sender, m):\n    me.x = max(0, me.x - 1)\n", i)
	fmt.Fprintf(w, "def _c%s(me):\n    when(me.x != %d)\n    me.x = 1\n%s", i, r.IntN(4),
		[]string{"", "    send(me.id, B())\n"}[r.IntN(2)])
	fmt.Fprintf(w, "def c%s(me):\n    return _c%s(me)\n_unused%s = c%s\n", i, i, i, i)
	role.crash = fmt.Sprintf("me.x, me.f%s = 0, 1", i)
	if r.IntN(2) == 0 {
		role.recover = fmt.Sprintf(", recover = c%s", i)
	}
	if r.IntN(2) == 0 {
		role.kept, role.crash = fmt.Sprintf(`, durable = ["f%s"]`, i), "me.x = 0"
	}
}

// mostRandom bounds the states of random models, for the naive explorer.
const mostRandom = 200

// TestRandomRolesAgree: random models with roles, recovery and loss have the counts of the same models
// without roles, and of the naive explorer. 2,000 are part of the sweep.
func TestRandomRolesAgree(t *testing.T) {
	models, compared := uint64(50), 0
	if os.Getenv("ATMOSTK_SWEEP") != "" {
		models = 2000
	}
	for seed := range models {
		withRoles, without, args := randomModel(rand.New(rand.NewPCG(seed, 41)))
		got, small := counted(t, withRoles, args, mostRandom)
		if !small {
			continue
		}
		compared++
		if want, _ := counted(t, without, args, 0); got != want {
			t.Fatalf("seed %d: with roles %s, without %s\n%s\n%s\n%s", seed, got, want, args, withRoles,
				without)
		}
	}
	if compared < int(models)*2/3 {
		t.Errorf("only %d of %d models were small enough", compared, models)
	}
}

// randomSystemFile writes a random system: steps read further variables for some values only, pick, and write
// sets and elements; a constraint rejects states; steps may fail in some states.
func randomSystemFile(r *rand.Rand, fails bool) string {
	var w strings.Builder
	fmt.Fprintf(&w, "state = record(a = array(range(3), range(4)), b = range(3), c = set_of(range(3)))\n")
	var actions []string
	for i := range 3 + r.IntN(3) {
		x, y, m := r.IntN(3), r.IntN(3), 2+r.IntN(3)
		fmt.Fprintf(&w, "def f%d(s, i):\n    when(s.a[(i + %d) %% 3] != %d)\n", i, x, r.IntN(4))
		fmt.Fprintf(&w, "    if s.a[(i + %d) %% 3] == %d:\n        when(len(s.c) != %d)\n", x, r.IntN(4),
			r.IntN(3))
		switch r.IntN(4) {
		case 0:
			fmt.Fprintf(&w, "    s.a[%d] = (s.a[i] + pick([1, s.b])) %% 4\n", y)
		case 1:
			fmt.Fprintf(&w, "    s.b = (s.a[%d] + i) %% 3\n    when(sum_of(s) %% 5 != %d)\n", y, m)
		case 2:
			fmt.Fprintf(&w, "    if i in s.c:\n        s.c.remove(i)\n    else:\n        s.c.add(%d)\n", y)
		default:
			fmt.Fprintf(&w, "    s.a[i], s.b = s.b, %d\n", y)
		}
		if fails {
			fmt.Fprintf(&w, "    if sum_of(s) > %d:\n        s.a[i] = 4\n", 2+r.IntN(2))
		}
		actions = append(actions, fmt.Sprintf("action(f%d, range(3), kind = %q)", i,
			[]string{"ordinary", "spontaneous"}[r.IntN(2)]))
	}
	fmt.Fprintf(&w, "def sum_of(s):\n    n = s.b\n    for x in s.a:\n        n += x\n    return n\n")
	fmt.Fprintf(&w, `system(state = state, actions = [%s], constraint = lambda s: sum_of(s) != %d, properties = [
    invariant("one", lambda s: sum_of(s) != %d), reachable("two", lambda s: len(s.c) == 3), deadlock_free(),
    step_property("three", lambda s, t: s.b != t.b or len(s.c) < 3, steps = ["f0", "f1"])])
`, strings.Join(actions, ", "), 3+r.IntN(6), 2+r.IntN(8))
	return w.String()
}

// TestRandomSystemsAgree: systems in files have the figures of the naive explorer, and a step that fails is
// reported from the same state with any number of workers.
func TestRandomSystemsAgree(t *testing.T) {
	models, met := uint64(12), 0
	if os.Getenv("ATMOSTK_SWEEP") != "" {
		models = 500
	}
	for seed := range models {
		text := randomSystemFile(rand.New(rand.NewPCG(seed, 43)), seed%4 == 3)
		if seed%4 < 3 {
			counted(t, text, "", 2000)
			continue
		}
		spec, err := load(t, text)
		if err != nil {
			t.Fatal(err)
		}
		var first string
		for workers := 1; workers <= 3; workers += 2 {
			in, _, _ := spec.Instantiate(nil)
			opt := explore.Options{KeepGoing: true, Workers: workers}
			r, err := explore.Run(context.Background(), in, opt)
			if err != nil || r.Mistake == nil {
				continue
			}
			met++
			last := fmt.Sprintf("%d steps, %v", len(r.Mistake.Path), r.Mistake.Error)
			if workers > 1 && last != first {
				t.Errorf("seed %d, 3 workers: %s\nwant %s", seed, last, first)
			}
			first = last
		}
	}
	if met == 0 {
		t.Error("no step failed")
	}
}

// counted searches a model, compares it with the naive explorer up to a number of states, and returns its
// figures; false: it has more.
func counted(t *testing.T, text, args string, naively int) (string, bool) {
	t.Helper()
	spec, err := load(t, text)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	in, _, err := spec.Instantiate(strings.Fields(args))
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	var want naive.Counts
	if naively > 0 {
		var small bool
		want, small = naive.Explore(in.Plain, in.Space.Actions(), in.Space.Properties(), naively)
		if !small {
			return "", false
		}
	}
	r, err := explore.Run(context.Background(), in, explore.Options{KeepGoing: true, Workers: 1})
	if err != nil || r.Mistake != nil {
		t.Fatalf("%v %v\n%s", err, r, text)
	}
	if how := want.Differs(r); naively > 0 && how != "" {
		t.Fatalf("the plain semantics: %s\n%s %s", how, args, text)
	}
	all := fmt.Sprint(r.States, r.Depth)
	for _, p := range r.Properties {
		all += fmt.Sprintf(" %s %s %d", p.Name, p.Verdict, p.Length)
		if p.Kind == model.Invariant {
			all += fmt.Sprint(" ", p.Count)
		}
	}
	return all, true
}
