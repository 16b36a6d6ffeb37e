package starfile

import (
	"path/filepath"
	"strings"
	"testing"
)

// TestStaticPassIsSilentOnGoodFiles goes through every reference of the models that come with the program.
func TestStaticPassIsSilentOnGoodFiles(t *testing.T) {
	names, _ := filepath.Glob("../../specs/files/*" + Extension)
	if len(names) == 0 {
		t.Fatal("no models")
	}
	for _, name := range names {
		spec, err := Load(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range spec.References {
			if _, _, err := spec.Instantiate(strings.Fields(r.Args)); err != nil {
				t.Errorf("%s %s: %v", name, r.Args, err)
			}
		}
	}
}

// TestSlipIsReportedBeforeTheSearch with its place and a suggestion.
func TestSlipIsReportedBeforeTheSearch(t *testing.T) {
	for _, c := range []struct{ name, body, rest, want string }{
		{name: "word in a guard", body: `when(s.pc[0] == "cs")`,
			want: `m.star:4:21: s.pc[0] is never "cs"; it is one of: idle, inside`},
		{name: "near word", body: `when("insid" in list(s.pc))`,
			want: `an element of list(s.pc) is never "insid"; it is one of: idle, inside (did you mean "inside"?)`},
		{name: "by a local variable", body: "x = s.pc\ny = x[1]\nif y != 'isle':\n    s.n = 1",
			want: `y is never "isle"`},
		{name: "by a helper", body: `when(some(s, "comit"))`,
			rest: "def some(s, what):\n    return what in list(s.pc)\n",
			want: `m.star:4:18: an element of list(s.pc) is never "comit"`},
		{name: "in a display", body: `when(s.pc[0] in ["idle", "insid"])`,
			want: `m.star:4:30: s.pc[0] is never "insid"`},
		{name: "in a loop", body: "for p in s.pc:\n    when(p != 'cs')", want: `p is never "cs"`},
		{name: "in a property", rest: "", body: "pass", want: `s.pc[0] is never "cs"`},
	} {
		property := "s.n < 9"
		if c.name == "in a property" {
			property = `not s.pc[0] == "cs" or s.n > 1`
		}
		text := `"""M."""
state = record(pc = array(range(2), enum("idle", "inside")), n = range(3))
def go(s):
    ` + strings.ReplaceAll(c.body, "\n", "\n    ") + "\n" + c.rest + `
system(state = state, actions = [go], properties = [invariant("i", lambda s: ` + property + `)])
`
		if got := outcome(t, text); !strings.Contains(got, c.want) {
			t.Errorf("%s:\n  got  %s\n  want %s", c.name, got, c.want)
		}
	}
}

// TestMistakeThatNoRunMeetsIsReported before the search, with the allowed values.
func TestMistakeThatNoRunMeetsIsReported(t *testing.T) {
	const (
		step = "def go(s):\n    s.x = 1\n"
		of   = "system(state = record(x = range(3), y = bool), actions = [go], %s properties = " +
			"[invariant('i', lambda s: s.x < 3)])\n"
		mine = "processes(n = 2, local = record(x = range(3), q = list_of(M)), steps = [go], receive = " +
			"[on(T, rec)], " +
			"properties = [invariant('i', each = lambda me: me.x < 3)])\n"
		kinds = "T = message('TOKEN', n = range(3))\nU = message('U')\nM = record(n = int)\nN = record(n " +
			"= bool)\n"
		rec = "def rec(me, j, m):\n    me.x = m.n\n"
	)
	system := func(body, more string) string {
		return "def go(s):\n    " + body + "\n" + strings.Replace(of, "%s", more, 1)
	}
	process := func(body, rec string) string { return kinds + "def go(me):\n    " + body + "\n" + rec + mine }
	for text, want := range map[string]string{
		system("s.x = time.now()",
			""): "m.star:2:16: time is a type, and has no .now",
		system("s.x = 1",
			"fairness = [weak('f', "+
				"['stop'])],"): `m.star:3:7: system: fairness "f": there is no action stop; listed are go`,
		system("when(all(s.y for x in range(2)))",
			""): "m.star:2:21: a comprehension stands in brackets",
		system("when(s.x)",
			""): "m.star:2:10: when(s.x): it is no condition but 0 to 2",
		system("s.y = 1",
			""): "m.star:2:11: s.y cannot be 1; allowed: True and False",
		system("s.x, s.x = 1, 2", ""):                  "m.star:2:10: s.x gets two values at once",
		system("when(s.x == s.x)", ""):                 "m.star:2:14: s.x is compared with itself",
		process("when(me.q[me.x] <= me.q[me.x])", rec): "me.q[me.x] is compared with itself",
		system("s.x, s.y = 1, True, 2", ""):            "m.star:2:5: 3 values for 2 variables",
		system("when(s.x > 'a')", ""):                  "m.star:2:14: s.x and 'a' have no order",
		system("when((s.x, s.y) < (1, 'a'))", ""):      "have no order",
		system("s.x = min(2, s.x.bit)",
			""): "m.star:2:22: s.x has no .bit; there are none",
		step + "def stop(s):\n    stop2(s)\ndef stop2(s):\n    s.x = 2\n" + strings.Replace(of, "%s", "",
			1): "m.star:3:5: stop is defined, and nobody lists or calls it",
		"def go(s, i):\n    s.x = i\n" + strings.Replace(of, "%s", "",
			1): "m.star:1:1: go takes (s, i); it is called with the state",
		"def go(s):\n    s.x = f(1, 2)\ndef f(a):\n    return a\n" + strings.Replace(of, "%s", "",
			1): "m.star:2:12: f takes (a), and is called with 2 arguments",
		process("send(1, T)",
			rec): "m.star:6:13: TOKEN is a type of messages; TOKEN() is one",
		process("send(1, U())", rec): "m.star:6:13: nobody receives U(...)",
		process("send(T(1), 1)",
			rec): "m.star:6:16: send(to, message): 1 is no message",
		process("send(1, T(1, 2))",
			rec): "m.star:6:14: T has 1 fields, and 2 values are given",
		process("send(1, T(k = 2))", rec): "m.star:6:19: T has no field k; there are n",
		process("me.q.append(N(True))",
			rec): "m.star:6:17: an element of me.q cannot be N(True) (record); allowed: record",
		process("send(1, T(1))",
			"def rec(me, m):\n    pass\n"): "m.star:7:1: rec takes (me, m); it is called with the local " +
			"state, the sender and the message",
		process("pass",
			"def rec(me, j, m):\n    me.z = m.k\n"): "m.star:8:8: me has no .z; there are id, q, x",
		process("send(without(['a'], me.x), T(1))", rec): "m.star:6:25: ['a'] is never me.x",
		"array(range(2), (bool, 3))": "m.star:1:6: array: of: 3 is not " +
			"allowed here; allowed: True and False",
		"union(bool)": "m.star:1:6: union: types are missing: union(A, B)",
		"invariant(lambda s: " +
			"True)": `m.star:1:10: invariant: the name comes first: invariant("name", ...)`,
		"load('none.star', " +
			"'x')": `m.star:1:1: cannot load none.star: load("none.star"): there is no such file`,
	} {
		if got := outcome(t, text); !strings.Contains(got, want) {
			t.Errorf("%s\n  got  %s\n  want %s", text, got, want)
		}
	}
}
