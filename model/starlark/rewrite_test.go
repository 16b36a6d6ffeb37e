package starfile

import (
	"context"
	"strings"
	"testing"

	"github.com/atmostk/atmostk/explore"
	"github.com/atmostk/atmostk/model"
)

// instanceOfText returns the instance of a file with its defaults.
func instanceOfText(t *testing.T, text string) model.Instance {
	t.Helper()
	spec, err := load(t, text)
	if err != nil {
		t.Fatal(err)
	}
	in, _, err := spec.Instantiate(nil)
	if err != nil {
		t.Fatal(err)
	}
	return in
}

// verdictsOf checks a file, and returns the verdicts of its properties.
func verdictsOf(t *testing.T, text string) string {
	t.Helper()
	in := instanceOfText(t, text)
	r, err := explore.Run(context.Background(), in, explore.Options{Workers: 2, KeepGoing: true})
	if err != nil {
		t.Fatal(err)
	}
	if r.Mistake != nil {
		t.Fatal(r.Mistake.Error)
	}
	var all []string
	for _, p := range r.Properties {
		all = append(all, strings.Join(append([]string{p.Name, string(p.Verdict)}, p.Vacuous...), " "))
	}
	return strings.Join(all, "\n")
}

// TestLambdaInLoopKeepsItsVariable: only x[1] ever becomes true, so of properties made in loops of all kinds
// only the one of 1 is violated.
func TestLambdaInLoopKeepsItsVariable(t *testing.T) {
	const want = "i0 holds\ni1 violated\ni2 holds"
	for name, properties := range map[string]string{
		"comprehension": `all = [invariant("i%d" % i, lambda s: not s.x[i]) for i in P]`,
		"pair":          `all = [invariant("i%d" % i, lambda s: not s.x[j]) for i, j in [(0, 0), (1, 1), (2, 2)]]`,
		"loop":          "all = []\nfor i in P:\n    all.append(invariant('i%d' % i, lambda s: not s.x[i]))",
		"assigned": "all = []\nfor k in P:\n    i = k\n    all.append(invariant('i%d' % i, lambda " +
			"s: not s.x[i]))",
		"in a function": "def make():\n    out = []\n    for i in P:\n        out.append(invariant('i%d' " +
			"% i, lambda s: " +
			"not s.x[i]))\n    return out\nall = make()",
		"nested": `all = [p for p in [invariant("i%d" % (i + j), lambda s: not any([s.x[i + j] for k in P])) ` +
			`for i in P for j in [0]]]`,
		"with a default": `all = [invariant("i%d" % i, (lambda j: lambda s: not s.x[j])(i)) for i in P]`,
		"inner " +
			"function": `all = [invariant("i%d" % i, lambda s: not [f() for f in [lambda: s.x[i]]][0]) for i in P]`,
	} {
		got := verdictsOf(t, `"""M."""
P = range(3)
def go(s):
    s.x[1] = True
`+properties+`
system(state = record(x = array(P, bool)), actions = [go], properties = all)
`)
		if got != want {
			t.Errorf("%s:\n%s\nwant\n%s", name, got, want)
		}
	}
}

// TestDefInLoopIsRefused: a def cannot keep the variables of a loop.
func TestDefInLoopIsRefused(t *testing.T) {
	got := outcome(t,
		"all = []\nfor i in range(3):\n    def holds(s):\n        return not s.x[i]\n    all.append(holds)\n")
	if want := "m.star:3:5: a function that is defined in a loop sees the last value of " +
		"i"; !strings.HasPrefix(got, want) {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestNameIsAssignedOnce: at most once on each path through a file.
func TestNameIsAssignedOnce(t *testing.T) {
	const rest = "\ndef go(s):\n    s.x = y\nsystem(state = record(x = range(9)), actions = [go], " +
		"properties = [invariant('i', lambda s: s.x < 9)])\n"
	for text, want := range map[string]string{
		"v = param('v', 'a', ['a', 'b'])\nif v == 'a':\n    y = 1\nelse:\n    y = 2" + rest: "holds",
		"y = 1\ny = 2" + rest:                         "m.star:2:1: y is given twice, here and in line 1",
		"y = 1\ndef go(s):\n    pass" + rest:          "m.star:4:1: go is given twice, here and in line 2",
		"if True:\n    y = 1\ny = 3" + rest:           "m.star:3:1: y is given twice, here and in line 2",
		"for y in range(3):\n    pass\ny = 3" + rest:  "m.star:3:1: y is given twice",
		"for k in range(3):\n    y = 2 * k" + rest:    "holds",
		"y = 1\nfor k in range(3):\n    y = k" + rest: "m.star:3:5: y is given twice",
	} {
		if got := outcome(t, text); !strings.HasPrefix(got, want) {
			t.Errorf("%s\n  got  %s\n  want %s", text, got, want)
		}
	}
}

// TestInvariantIsVacuousIfPremiseNeverHolds, or if a container is always empty.
func TestInvariantIsVacuousIfPremiseNeverHolds(t *testing.T) {
	for property, want := range map[string]string{
		`lambda s: not s.x == 2 or s.y`: "i holds s.x == 2",
		`lambda s: not (s.x == 2 and s.y)`: "i holds s.x == 2 never holds when evaluated (line " +
			"6), so what follows is never asked",
		`lambda s: s.x < 2 or s.y`:            "i holds s.x < 2 always holds when evaluated",
		`lambda s: s.y if s.x == 2 else True`: "i holds s.x == 2 never holds when evaluated",
		`lambda s: all([e > 0 for e in s.q])`: "i holds all([e > 0 for e in s.q]) has " +
			"nothing to go through",
		`lambda s: not any([e < 0 for e in s.q])`:       "i holds any([e < 0 for e in s.q]) has nothing",
		`lambda s: len([e for e in s.q if e > 1]) == 0`: "i holds",
		`lambda s: s.x < 1 or not s.y or s.x < 3`:       "i holds",
		`lambda s: not s.x == 1 or (s.x < 2 or s.y)`:    "i holds",
		`lambda s: not (s.x == 1 and s.x == 0 and s.y)`: "i holds",
		`lambda s: 1 == 1 or s.y`:                       "i holds",
		`lambda s: all([i >= 0 for i in range(2) if i > 5])`: "i holds all([i >= 0 for i in range(2) if i > 5]) " +
			"has nothing to go through when evaluated (line 6)",
		`lambda s: not any([s.y for i in range(2, 2)])`: "i holds any([s.y for i in range(2, 2)]) has nothing",
		`lambda s: all([s.x < 3 for i in range(2)])`:    "i holds",
		// only said of where it is asked: s.x == 0 holds in the other states
		`lambda s: not s.x == 1 or (s.x < 2 and not (s.x == 0 and s.y))`: "i holds s.x == 0 never holds when evaluated",
		// one function that is to hold, and then is not to hold
		`lambda s: (_two(s) or s.x < 2) and not _two(s)`: "i holds s.x == 2 never holds when evaluated (line 4)",
		`_right`:                          "i holds s.x == 2 never holds when evaluated",
		`lambda s: s.x < 2 and _right(s)`: "i holds s.x == 2 never holds when evaluated",
	} {
		got := verdictsOf(t, `"""M."""
def go(s):
    s.x = 1 - s.x
def _two(s): return s.x == 2 and s.y
def _right(s): return not (s.x == 2 and s.y)
system(state = record(x = range(3), y = bool, q = list_of(range(3), max = 2)), actions = [go], properties = [invariant("i", `+property+`)])
`)
		if want == "i holds" && got != want || !strings.HasPrefix(got, want) {
			t.Errorf("%s: %q, want %q", property, got, want)
		}
	}
}
