package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/atmostk/atmostk/cmd/internal/term"
	"github.com/atmostk/atmostk/model/usage"
	"github.com/atmostk/atmostk/traces"
	"github.com/atmostk/atmostk/traces/printable"
)

type replayFlags struct {
	As       string
	Minimise bool
	List     bool
}

func (a *app) replay() *cobra.Command {
	var forms, names []string
	for _, form := range a.Forms() {
		forms = append(forms, fmt.Sprintf("  %-8s  %s", form.Name, form.Doc))
		names = append(names, cobra.CompletionWithDesc(form.Name, form.Doc))
	}
	c := verb(a, "replay", &replayFlags{As: "text"}, cobra.MaximumNArgs(1), a.runReplay,
		"{forms}", strings.Join(forms, "\n"))
	offer(c, "as", names...)
	return c
}

func (a *app) runReplay(_ *cobra.Command, args []string, f *replayFlags) error {
	if f.List {
		return a.listLast()
	}
	if !slices.ContainsFunc(a.Forms(), func(form traces.Form) bool { return form.Name == f.As }) {
		return usage.Errorf("--as=%s: `%s help replay` lists the forms", f.As, a.Name)
	}
	run, err := a.loadRun(args)
	if err != nil {
		return err
	}
	if f.Minimise {
		run = traces.Tidy(traces.Minimise(run))
	}
	out := bufio.NewWriter(a.out)
	if err := traces.Render(out, f.As, run, traces.Options{}, a.PageForm()); err != nil {
		return err
	}
	return out.Flush()
}

// loadRun reads the trace that the arguments name, or the last kept one, and replays it.
func (a *app) loadRun(args []string) (*traces.Run, error) {
	file, err := a.replayed(args)
	if err != nil {
		return nil, err
	}
	a.status.Store("executing " + file)
	t, err := traces.ReadFile(file)
	if err != nil {
		return nil, badInput(err)
	}
	if here, err := os.Getwd(); err == nil && filepath.IsAbs(t.Spec) {
		if near, err := filepath.Rel(here, t.Spec); err == nil && filepath.IsLocal(near) {
			t.Spec = near
		}
	}
	var settings []string
	for _, key := range slices.Sorted(maps.Keys(t.Parameters)) {
		if t.Parameters[key] != "" {
			settings = append(settings, key+"="+t.Parameters[key])
		}
	}
	of, err := a.Followed(t.Spec, settings)
	if err != nil {
		return nil, badInput(fmt.Errorf("%s:1: %w", file, err))
	}
	run, err := traces.Replay(of.Instance, t)
	if _, is := errors.AsType[*traces.Mismatch](err); is {
		return nil, failure{fmt.Errorf("%s does not reproduce: %w", file, err), exitDeparts}
	}
	if err != nil {
		return nil, badInput(fmt.Errorf("%s: %w", file, err))
	}
	return run, nil
}

type scenarioFlags struct {
	MaxStates int
	Quiet     bool
	Trace     string
}

func (a *app) scenario() *cobra.Command {
	return verb(a, "scenario", &scenarioFlags{MaxStates: 1_000_000}, cobra.MinimumNArgs(1), a.runScenarios)
}

func (a *app) runScenarios(c *cobra.Command, files []string, f *scenarioFlags) error {
	if f.MaxStates < 1 {
		return usage.Errorf("--max-states=%d: allowed are numbers from 1", f.MaxStates)
	}
	ctx := c.Context()
	w := bufio.NewWriter(a.out)
	for _, file := range files {
		a.status.Store("trying " + file)
		trial, err := a.tryScenario(ctx, file, f.MaxStates)
		if err != nil {
			return err
		}
		if ctx.Err() != nil {
			return a.interrupt(ctx, "")
		}
		word := term.Good("as expected")
		switch {
		case !trial.Decided:
			word = term.Maybe("undecided")
			if a.code == exitHolds {
				a.code = exitUnknown
			}
		case !trial.Expected:
			word, a.code = term.Bad("not as expected"), exitViolated
		}
		printable.Fprintf(w, "%s: %s: %s\n", file, word, trial.Why)
		if trial.Run == nil {
			continue
		}
		if !f.Quiet {
			if err := traces.Render(w, "chart", trial.Run, traces.Options{}); err != nil {
				return err
			}
		}
		if f.Trace != "" {
			if err := traces.WriteFile(f.Trace, trial.Run.Trace); err != nil {
				return badOutput(err)
			}
		}
	}
	return w.Flush()
}

func (a *app) tryScenario(ctx context.Context, file string, limit int) (t traces.Trial, err error) {
	in, err := os.Open(file)
	if err != nil {
		return t, badInput(err)
	}
	defer func() { _ = in.Close() }() // a file that was only read loses nothing
	s, err := traces.ReadScenario(in)
	if err != nil {
		return t, badInput(fmt.Errorf("%s: %w", file, err))
	}
	of, err := a.Instance(s.Spec, s.Args)
	if err == nil {
		t, err = s.Try(ctx, of.Instance, of.Header(""), limit)
	}
	if err != nil {
		return t, badInput(fmt.Errorf("%s: %w", file, err))
	}
	return t, nil
}
