package explore

import (
	"slices"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/lts"
)

// confirmLasso executes a lasso once more, through the plain semantics: all its
// steps are steps, its cycle closes, it is fair, and the property fails on it.
func (s *search) confirmLasso(nodes []uint32, cycleAt, property int, p *Result) ([]Step, error) {
	path := s.vectors(nodes)
	steps, _, wrong := s.execute(path, func(_ int, at lts.State, ts []lts.Transition) int {
		return slices.IndexFunc(ts, func(t lts.Transition) bool {
			return !t.Outside &&
				t.Next.Key() != at.Key()
		})
	})
	if wrong == "" {
		states := make([]lts.State, len(steps))
		for n, step := range steps {
			states[n] = step.State
		}
		in := model.Instance{Space: s.declared, Plain: s.plain}
		wrong = in.Refutes(states, cycleAt, property)
	}
	return steps, s.unconfirmed("the lasso against "+p.Name, wrong, len(steps)-1, property, path)
}
