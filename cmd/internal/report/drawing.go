package report

import (
	"io"
	"strings"

	"github.com/atmostk/atmostk/cmd/internal/term"
	"github.com/atmostk/atmostk/model/drawing"
	"github.com/atmostk/atmostk/traces/dot"
	"github.com/atmostk/atmostk/traces/printable"
)

// DrawingDOT writes a picture in the DOT language: tree links as arrows, the others dotted.
func DrawingDOT(w io.Writer, d *drawing.Drawing) error {
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

// DrawingText writes a picture as trees of nodes, and lists the other links.
func DrawingText(w io.Writer, d *drawing.Drawing) {
	printable.Fprintln(w, term.Bold(d.Title))
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
		printable.Fprintf(w, "%s%s\n", name, term.Faint(notes[name]))
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
