package traces

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/dominikbraun/graph"
	"github.com/dominikbraun/graph/draw"
)

// maxVertices limits the graph; nobody can read a larger one.
const maxVertices = 2000

// asDOT writes what happened before what: the steps of each process in their
// order, each message from its send to its receipt, each notice after its crash.
func asDOT(w io.Writer, r *Run, _ Options) error {
	t := r.Trace
	if n := len(t.Steps) - 1; n > maxVertices {
		return fmt.Errorf("the run has %d steps; as dot at most %d are drawn", n, maxVertices)
	}
	g, err := t.happensBefore()
	if err != nil {
		return err
	}
	var b bytes.Buffer
	if err := draw.DOT(g, &b, draw.GraphAttribute("label", quoted(t.subject()+"\n"+t.claims()))); err != nil {
		return err
	}
	_, err = io.WriteString(w, inOrder(b.String()))
	return err
}

// happensBefore returns the graph of the steps.
func (t *Trace) happensBefore() (graph.Graph[string, string], error) {
	g := graph.New(graph.StringHash, graph.Directed())
	last := map[string]string{}  // the latest step of each process
	sent := map[string]string{}  // the step that sends a message
	crash := map[string]string{} // the step in which a process crashes
	for i := range t.Steps[1:] {
		s := &t.Steps[i+1]
		id := fmt.Sprintf("s%05d", s.Index)
		err := g.AddVertex(id, t.look(s)...)
		err = errors.Join(err, connect(g, last[s.lane()], id, ""))
		if m := s.Received; m != nil {
			err = errors.Join(err, connect(g, sent[m.ID], id, m.ID+" "+m.Text))
		}
		if err = errors.Join(err, connect(g, crash[s.Noticed], id, "notice")); err != nil {
			return nil, err
		}
		last[s.lane()] = id
		for _, m := range s.Sent {
			sent[m.ID] = id
		}
		if s.Crashed {
			crash[s.Node] = id
		}
	}
	return g, nil
}

// look returns the attributes of a step.
func (t *Trace) look(s *Step) []func(*graph.VertexProperties) {
	colour := "white"
	switch {
	case t.excess(s) != "":
		colour = "tomato"
	case s.Crashed:
		colour = "gray"
	case s.uses(s.Node):
		colour = "palegreen"
	}
	label := fmt.Sprintf("%d  %s\n%s", s.Index, s.lane(), oneLine(s.act()))
	return []func(*graph.VertexProperties){
		graph.VertexAttribute("label", quoted(label)), graph.VertexAttribute("shape", "box"),
		graph.VertexAttribute("style", "filled"), graph.VertexAttribute("fillcolor", colour),
		graph.VertexAttribute("group", quoted(s.lane())),
	}
}

// connect adds an edge, if it has a beginning. The edges of a process have no
// label and keep its steps in line.
func connect(g graph.Graph[string, string], from, to, label string) error {
	if from == "" {
		return nil
	}
	if label == "" {
		return g.AddEdge(from, to, graph.EdgeWeight(10))
	}
	err := g.AddEdge(from, to, graph.EdgeAttribute("label", quoted(label)), graph.EdgeAttribute("style", "dashed"))
	if errors.Is(err, graph.ErrEdgeAlreadyExists) { // a message of a process to itself, received next
		return nil
	}
	return err
}

// quoted spells a text as it stands between quotation marks in DOT: the library
// puts the marks and nothing else.
func quoted(s string) string {
	return strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(s)
}

// inOrder sorts the statements of a graph, which the library writes in the order
// of a map, and leaves out empty lines.
func inOrder(dot string) string {
	lines := slices.DeleteFunc(strings.Split(dot, "\n"), func(l string) bool { return strings.TrimSpace(l) == "" })
	isStatement := func(l string) bool { return strings.HasPrefix(l, "\t\"s") }
	first := slices.IndexFunc(lines, isStatement)
	if first >= 0 {
		slices.Sort(lines[first : len(lines)-1]) // the last one closes the graph
	}
	return strings.Join(lines, "\n") + "\n"
}
