package cli

import (
	"bufio"
	"cmp"
	"context"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/atmostk/atmostk/cmd/internal/report"
	"github.com/atmostk/atmostk/cmd/internal/term"
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
			spec, in, values, err := a.Instance(args[0], args[1:])
			if err != nil {
				return err
			}
			w := bufio.NewWriter(a.out)
			switch {
			case c.Flags().Changed("draw"):
				err = a.draw(c.Context(), w, spec, in, values, drawn, most)
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

// mostDrawn is how many states a person can still read in a picture.
const mostDrawn = 300

// draw writes the picture of an instance, or its state graph.
func (a *app) draw(ctx context.Context, w io.Writer, spec *model.Spec, in model.Instance,
	values *model.Args, form string, most int) error {
	switch form {
	case "text", "dot":
	case "states":
		states, err := report.StateGraph(ctx, w, in, most)
		switch {
		case term.Interrupted(ctx) != 0:
			return a.interrupt(ctx, "with "+printable.Plural(states, "state")+"; nothing is drawn of a part")
		case states > most:
			return usage.Errorf("there are more than %d states, too many for a picture to be read; a "+
				"smaller instance, or --max-states, helps", most)
		}
		return err
	default:
		return usage.Errorf("--draw=%s: allowed are text, dot and states", form)
	}
	if spec.Draw == nil {
		var drawn []string
		for _, s := range a.Specs {
			if s.Draw != nil {
				drawn = append(drawn, s.Name)
			}
		}
		return usage.Errorf("%s has no picture; those with one are %s", spec.Name,
			cmp.Or(strings.Join(drawn, ", "), "none"))
	}
	d := spec.Draw(values)
	switch {
	case values.Err() != nil:
		return values.Err()
	case form == "dot":
		return report.DrawingDOT(w, &d)
	}
	report.DrawingText(w, &d)
	return nil
}

func showSpec(w io.Writer, spec *model.Spec, space model.Space) {
	printable.Fprintf(w, "%s: %s\n", term.Bold(spec.Name), spec.Title)
	if spec.Source != "" {
		printable.Fprintf(w, "%s\n", term.Faint(spec.Source))
	}
	if spec.Doc != "" {
		printable.Fprintf(w, "\n%s\n", printable.Lines(spec.Doc))
	}
	if len(spec.Params) > 0 {
		printable.Fprintf(w, "\n%s\n", term.Bold("Parameters"))
	}
	for _, p := range spec.Params {
		printable.Fprintf(w, "  %s\n      %s\n      %s\n", name(p), p.Doc,
			term.Faint("allowed: "+p.Type.Allowed))
	}
	printable.Fprintf(w, "\n%s\n", term.Bold("Properties"))
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
		printable.Fprintf(w, "  %s\n      %s\n      %s\n", p.Name, p.Doc, term.Faint(about+request))
	}
	printable.Fprintf(w, "\n%s\n", term.Bold("Actions"))
	for _, act := range space.Actions() {
		printable.Fprintf(w, "  %s", act.Name)
		if act.Source != "" {
			printable.Fprintf(w, "  %s", term.Faint(act.Source))
		}
		printable.Fprintln(w)
	}
	if len(spec.References) > 0 {
		printable.Fprintf(w, "\n%s\n", term.Bold("Known figures (complete exploration)"))
	}
	for _, r := range spec.References {
		printable.Fprintf(w, "  %s: %s, ", r.Args, printable.Plural(r.States, "state"))
		if r.Generated > 0 {
			printable.Fprintf(w, "%s generated, ", printable.Number(r.Generated))
		}
		printable.Fprintf(w, "depth %d", r.Depth)
		for _, p := range slices.Sorted(maps.Keys(r.Violated)) {
			printable.Fprintf(w, ", %s violated after %s", p, printable.Plural(r.Violated[p], "step"))
		}
		printable.Fprintf(w, "  %s\n", term.Faint(r.From))
	}
}

// name writes a parameter with its default.
func name(p param.Param) string {
	if p.Default == "" {
		return p.Name
	}
	return p.Name + "=" + p.Default
}
