package cli

import (
	"bufio"
	"cmp"
	"context"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/atmostk/atmostk/cmd/internal/models"
	"github.com/atmostk/atmostk/cmd/internal/report"
	"github.com/atmostk/atmostk/cmd/internal/term"
	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/usage"
	"github.com/atmostk/atmostk/traces"
	"github.com/atmostk/atmostk/traces/printable"
)

type showFlags struct {
	Draw      string
	MaxStates int
	Format    string
}

func (a *app) runShow(c *cobra.Command, args []string, f *showFlags) error {
	of, err := a.Instance(args[0], args[1:])
	if err != nil {
		return err
	}
	w, draws := bufio.NewWriter(a.out), c.Flags().Changed("draw")
	switch {
	case draws && f.Format == "json":
		return usage.Errorf("--draw draws a picture, and --format is that of a description")
	case draws:
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
		if most < 1 {
			return usage.Errorf("--max-states=%d: allowed are numbers from 1", most)
		}
		states, err := report.StateGraph(ctx, w, of.Instance, most)
		switch {
		case term.Interrupted(ctx) != 0:
			return a.interrupt(ctx, "with "+printable.Plural(states, "state")+"; a part is not drawn")
		case states > most:
			return usage.Errorf("the picture would have more than %s; choose a smaller instance, or set "+
				"--max-states", printable.Plural(most, "state"))
		}
		return err
	}
	if err := allowed("draw", form, machineChoices["show draw"]...); err != nil {
		return err
	}
	if of.Picture == nil {
		var drawn []string
		all, _ := a.Named(nil) // all there are
		for _, s := range all {
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

type listFlags struct{ Format string }

func (a *app) runList(_ *cobra.Command, args []string, f *listFlags) error {
	listed, err := a.Named(args)
	switch {
	case err != nil:
		return err
	case f.Format == "json":
		return report.Catalogue(a.out, a.Tool(), listed)
	}
	a.listGroups(listed, a.out.Width())
	return nil
}

// others is the heading of models without Spec.Paper.
const others = "Other published models"

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
