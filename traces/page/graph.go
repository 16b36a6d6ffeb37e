//go:build !js

package page

import (
	"cmp"
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
	p := projection{in: s.In, numbers: map[string]int{}, edges: map[[2]int]int{}}
	for _, v := range initial.Vars() {
		p.g.Vars = append(p.g.Vars, label(v))
	}
	for _, name := range q.Vars {
		if !slices.Contains(p.g.Vars, name) {
			return nil, fmt.Errorf("there is no variable %q%s", name, usage.Nearest(name, p.g.Vars))
		}
	}
	if p.vars = q.Vars; len(p.vars) == 0 {
		p.vars = p.g.Vars
	}
	return p.graph(ctx, initial, at.Next)
}

// A projection is a state graph in the making.
type projection struct {
	in      model.Instance
	vars    []string       // on which it is projected
	numbers map[string]int // of nodes, by their values
	edges   map[[2]int]int // indices of edges, by their nodes
	g       stateGraph
}

// graph visits the states from a first one on.
func (p *projection) graph(ctx context.Context, initial, at lts.State) (*stateGraph, error) {
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
		if !slices.ContainsFunc(steps, func(t lts.Transition) bool { return !t.Pruned }) {
			p.g.Nodes[nodes[n]].Ends = true
		}
	}
	visit.taken = func(n int32, _ lts.State, t *lts.Transition, to int32) {
		if !t.Outside {
			p.join([2]int{nodes[n], nodes[to]}, t)
		}
	}
	visit.full = func() string {
		switch {
		case len(p.g.Nodes) >= maxNodes:
			return fmt.Sprintf("there are more than %d nodes; fewer variables would merge them", maxNodes)
		case states >= graphStates:
			return fmt.Sprintf("there are more than %d states", graphStates)
		}
		return ""
	}
	visit.begin(lts.Transition{Next: initial})
	visit.run(func() bool { return false })
	if visit.fails != "" {
		return nil, atFault(visit.fails)
	}
	p.g.At = -1
	if k, known := p.numbers[strings.Join(p.values(at), "\x00")]; known {
		p.g.At = k
	}
	p.g.Text = printable.Plural(len(p.g.Nodes), "node") + " of " + printable.Plural(states, "state")
	if visit.limit != "" {
		p.g.Text += ": not all, " + visit.limit
	}
	p.finish()
	return &p.g, nil
}

// values are the values of the variables that a state is projected on.
func (p *projection) values(s lts.State) (values []string) {
	now := named(s)
	for _, name := range p.vars {
		values = append(values, now[name])
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
		p.g.Nodes = append(p.g.Nodes, graphNode{Level: level, Label: values})
	}
	node := &p.g.Nodes[n]
	node.States++
	for i, info := range p.in.Space.Properties() {
		if info.Kind == model.Invariant && !slices.Contains(node.Violated, i) && p.in.Plain.Judge(s, i) {
			node.Violated = append(node.Violated, i)
		}
	}
	return n
}

// join adds a step between two nodes. One that stays in its node is not drawn.
func (p *projection) join(nodes [2]int, t *lts.Transition) {
	if nodes[0] == nodes[1] {
		return
	}
	i, known := p.edges[nodes]
	if !known {
		i = len(p.g.Edges)
		p.edges[nodes] = i
		p.g.Edges = append(p.g.Edges, graphEdge{From: nodes[0], To: nodes[1]})
	}
	e := &p.g.Edges[i]
	name := strings.TrimSpace(t.Owner + " " + p.in.Space.Actions()[t.Action].Name)
	if len(e.Label) <= mostLabels && !slices.Contains(e.Label, name) {
		e.Label = append(e.Label, name)
	}
}

// finish puts edges in order, and labels nodes with the variables in which they differ.
func (p *projection) finish() {
	g := &p.g
	g.Edges, g.Shown = append([]graphEdge{}, g.Edges...), []string{}
	slices.SortFunc(g.Edges, func(a, b graphEdge) int { return cmp.Or(a.From-b.From, a.To-b.To) })
	labels := make([][]string, len(g.Nodes))
	for i, name := range p.vars {
		first := g.Nodes[0].Label[i]
		if !slices.ContainsFunc(g.Nodes, func(n graphNode) bool { return n.Label[i] != first }) {
			continue
		}
		g.Shown = append(g.Shown, name)
		for k := range labels {
			labels[k] = append(labels[k], g.Nodes[k].Label[i])
		}
	}
	for k := range labels {
		g.Nodes[k].Label = labels[k]
	}
}
