//go:build !js

package cli

import (
	"slices"
	"strings"

	"github.com/atmostk/atmostk/cmd/internal/models"
	"github.com/atmostk/atmostk/cmd/internal/report"
	"github.com/atmostk/atmostk/traces/explain"
	"github.com/atmostk/atmostk/traces/logs"
	"github.com/atmostk/atmostk/traces/printable"
)

// logRules describes the kinds of findings in logs.
var logRules = []report.Rule{
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

// doc returns the judgement as a document: a case for the log itself, one for each resource, and one for the
// run of the model.
func (v *validation) doc() *report.Doc {
	d := &report.Doc{Tool: v.program.Name, Version: models.Version(), Verdict: v.verdict(), Rules: logRules,
		Files: v.log.Files}
	var all strings.Builder
	for _, p := range v.points() {
		d.Findings = append(d.Findings, p.finding())
		printable.Fprintf(&all, "%s: %s\n", p.level, p.text)
	}
	// details returns the findings of some kinds as text.
	details := func(rules ...string) (text string) {
		for i := range d.Findings {
			if f := &d.Findings[i]; slices.Contains(rules, f.Rule) {
				text += f.Text + "\n" + strings.Join(f.Lines(), "\n") + "\n"
			}
		}
		return text
	}
	s := report.Suite{Name: strings.Join(v.log.Files, " "), Output: all.String()}
	log := report.Case{Name: "the log does not contradict itself", Class: s.Name}
	if v.log.Contradictory() {
		log.Outcome, log.Kind, log.Message = report.Failed, rejected, "no run can have such a log"
		log.Details = []string{details(string(logs.Cycle), string(logs.Backwards), string(logs.DuplicateID),
			string(logs.SameName), string(logs.LamportLess))}
	}
	s.Cases = append(s.Cases, log)
	for _, u := range v.uses {
		s.Cases = append(s.Cases, v.resourceCase(u, s.Name))
	}
	if x := v.explanation; x != nil {
		c := report.Case{Name: "a run of " + v.spec.Name + " explains the log", Class: s.Name}
		switch {
		case x.Verdict == explain.Rejected || v.broken():
			c.Outcome, c.Kind, c.Message = report.Failed, rejected, v.put()
			c.Details = []string{details("line-missing", "not-explained", "property-violated",
				"assumption-broken")}
		case x.Verdict != explain.Accepted:
			c.Outcome, c.Kind, c.Message = report.Errored, undecided, v.put()
			c.Details = []string{x.Reason}
		}
		s.Cases = append(s.Cases, c)
	}
	d.Suites = []report.Suite{s}
	return d
}

// resourceCase is the case about the units of a resource.
func (v *validation) resourceCase(u *logs.Occupancy, class string) report.Case {
	c := report.Case{Name: "at most k units in use", Class: class, Message: v.figure(u)}
	if u.Resource != "" {
		c.Name += " of " + u.Resource
	}
	for _, p := range append(v.overlaps(u), v.stale(u)...) {
		f := p.finding()
		c.Details = append(append(c.Details, f.Text), f.Lines()...)
	}
	switch {
	case broken(u) && !v.mixed():
		c.Outcome, c.Kind = report.Failed, rejected
	case badness(u) != 1 && v.explanation == nil:
		c.Outcome, c.Kind = report.Errored, undecided
	}
	return c
}

// finding returns the point in the form of reports.
func (p *point) finding() report.Finding {
	f := report.Finding{Rule: p.rule, Level: p.level, Text: p.text, Details: p.details}
	for _, at := range p.places {
		f.Places = append(f.Places, report.Place{File: at.File, Line: at.Line})
	}
	if p.overlap == nil {
		return f
	}
	f.Holdings = holdings(p.overlap)
	for i := range p.overlap.Stays {
		if s := &p.overlap.Stays[i]; s.Release != nil {
			f.Places = append(f.Places, report.Place{File: s.Release.File, Line: s.Release.Line,
				Text: s.Node + " leaves"})
		}
	}
	return f
}
