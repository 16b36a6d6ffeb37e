//go:build !js

package page

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/lts"
	"github.com/atmostk/atmostk/model/usage"
	"github.com/atmostk/atmostk/traces/printable"
)

// Limits of a state graph.
const (
	maxNodes    = 5_000  // that are drawn
	graphStates = 50_000 // that are visited for them
	graphTime   = 3 * time.Second
	mostLabels  = 6 // kinds of steps that an edge names
)

// A stateGraph is the states of a model with the same values of some variables as one node each.
type stateGraph struct {
	Nodes []graphNode `json:"nodes"`
	Edges []graphEdge `json:"edges"`
	Shown []string    `json:"shown"` // variables that labels name: those whose values differ
	Vars  []string    `json:"vars"`  // all
	Text  string      `json:"text"`
	At    int         `json:"at"` // the node of the state that is looked at; -1: it was not visited
}

// A graphNode is one node.
type graphNode struct {
	Label    []string `json:"label"`  // of Shown
	States   int      `json:"states"` // of the model
	Level    int      `json:"level"`  // steps from the beginning, at least
	Violated []int    `json:"violated,omitempty"`
	Ends     bool     `json:"ends,omitempty"` // nothing is enabled in some state of it
	values   []string
}

// A graphEdge stands for all steps from the states of one node to states of another.
type graphEdge struct {
	From  int      `json:"from"`
	To    int      `json:"to"`
	Label []string `json:"label"`
}

// askGraph answers with the state graph from the initial state of a path on, projected on the variables that
// are named; where none is, on all.
func (s *Server) askGraph(ctx context.Context, q *question) (any, error) {
	at, err := s.end(q.Path)
	if err != nil {
		return nil, err
	}
	initial, _, err := Path{Initial: q.Initial}.follow(s.In)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, graphTime)
	defer cancel()
	p := projection{in: s.In, of: q.Vars, numbers: map[string]int{}, edges: map[[2]int]*graphEdge{}}
	return p.graph(ctx, initial, at.Next)
}

// A projection is a state graph in the making.
type projection struct {
	in      model.Instance
	of      []string
	vars    []string
	numbers map[string]int
	g       stateGraph
	edges   map[[2]int]*graphEdge
}

// graph visits the states from a first one on.
func (p *projection) graph(ctx context.Context, initial, at lts.State) (*stateGraph, error) {
	for _, v := range initial.Vars() {
		p.g.Vars = append(p.g.Vars, strings.Trim(v.Owner+"."+v.Name, "."))
	}
	for _, name := range p.of {
		if !slices.Contains(p.g.Vars, name) {
			return nil, fmt.Errorf("there is no variable %q%s", name, usage.Nearest(name, p.g.Vars))
		}
	}
	if p.vars = p.of; len(p.vars) == 0 {
		p.vars = p.g.Vars
	}
	visit, states := &search{in: p.in, ctx: ctx}, 0
	var nodes []int // per state
	visit.met = func(_ int32, t *lts.Transition) {
		n := -1
		if !t.Outside {
			n = p.node(t.Next, len(visit.levels))
			states++
		}
		nodes = append(nodes, n)
	}
	visit.look = func(n int32, _ lts.State, steps []lts.Transition) {
		ends := !slices.ContainsFunc(steps, func(t lts.Transition) bool { return !t.Pruned })
		p.g.Nodes[nodes[n]].Ends = p.g.Nodes[nodes[n]].Ends || ends
	}
	visit.taken = func(n int32, _ lts.State, t *lts.Transition, to int32) {
		if !t.Outside {
			p.join(nodes[n], nodes[to], t)
		}
	}
	visit.full = func() string { return p.limit(states) }
	visit.begin(lts.Transition{Next: initial})
	visit.run(func() bool { return false })
	if visit.fails != "" {
		return nil, atFault(visit.fails)
	}
	p.finish(states, visit.limit)
	p.g.At = -1
	if k, known := p.numbers[strings.Join(p.values(at), "\x00")]; known {
		p.g.At = k
	}
	return &p.g, nil
}

// limit says why no more is visited.
func (p *projection) limit(states int) string {
	switch {
	case len(p.g.Nodes) >= maxNodes:
		return fmt.Sprintf("there are more than %d nodes; fewer variables would merge them", maxNodes)
	case states >= graphStates:
		return fmt.Sprintf("there are more than %d states", graphStates)
	}
	return ""
}

// values are the values of the variables that a state is projected on.
func (p *projection) values(s lts.State) []string {
	now := named(s)
	values := make([]string, len(p.vars))
	for i, name := range p.vars {
		values[i] = now[name]
	}
	return values
}

// node adds a state to its node, and returns the number of the node.
func (p *projection) node(s lts.State, level int) int {
	values := p.values(s)
	key := strings.Join(values, "\x00")
	n, known := p.numbers[key]
	if !known {
		n = len(p.g.Nodes)
		p.numbers[key] = n
		p.g.Nodes = append(p.g.Nodes, graphNode{Level: level, values: values})
	}
	p.g.Nodes[n].States++
	for i, info := range p.in.Space.Properties() {
		violated := info.Kind == model.Invariant && !slices.Contains(p.g.Nodes[n].Violated, i) &&
			p.in.Plain.Judge(s, i)
		if violated {
			p.g.Nodes[n].Violated = append(p.g.Nodes[n].Violated, i)
		}
	}
	return n
}

// join adds a step. One that stays in its node is not drawn.
func (p *projection) join(from, to int, t *lts.Transition) {
	if from == to {
		return
	}
	e := p.edges[[2]int{from, to}]
	if e == nil {
		e = &graphEdge{From: from, To: to}
		p.edges[[2]int{from, to}] = e
	}
	label := strings.TrimSpace(t.Owner + " " + p.in.Space.Actions()[t.Action].Name)
	if len(e.Label) <= mostLabels && !slices.Contains(e.Label, label) {
		e.Label = append(e.Label, label)
	}
}

// finish puts edges in order, and labels nodes with the variables in which they differ.
func (p *projection) finish(states int, full string) {
	g := &p.g
	g.Edges, g.Shown = []graphEdge{}, []string{}
	for _, e := range p.edges {
		g.Edges = append(g.Edges, *e)
	}
	slices.SortFunc(g.Edges, func(a, b graphEdge) int { return (a.From-b.From)*maxNodes*2 + a.To - b.To })
	for i, name := range p.vars {
		differs := slices.ContainsFunc(g.Nodes,
			func(n graphNode) bool { return n.values[i] != g.Nodes[0].values[i] })
		if !differs {
			continue
		}
		g.Shown = append(g.Shown, name)
		for k := range g.Nodes {
			g.Nodes[k].Label = append(g.Nodes[k].Label, g.Nodes[k].values[i])
		}
	}
	g.Text = fmt.Sprintf("%s of %s", printable.Plural(len(g.Nodes), "node"), printable.Plural(states,
		"state"))
	if full != "" {
		g.Text += ": not all, " + full
	}
}
