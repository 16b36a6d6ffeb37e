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

// logRules describes the kinds of findings in logs.
var logRules = []Rule{
	{"more-than-k",
		"More than k units are in use at once in every order of events that fits the log."},
	{"possibly-more-than-k",
		"More than k units are in use at once in some order of events that fits the log."},
	{"several-locks", "A field of the events may name different locks, which are taken for one."},
	{"line-missing", "A run of the model would explain the log if it had a few lines more."},
	{"not-explained", "No run of the model was found that explains the log."},
	{"property-violated", "A property of the model is violated in the run that explains the log."},
	{"assumption-broken", "The run that explains the log breaks an assumption of the model."},
	{"proves-little", "The log lacks something that a proof needs."},
	{string(logs.Cycle), "Events have to happen before themselves."},
	{string(logs.Backwards), "A clock or a count of a node does not advance."},
	{string(logs.DuplicateID), "Two messages have one identity, or a message is received twice."},
	{string(logs.SameName), "Two nodes log under one name."},
	{string(logs.LamportLess),
		"A message is received at a Lamport clock that is not above the clock of its send."},
	{string(logs.Unsent),
		"A message is received that no node has sent, though its sender logs its messages."},
	{string(logs.Torn), "The last line of a log has no end."},
	{string(logs.Unreadable), "A line of a log makes no sense."},
	{string(logs.Empty), "A file has no events."},
	{string(logs.Tail), "The log of a node ends before events that other nodes know of."},
	{string(logs.Gap), "Counts of events are left out: lines are missing."},
	{string(logs.Restart), "A node has started again: its count begins at 1."},
	{string(logs.Nested),
		"A node acquires units that it holds, and no line between is missing."},
	{string(logs.Twice),
		"A node acquires units that it holds, and lines between may be missing."},
	{string(logs.NotInside), "A node releases units that it does not hold."},
	{string(logs.NotHeld), "A node that holds no units fails to release."},
	{string(logs.Outlasts), "A node releases after its lease has ended."},
	{"stale-token", "A fencing token is not greater than those before it."},
	{"seams", "All overlaps are short and at the handover from one holding to the next."},
	{"short-leases", "All leases are over long before the release."},
	{string(logs.TimeBack), "The time stamps of a node run back; that decides nothing."},
}

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
	d := &Doc{Tool: v.Program.Name, Version: models.Version(), Verdict: string(v.Verdict()), Rules: logRules,
		Files: v.Log.Files, Findings: findingsOf(v.Findings())}
	s := Suite{Name: strings.Join(v.Log.Files, " ")}
	for i := range d.Findings {
		s.Output += d.Findings[i].Level + ": " + d.Findings[i].Text + "\n"
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
