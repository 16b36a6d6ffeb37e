package explore

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/atmostk/atmostk/explore/cost"
	"github.com/atmostk/atmostk/explore/kernel"
	"github.com/atmostk/atmostk/explore/live"
	"github.com/atmostk/atmostk/explore/stategraph"
	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/lts"
)

// A halt is the reason that a pass over the state graph ends without an answer. The pass panics with it, and
// pass recovers it.
type halt string

// pass runs a pass. It returns the reason that the pass was given up; "": it was finished.
func (s *search) pass(run func() error) (why string, err error) {
	s.recordProgress()
	s.opt.setAbandonable(true)
	defer func() {
		s.opt.setAbandonable(false)
		x := recover()
		if f, ok := x.(*failure); ok {
			x = f.value
		}
		switch x := x.(type) {
		case nil:
		case halt:
			why = string(x)
		case error:
			if !errors.Is(x, ErrInternal) {
				panic(x)
			}
			err = x
		default:
			panic(x)
		}
	}()
	return "", run()
}

// passing implements stategraph.Pass for a search.
type passing struct{ *search }

func (s passing) Tick(iteration int) {
	if iteration&(1<<13-1) != 0 {
		return
	}
	why := s.interruption(atPass)
	if why == "" {
		why = s.excess(0)
	}
	if why != "" {
		panic(halt(why))
	}
}

func (s passing) Afford(what string, more int64) {
	need := s.memory() + more
	if s.opt.Memory > 0 && need > s.opt.Memory {
		panic(halt(fmt.Sprintf("%s would take %s, the memory limit is %s", what, Bytes(need),
			Bytes(s.opt.Memory))))
	}
	if why := cmp.Or(s.excess(more), s.stopsAt(atMemory)); why != "" {
		panic(halt(why))
	}
	s.report.Memory = max(s.report.Memory, need)
}

func (s passing) Halt(why string) { panic(halt(why)) }

func (s passing) Broken(what string) { panic(fmt.Errorf("%w: %s", ErrInternal, what)) }

func (s passing) Run(n int, task func(worker, i int)) { s.workers.run(n, task) }

// graph returns the state graph. The first call builds it, if memory allows perNode more bytes per node for
// its use.
func (s *search) graph(use string, perNode int64) *stategraph.Graph {
	if s.built == nil {
		cursors := make([]kernel.Cursor, len(s.cursors))
		for i, c := range s.cursors {
			cursors[i] = c.Cursor
		}
		r := &s.report
		s.built = stategraph.New(&stategraph.Visited{Pass: passing{s}, Tables: &s.tables, Space: s.space,
			Cursors: cursors, States: r.States, Steps: r.Generated + r.Pruned + r.Outside, Fired: r.Fired,
			Actions: r.Actions}, use, perNode)
	}
	return s.built
}

// fair returns the view of the state graph for liveness. The first call builds it.
func (s *search) fair() *live.Graph {
	if s.fairGraph == nil {
		fairness := s.in.Space.Fairness()
		s.fairGraph = live.New(s.graph(", and the search for cycles in it,", live.BytesPerNode), fairness,
			s.in.Space.Delivery())
		for i, f := range fairness {
			if s.fairGraph.Seen>>i&1 == 0 {
				s.report.Unseen = append(s.report.Unseen, f.Name)
			}
		}
	}
	return s.fairGraph
}

// live judges Liveness property i after a complete search: it is violated if and
// only if some fair component can be reached in a way that one of the property's
// lassos describes.
func (s *search) live(i int, p *Result) error {
	g := s.fair()
	var lasso []uint32
	missing := vacuity{parts: map[string][]string{}}
	for k := range p.Lassos {
		nodes, at, why := g.Lasso(p.Lassos[k], func(worker int, v []uint32) lts.Marks {
			c := s.cursors[worker]
			return c.judge.Marks(c.see(v), i, k)
		})
		missing.add(p.Lassos[k].Part, why)
		if nodes != nil && (lasso == nil || at < p.CycleAt) {
			lasso, p.CycleAt, p.Part = nodes, at, p.Lassos[k].Part
		}
	}
	switch {
	case lasso != nil:
		path, err := s.confirmLasso(lasso, p.CycleAt, i, p)
		if err != nil {
			return err
		}
		p.Verdict, p.Path, p.Length = Violated, path, p.CycleAt
	case g.Drifts: // in a run for ever, and not in a cycle that stutters
		panic(halt("some step moves all times and does nothing else; runs that take it for ever were " +
			"not checked"))
	case s.in.Numbers != nil && g.MissesRuns():
		panic(halt("times count by their order only, and whether a run is fair may depend on more: on " +
			"clocks, or on which of two messages that differ in their times alone can be received"))
	case s.report.Beyond > 0:
		panic(halt("no violation within these bounds: " + s.in.Space.Bounds()))
	default:
		p.Verdict, p.Vacuous = Holds, missing.phrases(len(p.Lassos))
	}
	return nil
}

// confirmLasso executes a lasso once more, by the plain semantics. It checks that they have
// all its steps, that its cycle closes and is fair, and that the property fails on it.
func (s *search) confirmLasso(nodes []uint32, cycleAt, property int, p *Result) ([]Step, error) {
	path := s.vectors(nodes)
	steps, _, wrong := s.execute(path, func(_ int, at lts.State, ts []lts.Transition) int {
		return slices.IndexFunc(ts, func(t lts.Transition) bool {
			return !t.Outside && t.Next.Key() != at.Key()
		})
	})
	if wrong == "" {
		states := make([]lts.State, len(steps))
		for n, step := range steps {
			states[n] = step.State
		}
		wrong = s.in.Refutes(states, cycleAt, property)
	}
	return steps, s.unconfirmed("the lasso against "+p.Name, wrong, len(steps)-1, property, path)
}

// judgeCosts judges Costs property i after a complete search.
func (s *search) judgeCosts(i int, p *Result) error {
	c := s.cursors[0]
	served := func(v []uint32) int { return c.judge.Served(c.see(v), i) }
	least, most := cost.Judge(s.graph("", 0), p.Bound, served)
	if least == nil {
		p.Verdict, p.Vacuous = Holds, s.uncounted(p.Bound)
		return nil
	}
	var err error
	if p.Least, err = s.confirmCost(least, i, p); err == nil {
		p.Most, err = s.confirmCost(most, i, p)
	}
	if err != nil {
		return err
	}
	p.Verdict = Holds
	for _, e := range []*Extreme{p.Most, p.Least} {
		if p.Verdict == Holds && !p.Bound.Allows(e.Count, e.Requests) {
			p.Verdict, p.Path, p.Length = Violated, e.Path, len(e.Path)-1
		}
	}
	return nil
}

// confirmCost executes the run of an extreme once more, by the plain semantics, and counts
// its messages again.
func (s *search) confirmCost(e *cost.Run, property int, p *Result) (*Extreme, error) {
	path := s.vectors(e.Nodes)
	// Of several transitions that fit a step it takes one with the least, or the highest, cost.
	steps, taken, wrong := s.execute(path, func(n int, _ lts.State, ts []lts.Transition) int {
		best := -1
		for k := range ts {
			if t := &ts[k]; !t.Outside && fits(e, t, n, s.report.Actions, p.Bound) &&
				(best < 0 || costs(e, t) > costs(e, &ts[best]) == e.Longer) {
				best = k
			}
		}
		return best
	})
	if wrong == "" {
		count, requests := s.in.Spent(taken, steps[len(steps)-1].State, property)
		if e.Endless {
			e.Count = count
		}
		if count != e.Count || requests != e.Requests {
			wrong = fmt.Sprintf("%d messages for %d requests, not %d for %d", count, requests, e.Count,
				e.Requests)
		}
	}
	err := s.unconfirmed("the run of "+p.Name, wrong, len(steps), property, path)
	return &Extreme{Count: e.Count, Requests: e.Requests, Endless: e.Endless, Path: steps}, err
}

// fits reports whether t can be step n of the run of e: it opens and closes a request only where it has to.
func fits(e *cost.Run, t *lts.Transition, n int, actions []lts.Action, b *model.Bound) bool {
	its := int(t.Label().Proc) == e.Process
	opens := its && slices.Contains(b.Opens, actions[t.Action].Name)
	closes := its && slices.Contains(b.Closes, actions[t.Action].Name)
	switch {
	case e.Process == cost.Whole || n < e.Opens:
		return true
	case n == e.Opens:
		return opens
	case n == len(e.Nodes)-2:
		return closes
	}
	return !opens && !closes
}

// costs returns the cost of t, in messages.
func costs(e *cost.Run, t *lts.Transition) int {
	if e.Process == cost.Whole {
		return t.Charges.All
	}
	return int(t.Charges.To[e.Process])
}
