package explore

import (
	"fmt"

	"github.com/atmostk/atmostk/model"
)

// confirmLasso executes a lasso once more, through the plain semantics: all its
// steps are steps, its cycle closes, it is fair, and the property fails on it.
func (s *search) confirmLasso(nodes []uint32, cycleAt, property int, p *Result) ([]Step, error) {
	wrong := func(what string, a ...any) error {
		return fmt.Errorf("%w: the lasso against %s is not confirmed: %s", ErrInternal, p.Name, fmt.Sprintf(what, a...))
	}
	var path [][]uint32
	for _, n := range nodes {
		path = append(path, s.vector(s.fairGraph.base, n))
	}
	var at model.State
	for _, t := range s.plain.Init() {
		if !t.Outside && t.Next.Key() == s.decode(path[0]).Key() {
			at = t.Next
		}
	}
	if at == nil {
		return nil, wrong("no such initial state")
	}
	steps := []Step{{State: at}}
	for n, v := range path[1:] {
		t := s.leading(at, s.decode(v).Key())
		if t == nil {
			return nil, wrong("no step %d", n+1)
		}
		at = t.Next
		steps = append(steps, Step{s.report.Actions[t.Action].Name, t.Owner, t.Text(), at})
	}
	states := make([]model.State, len(steps))
	for n, step := range steps {
		states[n] = step.State
	}
	in := model.Instance{Space: s.declared, Plain: s.plain}
	if why := in.Refutes(states, cycleAt, property); why != "" {
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
