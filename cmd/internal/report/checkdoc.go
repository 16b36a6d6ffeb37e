package report

import (
	"fmt"
	"strings"

	"github.com/atmostk/atmostk/cmd/internal/models"
	"github.com/atmostk/atmostk/explore"
	starfile "github.com/atmostk/atmostk/model/starlark"
	"github.com/atmostk/atmostk/traces"
)

// modelError is the rule of what is wrong with the model itself.
var modelError = Rule{"model-error", "The model itself is at fault."}

// Doc returns the report as a document: a rule for each property, and a finding for each that does not hold
// or was not decided. A violation stands at the model's file, or at its last step in the trace for models
// that are no files.
func (c *Check) Doc() *Doc {
	d := &Doc{Tool: c.Program.Name, Version: models.Version(), Verdict: string(c.Report.Verdict)}
	add := func(rule, level, text string, shown *Shown) {
		f := Finding{Rule: rule, Level: level, Text: text}
		if strings.HasSuffix(c.Named, starfile.Extension) {
			f.Places = []place{{File: c.Named, Line: 1}}
		}
		if file := shown.Written(); file != "" {
			f.follow(shown.Trace, file, c.Spec.Source)
			d.Files = append(d.Files, file)
		}
		d.Findings = append(d.Findings, f)
	}
	for i := range c.Report.Properties {
		p := &c.Report.Properties[i]
		d.Rules = append(d.Rules, Rule{p.Name, p.Doc})
		text := c.String() + ": " + p.Doc
		if found := c.found(p); found != "" {
			text += "\n" + found
		}
		holds := string(p.Verdict) + " by " + text
		switch {
		case p.Verdict == explore.Violated:
			if run := c.Runs[i]; run != nil {
				holds += "\nits last step: " + run.Trace.Steps[len(run.Trace.Steps)-1].Text
			}
			add(p.Name, levelError, holds, c.Runs[i])
		case p.Verdict == explore.Unknown:
			add(p.Name, levelWarning, "undecided for "+text, nil)
		case Unexcused(*p):
			add(p.Name, levelWarning, vacuity(p)+"\n"+holds, c.Runs[i])
		case len(p.Vacuous) > 0:
			add(p.Name, levelNote, vacuity(p)+"\n"+holds, nil)
		}
	}
	d.Rules = append(d.Rules, modelError)
	if m := c.Report.Mistake; m != nil {
		text := c.String() + ": " + m.What
		if m.Where != "" {
			text += "\nat " + m.Where
		}
		add(modelError.ID, levelError, text, c.Mistaken)
	}
	d.Suites = []Suite{InstanceSuite(c.Spec.Name, c.String(), c.Report, c.details)}
	return d
}

// follow adds the end of a run as a place, and all its steps. In the file of the trace a header comes first,
// and then a line for each step; paper is where the model was published.
func (f *Finding) follow(t *traces.Trace, written, paper string) {
	for i := range t.Steps {
		s := &t.Steps[i]
		at := place{File: written, Line: i + 2, Text: s.Text, Source: s.Source}
		if s.Source != "" {
			at.FullSource = strings.TrimPrefix(paper+": "+s.Source, ": ")
		}
		f.Run = append(f.Run, at)
	}
	end := f.Run[len(f.Run)-1]
	end.Text = ""
	f.Places = append(f.Places, end)
}

// details says what there is to know of a property besides its verdict, with its run.
func (c *Check) details(property int) string {
	p := &c.Report.Properties[property]
	text := c.found(p)
	if c.Runs[property] == nil || p.Path == nil {
		return text
	}
	var b strings.Builder
	if err := traces.Render(&b, "text", c.Runs[property].Run, traces.Options{}); err != nil {
		return text
	}
	return text + "\n" + b.String()
}

// InstanceSuite has a case for each property of an instance, and one for the model if it is at fault; more
// is further text about a property.
func InstanceSuite(spec, name string, r *explore.Report, more func(property int) string) Suite {
	s := Suite{Name: name, Seconds: fmt.Sprintf("%.3f", r.Elapsed.Seconds())}
	for i := range r.Properties {
		p := &r.Properties[i]
		c := Case{Name: p.Name, Class: spec, Message: p.Doc}
		switch p.Verdict {
		case explore.Violated:
			c.Outcome, c.Kind, c.Details = failed, "violated", []string{more(i)}
		case explore.Unknown:
			c.Outcome, c.Kind, c.Details = errored, "undecided", []string{more(i), r.Stopped}
			if r.Verdict == explore.Violated { // the search has ended with that
				c = Case{Name: p.Name, Class: spec, Outcome: skipped,
					Message: "undecided, as " + spec + " violates another property: " + p.Doc}
			}
		case explore.ModelError:
			c.Outcome, c.Kind = errored, "model error"
		default:
			c.Output = vacuity(p)
		}
		s.Cases = append(s.Cases, c)
	}
	for _, p := range r.NotAsked {
		s.Cases = append(s.Cases, Case{Name: p.Name, Class: spec, Outcome: skipped, Message: p.Moot})
	}
	if m := r.Mistake; m != nil {
		s.Cases = append(s.Cases, Case{Name: "the model itself", Class: spec, Outcome: errored,
			Kind: "model error", Message: m.What, Details: []string{m.Where}})
	}
	return s
}
