package starfile

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// unionFile has variables of a union, of types declared twice, and with values to begin with.
const unionFile = `"""M."""
NODE = range(1, 4)
LEAF = record(value = (range(5), 2))
FORK = record(left = NODE, right = NODE)
tree = array(NODE, (union(LEAF, FORK, bool), FORK(2, 3)))
local = record(tree = tree, slots = array(["a", "b"], record(full = bool, by = optional(NODE))),
    last = (enum(["x", "y"]), "y"))
def grow(s, i):
    when(is_a(s.tree[i], FORK) and s.tree[i].left == 2)
    s.tree[i] = record_of(4)
def drop(s):
    when(not is_a(s.tree[2], FORK))
    s.tree[2] = True
    s.slots["b"].by = 3
    s.last = "x"
def record_of(v):
    return TWIN(value = v)
TWIN = record(value = range(5))
system(state = local, actions = [action(grow, NODE), drop],
    properties = [invariant("one", lambda s: len([x for x in s.tree if is_a(x, LEAF)]) < 2)])
`

// TestUnionsAndTypesDeclaredTwice: a record of the same fields is one type, unions hold several, and
// types may say where they begin. The first and the third tree have two values each, and the second three.
func TestUnionsAndTypesDeclaredTwice(t *testing.T) {
	if got, want := found(t, unionFile, ""), "12 one=violated(2)"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	path := filepath.Join(t.TempDir(), "m.star")
	if err := os.WriteFile(path, []byte(unionFile), 0o666); err != nil {
		t.Fatal(err)
	}
	spec, err := Load(path)
	if err != nil {
		t.Fatal(err)
	}
	in, _, err := spec.Instantiate(nil)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := fmt.Sprint(in.Plain.Init()[0].Next.Vars()), "[{ tree[1] (left=2,right=3)} "+
		"{ tree[2] (left=2,right=3)} { tree[3] (left=2,right=3)} { slots[a].full False} { slots[a].by None} "+
		"{ slots[b].full False} { slots[b].by None} { last y}]"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	var types []string
	for _, x := range in.Types {
		types = append(types, x.Name+": "+x.Type)
	}
	want := `s.tree: array(range(1, 4), union(LEAF, FORK, bool))
s.slots: array(enum("a", "b"), record(full = bool, by = optional(range(1, 4))))
s.last: enum("x", "y")
grow: (s: local, i: int) -> None
drop: (s: local) -> None
record_of: (v: int) -> LEAF`
	if got := strings.Join(types, "\n"); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// TestPythonHabitIsRefusedInOneSentence at its place, with what to write.
func TestPythonHabitIsRefusedInOneSentence(t *testing.T) {
	for text, want := range map[string]string{
		`x = f"p{1}"`:               `1: strings are joined by +, and there are no f-strings: "p%d" % i`,
		`x = "a" 'b'`:               `1: strings are joined by +, and there are no f-strings: "p%d" % i`,
		`while True: pass`:          "1: there is no while; write: for i in range(9): ... break",
		`class A: pass`:             "1: there are no classes; record(x = int) makes a type",
		`import math`:               `1: there is no import; write load("parts.star", "name")`,
		`x = [1] is None`:           "1: there is no is; write == or !=",
		`x = 0 < 1 < 2`:             "1: write 0 < x and x < 3",
		`x = 2 ** 3`:                "1: there is no **; write x * x",
		`x = (y := 1)`:              "1: there are no types here, and no :=; write the name alone",
		`def f(x: int): pass`:       "1: there are no types here, and no :=; write the name alone",
		`def f(x) -> int: pass`:     "1: functions declare no type of their result",
		`x = {1, 2}`:                "1: a set is made of a list: set([1, 2])",
		`x = {y for y in [1]}`:      "1: a set is made of a list: set([x for x in xs])",
		`x = any(y for y in [1])`:   "1: a comprehension stands in brackets: all([x > 0 for x in xs])",
		`x = not 1 && 2`:            "1: write x and y",
		`x = !1`:                    "1: write not x",
		`x = 1 || 2`:                "1: write x or y",
		`@f`:                        "1: there are no decorators; list the function: actions = [f]",
		`assert 1`:                  "1: brackets are missing, as in when(x); there is no assert; write when(...) or invariant(...)",
		`assert x`:                  "1: brackets are missing, as in when(x); there is no assert; write when(...) or invariant(...)",
		"x = 1 if True":             "1: both cases are needed: x if a else y",
		"if True: pass\nelse if 1:": "2: write elif",
		"def f():\n    global x":    "2: functions change no variable of the file; put it in the state",
		"x = 1\nx++\ny = 1":         "2: a value is missing at the end of this line; for x++ write x += 1",
		"a, *b = [1, 2]":            "1: there is no *rest; write a, rest = xs[0], xs[1:]",
	} {
		line, what, _ := strings.Cut(want, ": ")
		got := outcome(t, text)
		if !strings.HasPrefix(got, "m.star:"+line) || !strings.HasSuffix(got, ": "+what) {
			t.Errorf("%s\n  got  %s\n  want %s", text, got, want)
		}
	}
}
