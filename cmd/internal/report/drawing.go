package report

import (
	"context"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/atmostk/atmostk/cmd/internal/term"
	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/drawing"
	"github.com/atmostk/atmostk/model/lts"
	"github.com/atmostk/atmostk/traces/dot"
	"github.com/atmostk/atmostk/traces/printable"
)

// attributes returns the attributes of a node or an edge, given as name=value.
func attributes(texts ...string) (as []dot.Attribute) {
	for _, text := range texts {
		name, value, _ := strings.Cut(text, "=")
		as = append(as, dot.Attribute{Name: name, Value: value})
	}
	return as
}

// filled is the look of a state without a successor.
var filled = attributes("style=filled", "fillcolor=lightgrey")

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

// StateGraph writes the state graph of an instance in the DOT language, and returns its number of states. It
// writes nothing of a graph of more than most states, or when the context has ended.
func StateGraph(ctx context.Context, w io.Writer, in model.Instance, most int) (states int, err error) {
	g := dot.New()
	var found []lts.State
	numbers := map[string]int{} // of states, by their keys
	number := func(s lts.State) int {
		if _, known := numbers[s.Key()]; !known {
			numbers[s.Key()] = len(found)
			found = append(found, s)
		}
		return numbers[s.Key()]
	}
	for _, t := range in.Plain.Init() {
		if !t.Outside {
			number(t.Next)
		}
	}
	initial := len(found)
	type edge struct {
		from, to int
		label    string
	}
	var edges []edge
	over := func() bool { return len(found) > most || ctx.Err() != nil }
	for i := 0; i < len(found) && !over(); i++ {
		labels := map[int]string{} // by the number of the successor
		steps := in.Plain.Steps(found[i])
		for _, t := range steps {
			if over() { // one state can have a hundred thousand successors
				return len(found), nil
			}
			if !t.Pruned && !t.Outside {
				to := number(t.Next)
				labels[to] = strings.TrimPrefix(labels[to]+"\n"+t.Text(), "\n")
			}
		}
		for _, to := range slices.Sorted(maps.Keys(labels)) {
			edges = append(edges, edge{i, to, labels[to]})
		}
		g.Node(strconv.Itoa(i), stateLook(in, found[i], i < initial, len(steps) == 0)...)
	}
	if over() {
		return len(found), nil
	}
	for _, e := range edges {
		g.Edge(strconv.Itoa(e.from), strconv.Itoa(e.to), attributes("label="+e.label)...)
	}
	return len(found), g.Write(w)
}

// stateLook is the look of a state: its label, and whether it is initial, final, or violates an invariant.
// The label is the first variable of each process, and all that belong to none.
func stateLook(in model.Instance, s lts.State, initial, final bool) []dot.Attribute {
	var lines []string
	last := ""
	for _, v := range s.Vars() {
		switch {
		case v.Owner == "":
			lines = append(lines, v.Name+" "+v.Value)
		case v.Owner != last && v.Name == "crashed":
			lines = append(lines, v.Owner+" dead")
		case v.Owner != last:
			lines = append(lines, strings.TrimSpace(v.Owner+" "+v.Value))
		}
		last = v.Owner
	}
	look := attributes("label="+strings.Join(lines, "\n"), "shape=box")
	if initial {
		look = append(look, attributes("peripheries=2")...)
	}
	if final {
		look = append(look, filled...)
	}
	for i, p := range in.Space.Properties() {
		if p.Kind == model.Invariant && !p.OnRequest && in.Plain.Judge(s, i) {
			return append(look, attributes("color=red", "fontcolor=red")...)
		}
	}
	return look
}
