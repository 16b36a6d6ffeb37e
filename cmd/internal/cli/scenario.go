package cli

import (
	"cmp"
	"context"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/atmostk/atmostk/cmd/internal/term"
	"github.com/atmostk/atmostk/model/usage"
	"github.com/atmostk/atmostk/traces"
	"github.com/atmostk/atmostk/traces/printable"
)

type scenarioFlags struct {
	MaxStates int
	Quiet     bool
	Trace     string
}

func (a *app) runScenarios(c *cobra.Command, files []string, f *scenarioFlags) error {
	if f.MaxStates < 1 {
		return usage.Errorf("--max-states=%d: allowed are numbers from 1", f.MaxStates)
	}
	ctx := c.Context()
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
			a.code = cmp.Or(a.code, exitUnknown)
		case !trial.Expected:
			word, a.code = term.Bad("not as expected"), exitViolated
		}
		printable.Fprintf(a.out, "%s: %s: %s\n", file, word, trial.Why)
		if trial.Run == nil {
			continue
		}
		if !f.Quiet {
			err = traces.Render(a.out, "chart", trial.Run, traces.Options{Width: a.out.Columns()})
		}
		if err = cmp.Or(err, writeTraces(f.Trace, []*traces.Run{trial.Run})); err != nil {
			return err
		}
	}
	return nil
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
	of, err := a.Played(s.Spec, s.Args)
	if err == nil {
		t, err = s.Try(ctx, of.Instance, of.Header(""), limit)
	}
	if err != nil {
		return t, badInput(fmt.Errorf("%s: %w", file, err))
	}
	return t, nil
}
