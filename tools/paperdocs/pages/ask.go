package pages

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/atmostk/atmostk/cmd"
	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/usage"
	"github.com/atmostk/atmostk/specs"
	"github.com/atmostk/atmostk/tools/paperdocs/cond"
	"github.com/atmostk/atmostk/tools/paperdocs/experiment"
	"github.com/atmostk/atmostk/traces"
)

// program is the command over all models, which is asked in this process.
var program = cmd.Program{Name: "atmostk", Specs: specs.All}

// An Answer is what a trial found when it was run.
type Answer struct {
	Finding
	Run *traces.Trace // the counterexample; nil: none
}

// A report is what `check --format json` writes, as far as it is needed here.
type report struct {
	Complete        bool
	Stopped         string
	States, Outside int64
	Beyond, Pruned  int64
	Stuck           int64 `json:"rp-stuck"`
	Depth           int
	Properties      []judged
	NotAsked        []struct{ Name string } `json:"not-asked"`
	Mistake         *struct{ What string }  `json:"model-error"`
}

// judged is a property with its verdict.
type judged struct {
	Name, Verdict, Trace string
	Length               *int
	Least, Most          *spent
	Lost                 []struct {
		From         string
		States, Lost int64
	} `json:"out-of-reach"`
}

type spent struct {
	Messages, Requests int
	Endless            bool
}

// check runs the verb check with the words behind it. The error is a usage.Error if they make no sense.
func check(ctx context.Context, words ...string) (*report, error) {
	var out, diag bytes.Buffer
	words = slices.Concat([]string{"check"}, words, []string{"--format", "json"})
	code := program.Run(ctx, words, nil, &out, &diag)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	r := &report{}
	if err := json.Unmarshal(out.Bytes(), r); err != nil {
		text := fmt.Sprintf("atmostk %s: %s", strings.Join(words, " "), strings.TrimSpace(diag.String()))
		if code == 64 {
			return nil, usage.Errorf("%s", text)
		}
		return nil, errors.New(text)
	}
	return r, nil
}

// explored says how much of the state space a search has visited.
func (r *report) explored() string {
	switch {
	case r.Complete && r.Outside > r.Beyond:
		return "complete within the constraint"
	case r.Complete:
		return complete
	}
	return r.Stopped
}

// Ask answers a row, by a search or from the measurements that are kept; the tests compute the others. The
// search stops at a violation: nothing else is asked.
func (r *Row) Ask(ctx context.Context, root string) error {
	switch {
	case r.Computed != "":
		return nil
	case r.Experiment != "":
		return r.measure(root)
	}
	dir, err := os.MkdirTemp("", "paperdocs")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir) //nolint:errcheck // a temporary file
	words := append(strings.Fields(r.Question()), "--trace", filepath.Join(dir, "run.ndjson"))
	found, err := check(ctx, words...)
	if err != nil {
		return err
	}
	a := Answer{Finding: Finding{
		Explored: found.explored(), States: found.States, Pruned: found.Pruned, Stuck: found.Stuck,
	}}
	if m := found.Mistake; m != nil {
		a.Verdict, a.Detail = modelError, m.What
		r.Now = &a
		return nil
	}
	p := &found.Properties[0] // the only one that was asked for
	if a.Verdict = p.Verdict; p.Length != nil {
		a.Length = *p.Length
	}
	var parts []string
	if p.Trace != "" {
		run, err := traces.ReadFile(p.Trace)
		if err != nil {
			return err
		}
		if run.CycleAt != nil {
			parts = append(parts, cycle(len(run.Steps)-1-*run.CycleAt))
		}
		if a.Verdict == violated {
			run.Tool = "" // kept traces do not change with the version
			a.Run = run
		}
	}
	if p.Least != nil {
		parts = append(parts, fmt.Sprintf("least: %s; most: %s", p.Least, p.Most))
	}
	for _, l := range p.Lost {
		parts = append(parts, fmt.Sprintf("%s: out of reach from %s of %s", cmp.Or(l.From, "all states"),
			number(l.Lost), number(l.States)))
	}
	a.Detail = strings.Join(parts, "; ")
	r.Now = &a
	return nil
}

func cycle(steps int) string {
	if steps > 0 {
		return "a cycle of " + plural(steps, "step")
	}
	return "stuttering"
}

func (s *spent) String() string {
	messages := plural(s.Messages, "message")
	switch {
	case s.Endless:
		return "no limit, a cycle can be repeated"
	case s.Requests == 1:
		return messages
	}
	return fmt.Sprintf("%s for %d requests, %.2f each", messages, s.Requests,
		float64(s.Messages)/float64(s.Requests))
}

// measure judges the sentence of an experiment by the numbers that are kept.
func (r *Row) measure(root string) error {
	e, err := experiment.Find(root, r.Experiment)
	if err != nil {
		return err
	}
	v, err := e.Kept(root, r.Sentence)
	if err != nil {
		return err
	}
	r.Now = &Answer{Finding: Finding{Verdict: v.Word(), Explored: v.Simulated(),
		Detail: strings.Join(v.Lines(), "\n")}}
	return nil
}

// instance returns all parameters of an instance, and why no algorithm violates some properties in it.
func instance(name, args string) (values map[string]cond.Value, trivial map[string]string, err error) {
	in, given, err := instantiate(name, strings.Fields(args))
	if err != nil {
		return nil, nil, err
	}
	trivial = map[string]string{}
	for _, p := range in.Space.Properties() {
		if p.Trivial != "" {
			trivial[p.Name] = p.Trivial
		}
	}
	return cond.Words(given.List()), trivial, nil
}

func instantiate(name string, args []string) (model.Instance, *model.Args, error) {
	spec, err := Spec(name)
	if err != nil {
		return model.Instance{}, nil, err
	}
	return spec.Instantiate(args)
}

// Spec returns the model of the given name.
func Spec(name string) (*model.Spec, error) {
	i := slices.IndexFunc(specs.All, func(s model.Spec) bool { return s.Name == name })
	if i < 0 {
		return nil, fmt.Errorf("there is no model %q", name)
	}
	return &specs.All[i], nil
}

// Picture replays a kept counterexample, and shows it in a form.
func Picture(file, form string) (string, error) {
	t, err := traces.ReadFile(file)
	if err != nil {
		return "", err
	}
	var args []string
	for _, key := range slices.Sorted(maps.Keys(t.Parameters)) {
		if t.Parameters[key] != "" {
			args = append(args, key+"="+t.Parameters[key])
		}
	}
	in, _, err := instantiate(t.Spec, args)
	if err != nil {
		return "", fmt.Errorf("%s: %w", file, err)
	}
	run, err := traces.Replay(in, t)
	if err != nil {
		return "", fmt.Errorf("%s: %w", file, err)
	}
	var b strings.Builder
	err = traces.Render(&b, form, run, traces.Options{Width: 110})
	return b.String(), err
}
