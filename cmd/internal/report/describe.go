package report

import (
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/atmostk/atmostk/cmd/internal/models"
	"github.com/atmostk/atmostk/cmd/internal/term"
	"github.com/atmostk/atmostk/traces/printable"
)

// DescribeText writes the parameters, properties, actions and reference figures of a model for a person.
func DescribeText(w io.Writer, s *models.Subject) {
	spec := s.Spec
	line(w, "%s: %s", term.Bold(spec.Name), spec.Title)
	if spec.Source != "" {
		line(w, "%s", term.Faint(spec.Source))
	}
	if spec.Doc != "" {
		line(w, "\n%s", printable.Lines(spec.Doc))
	}
	if len(spec.Params) > 0 {
		line(w, "\n%s", term.Bold("Parameters"))
	}
	for _, p := range spec.Params {
		name := p.Name
		if p.Default != "" {
			name += "=" + p.Default
		}
		line(w, "  %s\n      %s\n      %s", name, p.Doc, term.Faint("allowed: "+p.Type.Allowed))
	}
	line(w, "\n%s", term.Bold("Properties"))
	for _, p := range s.Space.Properties() {
		about := p.Kind.String()
		if p.Source != "" {
			about += "; " + p.Source
		}
		if p.OnRequest {
			about += ", only with --property"
		} else if p.Moot != "" {
			about += ", here only with --property: " + p.Moot
		}
		line(w, "  %s\n      %s\n      %s", p.Name, p.Doc, term.Faint(about))
	}
	line(w, "\n%s", term.Bold("Actions"))
	for _, act := range s.Space.Actions() {
		source := printable.Raw("")
		if act.Source != "" {
			source = "  " + term.Faint(act.Source)
		}
		line(w, "  %s%s", act.Name, source)
	}
	if len(spec.References) > 0 {
		line(w, "\n%s", term.Bold("Known figures (complete exploration)"))
	}
	for _, r := range spec.References {
		text := fmt.Sprintf("%s: %s, ", r.Args, printable.Plural(r.States, "state"))
		if r.Generated > 0 {
			text += printable.Number(r.Generated) + " generated, "
		}
		text += fmt.Sprintf("depth %d", r.Depth)
		for _, p := range slices.Sorted(maps.Keys(r.Violated)) {
			text += fmt.Sprintf(", %s violated after %s", p, printable.Plural(r.Violated[p], "step"))
		}
		line(w, "  %s  %s", text, term.Faint(r.From))
	}
}
