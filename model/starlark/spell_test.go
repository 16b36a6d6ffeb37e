package starfile

import (
	"strings"
	"testing"

	"go.starlark.net/starlark"
)

// TestStringIsNeverCut: a value that is put into a string is there as a whole.
func TestStringIsNeverCut(t *testing.T) {
	for body, want := range map[string]string{
		"w = 'a'\nfor i in range(13):\n    w = '%s%s' % (w, w)\ns.x = 1 if len(w) == 8192 else 7":  "holds",
		"w = 'a'\nfor i in range(16):\n    w = '%s%s' % (w, w)\ns.x = 1 if len(w) == 65536 else 7": "holds",
		"s.x = 7 if '%s' % [[[[1]]]] == '%s' % [[[[2]]]] else 1":                                   "holds",
		"k = [0 for i in range(40)]\ns.x = 7 if '%s' % (k + [1]) == '%s' % (k + [2]) else 1":       "holds",
		"s.x = 1 if str([[[[1]]]]) == '[[[[1]]]]' else 7":                                          "holds",
		"s.x = 1 if '%s|%s' % ((1,), s.a) == '(1,)|[False, False]' else 7":                         "holds",
	} {
		if got := outcome(t, inAction(body)); !strings.HasPrefix(got, want) {
			t.Errorf("%s\n  got  %s\n  want %s", body, got, want)
		}
	}
}

// TestVariableBeginsWithFirstValue: of a range, too, as the documentation says.
func TestVariableBeginsWithFirstValue(t *testing.T) {
	if got := verdictsOf(t, `"""M."""
def go(s):
    when(s.x < 0)
    s.x += 1
system(state = record(x = range(-20, 21)), actions = [go], properties = [invariant("i", lambda s: s.x != -20)])
`); got != "i violated" {
		t.Error(got)
	}
}

// TestTuplesInNamesOfActions: a tuple is written as in the file; one that begins with a word as a call.
func TestTuplesInNamesOfActions(t *testing.T) {
	one, two, word := starlark.MakeInt(1), starlark.MakeInt(2), starlark.String("a")
	for want, v := range map[string]starlark.Value{
		"go((1,2))": starlark.Tuple{one, two}, "go((1,))": starlark.Tuple{one},
		"go(a(1))": starlark.Tuple{word, one},
		"go(None)": starlark.None, "go(1)": one,
	} {
		if got := (&stepValue{name: "go"}).says([]starlark.Value{v}); got != want {
			t.Errorf("%v: %s, want %s", v, got, want)
		}
	}
}
