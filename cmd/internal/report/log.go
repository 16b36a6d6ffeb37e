//go:build !js

package report

import (
	"io"
	"slices"
	"strings"

	"github.com/atmostk/atmostk/cmd/internal/models"
	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/lts"
	"github.com/atmostk/atmostk/traces"
	"github.com/atmostk/atmostk/traces/explain"
	"github.com/atmostk/atmostk/traces/logs"
	"github.com/atmostk/atmostk/traces/printable"
	"github.com/atmostk/atmostk/traces/validate"
)

// A Log is the judgement of a log.
type Log struct {
	*validate.Report
	Program *models.Set
	Subject *models.Subject // the model that the log is a run of; nil: none is known
	Budget  int             // how many steps may be missing from the log
}

// Doc returns the judgement as a document: a case for the log itself, one for each resource, and one for the
// run of the model.
func (v *Log) Doc() *Doc {
	d := &Doc{Tool: v.Program.Name, Version: models.Version(), Verdict: string(v.Verdict()),
		Files: v.Log.Files, Findings: findingsOf(v.Findings())}
	s := Suite{Name: strings.Join(v.Log.Files, " ")}
	for i := range d.Findings {
		f := &d.Findings[i]
		s.Output += f.Level + ": " + f.Text + "\n"
		if rule := (Rule{f.Rule, strings.ReplaceAll(f.Rule, "-", " ")}); !slices.Contains(d.Rules, rule) {
			d.Rules = append(d.Rules, rule)
		}
	}
	add := func(name string, verdict explain.Verdict, message string, details ...string) {
		switch verdict {
		case explain.Accepted:
			s.add(name, s.Name, passed, "", "")
		case explain.Rejected:
			s.add(name, s.Name, failed, string(verdict), message, details...)
		default:
			s.add(name, s.Name, errored, string(verdict), message, details...)
		}
	}
	consistent := explain.Accepted
	if v.Log.Contradictory() {
		consistent = explain.Rejected
	}
	add("the log does not contradict itself", consistent, "no run can have such a log",
		d.lines(string(logs.Cycle), string(logs.Backwards), string(logs.DuplicateID), string(logs.SameName),
			string(logs.LamportLess))...)
	for _, u := range v.Uses {
		name := "at most k units in use"
		if u.Resource != "" {
			name += " of " + u.Resource
		}
		about := Doc{Findings: findingsOf(v.About(u))}
		add(name, v.Of(u), v.figure(u), about.lines()...)
	}
	if x := v.Explanation; x != nil {
		verdict, details := x.Verdict, []string{x.Reason}
		if verdict == explain.Rejected || v.Violates() {
			verdict = explain.Rejected
			details = d.lines("line-missing", "not-explained", "property-violated", "assumption-broken")
		}
		add("a run of "+v.Subject.Spec.Name+" explains the log", verdict, v.Coverage(), details...)
	}
	d.Suites = []Suite{s}
	return d
}

// lines returns the findings of some rules as text, or all of them.
func (d *Doc) lines(rules ...string) (lines []string) {
	for i := range d.Findings {
		if f := &d.Findings[i]; rules == nil || slices.Contains(rules, f.Rule) {
			lines = append(append(lines, f.Text), f.Lines()...)
		}
	}
	return lines
}

// caveats are the questions that the log leaves open.
func (v *Log) caveats() (texts []string) {
	for _, text := range v.Caveats() {
		texts = append(texts, text.With(Flagged))
	}
	return texts
}

// findingsOf returns findings about a log in the form of reports.
func findingsOf(findings []validate.Finding) (all []Finding) {
	for i := range findings {
		x := &findings[i]
		f := Finding{Rule: x.Kind, Level: string(x.Severity), Text: x.Message.With(Flagged),
			Details: x.Details}
		for _, at := range x.Places {
			f.Places = append(f.Places, place{File: at.File, Line: at.Line})
		}
		if x.Overlap != nil {
			f.Holdings = Holdings(x.Overlap)
			for k := range x.Overlap.Holdings {
				if s := &x.Overlap.Holdings[k]; s.Release != nil {
					f.Places = append(f.Places, place{File: s.Release.File, Line: s.Release.Line,
						Text: s.Node + " leaves"})
				}
			}
		}
		all = append(all, f)
	}
	return all
}

// Run is the run of the model that explains the log, or as much of it as can be explained.
func (v *Log) Run() (*traces.Run, error) {
	return traces.FromRun(v.Subject.Instance, v.Subject.Header(""), v.Explanation.Initial,
		v.Explanation.Taken)
}

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
		{"files", list(l.Files)}, {"formats", list(l.Formats)}, {"nodes", list(l.Nodes)},
		{"events", l.Events()}, {"ignored", l.Ignored}, {"skipped", l.Skipped}, {"order", list(l.Order())},
		{"findings", list(l.Findings)}, {"occupancy?", v.Use}, {"resources?", resources},
		{"explanation?", v.explanation()}, {"notes", list(v.caveats())},
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
		{"states", r.States}, {"budget", v.Budget}, {"tail", v.Tail}, {"inside", s.Inside},
		{"entries", s.Entries}, {"crashes", s.Crashes}, {"hidden", s.Hidden}, {"received", s.Switches},
		{"never", list(s.Never)}, {"violated", violated}, {"reached", reached},
		{"frontiers", each(r.Furthest, cutJSON)}, {"repairable?", repairable}, {"missing?", missing},
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
