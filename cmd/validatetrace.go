//go:build !js

package cmd

import (
	"fmt"

	"github.com/atmostk/atmostk/model/lts"
	"github.com/atmostk/atmostk/model/usage"
	"github.com/atmostk/atmostk/traces"
	"github.com/atmostk/atmostk/traces/explain"
)

// writeTrace writes the run of the model that explains the log, or as much of it as can be explained, to a
// file.
func (v *validation) writeTrace(file string) error {
	if v.Explanation == nil {
		return usage.Errorf("--trace=%s: only with a model is there a run that explains a log", file)
	}
	run, err := v.retold()
	if err != nil {
		return err
	}
	if err := traces.WriteFile(file, run.Trace); err != nil {
		return writeError{fmt.Errorf("--trace=%s: %w", file, err)}
	}
	return nil
}

// retold executes the steps of the explanation once more, through the plain semantics.
func (v *validation) retold() (*traces.Run, error) {
	var told []*explain.Step
	for i := range v.Explanation.Steps {
		if s := &v.Explanation.Steps[i]; s.Action != "" {
			told = append(told, s)
		}
	}
	for _, t := range v.Model.Instance.Plain.Init() {
		r := retelling{v: v, told: told, dead: map[string]bool{}}
		if r.from(t.Next) {
			return traces.FromRun(v.Model.Instance, v.program.header(v.spec, v.args, ""), t.Next, r.taken)
		}
	}
	return nil, fmt.Errorf("the explanation is not confirmed: no run of %s has its steps", v.spec.Name)
}

// A retelling looks for the run with the steps that are told. Two steps may be told alike and lead to
// different states, so that it may have to go back.
type retelling struct {
	v     *validation
	told  []*explain.Step
	taken []lts.Transition
	dead  map[string]bool // states after so many steps from which it goes no further
}

// from goes on from a state to the end of what is told, and leaves the steps in taken.
func (r *retelling) from(at lts.State) bool {
	type place struct {
		at    lts.State
		next  []lts.Transition // what is left to be tried
		known bool
	}
	stack := []place{{at: at}}
	for len(stack) > 0 {
		n := len(stack) - 1
		p := &stack[n]
		if n == len(r.told) {
			return true
		}
		if !p.known {
			p.known, p.next = true, r.fitting(p.at, r.told[n])
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

// fitting returns the steps from a state that are what is told.
func (r *retelling) fitting(at lts.State, s *explain.Step) (ts []lts.Transition) {
	actions := r.v.Model.Instance.Space.Actions()
	for _, t := range r.v.Model.Instance.Plain.Steps(at) {
		if t.Owner == s.Node && actions[t.Action].Name == s.Action && t.Text() == s.Text {
			ts = append(ts, t)
		}
	}
	return ts
}
