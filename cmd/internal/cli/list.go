package cli

import (
	"cmp"

	"github.com/spf13/cobra"

	"github.com/atmostk/atmostk/cmd/internal/report"
	"github.com/atmostk/atmostk/cmd/internal/term"
	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/traces"
	"github.com/atmostk/atmostk/traces/printable"
)

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
