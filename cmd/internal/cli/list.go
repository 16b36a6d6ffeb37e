package cli

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/atmostk/atmostk/cmd/internal/models"
	"github.com/atmostk/atmostk/cmd/internal/report"
	"github.com/atmostk/atmostk/cmd/internal/term"
	"github.com/atmostk/atmostk/explore/lint"
	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/usage"
	"github.com/atmostk/atmostk/traces"
	"github.com/atmostk/atmostk/traces/printable"
)

type listFlags struct{ Format string }

func (a *app) list() *cobra.Command {
	run := func(_ *cobra.Command, args []string, f *listFlags) error {
		listed, err := a.specs(args)
		switch {
		case err != nil:
			return err
		case f.Format == "json":
			return report.Catalogue(a.out, a.Tool(), listed)
		}
		a.listGroups(listed, a.out.Width())
		return nil
	}
	return verb(a, "list", &listFlags{"text"}, nil, run)
}

// others is the heading of models without Spec.Paper.
const others = "Other published models"

// specs returns the models with the given names; without names all models of the program.
func (a *app) specs(names []string) (all []model.Spec, err error) {
	if len(names) == 0 {
		return a.Specs, nil
	}
	for _, name := range names {
		spec, err := a.Spec(name)
		if err != nil {
			return nil, err
		}
		all = append(all, *spec)
	}
	return all, nil
}

// listGroups lists the models grouped by their papers, in lines of at most width columns.
func (a *app) listGroups(specs []model.Spec, width int) {
	var headings []string
	groups := map[string][]*model.Spec{}
	indent := 0
	for i := range specs {
		s := &specs[i]
		heading := cmp.Or(s.Paper, others)
		if groups[heading] == nil {
			headings = append(headings, heading)
		}
		groups[heading] = append(groups[heading], s)
		indent = max(indent, len(s.Name)+4)
	}
	for i, heading := range headings {
		if i > 0 {
			printable.Fprintln(a.out)
		}
		if len(headings) > 1 || heading != others {
			for _, line := range traces.Wrap(heading, width) {
				printable.Fprintf(a.out, "%s\n", term.Bold(line))
			}
		}
		for _, s := range groups[heading] {
			text := s.Title
			if heading == others && s.Source != "" {
				text += "; " + s.Source
			}
			name := "  " + s.Name
			for _, line := range traces.Wrap(text, max(20, width-indent)) {
				printable.Fprintf(a.out, "%-*s%s\n", indent, name, line)
				name = ""
			}
		}
	}
}

type showFlags struct {
	Draw      string
	MaxStates int
	Format    string
}

func (a *app) show() *cobra.Command {
	return verb(a, "show", &showFlags{MaxStates: mostDrawn, Format: "text"}, cobra.MinimumNArgs(1), a.runShow)
}

func (a *app) runShow(c *cobra.Command, args []string, f *showFlags) error {
	of, err := a.Instance(args[0], args[1:])
	if err != nil {
		return err
	}
	w := bufio.NewWriter(a.out)
	switch {
	case c.Flags().Changed("draw"):
		err = a.draw(c.Context(), w, of, f.Draw, f.MaxStates)
	case f.Format == "json":
		err = report.DescribeInstance(w, of)
	default:
		report.DescribeText(w, of)
	}
	return cmp.Or(err, w.Flush())
}

// mostDrawn is the most states of a picture that people can still read.
const mostDrawn = 300

// draw writes the picture of an instance, or its state graph.
func (a *app) draw(ctx context.Context, w io.Writer, of *models.Subject, form string, most int) error {
	if form == "states" {
		states, err := report.StateGraph(ctx, w, of.Instance, most)
		switch {
		case term.Interrupted(ctx) != 0:
			return a.interrupt(ctx, "with "+printable.Plural(states, "state")+"; a part is not drawn")
		case states > most:
			return usage.Errorf("there are more than %d states, too many for a readable picture; choose a "+
				"smaller instance, or set --max-states", most)
		}
		return err
	}
	if err := allowed("draw", form, machineChoices["show draw"]...); err != nil {
		return err
	}
	if of.Picture == nil {
		var drawn []string
		for _, s := range a.Specs {
			if s.Picture != nil {
				drawn = append(drawn, s.Name)
			}
		}
		return usage.Errorf("%s has no picture; models with pictures: %s", of.Spec.Name,
			cmp.Or(strings.Join(drawn, ", "), "none"))
	}
	d := of.Picture(of.Plain.Init()[0].Next)
	d.Title = cmp.Or(d.Title, of.Spec.Title)
	report.DrawingText(w, &d)
	return nil
}

type lintFlags struct {
	All    bool
	Strict bool
	Memory string
	Format string
}

func (a *app) lint() *cobra.Command {
	return verb(a, "lint", &lintFlags{Format: "text"}, nil, a.runLint)
}

func (a *app) runLint(c *cobra.Command, names []string, f *lintFlags) error {
	ctx := c.Context()
	memory, err := term.MemoryLimit(f.Memory)
	if err != nil {
		return err
	}
	specs, err := a.specs(names)
	if err != nil {
		return err
	}
	for i := range specs {
		found, err := lint.Spec(ctx, &specs[i], lint.Options{Large: f.All, Memory: memory})
		if err != nil {
			return fmt.Errorf("%s: %w", specs[i].Name, err)
		}
		if code := term.Interrupted(ctx); code != 0 {
			a.code = code
			return nil
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
	case x.Note:
		kind = "note: "
		if !f.Strict {
			code = exitHolds
		}
	}
	a.code = max(a.code, code)
	if f.Format == "json" {
		return printable.EncodeJSON(a.out, x, "")
	}
	printable.Fprintf(a.out, "%s: %s%s\n", term.Bold(strings.TrimSpace(x.Spec+" "+x.Args)), kind, x.What)
	return nil
}
