package explain

import (
	"fmt"
	"slices"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/interp"
	"github.com/atmostk/atmostk/model/lts"
)

// A judge executes an explanation once more, with the plain semantics, and looks at
// the properties and at what is put to the test.
type judge struct {
	*matcher
	r     *Report
	infos []model.PropertyInfo
	seen  []bool // per action: it occurred
	state lts.State
	units int // in use in that state
}

// judge fills in what the report says of the path to end.
func (r *Report) judge(s *matcher, in model.Instance, end *pathStep) error {
	j := judge{matcher: s, r: r, infos: in.Space.Properties(), seen: make([]bool, len(s.actions))}
	for _, p := range j.infos {
		judged := p.Kind == model.Invariant || p.Kind == model.Reachable || p.Kind == model.StepInvariant
		r.Properties = append(r.Properties, Property{Name: p.Name, Kind: p.Kind, Judged: judged})
	}
	for _, t := range s.plain.Init() {
		if s.track.shows(s.track.start(), t.Next) {
			j.state = t.Next
		}
	}
	if j.state == nil {
		return fmt.Errorf("internal error: the explanation begins in no initial state")
	}
	j.look(nil, nil)
	path := end.path()
	r.Steps = s.steps(path)
	for i, t := range path {
		if t.skip {
			continue
		}
		if err := j.step(t, &r.Steps[i]); err != nil {
			return err
		}
	}
	for a, action := range s.actions {
		if !j.seen[a] && s.track.Class(a) <= interp.CrashNotice {
			r.Vacuity.Never = append(r.Vacuity.Never, action.Name)
		}
	}
	return nil
}

// step takes a step of the explanation in the plain semantics.
func (j *judge) step(t *pathStep, step *Step) error {
	ts := j.track.StepsOf(j.state, t.proc, t.step.Action)
	i := slices.IndexFunc(ts, func(tr lts.Transition) bool { return j.track.shows(t.point, tr.Next) })
	if i < 0 {
		return fmt.Errorf("internal error: the plain semantics does not have the step of %s", step)
	}
	tr := &ts[i]
	step.Text = tr.Text()
	v := &j.r.Vacuity
	if tr.Crashed {
		v.Crashes++
	}
	if tr.Received != nil {
		v.Switches++
	}
	if step.Event == nil {
		v.Hidden++
	}
	if tr.Pruned {
		j.r.Broken = append(j.r.Broken, *step)
	}
	j.seen[t.step.Action] = true
	from := j.state
	j.state = tr.Next
	for p, info := range j.infos {
		if info.Kind == model.StepInvariant && j.plain.JudgeStep(from, *tr, p) {
			j.found(p, step)
		}
	}
	j.look(step, tr)
	return nil
}

// look judges the present state.
func (j *judge) look(step *Step, tr *lts.Transition) {
	for p, info := range j.infos {
		if (info.Kind == model.Invariant || info.Kind == model.Reachable) && j.plain.Judge(j.state, p) {
			j.found(p, step)
		}
	}
	units := 0
	for _, u := range j.plain.InUse(j.state) {
		units += u.Units
	}
	v := &j.r.Vacuity
	if tr != nil && units > j.units {
		v.Entries++
	}
	if units > v.Inside {
		v.Inside, v.At = units, step
	}
	j.units = units
}

// found notes the first violation of a property, or the first time a goal is reached.
func (j *judge) found(p int, step *Step) {
	if x := &j.r.Properties[p]; !x.Violated {
		x.Violated, x.At = true, step
	}
}

// steps describes a path, its texts apart.
func (s *matcher) steps(path []*pathStep) (list []Step) {
	cut := make([]int, len(s.names))
	for _, t := range path {
		step := Step{Node: s.names[t.proc], Action: s.actions[t.step.Action].Name}
		if t.skip {
			step.Action = ""
		}
		if t.line >= 0 {
			step.Event = s.event(t.proc, int(t.line))
			cut[t.proc]++
		} else {
			step.After, step.Before = s.event(t.proc, cut[t.proc]-1), s.event(t.proc, cut[t.proc])
		}
		list = append(list, step)
	}
	return list
}

// hiddenOf describes the hidden steps on the path to end.
func (s *matcher) hiddenOf(end *pathStep) (list []Step) {
	path := end.path()
	steps := s.steps(path)
	for i, t := range path {
		if t.line >= 0 {
			continue
		}
		before := s.track.start()
		if i > 0 {
			before = path[i-1].point
		}
		state := s.track.state(before)
		for _, tr := range s.track.StepsOf(state, t.proc, t.step.Action) {
			if s.track.shows(t.point, tr.Next) {
				steps[i].Text = tr.Text()
			}
		}
		list = append(list, steps[i])
	}
	return list
}
