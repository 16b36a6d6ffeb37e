package explore

import (
	"fmt"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/lts"
)

// A model that is no function may show it only here, where what was found is executed once more: by a
// condition on steps or a count of requests, which are asked once, or by what comes to another result so
// seldom that the second time was like the first.

// asksAgain is how often all is asked again that a run which is not confirmed asks.
const asksAgain = 4

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

// noFunction asks again what the confirmation of a path asked of the model, and what the search did in its
// last state, and returns the mistake that something came to another result; nil if nothing did.
func (s *search) noFunction(path [][]uint32, property int) (mistake *model.Error) {
	defer model.Catch(&mistake)
	in := model.Instance{Space: s.declared, Plain: s.plain}
	if at := s.decode(path[0]); !s.isInitial(path[0]) {
		return model.NoFunction("Init", at, "it was initial", "it was not")
	}
	for _, v := range path {
		at := s.decode(v)
		steps := s.plain.Steps(at)
		for range asksAgain {
			if e, _ := in.Examine(at, s.asked); e != nil {
				return e
			}
			if e := s.otherSteps(at, steps, property); e != nil {
				return e
			}
		}
		if e := s.otherJudgement(v, at, property); e != nil {
			return e
		}
	}
	return s.notReported(path[len(path)-1], property)
}

// otherSteps asks again what is asked of the steps from a state: whether conditions force them, and whether
// they break a property.
func (s *search) otherSteps(at lts.State, steps []lts.Transition, property int) *model.Error {
	for i := range steps {
		t, actions := &steps[i], s.report.Actions
		for _, f := range s.declared.Fairness() {
			if a, b := f.Forces(t.Label(), actions), f.Forces(t.Label(), actions); a != b {
				return model.NoFunction("fairness condition "+f.Name+": Has", at, a, b)
			}
		}
		if p := &s.report.Properties[property]; p.Kind == model.StepInvariant && !t.Pruned {
			if a, b := s.plain.JudgeStep(at, *t, property), s.plain.JudgeStep(at, *t, property); a != b {
				return model.NoFunction("property "+p.Name, at, !a, !b)
			}
		}
	}
	return nil
}

// otherJudgement asks again what is asked of a state where the graph of all states is judged.
func (s *search) otherJudgement(v []uint32, at lts.State, property int) *model.Error {
	p, c := &s.report.Properties[property], s.cursors[0]
	for range asksAgain {
		switch {
		case p.Kind == model.Liveness:
			for k := range p.Lassos {
				if a, b := c.Marks(v, property, k), c.Marks(v, property, k); a != b {
					return model.NoFunction("property "+p.Name, at, a, b)
				}
			}
		case p.Kind == model.Costs && p.Bound.Whole():
			if a, b := c.Served(v, property), c.Served(v, property); a != b {
				return model.NoFunction("property "+p.Name+": Cost.Served", at, a, b)
			}
		}
	}
	return nil
}

// notReported returns the mistake that the search, which had a property to report in a state, has not any
// more.
func (s *search) notReported(v []uint32, property int) *model.Error {
	p, c := &s.report.Properties[property], s.cursors[0]
	found := uint64(1)
	switch p.Kind {
	case model.Invariant, model.Reachable:
		found = c.Judge(v, 1<<property)
	case model.Quiet:
		found = c.JudgeQuiet(v, 1<<property)
	}
	if found != 0 {
		return nil
	}
	holds := p.Kind == model.Reachable
	return model.NoFunction("property "+p.Name, s.decode(v), holds, !holds)
}
