package traces

import (
	"fmt"
	"io"

	"github.com/atmostk/atmostk/traces/dot"
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
	g := dot.New()
	g.Set(dot.Attribute{Name: "label", Value: t.subject() + "\n" + t.claims()})
	last := map[string]string{}  // the latest step of each process
	sent := map[string]string{}  // the step that sends a message
	crash := map[string]string{} // the step in which a process crashes
	for i := range t.Steps[1:] {
		s := &t.Steps[i+1]
		id := fmt.Sprintf("s%05d", s.Index)
		g.Node(id, t.look(s)...)
		if before := last[s.lane()]; before != "" { // edges of a process keep its steps in line
			g.Edge(before, id, dot.Attribute{Name: "weight", Value: "10"})
		}
		if m := s.Received; m != nil {
			connect(g, sent[m.ID], id, m.ID+" "+m.Text)
		}
		connect(g, crash[s.Noticed], id, "notice")
		last[s.lane()] = id
		for _, m := range s.Sent {
			sent[m.ID] = id
		}
		if s.Crashed {
			crash[s.Node] = id
		}
	}
	return g.Write(w)
}

// look returns the attributes of a step.
func (t *Trace) look(s *Step) []dot.Attribute {
	colour := "white"
	switch {
	case t.excess(s) != "":
		colour = "tomato"
	case s.Crashed:
		colour = "gray"
	case s.uses(s.Node):
		colour = "palegreen"
	}
	return []dot.Attribute{
		{Name: "label", Value: fmt.Sprintf("%d  %s\n%s", s.Index, s.lane(), oneLine(s.act()))},
		{Name: "shape", Value: "box"}, {Name: "style", Value: "filled"}, {Name: "fillcolor", Value: colour},
		{Name: "group", Value: s.lane()},
	}
}

// connect adds an edge between processes, if it has a beginning.
func connect(g *dot.Graph, from, to, label string) {
	if from != "" {
		g.Edge(from, to, dot.Attribute{Name: "label", Value: label}, dot.Attribute{Name: "style",
			Value: "dashed"})
	}
}
