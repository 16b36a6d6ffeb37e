//go:build !js

package report

import (
	"slices"
	"strings"

	"github.com/atmostk/atmostk/cmd/internal/models"
	"github.com/atmostk/atmostk/traces/explain"
	"github.com/atmostk/atmostk/traces/logs"
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
	{"proves-little",
		"The log does not show something that it would have to show to prove anything."},
	{string(logs.Cycle), "Events have to happen before themselves."},
	{string(logs.Backwards), "A clock or a count of a node does not advance."},
	{string(logs.DuplicateID), "Two messages have one identity, or a message is received twice."},
	{string(logs.SameName), "Two nodes log under one name."},
	{string(logs.LamportLess),
		"A message is received at a Lamport clock that is not above that of its send."},
	{string(logs.Unsent),
		"A message is received that nobody has sent, though its sender logs what it sends."},
	{string(logs.Torn), "The last line of a log has no end."},
	{string(logs.Unreadable), "A line of a log makes no sense."},
	{string(logs.Empty), "A file has no events."},
	{string(logs.Tail), "The log of a node ends before what others know of it."},
	{string(logs.Gap), "Counts of events are left out: lines are missing."},
	{string(logs.Restart), "A node has started again: its count begins anew."},
	{string(logs.Nested),
		"A node acquires again while it is inside, and no line is missing between."},
	{string(logs.Twice),
		"A node acquires again while it is inside, and lines may be missing between."},
	{string(logs.NotInside), "A node leaves and is not inside."},
	{string(logs.NotHeld), "A node that is not inside fails to release."},
	{string(logs.Outlasts), "A node releases after its lease has ended."},
	{"stale-token", "A fencing token is not greater than those before it."},
	{"seams", "All overlaps are short and at the seams of stays."},
	{"short-leases", "All leases are over long before the release."},
	{string(logs.TimeBack), "The time stamps of a node run back, which decides nothing."},
}

// A Log is the judgement of a log.
type Log struct {
	*validate.Report
	Program *models.Set
	Subject *models.Subject // the model that the log is a run of; nil: none is known
	// Statistics says that the text has them, Budget how many steps may be missing from the log.
	Statistics bool
	Budget     int
	// Again reads the events of the log again; nil: it cannot.
	Again func() *logs.History
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
		c := Case{Name: name, Class: s.Name}
		if verdict != explain.Accepted {
			c.Outcome, c.Kind, c.Message, c.Details = failed, string(verdict), message, details
		}
		if verdict == explain.Undecided {
			c.Outcome = errored
		}
		s.Cases = append(s.Cases, c)
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

// caveats are what the log does not show.
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
