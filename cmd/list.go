package cmd

import (
	"io"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/traces/printable"
)

func (a *app) list() *cobra.Command {
	var format string
	c := &cobra.Command{
		Use:     "list",
		Short:   "List the models",
		Example: a.examples("% list\n% list --format json"),
		Args:    cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			switch format {
			case "json":
				return printable.EncodeJSON(a.out, a.catalogue(), "")
			case "schema":
				_, err := io.WriteString(a.out, catalogueSchema)
				return err
			case "text":
			default:
				return model.Usage("--format=%s: allowed are text, json and schema", format)
			}
			w := tabwriter.NewWriter(a.out, 0, 0, 2, ' ', 0)
			for _, s := range a.Specs {
				printable.Fprintf(w, "%s\t%s", s.Name, s.Title)
				if s.Source != "" {
					printable.Fprintf(w, "\t%s", s.Source)
				}
				printable.Fprintln(w)
			}
			return w.Flush()
		},
	}
	c.Flags().StringVar(&format, "format", "text", "form of the list: text; json, with all that the models declare; or schema, what both list and show write in JSON")
	return c
}
