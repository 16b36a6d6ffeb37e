//go:build !js

package report

import (
	"io"
	"strings"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/traces"
	"github.com/atmostk/atmostk/traces/explain"
	"github.com/atmostk/atmostk/traces/logs"
	"github.com/atmostk/atmostk/traces/printable"
	"github.com/atmostk/atmostk/traces/validate"
)

// validateReport is the judgement in JSON. Fields may be added; these stay.
type validateReport struct {
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
	Explained *explainReport    `json:"explanation,omitempty"`
	Notes     []string          `json:"notes"`
}

// JSON writes the judgement for a program.
func (v *Log) JSON(w io.Writer) error {
	r := validateReport{
		Verdict: string(v.Verdict()), K: v.K, Files: list(v.Log.Files), Formats: list(v.Log.Formats),
		Nodes:  list(v.Log.Nodes),
		Events: v.Log.Events(), Ignored: v.Log.Ignored, Skipped: v.Log.Skipped, Order: list(v.Log.Order()),
		Findings:  list(v.Log.Findings),
		Occupancy: v.Use, Explained: v.explainJSON(), Notes: list(v.caveats()),
	}
	if v.Spec != nil {
		r.Spec, r.Parameters = v.Spec.Name, parameters(v.Args)
	}
	for _, u := range v.Uses {
		u.Definite = list(u.Definite)
	}
	if len(v.Uses) > 1 {
		r.Resources = v.Uses
	}
	return printable.EncodeJSON(w, r, "")
}

// explainReport is what came of the second pass.
type explainReport struct {
	Verdict    explain.Verdict   `json:"verdict"`
	Reason     string            `json:"reason,omitempty"`
	Lines      int               `json:"lines"`
	Explained  int               `json:"explained"`
	States     int64             `json:"states"`
	Budget     int               `json:"budget"`
	Tail       int               `json:"tail"`
	Inside     int               `json:"inside"`
	Entries    int               `json:"entries"`
	Crashes    int               `json:"crashes"`
	Hidden     int               `json:"hidden"`
	Received   int               `json:"received"`
	Never      []string          `json:"never"`
	Violated   []string          `json:"violated"`
	Reached    []string          `json:"reached"`
	Frontiers  []explainFrontier `json:"frontiers"`
	Repairable *bool             `json:"repairable,omitempty"`
	Missing    []explainStep     `json:"missing,omitempty"`
}

type explainFrontier struct {
	Last    *logs.Place      `json:"last,omitempty"`
	Blocked []explainBlocked `json:"blocked"`
	State   []traces.Var     `json:"state"`
}

type explainBlocked struct {
	Node    string     `json:"node"`
	Event   string     `json:"event"`
	At      logs.Place `json:"at"`
	Why     string     `json:"why"`
	Waits   bool       `json:"waits"`
	Enabled []string   `json:"enabled"`
}

type explainStep struct {
	Node   string       `json:"node"`
	Text   string       `json:"text"`
	Places []logs.Place `json:"places"`
}

// explainJSON puts the second pass into its form for programs.
func (v *Log) explainJSON() *explainReport {
	r := v.Explanation
	if r == nil {
		return nil
	}
	e := &explainReport{
		Verdict: r.Verdict, Reason: r.Reason, Lines: r.Lines, Explained: r.Explained, States: r.States,
		Budget: v.Budget, Tail: v.Tail, Inside: r.Vacuity.Inside, Entries: r.Vacuity.Entries,
		Crashes: r.Vacuity.Crashes,
		Hidden:  r.Vacuity.Hidden, Received: r.Vacuity.Switches, Never: list(r.Vacuity.Never),
		Violated: []string{}, Reached: []string{}, Frontiers: []explainFrontier{},
	}
	for _, p := range r.Properties {
		switch {
		case p.Violated && p.Kind == model.Reachable:
			e.Reached = append(e.Reached, p.Name)
		case p.Violated && p.Judged:
			e.Violated = append(e.Violated, p.Name)
		}
	}
	for i := range r.Furthest {
		e.Frontiers = append(e.Frontiers, frontierJSON(&r.Furthest[i]))
	}
	if r.Repair != nil && (r.Repair.Found || r.Repair.Exhausted) {
		e.Repairable = &r.Repair.Found
	}
	if r.Repair != nil {
		for i := range r.Repair.Missing {
			s := &r.Repair.Missing[i]
			e.Missing = append(e.Missing, explainStep{s.Node, s.Text, list(validate.StepPlaces(s))})
		}
	}
	return e
}

func frontierJSON(f *explain.FurthestCut) explainFrontier {
	x := explainFrontier{Blocked: []explainBlocked{}, State: []traces.Var{}}
	if f.Last != nil {
		at := validate.EventPlace(f.Last)
		x.Last = &at
	}
	for _, b := range f.Blocked {
		x.Blocked = append(x.Blocked, explainBlocked{b.Node, b.Event.Name, validate.EventPlace(b.Event),
			b.Why,
			b.Waits, list(b.Enabled)})
	}
	for _, s := range f.State {
		x.State = append(x.State, traces.Var{Owner: s.Owner, Name: s.Name, Value: s.Value})
	}
	return x
}

// list is a list that is written as one, even if it is empty.
func list[T any](xs []T) []T {
	if xs == nil {
		return []T{}
	}
	return xs
}

// orderOf says what the events of different nodes are ordered by.
func orderOf(l *logs.Log) string {
	if by := l.Order(); len(by) > 0 {
		return "ordered by " + strings.Join(by, " and ")
	}
	return "each node in its own order"
}
