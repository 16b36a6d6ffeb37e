package explore

import (
	"fmt"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/instance"
	"github.com/atmostk/atmostk/model/lts"
)

// A search in which times count by their order only meets every run with numbers, and others. So what holds
// there holds with numbers, and a find is a run with numbers only if one shows the same.

// withNumbers replaces the run of property i by one with numbers, if the times of the search count by their
// order only. Where no such run is found, the property is not decided.
func (s *search) withNumbers(i int, p *Result) error {
	switch {
	case s.numbers == nil:
		return nil
	case p.Kind == model.Costs:
		p.Verdict, p.Path, p.Length, p.Least, p.Most = Unknown, nil, -1, nil, nil
		p.Undecided = "messages are counted in runs with numbers: rounds=1 or another number"
		return nil
	case p.Path == nil:
		return nil
	}
	n := s.numbers(0)
	run := make([]lts.State, len(p.Path))
	for k, step := range p.Path {
		run[k] = step.State
	}
	var again []lts.State
	at := p.CycleAt
	if p.Kind == model.Liveness {
		again, at = n.AgainForEver(run, p.CycleAt, i)
	} else {
		again = n.Again(run, i)
	}
	if again == nil {
		return s.searchNumbers(i, p)
	}
	p.Path, p.CycleAt = s.steps(n, again), at
	return nil
}

// steps returns the steps of a run with numbers.
func (s *search) steps(n instance.Numbered, run []lts.State) []Step {
	path := []Step{{State: run[0]}}
	for k, next := range run[1:] {
		for _, t := range n.Plain.Steps(run[k]) {
			if t.Next.Key() == next.Key() {
				path = append(path, s.step(&t))
				path[k+1].State = next
				break
			}
		}
	}
	return path
}

// numbersPerState is the number of states with numbers that are searched for each state of the search, and
// leastNumbers is the number at least. skews are the bounds on differences of times that make them finite, for
// liveness.
const (
	numbersPerState = 4
	leastNumbers    = 100_000
)

var skews = []int{2, 4}

// searchNumbers searches the states with numbers for a find of property i, where no run is alike to the one
// that was met.
func (s *search) searchNumbers(i int, p *Result) error {
	bounds := []int{0}
	if p.Kind == model.Liveness {
		bounds = skews
	}
	for _, skew := range bounds {
		r, err := run(s.ctx, s.numbers(skew).Instance, Options{Properties: []int{i}, Workers: s.opt.Workers,
			Memory: s.opt.Memory, MaxStates: max(leastNumbers, numbersPerState*s.report.States)})
		if err != nil {
			return err
		}
		if found := &r.Properties[0]; found.Path != nil {
			p.Verdict, p.Path, p.Length = found.Verdict, found.Path, found.Length
			p.CycleAt, p.Part = found.CycleAt, found.Part
			return nil
		}
	}
	p.Undecided = fmt.Sprintf("a run of %d steps where times count by their order only shows it, and no run "+
		"with numbers was found", len(p.Path)-1)
	p.Verdict, p.Path, p.Length, p.CycleAt = Unknown, nil, -1, 0
	return nil
}
