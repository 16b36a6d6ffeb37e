package cli

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/atmostk/atmostk/cmd/internal/term"
	"github.com/atmostk/atmostk/explore/lint"
	"github.com/atmostk/atmostk/traces/printable"
)

// lintFlags are the flags of lint, as given.
type lintFlags struct {
	all    bool
	strict bool
	memory string
	format string
}

func (a *app) lint() *cobra.Command {
	var f lintFlags
	c := &cobra.Command{
		Use:   "lint [SPEC ...]",
		Short: "Look for mistakes in models: figures, properties that hold of nothing",
		Long: `Checks what the models declare, explores the instances whose figures are known, with
all properties but costs, and tells figures that differ and properties that hold of
nothing without the model saying why; and notes which actions happen and which
variables change in no such instance. A model without such instances is explored with
its defaults. Without a name, all models.

Exit codes: 0 nothing was found, 1 something was, 65 a model is at fault.`,
		Example: a.examples(`% lint
% lint @raymond bas --all`),
		ValidArgsFunction: a.completeSpecs,
		RunE:              func(c *cobra.Command, args []string) error { return a.runLint(c.Context(), args, &f) },
	}
	flags := c.Flags()
	flags.BoolVar(&f.all, "all", false, "also the instances that take long")
	flags.BoolVar(&f.strict, "strict", false, "exit code 1 also for notes")
	flags.StringVar(&f.memory, "memory", "", "give up an instance before taking more memory, such as 64M "+
		"or 8G; default: four fifths of what is available")
	flags.StringVar(&f.format, "format", "text",
		"form of the report: text or json, an object in a line for each finding")
	return c
}

func (a *app) runLint(ctx context.Context, names []string, f *lintFlags) error {
	if err := allowed("format", f.format, "text", "json"); err != nil {
		return err
	}
	memory, err := term.MemoryLimit(f.memory)
	if err != nil {
		return err
	}
	specs, err := a.specs(names)
	if err != nil {
		return err
	}
	for i := range specs {
		found, err := lint.Spec(ctx, &specs[i], lint.Options{Large: f.all, Memory: memory})
		if err != nil {
			return fmt.Errorf("%s: %w", specs[i].Name, err)
		}
		if code := term.Interrupted(ctx); code != 0 {
			a.code = code
			return nil
		}
		if f.format == "text" && len(found) == 0 {
			printable.Fprintf(a.out, "%s  %s\n", term.Good("nothing found"), specs[i].Name)
		}
		for k := range found {
			if err := a.lintFinding(&found[k], f); err != nil {
				return err
			}
		}
	}
	return nil
}

// lintFinding writes a finding, and sets the exit code.
func (a *app) lintFinding(x *lint.Finding, f *lintFlags) error {
	code, kind := exitViolated, ""
	switch {
	case x.Model:
		code, kind = exitModel, "model error: "
	case x.Note && !f.strict:
		code, kind = exitHolds, "note: "
	case x.Note:
		kind = "note: "
	}
	a.code = max(a.code, code)
	if f.format == "text" {
		printable.Fprintf(a.out, "%s: %s%s\n", term.Bold(strings.TrimSpace(x.Spec+" "+x.Args)), kind, x.What)
		return nil
	}
	return printable.EncodeJSON(a.out, struct {
		Spec  string `json:"spec"`
		Args  string `json:"arguments,omitempty"`
		What  string `json:"what"`
		Model bool   `json:"model-error,omitempty"`
		Note  bool   `json:"note,omitempty"`
	}(*x), "")
}
