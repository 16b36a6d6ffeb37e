//go:build !js

package report

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/atmostk/atmostk/cmd/internal/models"
	"github.com/atmostk/atmostk/cmd/internal/term"
	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/lts"
	"github.com/atmostk/atmostk/model/usage"
	"github.com/atmostk/atmostk/traces"
	"github.com/atmostk/atmostk/traces/explain"
	"github.com/atmostk/atmostk/traces/logs/formats"
	"github.com/atmostk/atmostk/traces/logs/occupancy"
	"github.com/atmostk/atmostk/traces/printable"
	"github.com/atmostk/atmostk/traces/validate"
)

// A Log is the judgement of a log.
type Log struct {
	*validate.Report
	Program *models.Set
	Subject *models.Subject // the model whose run made the log; nil: unknown
	Budget  int             // the largest number of steps that may be missing from the log
}

// Doc returns the judgement as a document: a case for the log itself, one for each resource, and one for the
// run of the model.
func (v *Log) Doc() *Doc {
	d := &Doc{Tool: v.Program.Name, Version: models.Version(), Verdict: string(v.Verdict()),
		Files: v.Log.Files, Findings: findingsOf(v.Findings())}
	s := Suite{Name: strings.Join(v.Log.Files, " ")}
	for i := range d.Findings {
		f := &d.Findings[i]
		s.Output += f.Level + ": " + printable.Text(f.Text) + "\n"
		if rule := (Rule{f.Rule, strings.ReplaceAll(f.Rule, "-", " ")}); !slices.Contains(d.Rules, rule) {
			d.Rules = append(d.Rules, rule)
		}
	}
	add := func(name string, verdict explain.Verdict, message string, details ...string) {
		if verdict == explain.Accepted {
			s.add(name, s.Name, passed, "", "")
			return
		}
		outcome := map[bool]string{true: failed, false: errored}[verdict == explain.Rejected]
		s.add(name, s.Name, outcome, string(verdict), message, details...)
	}
	consistent := map[bool]explain.Verdict{true: explain.Rejected, false: explain.Accepted}
	add("the log does not contradict itself", consistent[v.Log.Contradictory()], "no run can have such a log",
		d.lines(string(formats.Cycle), string(formats.Backwards), string(formats.DuplicateID),
			string(formats.SameName), string(formats.LamportLess))...)
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
	if v.Verdict() == explain.Undecided && s.Failures+s.Errors == 0 {
		add("nothing is left to ask", explain.Undecided, "the findings name what is not known", d.lines()...)
	}
	d.Suites = []Suite{s}
	return d
}

// lines returns the findings of some rules as text; without rules, all findings.
func (d *Doc) lines(rules ...string) (lines []string) {
	for i := range d.Findings {
		if f := &d.Findings[i]; rules == nil || slices.Contains(rules, f.Rule) {
			lines = append(append(lines, f.Text), f.Lines()...)
		}
	}
	return lines
}

// findingsOf turns findings about a log into findings of a document.
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

// JSON writes the judgement, in the form of validate.schema.json. Fields may be added; these stay.
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
		{"explanation?", v.explanation()},
		{"notes", printable.Each(v.Caveats(), func(t *usage.Text) string { return t.With(Flagged) })},
	}, "")
}

// explanation returns the search for a run of the model for JSON; nil: there was no search.
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
		missing = printable.Each(repair.Missing, func(s *explain.Step) object {
			return object{{"node", s.Node}, {"text", s.Text}, {"places", list(validate.StepPlaces(s))}}
		})
	}
	s := &r.Vacuity
	return object{
		{"verdict", r.Verdict}, {"reason?", r.Reason}, {"lines", r.Lines}, {"explained", r.Explained},
		{"states", r.States}, {"budget", v.Budget}, {"tail", v.Tail}, {"inside", s.Inside},
		{"entries", s.Entries}, {"crashes", s.Crashes}, {"hidden", s.Hidden}, {"received", s.Switches},
		{"never", list(s.Never)}, {"violated", violated}, {"reached", reached},
		{"frontiers", printable.Each(r.Furthest, cutJSON)}, {"repairable?", repairable},
		{"missing?", missing},
	}
}

// cutJSON returns a cut of a log beyond which no run leads, for JSON.
func cutJSON(f *explain.FurthestCut) object {
	var last *formats.Place
	if f.Last != nil {
		last = &f.Last.Place
	}
	blocked := printable.Each(f.Blocked, func(b *explain.Blocked) object {
		return object{{"node", b.Node}, {"event", b.Event.Name}, {"at", b.Event.Place},
			{"why", b.Why}, {"waits", b.Waits}, {"enabled", list(b.Enabled)}}
	})
	state := printable.Each(f.State, func(v *lts.Var) traces.Var { return traces.Var(*v) })
	return object{{"last?", last}, {"blocked", blocked}, {"state", state}}
}

// Text writes the judgement for a person.
func (v *Log) Text(out io.Writer) error {
	w := bufio.NewWriter(out)
	if v.Subject != nil {
		heading(w, v.Subject, 0)
	}
	line(w, "%s\n", v.summary())
	v.Doc().writeFindings(w)
	lineEach(w, "%s", v.figures())
	if v.Explanation != nil {
		line(w, "%s", v.Coverage())
	}
	line(w, "%s", term.Verdict(v.Verdict(), string(v.Verdict())))
	return w.Flush()
}

// summary describes the input.
func (v *Log) summary() string {
	order := "each node in its own order"
	if by := v.Log.Order(); len(by) > 0 {
		order = "ordered by " + strings.Join(by, " and ")
	}
	s := fmt.Sprintf("%s, %s of %s; %s", printable.Plural(len(v.Log.Files), "file"),
		printable.Plural(v.Log.Events(), "event"), printable.Plural(len(v.Log.Nodes), "node"), order)
	if v.Log.Ignored > 0 {
		s += "; " + printable.Plural(v.Log.Ignored, "event") + " left out"
	}
	if v.Log.Skipped > 0 {
		s += "; " + printable.Plural(v.Log.Skipped, "line") + " left out"
	}
	return s
}

// maxFigures is the number of resources whose figures are shown.
const maxFigures = 20

// figures has a line for each resource: the units in use.
func (v *Log) figures() (lines []string) {
	lines = printable.Each(v.Uses[:min(len(v.Uses), maxFigures)],
		func(u **occupancy.Occupancy) string { return v.figure(*u) })
	if more := len(v.Uses) - len(lines); more > 0 {
		lines = append(lines, fmt.Sprintf("and %s more, none worse", printable.Plural(more, "resource")))
	}
	return lines
}

// figure describes the units of a resource in use, its holdings, crashes and tokens.
func (v *Log) figure(u *occupancy.Occupancy) string {
	what, of := "in use", ""
	switch u.K {
	case math.MaxInt:
	case occupancy.AnyNumber:
		what = "inside"
	default:
		of = " of " + printable.Plural(u.K, "unit")
	}
	s := fmt.Sprintf("%s%s at once: certainly %s, possibly %s%s; %s",
		strings.TrimPrefix(u.Resource+" ", " "), what, validate.InUse(u.K, u.Certainly),
		validate.InUse(u.K, u.Possibly), of, printable.Plural(u.Holdings, "holding"))
	if u.Open > 0 {
		s += fmt.Sprintf(", %d without a release", u.Open)
	}
	if u.Crashes > 0 {
		s += ", " + printable.Plural(u.Crashes, "crash")
	}
	if t := u.Tokens; t != nil {
		s += fmt.Sprintf("; %s handed out and %s used, %s of them stale",
			printable.Plural(t.Granted, "token"), printable.Number(t.Used), printable.Number(t.Count))
	}
	return s
}

// Holdings lists the holding intervals of an overlap set.
func Holdings(c *occupancy.OverlapSet) (lines []string) {
	var b strings.Builder
	tw := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	for i := range c.Holdings {
		s := &c.Holdings[i]
		from, left := "from "+s.Enter.String(), "not released"
		switch {
		case s.Release != nil && *s.Release == s.Enter: // one line has the whole holding
			from, left = "at "+s.Enter.String(), ""
		case s.Release != nil:
			left = "to " + s.Release.String()
		}
		note := s.Note
		switch {
		case s.Mode != "":
			note = s.Mode + "s  " + note
		case s.Units > 1:
			note = printable.Plural(s.Units, "unit") + "  " + note
		}
		line(tw, "%s\t%s\t%s\t%s", s.Node, from, left, note)
	}
	_ = tw.Flush() // a strings.Builder returns no error
	for text := range strings.Lines(b.String()) {
		lines = append(lines, strings.TrimRight(text, " \n"))
	}
	return lines
}
