// Package dot writes graphs in the language of Graphviz.
package dot

import (
	"fmt"
	"io"
	"strings"

	"github.com/atmostk/atmostk/traces/printable"
)

// A Graph is a directed one in the making, with at most one edge from one node to another. Its statements stand in
// the order in which they came. Names and values are any text, which is escaped here.
type Graph struct{ b strings.Builder }

// An Attribute is one that Graphviz knows, such as label or shape.
type Attribute struct{ Name, Value string }

// Set gives the graph itself an attribute.
func (g *Graph) Set(a Attribute) { fmt.Fprintf(&g.b, "\t%s=%s;\n", a.Name, quoted(a.Value)) }

// Node adds a node, or attributes to one.
func (g *Graph) Node(name string, as ...Attribute) { g.statement(quoted(name), as) }

// Edge adds an edge, or attributes to one.
func (g *Graph) Edge(from, to string, as ...Attribute) {
	g.statement(quoted(from)+" -> "+quoted(to), as)
}

func (g *Graph) statement(what string, as []Attribute) {
	g.b.WriteString("\t" + what)
	for i, a := range as {
		g.b.WriteString([]string{" [", ", "}[min(i, 1)] + a.Name + "=" + quoted(a.Value))
	}
	if len(as) > 0 {
		g.b.WriteString("]")
	}
	g.b.WriteString(";\n")
}

// Write writes the graph.
func (g *Graph) Write(w io.Writer) error {
	_, err := io.WriteString(w, printable.Document("strict digraph {\n"+g.b.String()+"}\n"))
	return err
}

// quoted is a text as a string of the language, where line ends are spelled.
func quoted(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(s) + `"`
}
