package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/atmostk/atmostk/cmd/internal/term"
	"github.com/atmostk/atmostk/explore/lint"
	"github.com/atmostk/atmostk/traces/printable"
)

type lintFlags struct {
	All    bool
	Strict bool
	Memory string
	Format string
}

func (a *app) runLint(c *cobra.Command, names []string, f *lintFlags) error {
	ctx := c.Context()
	memory, err := term.MemoryLimit(f.Memory)
	if err != nil {
		return err
	}
	specs, err := a.Named(names)
	if err != nil {
		return err
	}
	for i := range specs {
		a.status.Store("linting " + specs[i].Name)
		found, err := lint.Spec(ctx, &specs[i], lint.Options{Large: f.All, Memory: memory})
		if err != nil {
			return fmt.Errorf("%s: %w", specs[i].Name, err)
		}
		if ctx.Err() != nil {
			return a.interrupt(ctx, "")
		}
		if f.Format == "text" && len(found) == 0 {
			printable.Fprintf(a.out, "%s  %s\n", term.Good("nothing found"), specs[i].Name)
		}
		for _, x := range found {
			if err := a.lintFinding(x, f); err != nil {
				return err
			}
		}
	}
	return nil
}

// lintFinding writes a finding, and raises the exit code.
func (a *app) lintFinding(x lint.Finding, f *lintFlags) error {
	code, kind := exitViolated, ""
	switch {
	case x.Model:
		code, kind = exitModel, "model error: "
	case x.Note && f.Strict:
		kind = "note: "
	case x.Note:
		code, kind = exitHolds, "note: "
	}
	a.code = max(a.code, code)
	if f.Format == "json" {
		return printable.EncodeJSON(a.out, x, "")
	}
	printable.Fprintf(a.out, "%s: %s%s\n", term.Bold(strings.TrimSpace(x.Spec+" "+x.Args)), kind, x.What)
	return nil
}
