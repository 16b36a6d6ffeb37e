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

// jsonLog is the judgement in JSON. Fields may be added; these stay.
type jsonLog struct {
	Verdict    string            `json:"verdict"`
	Spec       string            `json:"spec,omitempty"`
	Parameters map[string]string `json:"parameters,omitempty"`
	K          int               `json:"k,omitempty"`
	Files      []string          `json:"files"`
	Formats    []string          `json:"formats"`
	Nodes      []string          `json:"nodes"`
	Events     int               `json:"events"`
	Ignored    int               `json:"ignored"`
	Skipped    int               `json:"skipped"`
	Order      []string          `json:"order"`
	Findings   []logs.Finding    `json:"findings"`
	// Occupancy is that of the worst resource; Resources are all, if there are several.
	Occupancy *logs.Occupancy   `json:"occupancy,omitempty"`
	Resources []*logs.Occupancy `json:"resources,omitempty"`
	Explained *jsonExplanation  `json:"explanation,omitempty"`
	Notes     []string          `json:"notes"`
}

// jsonExplanation is the search for a run of the model.
type jsonExplanation struct {
	Verdict    explain.Verdict `json:"verdict"`
	Reason     string          `json:"reason,omitempty"`
	Lines      int             `json:"lines"`
	Explained  int             `json:"explained"`
	States     int64           `json:"states"`
	Budget     int             `json:"budget"`
	Tail       int             `json:"tail"`
	Inside     int             `json:"inside"`
	Entries    int             `json:"entries"`
	Crashes    int             `json:"crashes"`
	Hidden     int             `json:"hidden"`
	Received   int             `json:"received"`
	Never      []string        `json:"never"`
	Violated   []string        `json:"violated"`
	Reached    []string        `json:"reached"`
	Frontiers  []jsonCut       `json:"frontiers"`
	Repairable *bool           `json:"repairable,omitempty"`
	Missing    []jsonStep      `json:"missing,omitempty"`
}

type jsonCut struct {
	Last    *logs.Place   `json:"last,omitempty"`
	Blocked []jsonBlocked `json:"blocked"`
	State   []traces.Var  `json:"state"`
}

type jsonBlocked struct {
	Node    string     `json:"node"`
	Event   string     `json:"event"`
	At      logs.Place `json:"at"`
	Why     string     `json:"why"`
	Waits   bool       `json:"waits"`
	Enabled []string   `json:"enabled"`
}

type jsonStep struct {
	Node   string       `json:"node"`
	Text   string       `json:"text"`
	Places []logs.Place `json:"places"`
}

// JSON writes the judgement for a program.
func (v *Log) JSON(w io.Writer) error {
	l := v.Log
	r := jsonLog{
		Verdict: string(v.Verdict()), K: v.K, Files: list(l.Files), Formats: list(l.Formats), Nodes: list(l.Nodes),
		Events: l.Events(), Ignored: l.Ignored, Skipped: l.Skipped, Order: list(l.Order()),
		Findings: list(l.Findings), Occupancy: v.Use, Explained: v.explanation(), Notes: list(v.caveats()),
	}
	if v.Subject != nil {
		r.Spec, r.Parameters = v.Subject.Spec.Name, v.Subject.Parameters()
	}
	for _, u := range v.Uses {
		u.Definite = list(u.Definite)
	}
	if len(v.Uses) > 1 {
		r.Resources = v.Uses
	}
	return printable.EncodeJSON(w, r, "")
}

// explanation puts the search for a run of the model into its form for programs; nil: there was none.
func (v *Log) explanation() *jsonExplanation {
	r := v.Explanation
	if r == nil {
		return nil
	}
	e := &jsonExplanation{
		Verdict: r.Verdict, Reason: r.Reason, Lines: r.Lines, Explained: r.Explained, States: r.States,
		Budget: v.Budget, Tail: v.Tail, Inside: r.Vacuity.Inside, Entries: r.Vacuity.Entries,
		Crashes: r.Vacuity.Crashes, Hidden: r.Vacuity.Hidden, Received: r.Vacuity.Switches,
		Never: list(r.Vacuity.Never), Violated: []string{}, Reached: []string{}, Frontiers: each(r.Furthest, cutJSON),
	}
	for _, p := range r.Properties {
		switch {
		case p.Violated && p.Kind == model.Reachable:
			e.Reached = append(e.Reached, p.Name)
		case p.Violated && p.Judged:
			e.Violated = append(e.Violated, p.Name)
		}
	}
	if repair := r.Repair; repair != nil {
		if repair.Found || repair.Exhausted {
			e.Repairable = &repair.Found
		}
		e.Missing = each(repair.Missing, func(s *explain.Step) jsonStep {
			return jsonStep{s.Node, s.Text, list(validate.StepPlaces(s))}
		})
	}
	return e
}

func cutJSON(f *explain.FurthestCut) jsonCut {
	cut := jsonCut{
		Blocked: each(f.Blocked, func(b *explain.Blocked) jsonBlocked {
			return jsonBlocked{b.Node, b.Event.Name, validate.EventPlace(b.Event), b.Why, b.Waits, list(b.Enabled)}
		}),
		State: each(f.State, func(s *lts.Var) traces.Var {
			return traces.Var{Owner: s.Owner, Name: s.Name, Value: s.Value}
		}),
	}
	if f.Last != nil {
		at := validate.EventPlace(f.Last)
		cut.Last = &at
	}
	return cut
}
