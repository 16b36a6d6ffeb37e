package cmd

import (
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/atmostk/atmostk/traces/printable"
)

func (a *app) list() *cobra.Command {
	return &cobra.Command{
		Use:     "list",
		Short:   "List the models",
		Example: a.examples("% list"),
		Args:    cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			w := tabwriter.NewWriter(a.out, 0, 0, 2, ' ', 0)
			for _, s := range a.Specs {
				printable.Fprintf(w, "%s\t%s\t%s\n", s.Name, s.Title, s.Source)
			}
			return w.Flush()
		},
	}
}
