package explore

import (
	"fmt"
	"slices"

	"github.com/atmostk/atmostk/explore/graph"
	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/lts"
)

// An Extreme is the least or the most that a bound counted, in a run that shows it.
type Extreme struct {
	Count    int
	Requests int  // for bounds on whole runs: by how many requests the count is divided
	Endless  bool // there is no most: a cycle of the run can be repeated
	Path     []Step
}

// A costRun is an extreme before its run was confirmed.
type costRun struct {
	Extreme
	process int      // or whole
	nodes   []uint32 // of the run, from an initial state
	opens   int      // index of the node from which the opening step leads
	longer  bool     // it is the most
}

// judgeCosts judges Costs property i after a complete search: exactly, by the least and
// the most that is counted along all runs. Counting uses the graph of visited states,
// where a state stands for all runs that lead there.
func (s *search) judgeCosts(i int, p *Result) error {
	processes := []int{whole}
	if !p.Bound.Whole() {
		processes = s.openers(p.Bound)
	}
	var least, most *costRun
	for _, process := range processes {
		g := s.countFor(i, process)
		c := g.count(s)
		lo, hi := g.extremes(c)
		if lo == nil {
			continue
		}
		if least == nil || lo.less(least) {
			least = s.locate(g, c.leastFrom, lo)
		}
		if most == nil || most.less(hi) {
			if most = s.locate(g, c.mostFrom, hi); hi.Endless {
				most = s.repeat(g, c, p.Bound)
			}
		}
	}
	if least == nil {
		p.Verdict, p.Vacuous = Holds, s.uncounted(p.Bound)
		return nil
	}
	for _, e := range []*costRun{least, most} {
		if err := s.confirmCost(e, i, p); err != nil {
			return err
		}
	}
	p.Verdict, p.Least, p.Most = Holds, &least.Extreme, &most.Extreme
	for _, e := range []*Extreme{p.Most, p.Least} {
		if p.Verdict == Holds && !p.Bound.Allows(e.Count, e.Requests) {
			p.Verdict, p.Path, p.Length = Violated, e.Path, len(e.Path)-1
		}
	}
	return nil
}

// openers returns the processes that take opening steps.
func (s *search) openers(b *model.Bound) (processes []int) {
	opens, g := lts.Named(s.report.Actions, b.Opens), s.graph()
	var found model.Set
	for k := range g.distinct {
		if l := g.distinct[k].Label; g.distinct[k].kind != away && opens[l.Action] {
			found = found.With(model.Proc(l.Proc))
		}
	}
	for p := range found.Each() {
		processes = append(processes, int(p))
	}
	return processes
}

// less reports whether e counts less than f, for each request.
func (e *costRun) less(f *costRun) bool {
	if e.Endless || f.Endless {
		return f.Endless && !e.Endless
	}
	return e.Count*f.Requests < f.Count*e.Requests
}

// extremes returns the least and the most that was counted at closings, with the
// closing in place of nodes; nil if nothing was.
func (g *costGraph) extremes(c *pathCosts) (least, most *costRun) {
	for k, cl := range g.closings {
		if c.least[cl.from] == notCounted {
			continue
		}
		lo := &costRun{process: g.process, nodes: []uint32{uint32(k)}}
		lo.Count, lo.Requests = int(c.least[cl.from])+int(cl.weight), int(cl.requests)
		hi := &costRun{process: g.process, nodes: lo.nodes, longer: true}
		hi.Count, hi.Requests = int(c.most[cl.from])+int(cl.weight), int(cl.requests)
		hi.Endless = c.most[cl.from] == endless
		if least == nil || lo.less(least) {
			least = lo
		}
		if most == nil || most.less(hi) {
			most = hi
		}
	}
	return least, most
}

// locate finds the run of an extreme; nil if it is endless.
func (s *search) locate(g *costGraph, from []uint32, e *costRun) *costRun {
	if e.Endless { // repeat does that
		return nil
	}
	closing := g.closings[e.nodes[0]]
	nodes, opening := g.way(from, closing)
	return s.run(nodes, opening, closing, *e)
}

// repeat makes a run that goes round a cycle until it costs more than the bound allows,
// once if there is none.
func (s *search) repeat(g *costGraph, c *pathCosts, b *model.Bound) *costRun {
	more := 0
	if b.Most > 0 {
		for _, cl := range g.closings {
			more = max(more, b.Most*int(cl.requests))
		}
	}
	nodes, opening, closing := g.repeated(c, more)
	e := costRun{process: g.process, longer: true}
	e.Endless, e.Requests = true, int(closing.requests)
	return s.run(nodes, opening, closing, e)
}

// run completes the nodes between an opening and a closing to a run.
func (s *search) run(nodes []uint32, opening, closing costStep, e costRun) *costRun {
	before := s.lead(opening.from)
	if opening.from == nodes[0] {
		nodes = nodes[1:]
	}
	e.opens = len(before) - 1
	e.nodes = slices.Concat(before, nodes)
	if closing.to != closing.from {
		e.nodes = append(e.nodes, closing.to)
	}
	return &e
}

// lead returns the nodes on a shortest way from an initial state to n, both included.
func (s *search) lead(n uint32) (nodes []uint32) {
	back, initial := s.predecessors(), map[uint32]bool{}
	for _, n := range s.graph().initial {
		initial[n] = true
	}
	walk := graph.NewWalk(back.Nodes(), s.tick)
	walk.Start(n)
	for at, ok := walk.Next(); ok; at, ok = walk.Next() {
		if initial[at] {
			nodes = walk.Way(at)
			slices.Reverse(nodes)
			return nodes
		}
		for _, m := range back.Successors(at) {
			walk.Meet(m, at)
		}
	}
	panic("explore: a visited state that no initial state leads to")
}

// confirmCost executes the run of an extreme once more, through the plain semantics, and
// counts again.
func (s *search) confirmCost(e *costRun, property int, p *Result) error {
	path := s.vectors(e.nodes)
	steps, taken, wrong := s.execute(path, func(n int, _ lts.State,
		ts []lts.Transition) int {
		return s.pick(e, n, ts, p.Bound)
	})
	if wrong == "" {
		in := model.Instance{Space: s.declared, Plain: s.plain}
		count, requests := in.Spent(taken, steps[len(steps)-1].State, property)
		if e.Path = steps; e.Endless {
			e.Count = count
		}
		if count != e.Count || requests != e.Requests {
			wrong = fmt.Sprintf("%d messages for %d requests, not %d for %d", count, requests, e.Count,
				e.Requests)
		}
	}
	return s.unconfirmed("the run of "+p.Name, wrong, len(steps), property, path)
}

// pick returns which of the transitions ts is step n of the run of e; -1: none. Where
// there are several, it is one that opens and closes where it has to, and costs least or most.
func (s *search) pick(e *costRun, n int, ts []lts.Transition, b *model.Bound) (best int) {
	best = -1
	for k := range ts {
		t := &ts[k]
		if t.Outside || !e.fits(t, n, s.report.Actions, b) {
			continue
		}
		if best < 0 || e.cost(t) > e.cost(&ts[best]) == e.longer {
			best = k
		}
	}
	return best
}

// fits reports whether t can be step n of the run.
func (e *costRun) fits(t *lts.Transition, n int, actions []lts.Action, b *model.Bound) bool {
	its := int(t.Label().Proc) == e.process
	opens := its && slices.Contains(b.Opens, actions[t.Action].Name)
	closes := its && slices.Contains(b.Closes, actions[t.Action].Name)
	switch {
	case e.process == whole || n < e.opens:
		return true
	case n == e.opens:
		return opens
	case n == len(e.nodes)-2:
		return closes
	}
	return !opens && !closes
}

// cost returns what t costs.
func (e *costRun) cost(t *lts.Transition) int {
	if e.process == whole {
		return t.Charges.All
	}
	return int(t.Charges.To[e.process])
}
