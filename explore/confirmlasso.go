package explore

import (
	"fmt"

	"github.com/atmostk/atmostk/model"
)

// confirmLasso executes a lasso once more, through the plain semantics: all its
// steps are steps, its cycle closes, it is fair, and the property fails on it.
func (s *search) confirmLasso(path [][]uint32, cycleAt, property int, p *Result) ([]Step, error) {
	wrong := func(what string, a ...any) error {
		return fmt.Errorf("%w: the lasso against %s is not confirmed: %s", ErrInternal, p.Name, fmt.Sprintf(what, a...))
	}
	var at model.State
	for _, t := range s.plain.Init() {
		if !t.Outside && t.Next.Key() == s.space.Decode(path[0]).Key() {
			at = t.Next
		}
	}
	if at == nil {
		return nil, wrong("no such initial state")
	}
	steps := []Step{{State: at}}
	for n, v := range path[1:] {
		t := s.leading(at, s.space.Decode(v).Key())
		if t == nil {
			return nil, wrong("no step %d", n+1)
		}
		at = t.Next
		steps = append(steps, Step{s.report.Actions[t.Action].Name, t.Owner, t.Text(), at})
	}
	cycle := steps[cycleAt:]
	if cycle[0].State.Key() != at.Key() {
		return nil, wrong("its cycle does not close")
	}
	for _, f := range s.space.Fairness() {
		if !s.isFair(cycle, f) {
			return nil, wrong("it is not fair: %s", f.Name)
		}
	}
	if why := s.fulfilled(steps, cycleAt, property, p); why != "" {
		return nil, wrong("%s", why)
	}
	return steps, nil
}

// leading returns a step from a state to a different one with the given key.
func (s *search) leading(from model.State, key string) *model.Transition {
	if from.Key() == key {
		return nil
	}
	for _, t := range s.plain.Steps(from) {
		if !t.Pruned && !t.Outside && t.Next.Key() == key {
			return &t
		}
	}
	return nil
}

// isFair reports whether a cycle, which ends in the state where it begins, keeps
// a condition. A cycle of a single state is stuttering.
func (s *search) isFair(cycle []Step, f model.Fairness) bool {
	enabledAll, enabledSome := true, false
	for n := range max(1, len(cycle)-1) {
		here := cycle[n].State
		enabled := false
		for _, t := range s.plain.Steps(here) {
			if t.Pruned || !f.Forces(t.Label(), s.report.Actions) || t.Next.Key() == here.Key() {
				continue
			}
			enabled = true
			if n+1 < len(cycle) && t.Next.Key() == cycle[n+1].State.Key() {
				return true // taken in each round
			}
		}
		enabledAll = enabledAll && enabled
		enabledSome = enabledSome || enabled
	}
	if f.Strong {
		return !enabledSome
	}
	return !enabledAll
}

// fulfilled says why a lasso does not violate a property; "" if it does.
func (s *search) fulfilled(steps []Step, cycleAt, property int, p *Result) string {
	started := false
	visited := model.Roles(0)
	for n, step := range steps {
		r := s.plain.Roles(step.State, property)
		switch {
		case n >= cycleAt && r&model.OffCycle != 0:
			return "its cycle goes where it must not"
		case r&model.Fulfils != 0:
			started = false
		case r&model.Starts != 0 && n <= cycleAt && (n == 0 || !p.Initially):
			started = true
		}
		if n >= cycleAt {
			visited |= r
		}
		if n >= cycleAt && !started {
			return "the property is fulfilled"
		}
	}
	for k := range p.Visits {
		if visited&(model.FirstVisit<<k) == 0 {
			return "its cycle leaves out a state to be visited"
		}
	}
	return ""
}
