//go:build !js

package report

import (
	"fmt"
	"slices"

	"github.com/atmostk/atmostk/model/lts"
	"github.com/atmostk/atmostk/traces"
)

// Run executes the steps of the explanation once more, through the plain semantics: a run of the model that
// explains the log, or as much of it as can be explained. Two steps may have the same text and lead to
// different states, so that several states may be the one meant.
func (v *Log) Run() (*traces.Run, error) {
	type point struct {
		lts.State
		by     lts.Transition
		before *point
	}
	in := v.Subject.Instance
	actions := in.Space.Actions()
	var at []*point
	for _, t := range in.Plain.Init() {
		at = append(at, &point{State: t.Next})
	}
	for i := range v.Explanation.Steps {
		s := &v.Explanation.Steps[i]
		if s.Action == "" { // the event did not happen
			continue
		}
		var next []*point
		seen := map[string]bool{}
		for _, p := range at {
			for _, t := range in.Plain.Steps(p.State) {
				if t.Owner == s.Node && actions[t.Action].Name == s.Action && t.Text() == s.Text &&
					!seen[t.Next.Key()] {
					seen[t.Next.Key()] = true
					next = append(next, &point{t.Next, t, p})
				}
			}
		}
		at = next
	}
	if len(at) == 0 {
		return nil, fmt.Errorf("the explanation is not confirmed: no run of %s has its steps", v.Subject.Spec.Name)
	}
	end := at[0]
	var taken []lts.Transition
	for ; end.before != nil; end = end.before {
		taken = append(taken, end.by)
	}
	slices.Reverse(taken)
	return traces.FromRun(in, v.Subject.Header(""), end.State, taken)
}
