package report

import (
	"context"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/lts"
	"github.com/atmostk/atmostk/traces/dot"
)

// StateGraph writes the state graph of an instance in the DOT language, and returns its number of states. It
// writes nothing of a graph of more than most states, or when the context has ended.
func StateGraph(ctx context.Context, w io.Writer, in model.Instance, most int) (states int, err error) {
	g := stateGraph(ctx, in, most)
	if ctx.Err() != nil || len(g.nodes) > most {
		return len(g.nodes), nil
	}
	return len(g.nodes), g.dot(w)
}

// picture is a state graph in the making.
type picture struct {
	in      model.Instance
	numbers map[string]int // of states, by their keys
	nodes   []pictureNode
	edges   map[[2]int][]string // labels
}

type pictureNode struct {
	state    lts.State
	initial  bool
	terminal bool
	violates bool
}

// stateGraph explores an instance, until there are more states than most or ctx has ended.
func stateGraph(ctx context.Context, in model.Instance, most int) *picture {
	g := &picture{in: in, numbers: map[string]int{}, edges: map[[2]int][]string{}}
	for _, t := range in.Plain.Init() {
		if !t.Outside {
			g.nodes[g.number(t.Next)].initial = true
		}
	}
	for i := 0; i < len(g.nodes) && len(g.nodes) <= most && ctx.Err() == nil; i++ {
		steps := in.Plain.Steps(g.nodes[i].state)
		g.nodes[i].terminal = len(steps) == 0
		for _, t := range steps {
			if len(g.nodes) > most || ctx.Err() != nil { // one state can have a hundred thousand successors
				break
			}
			if !t.Pruned && !t.Outside {
				edge := [2]int{i, g.number(t.Next)}
				g.edges[edge] = append(g.edges[edge], t.Text())
			}
		}
	}
	return g
}

// number returns the number of a state.
func (g *picture) number(s lts.State) int {
	n, known := g.numbers[s.Key()]
	if !known {
		n = len(g.nodes)
		g.numbers[s.Key()] = n
		g.nodes = append(g.nodes, pictureNode{state: s, violates: g.violates(s)})
	}
	return n
}

func (g *picture) violates(s lts.State) bool {
	for i, p := range g.in.Space.Properties() {
		if p.Kind == model.Invariant && !p.OnRequest && g.in.Plain.Judge(s, i) {
			return true
		}
	}
	return false
}

func (g *picture) dot(w io.Writer) error {
	d := dot.New()
	for i, n := range g.nodes {
		attrs := []dot.Attribute{{Name: "label", Value: label(n.state)}, {Name: "shape", Value: "box"}}
		if n.initial {
			attrs = append(attrs, dot.Attribute{Name: "peripheries", Value: "2"})
		}
		if n.terminal {
			attrs = append(attrs, filled...)
		}
		if n.violates {
			attrs = append(attrs, dot.Attribute{Name: "color", Value: "red"}, dot.Attribute{Name: "fontcolor",
				Value: "red"})
		}
		d.Node(strconv.Itoa(i), attrs...)
	}
	edges := slices.SortedFunc(maps.Keys(g.edges),
		func(a, b [2]int) int { return slices.Compare(a[:], b[:]) })
	for _, e := range edges {
		d.Edge(strconv.Itoa(e[0]), strconv.Itoa(e[1]), dot.Attribute{Name: "label",
			Value: strings.Join(g.edges[e], "\n")})
	}
	return d.Write(w)
}

// filled is the look of a node that is dead, or from which nothing goes on.
var filled = []dot.Attribute{{Name: "style", Value: "filled"}, {Name: "fillcolor", Value: "lightgrey"}}

// label is a state in short: the first variable of each process, and all that belong to none.
func label(s lts.State) string {
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
	return strings.Join(lines, "\n")
}
