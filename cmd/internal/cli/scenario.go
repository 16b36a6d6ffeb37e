package cli

import (
	"bufio"
	"context"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/atmostk/atmostk/cmd/internal/term"
	"github.com/atmostk/atmostk/model/usage"
	"github.com/atmostk/atmostk/traces"
	"github.com/atmostk/atmostk/traces/printable"
)

// scenarioFlags are the flags of scenario, as given.
type scenarioFlags struct {
	limit int
	quiet bool
	trace string
}

func (a *app) scenario() *cobra.Command {
	var f scenarioFlags
	c := &cobra.Command{
		Use:   "scenario FILE ...",
		Short: "Try scenarios: runs of which some events are known, and what is expected of them",
		Long: `A scenario is a text file. The first line names a model, the second what is expected,
every other one is a step as reports describe it; three dots stand for any steps.

  model raymond n=3 k=2 rounds=2,1,0 crashes=1
  expect violated capacity-naive
  p1 request
  ...
  p3 crash
  ...

Expected may be: possible, impossible, violated PROPERTY, reached PROPERTY (by some run that is
like that), or holds PROPERTY (after all of them). The page of explore saves a run as one.

Exit codes: 0 all are as expected, 1 one is not, 2 one is undecided, as there are too many runs,
3 a file cannot be used, 64 wrong use, 65 the model itself is at fault.`,
		Example: a.examples("% scenario stale.scenario\n% scenario tests/*.scenario --quiet"),
		Args:    cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, files []string) error {
			if f.limit < 1 {
				return usage.Errorf("--max-states=%d: allowed are 1 and more", f.limit)
			}
			return a.runScenarios(c.Context(), files, &f)
		},
	}
	c.Flags().IntVar(&f.limit, "max-states", 1_000_000,
		"look at so many states and lines of the scenario at most")
	c.Flags().BoolVar(&f.quiet, "quiet", false, "show no runs")
	c.Flags().StringVar(&f.trace, "trace", "",
		"write the run that was found, of the last scenario with one, to this file")
	return c
}

// runScenarios tries scenarios, and says of each what came of it.
func (a *app) runScenarios(ctx context.Context, files []string, f *scenarioFlags) error {
	w := bufio.NewWriter(a.out)
	for _, file := range files {
		a.status.Store("trying " + file)
		trial, err := a.tryScenario(ctx, file, f.limit)
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
		if !f.quiet {
			if err := traces.Render(w, "chart", trial.Run, traces.Options{}); err != nil {
				return err
			}
		}
		if f.trace != "" {
			if err := traces.WriteFile(f.trace, trial.Run.Trace); err != nil {
				return badOutput(err)
			}
		}
	}
	return w.Flush()
}

// tryScenario tries the scenario in a file.
func (a *app) tryScenario(ctx context.Context, file string, limit int) (t traces.Trial, err error) {
	in, err := os.Open(file)
	if err != nil {
		return t, badInput(err)
	}
	defer func() { _ = in.Close() }() // it was only read
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
