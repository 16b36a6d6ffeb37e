package cmd_test

import (
	"bytes"
	"context"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/atmostk/atmostk/cmd"
	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/param"
)

// offByOne is a ring whose last process sends to one that does not exist.
var offByOne = model.Spec{
	Name:   "off-by-one",
	Params: []param.Param{{Name: "spare", Doc: "unused", Default: "1", Type: param.IntRange(1, 2)}},
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

// TestMistakesTold wants one sentence where a search cannot begin or ends at once, with exit code 65: of a
// handler that ends its goroutine, by whatever worker, of a declaration, of nondeterminism, and of Forget.
func TestMistakesTold(t *testing.T) {
	counting := func(name string, kind model.PropertyKind, do func(runs int) bool) model.Spec {
		return model.Spec{Name: name, Build: func(*model.Args) (model.Instance, error) {
			type none = model.None
			runs := 0
			return model.Compose(model.Composition[uint8, none, none]{
				N: 1, Init: func(model.Proc) uint8 { return 0 },
				Local: []model.Handler[uint8, none]{{Name: "count", Do: func(_ model.Proc, l *uint8,
					_ *model.Outbox[none]) bool {
					*l++
					return *l < 4
				}}},
				Properties: []model.Property[model.Global[uint8, none, none]]{{
					Name: "goal", Kind: kind,
					Holds: func(*model.Global[uint8, none, none]) bool { runs++; return do(runs) },
				}},
			}), nil
		}}
	}
	ends := counting("ends", model.Reachable, func(int) bool { runtime.Goexit(); return true })
	seldom := counting("seldom", model.Reachable,
		func(runs int) bool { return runs == 29 }) // where it is judged
	once := counting("once", model.Invariant, func(runs int) bool { return runs%4 != 1 })
	empty := model.Spec{Name: "empty", Build: func(*model.Args) (model.Instance, error) {
		return model.NewSystem(model.System[int8]{}), nil
	}}
	forgets := model.Spec{Name: "forgets", Build: func(*model.Args) (model.Instance, error) {
		type none = model.None
		type pair struct{ Mode, Scrap uint8 }
		return model.Compose(model.Composition[pair, none, none]{
			N: 1, Init: func(model.Proc) pair { return pair{} },
			Local: []model.Handler[pair, none]{{Name: "go", Do: func(_ model.Proc, l *pair,
				_ *model.Outbox[none]) bool {
				l.Mode, l.Scrap = 1, l.Scrap+1
				return l.Scrap < 9
			}}},
			Forget: func(_ model.Proc, l *pair) { l.Scrap = 0 },
			Properties: []model.Property[model.Global[pair, none, none]]{{
				Name: "whole", Kind: model.Invariant,
				Holds: func(*model.Global[pair, none, none]) bool { return true },
			}},
		}), nil
	}}
	own := cmd.Program{Name: "atmostk", Specs: []model.Spec{ends, seldom, once, empty, forgets}}
	const exits = "it ends its goroutine by runtime.Goexit, as t.FailNow does: " +
		"allowed is to return, or to panic"
	const lacks = "System.Actions is empty, so nothing ever happens"
	for _, c := range []struct {
		args, says string
		code       int
	}{
		{"check ends --workers 1", "atmostk: ends: model error: a function of the model: " + exits, 65},
		{"check ends --workers 2", "atmostk: ends: model error: a function of the model: " + exits, 65},
		{"simulate ends --runs 9 --workers 2", exits, 65},
		{"check seldom --workers 1", "atmostk: seldom: model error: property goal: the model is not ", 65},
		{"simulate once --runs 1", "model error: property goal: the model is not a function", 65},
		{"check empty", "atmostk: model error: " + lacks, 65},
		{"check forgets --reduce dead", "model error: Forget of p0\n", 65}, // only a search meets it
		{"lint empty", "empty: model error: " + lacks + "\n", 65},
		{"lint ends", "ends: model error: a function of the model: " + exits, 65},
	} {
		var out, diag bytes.Buffer
		code := own.Run(context.Background(), strings.Fields(c.args), nil, &out, &diag)
		said := out.String() + diag.String()
		if code != c.code || !strings.Contains(said, c.says) || strings.Contains(said, "internal error") {
			t.Errorf("%s: exit code %d, want %d with %q:\n%s", c.args, code, c.code, c.says, said)
		}
	}
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
		{[]string{"show", "off-by-one", "--draw", "states"}, 65, "model error: handler pass of p3"},
		{[]string{"check", "off-by-one", "spare=1/2"}, 65, "error"},
	} {
		var out, diag bytes.Buffer
		code := cmd.Program{Name: "atmostk", Specs: []model.Spec{offByOne}}.Run(context.Background(), c.args,
			strings.NewReader(""), &out, &diag)
		if said := out.String() + diag.String(); code != c.code || !strings.Contains(said, c.says) {
			t.Errorf("%v: exit code %d, want %d with %q:\n%s", c.args, code, c.code, c.says, said)
		}
	}
}
