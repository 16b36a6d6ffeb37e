//go:build !js

package report

import (
	"io"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/lts"
	"github.com/atmostk/atmostk/traces"
	"github.com/atmostk/atmostk/traces/explain"
	"github.com/atmostk/atmostk/traces/logs"
	"github.com/atmostk/atmostk/traces/printable"
	"github.com/atmostk/atmostk/traces/validate"
)

// JSON writes the judgement for a program, as validate.schema.json has it. Fields may be added; these stay.
func (v *Log) JSON(w io.Writer) error {
	spec, parameters := "", map[string]string(nil)
	if v.Subject != nil {
		spec, parameters = v.Subject.Spec.Name, v.Subject.Parameters()
	}
	for _, u := range v.Uses {
		u.Definite = list(u.Definite)
	}
	resources := v.Uses // if there are several
	if len(resources) == 1 {
		resources = nil
	}
	l := v.Log
	return printable.EncodeJSON(w, object{
		{"verdict", v.Verdict()}, {"spec?", spec}, {"parameters?", parameters}, {"k?", v.K},
		{"files", list(l.Files)}, {"formats", list(l.Formats)}, {"nodes", list(l.Nodes)}, {"events", l.Events()},
		{"ignored", l.Ignored}, {"skipped", l.Skipped}, {"order", list(l.Order())}, {"findings", list(l.Findings)},
		{"occupancy?", v.Use}, {"resources?", resources}, {"explanation?", v.explanation()},
		{"notes", list(v.caveats())},
	}, "")
}

// explanation puts the search for a run of the model into its form for programs; nil: there was none.
func (v *Log) explanation() object {
	r := v.Explanation
	if r == nil {
		return nil
	}
	violated, reached := []string{}, []string{}
	for _, p := range r.Properties {
		switch {
		case p.Violated && p.Kind == model.Reachable:
			reached = append(reached, p.Name)
		case p.Violated && p.Judged:
			violated = append(violated, p.Name)
		}
	}
	var repairable *bool
	var missing []object
	if repair := r.Repair; repair != nil {
		if repair.Found || repair.Exhausted {
			repairable = &repair.Found
		}
		missing = each(repair.Missing, func(s *explain.Step) object {
			return object{{"node", s.Node}, {"text", s.Text}, {"places", list(validate.StepPlaces(s))}}
		})
	}
	s := &r.Vacuity
	return object{
		{"verdict", r.Verdict}, {"reason?", r.Reason}, {"lines", r.Lines}, {"explained", r.Explained},
		{"states", r.States}, {"budget", v.Budget}, {"tail", v.Tail}, {"inside", s.Inside}, {"entries", s.Entries},
		{"crashes", s.Crashes}, {"hidden", s.Hidden}, {"received", s.Switches}, {"never", list(s.Never)},
		{"violated", violated}, {"reached", reached}, {"frontiers", each(r.Furthest, cutJSON)},
		{"repairable?", repairable}, {"missing?", missing},
	}
}

func cutJSON(f *explain.FurthestCut) object {
	var last *logs.Place
	if f.Last != nil {
		at := validate.EventPlace(f.Last)
		last = &at
	}
	blocked := each(f.Blocked, func(b *explain.Blocked) object {
		return object{{"node", b.Node}, {"event", b.Event.Name}, {"at", validate.EventPlace(b.Event)},
			{"why", b.Why}, {"waits", b.Waits}, {"enabled", list(b.Enabled)}}
	})
	state := each(f.State, func(s *lts.Var) traces.Var {
		return traces.Var{Owner: s.Owner, Name: s.Name, Value: s.Value}
	})
	return object{{"last?", last}, {"blocked", blocked}, {"state", state}}
}
