package cli

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/atmostk/atmostk/cmd/internal/term"
	"github.com/atmostk/atmostk/explore/lint"
	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/usage"
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
		RunE: func(c *cobra.Command, args []string) error {
			return a.runLint(c.Context(), args, &f)
		},
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
	if f.format != "text" && f.format != "json" {
		return usage.Errorf("--format=%s: allowed are text and json", f.format)
	}
	memory, err := term.MemoryLimit(f.memory)
	if err != nil {
		return err
	}
	var specs []*model.Spec
	for i := range a.Specs {
		if len(names) == 0 {
			specs = append(specs, &a.Specs[i])
		}
	}
	for _, name := range names {
		spec, err := a.Spec(name)
		if err != nil {
			return err
		}
		specs = append(specs, spec)
	}
	for _, spec := range specs {
		found, err := lint.Spec(ctx, spec, lint.Options{Large: f.all, Memory: memory})
		if err != nil {
			return fmt.Errorf("%s: %w", spec.Name, err)
		}
		if code := term.Interrupted(ctx); code != 0 {
			a.code = code
			return nil
		}
		if err := a.lintFindings(spec, found, f); err != nil {
			return err
		}
	}
	return nil
}

// lintFindings writes what was found in a spec, and sets the exit code.
func (a *app) lintFindings(spec *model.Spec, found []lint.Finding, f *lintFlags) error {
	format := f.format
	if format == "text" && len(found) == 0 {
		printable.Fprintf(a.out, "%s  %s\n", term.Good("nothing found"), spec.Name)
	}
	for _, x := range found {
		code, kind := exitViolated, ""
		if x.Model {
			code, kind = exitModel, "model error: "
		} else if x.Note {
			code, kind = exitHolds, "note: "
			if f.strict {
				code = exitViolated
			}
		}
		a.code = max(a.code, code)
		if format == "text" {
			at := spec.Name
			if x.Args != "" {
				at += " " + x.Args
			}
			printable.Fprintf(a.out, "%s: %s%s\n", term.Bold(at), kind, x.What)
			continue
		}
		if err := printable.EncodeJSON(a.out, struct {
			Spec  string `json:"spec"`
			Args  string `json:"arguments,omitempty"`
			What  string `json:"what"`
			Model bool   `json:"model-error,omitempty"`
			Note  bool   `json:"note,omitempty"`
		}{x.Spec, x.Args, x.What, x.Model, x.Note}, ""); err != nil {
			return err
		}
	}
	return nil
}
