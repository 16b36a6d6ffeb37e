package cmd_test

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
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
	spoils := model.Spec{Name: "spoils", Build: spoiling}
	own := cmd.Program{Name: "atmostk", Specs: []model.Spec{ends, seldom, once, empty, spoils, unsteady,
		forgets}}
	at := t.TempDir()
	write := func(name, text string) string {
		file := filepath.Join(at, name)
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return file
	}
	log := write("log.ndjson", strings.Repeat(`{"node":"p0","event":"count"}`+"\n", 5))
	run := write("run.ndjson", `{"schema":1,"spec":"empty","parameters":{},"property":"","kind":"run",`+
		`"verdict":"possible","steps":0}`+"\n"+`{"step":0,"text":"initial state","changed":[]}`+"\n")
	scene := write("a.scenario", "model empty\nexpect possible\n...\n")
	units := write("b.scenario", "model spoils\nexpect possible\n"+strings.Repeat("p0 count\n", 4))
	const unlike = "the model is not a function: for the same arguments it came to two results"
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
		{"simulate spoils --runs 3", "model error: property goal: it changes its arguments", 65},
		{"scenario --quiet " + units, "model error: Units of p0: the units are gone", 65},
		{"validate unsteady " + log, "atmostk: model error: handler count of p0: " + unlike, 65},
		{"replay " + run, "run.ndjson:1: model error: " + lacks, 65},
		{"scenario " + scene, "a.scenario: model error: " + lacks, 65},
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

// spoiling builds a counter that its property changes from 1 to 7, and whose units cannot be counted at 4.
func spoiling(*model.Args) (model.Instance, error) {
	type none = model.None
	return model.Compose(model.Composition[uint8, none, none]{
		N: 1, Init: func(model.Proc) uint8 { return 0 },
		Local: []model.Handler[uint8, none]{{Name: "count", Do: func(_ model.Proc, l *uint8,
			_ *model.Outbox[none]) bool {
			*l++
			return *l < 20
		}}},
		Units: func(l *uint8) int {
			if *l == 4 {
				panic("the units are gone")
			}
			return 0
		},
		Properties: []model.Property[model.Global[uint8, none, none]]{{
			Name: "goal", Kind: model.Invariant,
			Holds: func(g *model.Global[uint8, none, none]) bool {
				if *g.Local(0) == 1 {
					*g.Local(0) = 7
				}
				return *g.Local(0) < 8
			},
		}},
	}), nil
}

// unsteady is a counter that goes on by 1 and, every third time that it is asked, by 2.
var unsteady = model.Spec{Name: "unsteady", Build: func(*model.Args) (model.Instance, error) {
	type none = model.None
	runs := uint8(0)
	return model.Compose(model.Composition[uint8, none, none]{
		N: 1, Init: func(model.Proc) uint8 { return 0 },
		Local: []model.Handler[uint8, none]{{Name: "count", Do: func(_ model.Proc, l *uint8,
			_ *model.Outbox[none]) bool {
			runs++
			*l += 1 + runs%3/2
			return *l < 40
		}}},
	}), nil
}}

// leaving ends the goroutine in its third step, and hanging does not return from it.
var leaving, hanging = atThird("leaving", runtime.Goexit), atThird("hanging", func() { select {} })

func atThird(name string, do func()) model.Spec {
	type none = model.None
	return model.Spec{Name: name, Build: func(*model.Args) (model.Instance, error) {
		return model.Compose(model.Composition[uint8, none, none]{
			N: 1, Init: func(model.Proc) uint8 { return 0 },
			Local: []model.Handler[uint8, none]{{Name: "count", Do: func(_ model.Proc, l *uint8,
				_ *model.Outbox[none]) bool {
				if *l++; *l == 3 {
					do()
				}
				return true
			}}},
		}), nil
	}}
}

// TestRunOfFaultyModel: run says what the model does, has its exit code, and keeps the logs.
func TestRunOfFaultyModel(t *testing.T) {
	for verb, want := range map[string]struct {
		code int
		says string
	}{
		"leaving": {65, "runtime.Goexit"},
		"hanging": {2, "atmostk: a function of the model has not returned"},
	} {
		t.Run(verb, func(t *testing.T) {
			if want.code == 2 && !sweep {
				t.Skip("it takes 20 s")
			}
			c := exec.Command("faulty", "run", verb, "--duration", "1s")
			c.Env = append(os.Environ(), "TMPDIR="+t.TempDir())
			said, err := c.CombinedOutput()
			at := regexp.MustCompile(`logs in (.*)`).FindSubmatch(said)
			if exitCode(err) != want.code || !strings.Contains(string(said), want.says) || at == nil {
				t.Fatalf("exit code %d, want %d: %s", exitCode(err), want.code, said)
			}
			if log, err := os.ReadFile(filepath.Join(string(at[1]), "run1", "p0.ndjson")); err != nil ||
				strings.Count(string(log), `"event":"count"`) != 2 {
				t.Errorf("%v: %s", err, log)
			}
		})
	}
}
