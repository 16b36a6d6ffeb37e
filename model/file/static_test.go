package file

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

// TestSlipIsToldBeforeTheSearch wants each slip told with its place, and what was meant.
func TestSlipIsToldBeforeTheSearch(t *testing.T) {
	for _, c := range []struct{ name, body, rest, want string }{
		{name: "word in a guard", body: `when(s.pc[0] == "cs")`, want: `m.star:4:21: s.pc[0] is never "cs"; it is one of: idle, inside`},
		{name: "near word", body: `when("insid" in list(s.pc))`, want: `an element of list(s.pc) is never "insid"; it is one of: idle, inside (did you mean "inside"?)`},
		{name: "by a local variable", body: "x = s.pc\ny = x[1]\nif y != 'isle':\n    s.n = 1", want: `y is never "isle"`},
		{name: "by a helper", body: `when(some(s, "comit"))`, rest: "def some(s, what):\n    return what in list(s.pc)\n", want: `m.star:4:18: an element of list(s.pc) is never "comit"`},
		{name: "in a display", body: `when(s.pc[0] in ["idle", "insid"])`, want: `m.star:4:30: s.pc[0] is never "insid"`},
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
		if got := told(t, text); !strings.Contains(got, c.want) {
			t.Errorf("%s:\n  tells %s\n  want  %s", c.name, got, c.want)
		}
	}
}
