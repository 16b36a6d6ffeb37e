package explore

import (
	"fmt"
	"slices"

	"github.com/atmostk/atmostk/explore/kernel"
	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/check"
)

// A model that is no function may show it only here, where what was found is executed once more: by what is
// evaluated once, as a condition on steps, or by what comes to another result so seldom that the second time
// was like the first.

// examinations is how often each state of a run that is not confirmed is examined.
const examinations = 4

// unconfirmed returns the error that what was found of a property is wrong, at a step of a path, if it is:
// that of the model if it is no function, else one of this program.
func (s *search) unconfirmed(what, wrong string, step, property int, path [][]uint32) error {
	if wrong == "" {
		return nil
	}
	if mistake := s.noFunction(path, property); mistake != nil {
		return mistake
	}
	return fmt.Errorf("%w: %s is not confirmed: %s at step %d", ErrInternal, what, wrong, step)
}

// noFunction evaluates again what the confirmation of a path evaluated, and what the search did in its last
// state, and returns the mistake that something came to another result; nil if nothing did.
func (s *search) noFunction(path [][]uint32, property int) (mistake *model.Error) {
	defer func() {
		if mistake != nil && !mistake.Impure() { // it fails: maybe the state is none of the model
			mistake = nil
		}
	}()
	defer model.Catch(&mistake)
	var initial kernel.Batch
	initial.Reset(s.width)
	s.space.Init(&initial)
	known := false
	for i := range initial.Len() {
		known = known || slices.Equal(initial.At(i), path[0])
	}
	if !known {
		return check.NoFunction("Init", s.decode(path[0]), "it was initial", "it was not")
	}
	in := model.Instance{Space: s.declared, Plain: s.plain}
	for _, v := range path {
		for range examinations {
			if e, _ := in.Examine(s.decode(v), s.asked); e != nil {
				return e
			}
		}
	}
	last, p := path[len(path)-1], &s.report.Properties[property]
	switch p.Kind {
	case model.Invariant, model.Reachable, model.Quiet:
		reported := s.cursors[0].Judge(last, 1<<property) | s.cursors[0].JudgeQuiet(last, 1<<property)
		if reported == 0 {
			return check.NoFunction("property "+p.Name, s.decode(last), p.Kind == model.Reachable,
				p.Kind != model.Reachable)
		}
	}
	return nil
}
