package cli

import (
	"io"
	"slices"

	"github.com/spf13/cobra"

	"github.com/atmostk/atmostk/cmd/internal/report"
	"github.com/atmostk/atmostk/cmd/internal/term"
	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/usage"
	"github.com/atmostk/atmostk/traces"
	"github.com/atmostk/atmostk/traces/printable"
)

func (a *app) list() *cobra.Command {
	var format string
	c := &cobra.Command{
		Use:               "list [MODEL ...]",
		Short:             "List the models, or those that are named: files, too",
		Example:           a.examples("% list\n% list --format json"),
		ValidArgsFunction: a.completeSpecs,
		RunE: func(_ *cobra.Command, args []string) error {
			listed := a.Program
			if len(args) > 0 {
				listed.Specs = nil
			}
			for _, name := range args {
				spec, err := a.Spec(name)
				if err != nil {
					return err
				}
				listed.Specs = append(listed.Specs, *spec)
			}
			switch format {
			case "json":
				return printable.EncodeJSON(a.out, listed.catalogue(), "")
			case "schema":
				_, err := io.WriteString(a.out, report.CatalogueSchema)
				return err
			case "text":
			default:
				return usage.Errorf("--format=%s: allowed are text, json and schema", format)
			}
			a.listGroups(listed.Specs, a.out.Width())
			return nil
		},
	}
	c.Flags().StringVar(&format, "format", "text", "form of the list: text; json, with all that the models "+
		"declare; or schema, what both list and show write in JSON")
	return c
}

// others is the heading of the models without Spec.Paper.
const others = "Other published models"

// listGroups lists the models below the papers that they are from, in lines of so many columns.
func (a *app) listGroups(specs []model.Spec, width int) {
	var headings []string
	groups := map[string][]*model.Spec{}
	indent := 0
	for i := range specs {
		s := &specs[i]
		heading := others
		if s.Paper != "" {
			heading = s.Paper
		}
		if !slices.Contains(headings, heading) {
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
