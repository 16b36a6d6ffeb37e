package cmd_test

import (
	"bytes"
	"context"
	"path/filepath"
	"strings"
	"testing"

	"github.com/atmostk/atmostk/cmd"
	"github.com/atmostk/atmostk/model"
)

// offByOne is a ring whose last process sends to one that does not exist.
var offByOne = model.Spec{
	Name: "off-by-one",
	Build: func(*model.Args) (model.Instance, error) {
		type none = model.None
		return model.Compose(model.Composition[bool, none, none]{
			N: 3, Names: model.Names{First: 1},
			Init: func(p model.Proc) bool { return p == 0 },
			Local: []model.Handler[bool, none]{{Name: "pass", Do: func(p model.Proc, l *bool,
				out *model.Outbox[none]) bool {
				if *l {
					out.Send(p+1, none{})
				}
				passed := *l
				*l = false
				return passed
			}}},
			Receive: []model.Receiver[bool, none]{{
				Name: "take", Accepts: func(none) bool { return true },
				Do: func(_, _ model.Proc, _ none, l *bool, _ *model.Outbox[none]) bool {
					*l = true
					return true
				},
			}},
			Properties: []model.Property[model.Global[bool, none, none]]{{
				Name: "one", Kind: model.Invariant,
				Holds: func(g *model.Global[bool, none, none]) bool {
					return g.Count(func(l *bool) bool { return *l }) <= 1
				},
			}},
		}), nil
	},
}

// TestModelError: every verb that meets the mistake of a model says so, with exit code 65; the
// run that leads there is kept, and replay shows it.
func TestModelError(t *testing.T) {
	file := filepath.Join(t.TempDir(), "run.ndjson")
	for _, c := range []struct {
		args []string
		code int
		says string
	}{
		{[]string{"check", "off-by-one", "--trace", file}, 65,
			"the shortest run that leads there has 5 steps"},
		{[]string{"check", "off-by-one", "--format", "json"}, 65,
			`"model-error":{"part":"handler pass","what":"{} is sent to process 3; there are 3, counted from 0"`},
		{[]string{"replay", file}, 0, "   5  p3 pass, which fails"},
		{[]string{"replay", file, "--as", "html"}, 0, "which fails"},
		{[]string{"graph", "off-by-one"}, 65, "model error: handler pass of p3"},
		{[]string{"sweep", "off-by-one"}, 65, "error"},
	} {
		var out, diag bytes.Buffer
		code := cmd.Program{Name: "atmostk", Specs: []model.Spec{offByOne}}.Run(context.Background(), c.args,
			strings.NewReader(""), &out, &diag)
		if said := out.String() + diag.String(); code != c.code || !strings.Contains(said, c.says) {
			t.Errorf("%v: exit code %d, want %d with %q:\n%s", c.args, code, c.code, c.says, said)
		}
	}
}
