package explain

import (
	"errors"
	"fmt"
	"slices"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/interp"
	"github.com/atmostk/atmostk/model/lts"
)

// judge executes the explanation that ends with a step again, with the plain semantics, and judges the
// properties and the coverage.
func (r *Report) judge(s *matcher, end *pathStep) error {
	for _, p := range s.in.Space.Properties() {
		judged := p.Kind == model.Invariant || p.Kind == model.Reachable || p.Kind == model.StepInvariant
		r.Properties = append(r.Properties, Property{Name: p.Name, Kind: p.Kind, Judged: judged})
	}
	r.Initial = s.in.Plain.Init()[0].Next
	j := judge{matcher: s, r: r, state: r.Initial}
	j.judgeState(nil, nil, nil)
	var path []*pathStep
	for t := end; t != nil; t = t.before {
		path = append(path, t)
	}
	slices.Reverse(path)
	r.Steps = s.steps(path)
	occurred := make([]bool, len(s.actions))
	for i, t := range path {
		if t.skip {
			continue
		}
		occurred[t.step.Action] = true
		if err := j.step(t, &r.Steps[i]); err != nil {
			return err
		}
	}
	for a, action := range s.actions {
		if !occurred[a] && s.track.Class(a) <= interp.CrashNotice {
			r.Vacuity.Never = append(r.Vacuity.Never, action.Name)
		}
	}
	return nil
}

// A judge walks along an explanation in the plain semantics.
type judge struct {
	*matcher
	r     *Report
	state lts.State // the present state
	units int       // in use in that state
}

func (j *judge) step(t *pathStep, step *Step) error {
	tr, err := j.plainStep(j.state, t.proc, t.step.Action, t.point)
	if err != nil {
		return fmt.Errorf("%w: %s", err, step)
	}
	step.Text = tr.Text()
	j.r.Taken = append(j.r.Taken, *tr)
	if tr.Pruned {
		j.r.Broken = append(j.r.Broken, *step)
	}
	from := j.state
	j.state = tr.Next
	j.judgeState(step, from, tr)
	return nil
}

// plainStep returns the step of the plain semantics from a state that leads to a point.
func (s *matcher) plainStep(from lts.State, p model.Proc, action int, to point) (*lts.Transition, error) {
	ts := s.track.StepsOf(from, p, action)
	i := slices.IndexFunc(ts, func(tr lts.Transition) bool { return s.track.hasState(to, tr.Next) })
	if i < 0 {
		if e := s.in.Blame(from); e != nil {
			panic(e)
		}
		return nil, errors.New("internal error: the plain semantics does not have the step")
	}
	return &ts[i], nil
}

// judgeState judges the present state; step and tr lead to it from another state; nil: it is the initial one.
func (j *judge) judgeState(step *Step, from lts.State, tr *lts.Transition) {
	for p := range j.r.Properties {
		x := &j.r.Properties[p]
		if !x.Judged || x.Violated {
			continue
		}
		if x.Kind == model.StepInvariant {
			x.Violated = tr != nil && j.in.Plain.JudgeStep(from, *tr, p)
		} else {
			x.Violated = j.in.Plain.Judge(j.state, p)
		}
		if x.Violated {
			x.At = step
		}
	}
	units := 0
	for _, u := range j.in.Plain.InUse(j.state) {
		units += u.Units
	}
	v := &j.r.Vacuity
	if tr != nil {
		v.Entries += one(units > j.units)
		v.Crashes += one(tr.Crashed)
		v.Switches += one(tr.Received != nil)
		v.Hidden += one(step.Event == nil)
	}
	v.Inside, j.units = max(v.Inside, units), units
}

func one(b bool) int {
	if b {
		return 1
	}
	return 0
}

// steps describes the steps of a path, without their texts.
func (s *matcher) steps(path []*pathStep) (list []Step) {
	cut := make([]int, len(s.names))
	for _, t := range path {
		step := Step{Node: s.names[t.proc], Event: s.event(t.proc, int(t.line))}
		if !t.skip {
			step.Action = s.actions[t.step.Action].Name
		}
		if t.line >= 0 {
			cut[t.proc]++
		} else {
			step.After, step.Before = s.event(t.proc, cut[t.proc]-1), s.event(t.proc, cut[t.proc])
		}
		list = append(list, step)
	}
	return list
}
