package cmd

import (
	"bufio"
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/spf13/cobra"

	"github.com/atmostk/atmostk/model"
)

func (a *app) show() *cobra.Command {
	return &cobra.Command{
		Use:   "show SPEC",
		Short: "Show a model's parameters, properties and reference figures",
		Example: `  atmostk show raymond
  atmostk show 2pc`,
		Args:              cobra.ExactArgs(1),
		ValidArgsFunction: a.completeSpecs,
		RunE: func(_ *cobra.Command, args []string) error {
			spec, err := a.spec(args[0])
			if err != nil {
				return err
			}
			in, _, err := spec.Instantiate(nil)
			if err != nil {
				return err
			}
			w := bufio.NewWriter(a.out)
			showSpec(w, spec, in.Space)
			return w.Flush()
		},
	}
}

func showSpec(w io.Writer, spec *model.Spec, space model.Space) {
	fmt.Fprintf(w, "%s: %s\n%s\n\n%s\n", bold(spec.Name), spec.Title, faint(spec.Source), spec.Doc)
	if len(spec.Params) > 0 {
		fmt.Fprintf(w, "\n%s\n", bold("Parameters"))
	}
	for _, p := range spec.Params {
		fmt.Fprintf(w, "  %s\n      %s\n      %s\n", name(p), p.Doc, faint("allowed: "+p.Type.Allowed))
	}
	fmt.Fprintf(w, "\n%s\n", bold("Properties"))
	for _, p := range space.Properties() {
		request := ""
		if p.OnRequest {
			request = ", only with --property"
		}
		fmt.Fprintf(w, "  %s\n      %s\n      %s\n", p.Name, p.Doc, faint(fmt.Sprintf("%s; %s%s", p.Kind, p.Source, request)))
	}
	fmt.Fprintf(w, "\n%s\n", bold("Actions"))
	for _, act := range space.Actions() {
		fmt.Fprintf(w, "  %s", act.Name)
		if act.Source != "" {
			fmt.Fprintf(w, "  %s", faint(act.Source))
		}
		fmt.Fprintln(w)
	}
	if len(spec.References) > 0 {
		fmt.Fprintf(w, "\n%s\n", bold("Known figures (complete exploration)"))
	}
	for _, r := range spec.References {
		fmt.Fprintf(w, "  %s: %s, ", r.Args, plural(int64(r.States), "state"))
		if r.Generated > 0 {
			fmt.Fprintf(w, "%s generated, ", number(int64(r.Generated)))
		}
		fmt.Fprintf(w, "depth %d", r.Depth)
		for _, p := range slices.Sorted(maps.Keys(r.Violated)) {
			fmt.Fprintf(w, ", %s violated after %s", p, plural(int64(r.Violated[p]), "step"))
		}
		fmt.Fprintf(w, "  %s\n", faint(r.From))
	}
}

// name writes a parameter with its default.
func name(p model.Param) string {
	if p.Default == "" {
		return p.Name
	}
	return p.Name + "=" + p.Default
}
