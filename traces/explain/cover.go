package explain

import (
	"context"
	"fmt"
	"iter"
	"slices"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/lts"
	"github.com/atmostk/atmostk/model/protocol"
)

// A Cover has the items that a log exercises in every run that explains it, and in some. An item is an int
// (an action), an Effect, a Pair or a Transition. Steps without a line count only if no run without them
// explains the log.
type Cover struct {
	Certain, Possible map[any]bool
	Orders            bool // all orders of the lines were tried; otherwise more transitions are possible
	Open              bool // too many runs explain the log: no item is known
}

// A Pair is two consecutive steps of a process, as indices of actions. Before -1: Then is its first step.
type Pair struct{ Before, Then int }

// An Effect is an action with what its handler does: see lts.Transition. It shows which way the handler's
// guards (when, if) went.
type Effect struct {
	Action int
	Does   string
}

// A Transition is a step of a process between two states.
type Transition struct {
	From, To protocol.Code
	Action   int
	Proc     model.Proc
}

// A coverNode is a state of a run with the last action of each process and, if the run explains a log, the
// cut of the log and the number of steps before it.
type coverNode struct {
	choicePoint
	state lts.State
	last  []int
	depth int
	edges []coverEdge
	leads bool // to the end of the log
}

// A coverEdge is a step to a later node, with its items; none if the event of the line did not happen.
type coverEdge struct {
	to    int
	items []any
}

// step returns the node after a step, without its cut, and the items of the step.
func (x *coverNode) step(tr *lts.Transition) (*coverNode, []any) {
	items := []any{tr.Action, Pair{x.last[tr.Proc], tr.Action}}
	if tr.Effect != nil {
		items = append(items, Effect{tr.Action, tr.Effect()})
	}
	if !tr.Pruned && !tr.Outside {
		items = append(items, Transition{x.state.Code(), tr.Next.Code(), tr.Action, tr.Proc})
	}
	to := &coverNode{state: tr.Next, last: slices.Clone(x.last)}
	to.last[tr.Proc] = tr.Action
	return to, items
}

// Everything returns the items that a model has, unless most states, with the last action of each process,
// are not enough; 0: no limit.
func Everything(ctx context.Context, in model.Instance, most int) (items map[any]bool, complete bool) {
	items = map[any]bool{}
	queue, seen := []*coverNode{}, map[string]bool{}
	add := func(x *coverNode) {
		if key := fmt.Sprint(x.state.Code(), x.last); !seen[key] {
			seen[key], queue = true, append(queue, x)
		}
	}
	for _, tr := range in.Plain.Init() {
		add(&coverNode{state: tr.Next, last: slices.Repeat([]int{-1}, in.Interp.N())})
	}
	for ; len(queue) > 0; queue = queue[1:] {
		if ctx.Err() != nil || most > 0 && len(seen) > most {
			return items, false
		}
		for _, tr := range in.Plain.Steps(queue[0].state) {
			if to, of := queue[0].step(&tr); !tr.Pruned && !tr.Outside {
				for _, item := range of {
					items[item] = true
				}
				add(to)
			}
		}
	}
	return items, true
}

// coverNodes is the limit of nodes for the coverage of one log. They take up to a second.
const coverNodes = 10_000

// cover returns the coverage of a log that a run explains.
func (d *decider) cover(ctx context.Context) (*Cover, error) {
	for _, g := range []coverGraph{{bare: true, orders: true}, {bare: true}, {}} {
		p := pass{limit: coverNodes}
		if !g.bare {
			p.hidden, p.tail = d.opt.Hidden, d.opt.Tail
		}
		g.search = &search{matcher: d.matcher, pass: p, memory: d.opt.Memory}
		if complete, err := g.build(ctx); err != nil {
			return nil, err
		} else if c := g.cover(); complete && g.nodes[0].leads {
			return c, nil
		}
	}
	return &Cover{Open: true}, nil
}

// A coverGraph has the runs that explain a log, as paths: without steps that have no line (bare), and with
// all orders of the lines. Otherwise it has all sequences of steps of each process.
type coverGraph struct {
	*search
	bare, orders bool
	nodes        []*coverNode
}

// build adds the nodes, breadth first. It reports whether the graph is complete.
func (g *coverGraph) build(ctx context.Context) (complete bool, err error) {
	n, ids := len(g.names), map[string]int{}
	start := cut{point: g.track.start, explained: make([]int32, n), gap: make([]int32, n)}
	g.nodes = []*coverNode{{choicePoint: choicePoint{cut: start}, state: g.in.Plain.Init()[0].Next,
		last: slices.Repeat([]int{-1}, n)}}
	for i := 0; i < len(g.nodes); i++ {
		x := g.nodes[i]
		if g.states++; g.limitReached(ctx) != "" {
			return false, nil
		}
		if x.leads = x.used() == g.total && len(x.pending) == 0; x.leads {
			continue
		}
		for c := range g.choices(x) {
			to, items, err := g.follow(x, &c)
			if err != nil {
				return false, err
			}
			key := string(fmt.Append(to.appendKey(nil), to.hidden, to.depth, to.last, to.state.Code()))
			at, known := ids[key]
			if !known {
				at = len(g.nodes)
				ids[key], g.nodes = at, append(g.nodes, to)
			}
			x.edges = append(x.edges, coverEdge{at, items})
		}
		x.choicePoint, x.state = choicePoint{}, nil
	}
	return g.bare || !g.doubt && !g.track.Medium.Guards, nil
}

// choices yields the steps that a run may take at x.
func (g *coverGraph) choices(x *coverNode) iter.Seq[choice] {
	return func(yield func(choice) bool) {
		for p := range model.Proc(len(g.names)) {
			if g.orders && g.ready(&x.cut, p) {
				x.offer(p, g.visible(&x.cut, p), false)
			}
		}
		x.final = g.orders // choose adds no others
		for c, more := g.choose(&x.choicePoint); more; c, more = g.choose(&x.choicePoint) {
			if g.overtaking(&x.cut, &c); (!g.bare || !c.hidden) && !yield(c) {
				return
			}
		}
	}
}

// follow takes a step, and executes it with the plain semantics, which has the histories.
func (g *coverGraph) follow(x *coverNode, c *choice) (to *coverNode, items []any, err error) {
	next := g.after(&x.cut, c)
	if to = (&coverNode{state: x.state, last: x.last}); !c.skip {
		tr, err := g.plainStep(x.state, c.proc, c.step.Action, next.point)
		if err != nil {
			return nil, nil, err
		}
		to, items = x.step(tr)
	}
	to.cut, to.via, to.depth = next, nil, x.depth+1 // the path is not needed
	return to, items, nil
}

// cover removes the edges from which no run gets to the end of the log. It returns the items of the others,
// and those of one path without which no path gets to the end.
func (g *coverGraph) cover() *Cover {
	c := &Cover{Orders: g.orders, Certain: map[any]bool{}, Possible: map[any]bool{}}
	for _, x := range slices.Backward(g.nodes) {
		x.edges = slices.DeleteFunc(x.edges, func(e coverEdge) bool { return !g.nodes[e.to].leads })
		x.leads = x.leads || len(x.edges) > 0
		for _, e := range x.edges {
			for _, item := range e.items {
				c.Possible[item] = true
			}
		}
	}
	for x := g.nodes[0]; len(x.edges) > 0; x = g.nodes[x.edges[0].to] {
		for _, item := range x.edges[0].items {
			if _, is := item.(Transition); (g.orders || !is) && !c.Certain[item] && !g.avoidable(item) {
				c.Certain[item] = true
			}
		}
	}
	return c
}

// avoidable reports whether a path without an item gets to the end.
func (g *coverGraph) avoidable(item any) bool {
	reached := make([]bool, len(g.nodes))
	reached[0] = true
	for i, x := range g.nodes {
		if reached[i] && len(x.edges) == 0 {
			return true
		}
		for _, e := range x.edges {
			reached[e.to] = reached[e.to] || reached[i] && !slices.Contains(e.items, item)
		}
	}
	return false
}
