package model_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/atmostk/atmostk/explore"
	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/traces"
)

// How the mistakes of faults_test.go are met: by a search, and again by the run that leads there.

// TestFaults makes each mistake, and compares its error with docs/model-mistakes.ndjson.
func TestFaults(t *testing.T) {
	var rows []mistakeRow
	for _, f := range faults {
		e, length := met(t, f.what, f.build, 1)
		if again, _ := met(t, f.what, f.build, 3); e == nil || again == nil || *e != *again {
			t.Errorf("%s: with one worker %v, with three %v", f.what, e, again)
			continue
		}
		if length != f.length {
			t.Errorf("%s: after %d steps, want %d", f.what, length, f.length)
		}
		if e.Where == "" && !strings.Contains(e.What, "accepts") {
			t.Errorf("%s: no line is named in %v", f.what, e)
		}
		rows = append(rows, mistakeRow{"during the search", f.what,
			line.ReplaceAllString(strings.TrimPrefix(e.Error(), "model error: "), "")})
	}
	for _, f := range slices.Concat(impurities, ofOthers) { // by one worker, for what they share
		e, length := met(t, f.what, f.build, 1)
		if e == nil {
			continue
		}
		if length != f.length {
			t.Errorf("%s: after %d steps, want %d: %v", f.what, length, f.length, e)
		}
		if !e.Impure() && !strings.Contains(e.What, "the time before") {
			t.Errorf("%s: no two results in %v", f.what, e)
		}
		rows = append(rows, mistakeRow{"during the search", f.what,
			line.ReplaceAllString(strings.TrimPrefix(e.Error(), "model error: "), "")})
	}
	asKept(t, rows)
}

// met searches a model and returns the mistake that was met. The run that leads there has to
// be one that a trace shows, and that the trace reproduces.
func met(t *testing.T, what string, build func() model.Instance, workers int) (e *model.Error, length int) {
	t.Helper()
	in := build()
	r, err := explore.Run(context.Background(), in, explore.Options{Workers: workers})
	if errors.As(err, &e) { // before the search
		return e, -1
	}
	if err != nil {
		t.Errorf("%s: %v", what, err)
		return nil, -1
	}
	if r.Mistake == nil || r.Verdict != explore.ModelError || r.Complete {
		t.Errorf("%s: verdict %s, complete %v", what, r.Verdict, r.Complete)
		return nil, -1
	}
	if r.Mistake.Path != nil {
		reproduce(t, what, in, r.Mistake)
	}
	return r.Mistake.Error, r.Mistake.Length
}

// reproduce keeps the run to a mistake as a trace, and executes that.
func reproduce(t *testing.T, what string, in model.Instance, m *explore.Mistake) {
	t.Helper()
	var states []model.State
	for _, step := range m.Path {
		states = append(states, step.State)
	}
	h := traces.Header{Spec: "x", Parameters: map[string]string{}, Property: m.Part,
		Mistake: traces.NewMistake(m.Error)}
	run, err := traces.FromPath(in, h, states, make([]string, len(states)))
	if err != nil {
		t.Errorf("%s: no trace: %v", what, err)
		return
	}
	var b strings.Builder
	if err := traces.Write(&b, run.Trace); err != nil {
		t.Fatal(err)
	}
	read, err := traces.Read(strings.NewReader(b.String()))
	if err != nil {
		t.Errorf("%s: %v in\n%s", what, err, b.String())
		return
	}
	again, err := traces.Replay(in, read)
	if m.Impure() && err != nil { // which need not show again
		return
	}
	if err != nil || len(again.Trace.Steps)-1 != m.Length {
		t.Errorf("%s: replayed: %v, want %d steps in\n%s", what, err, m.Length, b.String())
		return
	}
	for _, form := range traces.Forms {
		if err := traces.Render(&strings.Builder{}, form.Name, again, traces.Options{}); err != nil {
			t.Errorf("%s as %s: %v", what, form.Name, err)
		}
	}
}
