package claims

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/atmostk/atmostk/cmd"
	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/usage"
	"github.com/atmostk/atmostk/specs"
	"github.com/atmostk/atmostk/tools/paperdocs/cond"
	"github.com/atmostk/atmostk/traces"
	"github.com/atmostk/atmostk/traces/printable"
)

// program is the command over all models, which runs in this process.
var program = cmd.Program{Name: "atmostk", Specs: specs.All}

// A report is the part of `check --format json` that is needed here.
type report struct {
	Complete        bool
	Stopped         string
	States, Outside int64
	Beyond, Pruned  int64
	Stuck           int64 `json:"rp-stuck"`
	Depth           int
	Properties      []property
	NotAsked        []struct{ Name string } `json:"not-asked"`
	Mistake         *struct{ What string }  `json:"model-error"`
}

// A property with its verdict.
type property struct {
	Name, Verdict, Trace string
	Length               *int
	Least, Most          *cost
	Lost                 []struct {
		From         string
		States, Lost int64
	} `json:"out-of-reach"`
}

type cost struct {
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

// search answers a row by a search.
func (r *Row) search(ctx context.Context) error {
	dir, err := os.MkdirTemp("", "paperdocs")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir) //nolint:errcheck // a temporary file
	words := append(strings.Fields(r.Question()), "--trace", filepath.Join(dir, "run.ndjson"))
	if r.Limit > 0 {
		words = append(words, "--max-states", fmt.Sprint(r.Limit))
	}
	found, err := check(ctx, words...)
	if err != nil {
		return err
	}
	r.Run = nil
	r.Now = &Finding{Explored: found.explored(), States: found.States, Pruned: found.Pruned,
		Stuck: found.Stuck}
	if m := found.Mistake; m != nil {
		r.Now.Verdict, r.Now.Detail = modelError, m.What
		return nil
	}
	p := &found.Properties[0] // the only one that was asked for
	if r.Now.Verdict = p.Verdict; p.Length != nil {
		r.Now.Length = *p.Length
	}
	lasso := ""
	if p.Trace != "" {
		run, err := traces.ReadFile(p.Trace)
		if err != nil {
			return err
		}
		lasso = cycle(run)
		if p.Verdict == violated {
			run.Tool = "" // kept traces do not change with the version
			r.Run = run
		}
	}
	r.Now.Detail = joined("; ", lasso, p.detail())
	return nil
}

// cycle describes the cycle of a run without end; "": it ends.
func cycle(run *traces.Trace) string {
	if run.CycleAt == nil {
		return ""
	}
	if steps := len(run.Steps) - 1 - *run.CycleAt; steps > 0 {
		return "a cycle of " + plural(int64(steps), "step")
	}
	return "stuttering"
}

// detail has the costs of a property, and the states from which a goal is out of reach.
func (p *property) detail() string {
	var parts []string
	if p.Least != nil {
		parts = append(parts, fmt.Sprintf("least: %s; most: %s", p.Least, p.Most))
	}
	for _, l := range p.Lost {
		parts = append(parts, fmt.Sprintf("%s: out of reach from %s of %s", cmp.Or(l.From, "all states"),
			printable.Number(l.Lost), printable.Number(l.States)))
	}
	return strings.Join(parts, "; ")
}

func (s *cost) String() string {
	messages := plural(int64(s.Messages), "message")
	switch {
	case s.Endless:
		return "no limit, a cycle can be repeated"
	case s.Requests == 1:
		return messages
	}
	return fmt.Sprintf("%s for %d requests, %.2f each", messages, s.Requests,
		float64(s.Messages)/float64(s.Requests))
}

// instance returns all parameters of an instance, and for properties that no algorithm violates in it why.
func instance(name, args string) (values map[string]cond.Value, moot map[string]string, err error) {
	spec, err := Spec(name)
	if err != nil {
		return nil, nil, err
	}
	in, given, err := spec.Instantiate(strings.Fields(args))
	if err != nil {
		return nil, nil, err
	}
	moot = map[string]string{}
	for _, p := range in.Space.Properties() {
		if p.Trivial != "" {
			moot[p.Name] = p.Trivial
		}
	}
	return cond.Words(given.List()), moot, nil
}

// Spec returns the model of the given name.
func Spec(name string) (*model.Spec, error) {
	i := slices.IndexFunc(specs.All, func(s model.Spec) bool { return s.Name == name })
	if i < 0 {
		return nil, fmt.Errorf("there is no model %q", name)
	}
	return specs.All[i].Loaded(), nil
}
