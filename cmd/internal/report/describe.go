package report

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/atmostk/atmostk/cmd/internal/models"
	"github.com/atmostk/atmostk/cmd/internal/term"
	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/drawing"
	"github.com/atmostk/atmostk/model/lts"
	"github.com/atmostk/atmostk/model/param"
	"github.com/atmostk/atmostk/model/protocol"
	"github.com/atmostk/atmostk/traces"
	"github.com/atmostk/atmostk/traces/printable"
)

// DescribeText writes the parameters, properties, actions and reference figures of a model for a person.
func DescribeText(w io.Writer, s *models.Subject) {
	spec := s.Spec
	folded(w, 0, "", "", spec.Name+": "+spec.Title, term.Bold)
	if spec.Source != "" {
		folded(w, 0, "", "", spec.Source, term.Faint)
	}
	if spec.Doc != "" {
		line(w, "")
		folded(w, 0, "", "", spec.Doc, nil)
	}
	if len(spec.Params) > 0 {
		line(w, "\n%s", term.Bold("Parameters"))
	}
	for _, p := range spec.Params {
		line(w, "  %s", strings.TrimSuffix(p.Name+"="+p.Default, "="))
		folded(w, 0, "      ", "      ", p.Doc, nil)
		folded(w, 0, "      ", "      ", "allowed: "+p.Type.Allowed, term.Faint)
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
		line(w, "  %s", p.Name)
		folded(w, 0, "      ", "      ", p.Doc, nil)
		folded(w, 0, "      ", "      ", about, term.Faint)
	}
	line(w, "\n%s", term.Bold("Actions"))
	for _, act := range s.Space.Actions() {
		source := printable.Raw("")
		if act.Source != "" {
			source = "  " + term.Faint(act.Source)
		}
		line(w, "  %s%s", act.Name, source)
	}
	if len(s.Types) > 0 {
		line(w, "\n%s", term.Bold("Types"))
	}
	for _, of := range s.Types {
		folded(w, 0, "  ", "      ", of.Name+": "+of.Type, nil)
	}
	if len(spec.References) > 0 {
		line(w, "\n%s", term.Bold("Known figures (complete exploration)"))
	}
	for _, r := range spec.References {
		text := fmt.Sprintf("%s: %s, ", cmp.Or(r.Args, "the defaults"), printable.Plural(r.States, "state"))
		if r.Generated > 0 {
			text += printable.Number(r.Generated) + " generated, "
		}
		text += fmt.Sprintf("depth %d", r.Depth)
		for _, p := range slices.Sorted(maps.Keys(r.Violated)) {
			text += fmt.Sprintf(", %s violated after %s", p, printable.Plural(r.Violated[p], "step"))
		}
		folded(w, 0, "  ", "      ", text+"; "+r.From, nil)
	}
}

// folded writes a text in lines of a width (0: 80 columns), the first behind some blanks, the rest behind
// others; paint colours them, if not nil.
func folded(w io.Writer, width int, first, rest, text string, paint func(string) printable.Raw) {
	for _, part := range traces.Wrap(text, cmp.Or(width, columns)-len(rest)) {
		shown := printable.Raw(printable.Text(part))
		if paint != nil {
			shown = paint(part)
		}
		line(w, "%s%s", first, shown)
		first = rest
	}
}

// Catalogue writes models in the form of list.schema.json; tool is the name and version of this program.
func Catalogue(w io.Writer, tool string, specs []model.Spec) error {
	return printable.EncodeJSON(w, object{{"tool", tool}, {"models", printable.Each(specs, describe)}}, "")
}

// DescribeInstance writes a model with one of its instances for a program.
func DescribeInstance(w io.Writer, s *models.Subject) error {
	return printable.EncodeJSON(w, append(describe(s.Spec), field{"instance", instance(s)}), "")
}

func describe(spec *model.Spec) object {
	return object{
		{"name", spec.Name}, {"title", spec.Title}, {"source", spec.Source}, {"doc", spec.Doc},
		{"parameters", printable.Each(spec.Params, parameter)}, {"references", list(spec.References)},
		{"paper?", spec.Paper}, {"drawn", spec.Picture != nil},
	}
}

// parameter describes a parameter, of the algorithm, the network or the search.
func parameter(p *param.Param) object {
	among := func(ps []param.Param) bool {
		return slices.ContainsFunc(ps, func(q param.Param) bool { return q.Name == p.Name })
	}
	about := "algorithm"
	switch {
	case among(param.Endless()):
		about = "search"
	case among(param.Network("")):
		about = "network"
	}
	return object{{"name", p.Name}, {"doc", p.Doc}, {"default", p.Default}, {"about", about},
		{"form", p.Type.Form}, {"allowed", p.Type.Allowed}, {"range?", p.Type.Range},
		{"words?", p.Type.Words}}
}

func instance(s *models.Subject) object {
	var processes []string
	if s.Interp != nil {
		processes = s.Interp.Names
	}
	kinds := [...]string{protocol.Ordinary: "ordinary", model.Spontaneous: "spontaneous",
		model.Fault: "fault"}
	deliveries := [...]string{lts.AnyDelivery: "", lts.WeakDelivery: "weak", lts.StrongDelivery: "strong"}
	return object{
		{"arguments", s.Parameters()}, {"capacity?", s.Capacity}, {"bounds?", s.Space.Bounds()},
		{"symmetry", s.Space.Reduced()}, {"runnable", s.Interp.Runnable()}, {"processes?", processes},
		{"actions", printable.Each(s.Space.Actions(), func(a *lts.Action) object {
			return object{{"name", a.Name}, {"source?", a.Source}, {"kind", kinds[a.Kind]},
				{"receipt?", a.Receipt}}
		})},
		{"properties", printable.Each(s.Space.Properties(), describeProperty)},
		{"fairness?", s.Space.Fairness()},
		{"delivery?", deliveries[s.Space.Delivery()]}, {"types?", list(s.Types)},
	}
}

func describeProperty(p *model.PropertyInfo) object {
	var costs object
	if b := p.Bound; b != nil {
		costs = object{{"opens?", b.Opens}, {"closes?", b.Closes}, {"least", b.Least}, {"most?", b.Most}}
	}
	lassos := printable.Each(p.Lassos, func(l *lts.LassoInfo) object {
		return object{{"part?", l.Part}, {"initially?", l.Initially}, {"visits", l.Visits}}
	})
	return object{
		{"name", p.Name}, {"doc", p.Doc}, {"source?", p.Source}, {"kind", p.Kind.String()},
		{"units?", p.OfUse}, {"on-request?", p.OnRequest}, {"not-asked-because?", p.Moot},
		{"vacuous-because?", p.Excuse}, {"steps?", p.Steps}, {"out-of-reach-from?", p.Origins},
		{"lassos?", lassos}, {"costs?", costs},
	}
}

// DrawingText writes a picture as trees of nodes, and lists the other links.
func DrawingText(w io.Writer, d *drawing.Drawing) {
	line(w, "%s", term.Bold(d.Title))
	children, hasParent, notes := map[string][]string{}, map[string]bool{}, map[string]string{}
	var others []string
	for _, l := range d.Links {
		if l.Tree {
			children[l.From] = append(children[l.From], l.To)
			hasParent[l.To] = true
		} else {
			others = append(others, l.From+"-"+l.To)
		}
	}
	for _, n := range d.Nodes {
		notes[n.Name] = strings.TrimSuffix(" "+n.Note, " ")
	}
	var below func(name, indent string)
	below = func(name, indent string) {
		line(w, "%s%s", name, term.Faint(notes[name]))
		for i, child := range children[name] {
			branch, further := "├── ", "│   "
			if i == len(children[name])-1 {
				branch, further = "└── ", "    "
			}
			printable.Fprintf(w, "%s%s", indent, branch)
			below(child, indent+further)
		}
	}
	for _, n := range d.Nodes {
		if !hasParent[n.Name] {
			below(n.Name, "")
		}
	}
	if len(others) > 0 {
		line(w, "further links: %s", strings.Join(others, " "))
	}
}
