// Package dot writes graphs in the language of Graphviz: topologies, state graphs and wait-for graphs.
package dot

import (
	"errors"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/dominikbraun/graph"

	"github.com/atmostk/atmostk/traces/printable"
)

// A Graph is a directed one in the making, with at most one edge from one node to another. Its nodes and
// edges are written in the order in which they came: the library keeps them in the order of a map,
// and the template by which it draws makes a program in a browser a third larger. Names and values are any
// text, which is escaped here.
type Graph struct {
	kept  graph.Graph[string, string]
	nodes []string
	edges [][2]string
	err   error
}

// An Attribute is one that Graphviz knows, such as label or shape.
type Attribute struct{ Name, Value string }

// New returns a graph without nodes.
func New() *Graph { return &Graph{kept: graph.New(graph.StringHash, graph.Directed())} }

// Node adds a node.
func (g *Graph) Node(name string, as ...Attribute) {
	g.err = errors.Join(g.err, g.kept.AddVertex(name, graph.VertexAttributes(values(as))))
	g.nodes = append(g.nodes, name)
}

// Edge adds an edge between two nodes, or attributes to the one that there is.
func (g *Graph) Edge(from, to string, as ...Attribute) {
	err := g.kept.AddEdge(from, to, graph.EdgeAttributes(values(as)))
	if errors.Is(err, graph.ErrEdgeAlreadyExists) {
		err = g.kept.UpdateEdge(from, to, func(p *graph.EdgeProperties) {
			maps.Copy(p.Attributes,
				values(as))
		})
	} else {
		g.edges = append(g.edges, [2]string{from, to})
	}
	g.err = errors.Join(g.err, err)
}

func values(as []Attribute) map[string]string {
	m := map[string]string{}
	for _, a := range as {
		m[a.Name] = a.Value
	}
	return m
}

// Write writes the graph. An error is one of writing, or a node that is twice, or an edge whose end is no
// node.
func (g *Graph) Write(w io.Writer) error {
	var b strings.Builder
	b.WriteString("strict digraph {\n")
	err := g.err
	for _, name := range g.nodes {
		_, is, wrong := g.kept.VertexWithProperties(name)
		err = errors.Join(err, wrong)
		statement(&b, quoted(name), is.Attributes)
	}
	for _, e := range g.edges {
		is, wrong := g.kept.Edge(e[0], e[1])
		err = errors.Join(err, wrong)
		statement(&b, quoted(e[0])+" -> "+quoted(e[1]), is.Properties.Attributes)
	}
	if err != nil {
		return err
	}
	b.WriteString("}\n")
	_, err = io.WriteString(w, printable.Document(b.String()))
	return err
}

// statement writes a node or an edge, with its attributes by name.
func statement(b *strings.Builder, what string, attributes map[string]string) {
	b.WriteString("\t" + what)
	for i, name := range slices.Sorted(maps.Keys(attributes)) {
		b.WriteString([]string{" [", ", "}[min(i, 1)] + name + "=" + quoted(attributes[name]))
	}
	if len(attributes) > 0 {
		b.WriteString("]")
	}
	b.WriteString(";\n")
}

// quoted is a text as a string of the language, where line ends are spelled.
func quoted(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(s) + `"`
}
