package cmd_test

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"github.com/atmostk/atmostk/cmd"
	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/param"
	"github.com/atmostk/atmostk/specs"
)

// counter counts to 3, or to 4 where its property is wrong.
var counter = model.Spec{
	Name: "counter", Title: "a counter", Source: "nobody, 2026", Doc: "It counts.",
	Params: []param.Param{
		{Name: "to", Doc: "it counts so far", Default: "3", Type: param.IntRange(1, 8)},
		{Name: "spare", Doc: "nobody asks for it", Default: "no", Type: param.OneOf("no", "yes")},
	},
	Build: func(a *model.Args) (model.Instance, error) {
		return model.NewSystem(model.System[int8]{
			Init: []int8{0},
			Actions: []model.SystemAction[int8]{{Name: "count", Do: func(s *int8, _ int,
				_ *model.Choice) bool {
				*s++
				return int(*s) <= a.Int("to")
			}}},
			Properties: []model.Property[int8]{{
				Name: "small", Doc: "it stays below 4", Source: "Lemma 1",
				Holds: func(s *int8) bool { return *s < 4 },
			}},
		}), nil
	},
	Paper: "Nobody, On counting, 2026",
}

// own is a program of somebody else's.
var own = cmd.Program{Name: "countcheck", Specs: []model.Spec{counter}}

// TestOwnName lets a program of somebody else's do all that programs do, and looks whose name
// it has.
func TestOwnName(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, "stays.ndjson", `{"node":"p1","event":"enter"}`+"\n"+`{"node":"p1","event":"release"}`+"\n")
	for _, c := range []struct {
		args string
		code int
		says string // "": nothing in particular
	}{
		{"", 0, "  countcheck check counter  "},
		{"help", 0, "countcheck explores"},
		{"help check", 0, "  countcheck check counter\n"},
		{"help validate", 0, "  countcheck validate lock.log"},
		{"list", 0, "Nobody, On counting, 2026\n  counter  a counter\n"},
		{"list --format json", 0, `{"tool":"countcheck `},
		{"show counter", 0, "it counts so far"},
		{"check counter to=4 --trace four.ndjson", 1, "written to four.ndjson"},
		{"check counter spare=yes", 0, "never read by the model: spare\n"},
		{"check counter spare=yes --format json", 0, `"never-asked-for":["spare"]`},
		{"replay four.ndjson", 0, "small is violated by this run of 4 steps"},
		{"replay four.ndjson --as html", 0, "countcheck "},
		{"replay four.ndjson --as png", 64, "countcheck: --as=png: `countcheck help replay` lists the forms"},
		{"check raymond", 64, "countcheck: there is no model \"raymond\"; `countcheck list` shows all"},
		{"chek counter", 64, `countcheck: there is no verb "chek" (did you mean "check"?)`},
		{"version", 64, `countcheck: there is no verb "version" (did you mean "--version"?)`},
		{"check counter to=9", 64, "countcheck: to=9 does not fit counter: allowed: 1 to 8"},
		{"check counter to=3/4", 1, "to=4"},
		{"show counter --draw states", 0, "digraph"},
		{"lint", 1, "it has no References"},
		{"run counter", 64, "countcheck: real processes cannot run counter"},
		{"validate stays.ndjson --format sarif", 0, `"name":"countcheck"`},
		{"validate stays.ndjson --format html", 0, "countcheck "},
		{"validate absent.ndjson", 3, "countcheck: "},
		{"completion bash", 0, "countcheck"},
		{"--version", 0, "countcheck "},
	} {
		var out, diag bytes.Buffer
		code := own.Run(context.Background(), strings.Fields(c.args), strings.NewReader(""), &out, &diag)
		text := out.String() + diag.String()
		if code != c.code || !strings.Contains(squeezed(text), squeezed(c.says)) {
			t.Errorf("%s: exit code %d, %s", c.args, code, text)
		}
		if at := foreign(text); at != "" {
			t.Errorf("%s: says %q", c.args, at)
		}
	}
}

// squeezed takes the blanks out that JSON may be written with.
func squeezed(text string) string { return strings.ReplaceAll(text, `": `, `":`) }

// foreign returns the first line that names atmostk and does not say so: of the version that the
// program is built with, of its documentation, of its module.
func foreign(text string) string {
	for line := range strings.Lines(text) {
		if strings.Contains(line, "atmostk") && !strings.Contains(line, ", atmostk ") &&
			!strings.Contains(line, "docs/logs.md of atmostk") && !strings.Contains(line, `"uri"`) {
			return line
		}
	}
	return ""
}

// TestNamesOfModels wants one sentence where two models have one name.
func TestNamesOfModels(t *testing.T) {
	renamed := counter
	renamed.Name = "raymond"
	program := cmd.Program{Name: "countcheck", Specs: append([]model.Spec{counter, renamed}, specs.All...)}
	for _, args := range [][]string{{"list"}, {"check", "raymond"}, {"check", "counter"}} {
		says(t, program, args, 65,
			"countcheck: model error: two are called model raymond, number 2 and number 3: each needs a "+
				"Name of its own\n")
	}
	says(t, cmd.Program{Name: "a b"}, []string{"list"}, 65,
		"a b: model error: Program.Name holds a blank or a control character, so nobody can type it\n")
}

// says runs a program that says nothing but one sentence.
func says(t *testing.T, program cmd.Program, args []string, code int, sentence string) {
	t.Helper()
	var out, diag bytes.Buffer
	if is := program.Run(context.Background(), args, nil, &out, &diag); is != code || out.Len() > 0 ||
		diag.String() != sentence {
		t.Errorf("%v: exit code %d, %s%s", args, is, out.String(), diag.String())
	}
}
