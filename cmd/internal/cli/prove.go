//go:build !js

package cli

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/atmostk/atmostk/cmd/internal/report"
	"github.com/atmostk/atmostk/explore/prove"
	"github.com/atmostk/atmostk/model"
	starfile "github.com/atmostk/atmostk/model/starlark"
	"github.com/atmostk/atmostk/model/usage"
	"github.com/atmostk/atmostk/traces/printable"
)

// proveFlags are the flags of prove, as given.
type proveFlags struct {
	Solver  string
	Timeout time.Duration // of a query
	Smt     string        // directory
	Format  string
}

func (a *app) prove() *cobra.Command {
	c := verb(a, "prove", &proveFlags{Solver: "z3", Timeout: 30 * time.Second, Format: "text"},
		cobra.MinimumNArgs(1), a.runProve)
	offer(c, "solver", append(slices.Clone(prove.SolverNames), "both")...)
	return c
}

func (a *app) runProve(c *cobra.Command, args []string, f *proveFlags) error {
	ctx := c.Context()
	if !strings.HasSuffix(args[0], starfile.Extension) {
		return usage.Errorf("%s: a proof needs a model in a file, NAME%s", args[0], starfile.Extension)
	}
	if f.Timeout < time.Second {
		return usage.Errorf("--timeout=%v: allowed are times of 1s or more", f.Timeout)
	}
	if err := allowed("solver", f.Solver, append(slices.Clone(prove.SolverNames), "both")...); err != nil {
		return err
	}
	opt := prove.Options{Solvers: []string{f.Solver}, Limit: f.Timeout, Dir: f.Smt}
	if f.Solver == "both" {
		opt.Solvers = prove.SolverNames
	}
	spec, err := a.Spec(args[0])
	if err != nil {
		return err
	}
	if opt.File, err = starfile.Parse(args[0]); err != nil {
		return err
	}
	a.status.Store("proving " + strings.Join(args, " "))
	opt.Progress = a.queries()
	found, err := prove.Run(ctx, spec, args[1:], opt)
	var outside *model.Error
	switch {
	case errors.Is(err, prove.ErrNoSolver):
		return err
	case errors.As(err, &outside):
		return badInput(errors.New(outside.Where + ": " + outside.What))
	case err != nil:
		return err
	}
	doc := &report.Proof{Report: found, Model: args[0], Given: args[1:]}
	a.verdict = strings.Join(args, " ") + ": " + string(found.Verdict)
	switch found.Verdict {
	case prove.Proved:
		a.code = exitHolds
	case prove.Violated:
		a.code = exitViolated
		if doc.Found, err = a.smallCounterexample(args[0], found); err != nil {
			return err
		}
	default:
		a.code = codeOf(ctx, "unknown")
	}
	return a.write(f.Format, doc)
}

// smallCounterexample is the report of the search that has found a violation.
func (a *app) smallCounterexample(name string, found *prove.Report) (*report.Check, error) {
	last := found.Searched[len(found.Searched)-1]
	of, err := a.Instance(name, last.Args)
	if err != nil {
		return nil, err
	}
	c := &report.Check{Subject: of, Named: name, Report: last.Report, Width: a.out.Width()}
	if err := recordRuns(c); err != nil {
		return nil, err
	}
	a.keepLast(c)
	return c, nil
}

// queries shows the progress of queries that take longer than --progress.
func (a *app) queries() func(done, all int) {
	begun := time.Now()
	next := a.delay
	return func(done, all int) {
		if elapsed := time.Since(begun); a.delay > 0 && elapsed >= next {
			next = elapsed + 5*time.Second
			if a.diag.Terminal() {
				next = elapsed + 200*time.Millisecond
				fmt.Fprintf(a.diag, "\r\x1b[K%d of %d queries", done, all)
				if done == all {
					fmt.Fprint(a.diag, "\r\x1b[K")
				}
				return
			}
			printable.Fprintf(a.diag, "%d of %d queries, %v\n", done, all, elapsed.Round(time.Second))
		}
	}
}
