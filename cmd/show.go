package cmd

import (
	"bufio"
	"io"
	"maps"
	"slices"

	"github.com/spf13/cobra"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/param"
	"github.com/atmostk/atmostk/model/usage"
	"github.com/atmostk/atmostk/traces/printable"
)

func (a *app) show() *cobra.Command {
	var drawn, format string
	var most int
	c := &cobra.Command{
		Use:   "show SPEC [key=value ...]",
		Short: "Show a model's parameters, properties and reference figures, or its picture",
		Example: a.examples(`% show @raymond
% show @vcube-tree n=8 dead=4 --draw text
% show @vcube-tree n=8 --draw dot | dot -Tsvg > tree.svg
% show @raymond n=2 k=1 --draw states | dot -Tsvg > states.svg`),
		Args:              cobra.MinimumNArgs(1),
		ValidArgsFunction: a.completeSpecs,
		RunE: func(c *cobra.Command, args []string) error {
			spec, in, values, err := a.instance(args[0], args[1:])
			if err != nil {
				return err
			}
			w := bufio.NewWriter(a.out)
			switch {
			case drawn == "states":
				err = a.drawStates(c.Context(), w, in, most)
			case c.Flags().Changed("draw"):
				err = a.draw(w, spec, values, drawn)
			case format == "json":
				shown := describe(spec)
				shown.Instance = describeInstance(in, values)
				err = printable.EncodeJSON(w, shown, "")
			case format == "text":
				showSpec(w, spec, in.Space)
			default:
				err = usage.Errorf("--format=%s: allowed are text and json", format)
			}
			if err != nil {
				return err
			}
			return w.Flush()
		},
	}
	c.Flags().StringVar(&drawn, "draw", "",
		"draw the model's topology, as text or as dot for Graphviz, or the graph of all states, also for "+
			"Graphviz: text, dot or states; initial states have a double border, final ones are grey, and "+
			"states that violate an invariant red")
	c.Flags().IntVar(&most, "max-states", mostDrawn, "the largest graph of states that is drawn")
	c.Flags().StringVar(&format, "format", "text", "form of the description: text or json")
	return c
}

func showSpec(w io.Writer, spec *model.Spec, space model.Space) {
	printable.Fprintf(w, "%s: %s\n", bold(spec.Name), spec.Title)
	if spec.Source != "" {
		printable.Fprintf(w, "%s\n", faint(spec.Source))
	}
	if spec.Doc != "" {
		printable.Fprintf(w, "\n%s\n", printable.Lines(spec.Doc))
	}
	if len(spec.Params) > 0 {
		printable.Fprintf(w, "\n%s\n", bold("Parameters"))
	}
	for _, p := range spec.Params {
		printable.Fprintf(w, "  %s\n      %s\n      %s\n", name(p), p.Doc, faint("allowed: "+p.Type.Allowed))
	}
	printable.Fprintf(w, "\n%s\n", bold("Properties"))
	for _, p := range space.Properties() {
		request := ""
		if p.OnRequest {
			request = ", only with --property"
		} else if p.Moot != "" {
			request = ", here only with --property: " + p.Moot
		}
		about := p.Kind.String()
		if p.Source != "" {
			about += "; " + p.Source
		}
		printable.Fprintf(w, "  %s\n      %s\n      %s\n", p.Name, p.Doc, faint(about+request))
	}
	printable.Fprintf(w, "\n%s\n", bold("Actions"))
	for _, act := range space.Actions() {
		printable.Fprintf(w, "  %s", act.Name)
		if act.Source != "" {
			printable.Fprintf(w, "  %s", faint(act.Source))
		}
		printable.Fprintln(w)
	}
	if len(spec.References) > 0 {
		printable.Fprintf(w, "\n%s\n", bold("Known figures (complete exploration)"))
	}
	for _, r := range spec.References {
		printable.Fprintf(w, "  %s: %s, ", r.Args, plural(int64(r.States), "state"))
		if r.Generated > 0 {
			printable.Fprintf(w, "%s generated, ", number(int64(r.Generated)))
		}
		printable.Fprintf(w, "depth %d", r.Depth)
		for _, p := range slices.Sorted(maps.Keys(r.Violated)) {
			printable.Fprintf(w, ", %s violated after %s", p, plural(int64(r.Violated[p]), "step"))
		}
		printable.Fprintf(w, "  %s\n", faint(r.From))
	}
}

// name writes a parameter with its default.
func name(p param.Param) string {
	if p.Default == "" {
		return p.Name
	}
	return p.Name + "=" + p.Default
}
