//go:build !js

package report

import (
	"fmt"

	"github.com/atmostk/atmostk/model/lts"
	"github.com/atmostk/atmostk/traces"
	"github.com/atmostk/atmostk/traces/explain"
)

// Run executes the steps of the explanation once more, through the plain semantics: a run of the model that
// explains the log, or as much of it as can be explained.
func (v *Log) Run() (*traces.Run, error) {
	var steps []*explain.Step
	for i := range v.Explanation.Steps {
		if s := &v.Explanation.Steps[i]; s.Action != "" {
			steps = append(steps, s)
		}
	}
	for _, t := range v.Model.Instance.Plain.Init() {
		r := retracing{v: v, steps: steps, dead: map[string]bool{}}
		if r.from(t.Next) {
			return traces.FromRun(v.Model.Instance, v.Program.Header(v.Spec, v.Args, ""), t.Next, r.taken)
		}
	}
	return nil, fmt.Errorf("the explanation is not confirmed: no run of %s has its steps", v.Spec.Name)
}

// A retracing looks for the run with the steps of an explanation. Two steps may have the same text and lead
// to different states, so that it may have to go back.
type retracing struct {
	v     *Log
	steps []*explain.Step
	taken []lts.Transition
	dead  map[string]bool // states after so many steps from which it goes no further
}

// from goes on from a state to the end of the steps, and leaves the steps in taken.
func (r *retracing) from(at lts.State) bool {
	type place struct {
		at    lts.State
		next  []lts.Transition // what is left to be tried
		known bool
	}
	stack := []place{{at: at}}
	for len(stack) > 0 {
		n := len(stack) - 1
		p := &stack[n]
		if n == len(r.steps) {
			return true
		}
		if !p.known {
			p.known, p.next = true, r.fitting(p.at, r.steps[n])
		}
		if len(p.next) == 0 {
			r.dead[fmt.Sprint(n, p.at.Key())] = true
			if stack = stack[:n]; n > 0 {
				r.taken = r.taken[:n-1]
			}
			continue
		}
		t := p.next[0]
		p.next = p.next[1:]
		if !r.dead[fmt.Sprint(n+1, t.Next.Key())] {
			r.taken = append(r.taken, t)
			stack = append(stack, place{at: t.Next})
		}
	}
	return false
}

// fitting returns the transitions from a state that are a step of the explanation.
func (r *retracing) fitting(at lts.State, s *explain.Step) (ts []lts.Transition) {
	actions := r.v.Model.Instance.Space.Actions()
	for _, t := range r.v.Model.Instance.Plain.Steps(at) {
		if t.Owner == s.Node && actions[t.Action].Name == s.Action && t.Text() == s.Text {
			ts = append(ts, t)
		}
	}
	return ts
}
