//go:build !js

package cli

import (
	"cmp"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/atmostk/atmostk/cmd/internal/report"
	"github.com/atmostk/atmostk/explore/prove"
	starfile "github.com/atmostk/atmostk/model/starlark"
	"github.com/atmostk/atmostk/model/usage"
	"github.com/atmostk/atmostk/traces/printable"
)

type proveFlags struct {
	Solver  string
	Timeout time.Duration // of a query
	Smt     string        // directory
	Propose bool
	Format  string
}

func (a *app) runProve(c *cobra.Command, args []string, f *proveFlags) error {
	if !strings.HasSuffix(args[0], starfile.Extension) {
		return usage.Errorf("%s: a proof needs a model in a file, NAME%s", args[0], starfile.Extension)
	} else if f.Timeout < time.Second {
		return usage.Errorf("--timeout=%v: allowed are times of 1s or more", f.Timeout)
	} else if err := allowed("solver", f.Solver, machineChoices["prove solver"]...); err != nil {
		return err
	}
	opt := prove.Options{Solvers: []string{f.Solver}, Limit: f.Timeout, Dir: f.Smt, Propose: f.Propose,
		Progress: a.queries(), Workers: runtime.GOMAXPROCS(0)}
	if f.Solver == "both" {
		opt.Solvers = prove.Solvers
	}
	spec, err := a.Spec(args[0])
	if err != nil {
		return err
	}
	parsed, err := starfile.Parse(args[0])
	if err != nil {
		return err
	}
	a.status.Store("proving " + strings.Join(args, " "))
	found, err := prove.Run(c.Context(), spec, parsed, args[1:], opt)
	if _, is := errors.AsType[*prove.Outside](err); is {
		return badInput(err)
	} else if found == nil {
		return err
	} else if err != nil { // the report is written all the same
		err = badOutput(fmt.Errorf("--smt=%s: %w", f.Smt, err))
	}
	doc := &report.Proof{Report: found}
	a.verdict = strings.Join(args, " ") + ": " + string(found.Verdict)
	switch found.Verdict {
	case prove.Proved:
	case prove.Violated, prove.ModelError:
		last := found.Searched[len(found.Searched)-1]
		of, err := a.Instance(args[0], last.Args)
		if err != nil {
			return err
		}
		doc.Found = &report.Check{Subject: of, Named: args[0], Report: last.Report, Width: a.out.Width()}
		if err := a.recordRuns(doc.Found); err != nil {
			return err
		}
		a.code = codeOf(c.Context(), last.Report.Verdict)
	default:
		a.code = codeOf(c.Context(), found.Verdict)
	}
	return cmp.Or(err, a.write(f.Format, doc))
}

// queries shows the progress of queries that take longer than --progress.
func (a *app) queries() func(done, all int) {
	begun, next := time.Now(), a.delay
	return func(done, all int) {
		if elapsed := time.Since(begun); a.delay > 0 && elapsed >= next {
			next = elapsed + 5*time.Second
			printable.Fprintf(a.diag, "%d of %d queries, %v\n", done, all, elapsed.Round(time.Second))
		}
	}
}
