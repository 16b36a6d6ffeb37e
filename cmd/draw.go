package cmd

import (
	"cmp"
	"io"
	"strings"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/drawing"
	"github.com/atmostk/atmostk/model/usage"
	"github.com/atmostk/atmostk/traces/dot"
	"github.com/atmostk/atmostk/traces/printable"
)

// draw writes the picture of an instance.
func (a *app) draw(w io.Writer, spec *model.Spec, values *model.Args, form string) error {
	if form != "text" && form != "dot" {
		return usage.Errorf("--draw=%s: allowed are text, dot and states", form)
	}
	if spec.Draw == nil {
		return usage.Errorf("%s has no picture; those with one are %s", spec.Name,
			cmp.Or(strings.Join(a.drawn(), ", "), "none"))
	}
	d, err := spec.Draw(values)
	if err != nil {
		return err
	}
	if form == "dot" {
		return drawDOT(w, &d)
	}
	drawText(w, &d)
	return nil
}

// drawn are the names of the models with a picture.
func (a *app) drawn() (names []string) {
	for _, s := range a.Specs {
		if s.Draw != nil {
			names = append(names, s.Name)
		}
	}
	return names
}

// drawDOT writes a picture in the DOT language: tree links as arrows, the others dotted.
func drawDOT(w io.Writer, d *drawing.Drawing) error {
	g := dot.New()
	for _, n := range d.Nodes {
		attrs := []dot.Attribute{{Name: "label", Value: strings.TrimSuffix(n.Name+"\n"+n.Note, "\n")}}
		if n.Dead {
			attrs = append(attrs, filled...)
		}
		g.Node(n.Name, attrs...)
	}
	for _, l := range d.Links {
		if l.Tree {
			g.Edge(l.From, l.To, dot.Attribute{Name: "style", Value: "bold"})
		} else {
			g.Edge(l.From, l.To, dot.Attribute{Name: "style", Value: "dotted"}, dot.Attribute{Name: "dir",
				Value: "none"})
		}
	}
	return g.Write(w)
}

// drawText writes a picture as trees of nodes, and lists what other links there are.
func drawText(w io.Writer, d *drawing.Drawing) {
	printable.Fprintln(w, bold(d.Title))
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
		printable.Fprintf(w, "%s%s\n", name, faint(notes[name]))
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
		printable.Fprintf(w, "further links: %s\n", strings.Join(others, " "))
	}
}
