package starfile

import (
	"context"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/atmostk/atmostk/explore"
)

// malicious are files that try to occupy the machine. Each has to end in an error, soon.
var malicious = map[string]string{
	"endless loop":       "for i in range(1000000000):\n    pass\n",
	"endless action":     inAction("for i in range(1000000000):\n    pass"),
	"gigantic list":      "x = [0] * 100000000000\n",
	"gigantic, reversed": "x = 100000000000 * [0]\n",
	"deep brackets":      "x = " + strings.Repeat("(", 100000) + "\n",
	"deep nots":          "x = " + strings.Repeat("not ", 60000) + "True\n",
	"deep value":         inFunction("x = []\nfor i in range(1000000):\n    x = [x]\nreturn x"),
	"holds itself":       "x = []\nx.append(x)\nparam('n', x, [1])\n",
	"recursion":          "def f(n):\n    return f(n + 1)\nf(0)\n",
	"large":              "# " + strings.Repeat("x", 1<<20),
	"a folder":           "load('../m.star', 'x')\n",
	"itself":             "load('m.star', 'x')\n",
	"terminal escapes": "param('\x1b[2Jn', 1, [1])\n" +
		"system(state = record(x = range(2)), actions = [lambda s: True])\n",
	"many parameters": "param('n', 1, range(1000000000))\n",
	"many instances":  inAction("pass") + "action(go, range(60000), range(60000))\n",
	"many subsets":    "subsets(range(60))\n",
	"endless in property": `def p(s):
    for i in range(1000000000):
        pass
    return True
system(state = record(x = range(2)), actions = [lambda s: True], properties = [invariant('i', p)])
`,
	"reads":             "open('/etc/passwd')\n",
	"attributes":        "getattr('x', 'join')\n",
	"many alternatives": inAction("pick(range(60000))\npick(range(60000))"),
	"many initial states": `def init(s):
    for i in range(40):
        s.a[i] = pick([False, True])
` +
		"system(state = record(a = array(range(40), bool)), init = init, actions = [lambda s: True],\n" +
		"    properties = [deadlock_free()])\n",
	"a function in itself": inFunction("def g():\n    return g\nreturn g"),
	"arrays of arrays": `T = int
for U in range(4):
    pass
A = array(range(2000), int)
B = array(range(2000), A)
`,
	"a list that a step keeps": `def make():
    seen = []
    def go(s):
        seen.append(1)
        s.x = len(seen) % 3
    return go
` +
		"system(state = record(x = range(3)), actions = [make()])\n",
	"sets of words": inLocal("dict_of(int, set_of(str))",
		"{i: set([str(i * j) for j in range(100)]) for i in range(2000)}"),
	"a set of a range": inLocal("set_of(int)", "range(1000000000)"),
}

// inFunction is a file that calls a function.
func inFunction(body string) string {
	return "def f():\n    " + strings.ReplaceAll(body, "\n", "\n    ") + "\nx = f()\n" +
		`system(state = record(x = range(2)), actions = [lambda s: True], properties = [deadlock_free()])
`
}

// inLocal is a model of processes with a variable of a type, which a step changes.
func inLocal(of, value string) string {
	return `def go(me):
    me.x = ` + value + `
processes(n = 2, local = record(x = ` + of + `), steps = [go],
` +
		"    receive = [], properties = [deadlock_free()])\n"
}

// TestMaliciousFileIsRefusedSoon: the error is short, and reading the file takes little memory.
func TestMaliciousFileIsRefusedSoon(t *testing.T) {
	for name, text := range malicious {
		t.Run(name, func(t *testing.T) {
			var start, end runtime.MemStats
			runtime.ReadMemStats(&start)
			got := outcome(t, text)
			runtime.ReadMemStats(&end)
			if made := (end.TotalAlloc - start.TotalAlloc) >> 20; made > 1500 {
				t.Errorf("it makes %d MiB of values: %s", made, got)
			}
			if got == "holds" || got == "" {
				t.Errorf("it is let through: %s", got)
			}
			if len(got) > 1000 {
				t.Errorf("an error of %d characters", len(got))
			}
		})
	}
}

// TestSearchEndsDuringLongSteps: a search whose every step takes long ends at its limit, and the model has no
// mistake.
func TestSearchEndsDuringLongSteps(t *testing.T) {
	spec, err := load(t, `
def slow(s, i):
    for j in range(400000):
        pass
    s.x = (s.x + i) % 2000
system(state = record(x = range(2000)), actions = [action(slow, range(1, 200))],
    properties = [invariant("small", lambda s: s.x < 2000)])`)
	if err != nil {
		t.Fatal(err)
	}
	in, _, err := spec.Instantiate(nil)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 100*time.Millisecond)
	defer cancel()
	r, err := explore.Run(ctx, in, explore.Options{})
	if err != nil || r.Mistake != nil || r.Stopped != "stopped at the time limit" ||
		r.Verdict != explore.Unknown {
		t.Fatal(err, r)
	}
}
