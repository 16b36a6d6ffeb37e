package starfile

import (
	"fmt"
	"strings"
	"testing"
)

// TestErrorNamesPlaceAndWhatToWrite: slips of the pen, with the text that the user sees.
func TestErrorNamesPlaceAndWhatToWrite(t *testing.T) {
	const system = `"""M."""
state = record(x = range(3), d = enum("a", "b"), arr = array(range(2), bool))
def go(s):
    s.x = 1
system(state = state, actions = [go], properties = [invariant("i", lambda s: s.x < 3)])
`
	const processes = `"""M."""
M = message("M", n = range(3))
def go(me):
    me.x = 1
def rec(me, j, m):
    me.x = m.n
processes(n = 2, local = record(x = range(3)), steps = [go], receive = [on(M, rec)],
    properties = [deadlock_free()])
`
	for _, c := range [][4]string{
		{system, "s.x = 1", "s.x == 1", "m.star:4:5: s.x == 1 has no effect here; x = ... assigns"},
		{system, "s.x = 1", "when", "m.star:4:5: when has no effect here"},
		{system, "s.x = 1", "send(1, 2)", "m.star:4:9: send is for steps of processes; a system has none"},
		{system, "s.x = 1", "s.x = s.x / 2", "0.0 is not allowed here; allowed: 0 to 2; x // y is a"},
		{system, "s.x = 1", "s.x = s.arr[0] + 1", "bool + int; write (1 if x else 0) for a number"},
		{system, "s.x = 1", "x = 'a' + s.x", `string + int; write "%d" % x for a string`},
		{system, "s.x = 1", `s["x"] = 1`, "a field stands behind a dot: r.field"},
		{system, "s.x = 1", "state = state", "assignment; a function has its own variables; put in"},
		{system, "s.x = 1", "LIST.append(s.x)", "m.star:5:16: append: cannot append to frozen list; it " +
			"belongs to the file; put in the state what changes"},
		{system, "s.x = 1", "s.x = NEXT(s.x)", "NEXT calls itself; write a for loop over a range"},
		{system, "s.x = 1", "when(s.d in ('a'))", "m.star:4:14: 'a' is no list; write ('a',)"},
		{system, "s.x = 1", "when(str(s.x) == 1)", "m.star:4:22: str(s.x) is never 1; it is one"},
		{system, "s.x = 1", "s.x' = 1", "m.star:4:8: a string ends on its line;"},
		{system, "s.x = 1", "s.x = 1\n      s.x = 2", "m.star:5:7: this line begins at"},
		{system, "s.x = 1", "else if s.x > 0:", "m.star:4:5: else belongs to an if above"},
		{system, "s.x = 1", "s.x = s.arr[0] ? 1 : 2", "m.star:4:20: write x if a else y"},
		{system, "def go(s):\n    s.x = 1", "go = lambda s: s.x = 1", "m.star:3:21: a lambda "},
		{system, "s.x = 1", "s.x = 2 // s.x", "division by zero; ask first: when(x != 0)"},
		{system, "s.x = 1", "s.x = [y for y in [0] if y > 4][0]", "empty list; ask first: when(len(xs) > 0)"},
		{system, "s.x = 1", "s.x = set([1])[0]", "set[int]; a set has no order; write sorted(s)[0]"},
		{system, "s.x = 1", "set([1]).remove(7)", "missing key; ask first: when(x in s)"},
		{system, "s.x = 1", "when(s.x == 1 or 2)", "a condition compares: x == 1 or x == 2"},
		{system, "s.x = 1", "s.x = [i for i in s.x][0]", "not iterable; write range(x)"},
		{system, "3)])", "3), step_property('up', lambda a, b: a.x == 1 or b.x == 1)])", "holds"},
		{system, "3)])", "3), step_property('up', lambda a, b: b.x == 0)])", "violated"},
		{processes, `M = message(`, "endless_params()\nM = message(",
			"processes: endless_params() needs rounds_param(n), which declares rounds=inf"},
		{processes, "n = 2,", "n = 2, network = network_params(),", "network_params: n is missing: the"},
		{processes, "n = 2,", "n = 2, network = network_params(1),", "m.star:7:10: processes: network is " +
			"network_params(1), and the number of processes is 2"},
		{processes, "M = message(", "R = rounds_param()\nM = message(", "rounds_param: n is missing: the"},
		{processes, "me.x = 1", "me.id = 2", "m.star:4:7: id is the number of the process"},
		{processes, "on(M, rec)", "on(M, rec), on(M, rec)", "m.star:7:10: processes: receive has two"},
		{processes, "on(M, rec)", "on('M', rec)", `m.star:7:75: on: message is "M"; allowed: what`},
		{system, "s.x = 1", `x = f"p{s.x}"`, `m.star:4:18: strings are joined by +, and there are no`},
		{system, "s.x = 1", "when(all(y for y in s.arr))", "m.star:4:19: a comprehension stands in"},
		{system, "def go(s):", "def go(s)", "m.star:4:1: a colon is missing at the end of"},
		{system, "go], p", "go] p", "m.star:5:48: a comma or an operator is missing before this name"},
		{system, "3)])", "3)]", "m.star:6:1: a bracket or an operator is open"},
		{system, "s.x < 3", "s.x = 3", "m.star:5:83: a lambda assigns nothing; write == to compare"},
		{system, "[go]", "[go()]", "function go missing 1 argument (s); a list has functions without"},
		{system, "[go],", `[go], fairness = [weak("go")],`, `m.star:5:7: system: fairness "go": steps is missing: the ` +
			`names of actions, weak("go", ["..."])`},
		{system, "3)])", `3), at_most(1)])`, "m.star:5:7: at_most: units is missing in system(...): how many units"},
		{system, "3)])", `3), served("v", lambda s, i: True)])`, "m.star:5:7: served: it is about members; " +
			"system(members = ...) lists them"},
		{system, "3)])", `3), invariant("i", lambda s: True)])`, "m.star:5:7: invariant: two properties are called i"},
		{system, "3)])", `3, of = 1)])`, "m.star:5:7: invariant: of is the role of the members that a function"},
		{system, "3)])", `3), reachable("r", lambda s: True, of = 1)])`, `m.star:5:97: reachable: there is no argument "of"`},
		{processes, "deadlock_free()", `invariant("i", lambda g: True, each = lambda me, dead: True)`,
			"invariant: it has holds, each; allowed is one of these, or count and messages"},
		{processes, "deadlock_free()", `invariant("i", each = lambda me: True, clear = lambda me: True)`,
			"invariant: clear says of which local states holds is true, and holds is missing"},
		{system, "s.x = 1", "s.x = 1 # \x00", "byte 112 is 0, where Starlark would end the file"},
		{system, "x = range(3),", "x = range(3), t = timer(2),", "no time passes for a timer"},
		{processes, "me.x = 1", "send(1, M)", "m.star:4:13: M is a type of messages; M() is one"},
		{processes, "n = 2,", "n = 2, symmetric = [[1, 2], [2]],", "m.star:7:10: processes: symmetric: " +
			"[2] has a process of another list; each is in one list"},
		{processes, "n = 2,", "n = 2, symmetric = [[3]],", "m.star:7:10: processes: symmetric holds [3]: " +
			"there is no process 3; allowed: 1 to 2; allowed: lists of processes, such as " +
			"symmetric = [PROCS]"},
		{processes, "m.n", "m.k", "m.star:6:14: m has no .k; there are n"},
		{processes, "rec(me, j, m)", "rec(me, m)", "m.star:5:1: rec takes (me, m); it is called with the " +
			"local state, the sender and the message"},
	} {
		text := strings.Replace(c[0], c[1], c[2], 1)
		if strings.Contains(text, "LIST") {
			text = strings.Replace(text, "\ndef", "\nLIST = []\ndef", 1)
		}
		if strings.Contains(text, "NEXT") {
			text = strings.Replace(text, "\ndef", "\ndef NEXT(x):\n    return NEXT(x)\ndef", 1)
		}
		if got := outcome(t, text); !strings.Contains(got, c[3]) {
			t.Errorf("%s\n  got  %s\n  want %s", c[2], got, c[3])
		}
	}
}

// TestErrorOfInitNamesIt: a value that init may not assign is told with the function and the place.
func TestErrorOfInitNamesIt(t *testing.T) {
	spec, err := load(t, `"""M."""
def init(s):
    s.x = 1 + s.x + 3
def go(s):
    s.x = 1
system(state = record(x = range(3)), init = init, actions = [go], properties = [deadlock_free()])
`)
	if err == nil {
		_, _, err = spec.Instantiate(nil)
	}
	const want = "model error: init: field x: 4 is not allowed here; allowed: 0 to 2 ("
	if got := fmt.Sprint(err); !strings.HasPrefix(got, want) || !strings.HasSuffix(got, "m.star:3:6)") {
		t.Errorf("got %v, want %s", err, want)
	}
}
