package report

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/dominikbraun/graph"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/lts"
	"github.com/atmostk/atmostk/traces/printable"
)

// StateGraph writes the state graph of an instance in the DOT language, and returns its number of states. It
// writes nothing of a graph of more than most states, or when the context has ended.
func StateGraph(ctx context.Context, w io.Writer, in model.Instance, most int) (states int, err error) {
	g := graph.New(graph.IntHash, graph.Directed())
	var found []lts.State
	numbers := map[string]int{} // of states, by their keys
	number := func(s lts.State) int {
		if _, known := numbers[s.Key()]; !known {
			numbers[s.Key()] = len(found)
			found = append(found, s)
			_ = g.AddVertex(len(found) - 1) // it is new
		}
		return numbers[s.Key()]
	}
	for _, t := range in.Plain.Init() {
		if !t.Outside {
			number(t.Next)
		}
	}
	initial := len(found)
	var b strings.Builder
	b.WriteString("strict digraph {\n")
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
		for to, label := range labels {
			_ = g.AddEdge(i, to, graph.EdgeAttribute("label", label)) // both nodes are there, the edge is new
		}
		fmt.Fprintf(&b, "\t\"%d\" [%s];\n", i, stateLook(in, found[i], i < initial, len(steps) == 0))
	}
	if over() {
		return len(found), nil
	}
	edges, err := g.AdjacencyMap()
	for from := range found {
		for _, to := range slices.Sorted(maps.Keys(edges[from])) {
			label := edges[from][to].Properties.Attributes["label"]
			fmt.Fprintf(&b, "\t\"%d\" -> \"%d\" [label=%s];\n", from, to, quoted(label))
		}
	}
	b.WriteString("}\n")
	_, failed := io.WriteString(w, printable.Document(b.String()))
	return len(found), cmp.Or(err, failed)
}

// quoted is a text as a string of the DOT language, where line ends are spelled.
func quoted(s string) string {
	escapes := strings.NewReplacer(`&`, `&amp;`, `\`, `\\`, `"`, `\"`, "\n", `\n`)
	return `"` + escapes.Replace(string(printable.Lines(s))) + `"`
}

// stateLook is the look of a state: its label, and whether it is initial, final, or violates an invariant.
// The label has the first variable of each process, and all variables without a process.
func stateLook(in model.Instance, s lts.State, initial, final bool) string {
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
	look := []string{"label=" + quoted(strings.Join(lines, "\n")), `shape="box"`}
	if initial {
		look = append(look, `peripheries="2"`)
	}
	if final {
		look = append(look, `fillcolor="lightgrey"`, `style="filled"`)
	}
	for i, p := range in.Space.Properties() {
		if p.Kind == model.Invariant && !p.OnRequest && in.Plain.Judge(s, i) {
			look = append(look, `color="red"`, `fontcolor="red"`)
			break
		}
	}
	slices.Sort(look) // by name
	return strings.Join(look, ", ")
}
