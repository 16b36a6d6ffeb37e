package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/atmostk/atmostk/cmd/internal/models"
	"github.com/atmostk/atmostk/cmd/internal/term"
	"github.com/atmostk/atmostk/explore"
	"github.com/atmostk/atmostk/model"
	starfile "github.com/atmostk/atmostk/model/starlark"
	"github.com/atmostk/atmostk/traces"
	"github.com/atmostk/atmostk/traces/printable"
)

// modelError is the rule of mistakes of the model itself.
var modelError = Rule{"model-error", "The model itself is at fault."}

// Doc returns the report as a document: a rule for each property, and a finding for each that does not hold
// or was not decided. The place of a violation is the model's file or, for a built-in model, the last step
// in the trace.
func (c *Check) Doc() *Doc {
	d := &Doc{Tool: c.Program.Name, Version: models.Version(), Verdict: string(c.Report.Verdict)}
	add := func(rule, level, text string, shown *traces.Run) {
		f := Finding{Rule: rule, Level: level, Text: text}
		if strings.HasSuffix(c.Named, starfile.Extension) {
			f.Places = []place{{File: c.Named, Line: 1}}
		}
		if file := written(shown); file != "" {
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
	d.Suites = []Suite{c.suite()}
	return d
}

// follow adds the end of a run as a place, and all its steps. In the file of the trace a header comes first,
// and then a line for each step; paper is where the model was published.
func (f *Finding) follow(t *traces.Trace, file, paper string) {
	for i := range t.Steps {
		s := &t.Steps[i]
		at := place{File: file, Line: i + 2, Text: s.Text, Source: s.Source}
		if s.Source != "" {
			at.FullSource = strings.TrimPrefix(paper+": "+s.Source, ": ")
		}
		f.Run = append(f.Run, at)
	}
	end := f.Run[len(f.Run)-1]
	end.Text = ""
	f.Places = append(f.Places, end)
}

// details describes the result of a property, with its run.
func (c *Check) details(property int) string {
	p := &c.Report.Properties[property]
	text := c.found(p)
	if c.Runs[property] == nil || p.Path == nil {
		return text
	}
	var b strings.Builder
	if err := traces.Render(&b, "text", c.Runs[property], traces.Options{}); err != nil {
		return text
	}
	return text + "\n" + b.String()
}

// suite has a case for each property, and one for the model if it is at fault.
func (c *Check) suite() Suite {
	r, spec := c.Report, c.Spec.Name
	s := Suite{Name: c.String(), Seconds: fmt.Sprintf("%.3f", r.Elapsed.Seconds())}
	for i := range r.Properties {
		switch p := &r.Properties[i]; {
		case p.Verdict == explore.Violated:
			s.add(p.Name, spec, failed, "violated", p.Doc, c.details(i))
		case p.Verdict == explore.Unknown && r.Verdict == explore.Violated: // which ended the search
			s.add(p.Name, spec, skipped, "", "undecided, as "+spec+" violates another property: "+p.Doc)
		case p.Verdict == explore.Unknown:
			s.add(p.Name, spec, errored, "undecided", p.Doc, c.details(i), r.Stopped)
		case p.Verdict == explore.ModelError:
			s.add(p.Name, spec, errored, "model error", p.Doc)
		default:
			s.add(p.Name, spec, passed, "", vacuity(p))
		}
	}
	for _, p := range r.NotAsked {
		s.add(p.Name, spec, skipped, "", p.Moot)
	}
	if m := r.Mistake; m != nil {
		s.add("the model itself", spec, errored, "model error", m.What, m.Where)
	}
	return s
}

// JSON writes the report for a program, in the form of check.schema.json. Fields may be added; these stay.
func (c *Check) JSON(out io.Writer) error {
	r, reduce := c.Report, ""
	if r.Reduce != (model.Reduction{}) {
		reduce = r.Reduce.String()
	}
	properties := make([]object, len(r.Properties))
	for i := range r.Properties {
		properties[i] = c.property(&r.Properties[i], c.Runs[i])
	}
	movers := printable.Each(r.Movers, func(m *explore.Mover) object {
		return object{{"action", m.Action}, {"at-once", m.Level.String()}, {"obstacle?", m.Obstacle}}
	})
	var fault *mistake
	if m := r.Mistake; m != nil {
		fault = &mistake{m.Part, traces.NewMistake(m.Error), nil, written(c.Mistaken)}
		if m.Path != nil {
			fault.Length = &m.Length
		}
	}
	return printable.EncodeJSON(out, append(c.head(), object{
		{"spec", c.Spec.Name}, {"parameters", c.Parameters()}, {"verdict", r.Verdict},
		{"complete", r.Complete}, {"stopped?", r.Stopped}, {"states", r.States}, {"generated", r.Generated},
		{"depth", r.Depth}, {"seconds", r.Elapsed.Seconds()}, {"properties", properties},
		{"model-error?", fault}, {"never-asked-for?", c.Args.Unread()}, {"levels", r.Levels},
		{"actions", fired(r.Actions, r.Fired)}, {"outside", r.Outside}, {"beyond?", r.Beyond},
		{"pruned", r.Pruned}, {"rp-stuck", r.Stuck}, {"rp-stuck-depth?", r.StuckDepth}, {"quiet", r.Quiet},
		{"reduce?", reduce}, {"movers?", movers},
		{"not-asked?", printable.Each(r.NotAsked, func(p *model.PropertyInfo) object {
			return object{{"name", p.Name}, {"because", p.Moot}}
		})}, {"never-changed?", r.Unchanged},
		{"fairness-never-enabled?", r.Unseen}, {"state-bytes", r.StateBytes}, {"memory", term.Peak(r.Memory)},
		{"store", r.Store.String()}, {"omission?", r.Omission}, {"disk?", r.Disk},
	}...), "")
}

func (c *Check) property(p *explore.Result, run *traces.Run) object {
	var length *int
	if p.Length >= 0 {
		length = &p.Length
	}
	excuse, sentence, culprits := "", "", []string(nil)
	if p.Vacuous != nil {
		excuse = p.Excuse
	}
	if run != nil {
		sentence, culprits = run.Sentence(), run.Culprits()
	}
	return object{
		{"name", p.Name}, {"verdict", p.Verdict}, {"unknown-because?", c.undecided(p)}, {"length?", length},
		{"trace?", written(run)}, {"part?", p.Part}, {"count", p.Count}, {"vacuous?", p.Vacuous},
		{"vacuous-because?", excuse}, {"state-by-state?", p.StateByState}, {"out-of-reach?", p.Lost},
		{"out-of-reach-unknown?", p.LostUnknown}, {"least?", p.Least}, {"most?", p.Most},
		{"sentence?", sentence}, {"culprits?", culprits},
	}
}

type mistake struct {
	Part string `json:"part"`
	*traces.Mistake
	Length *int   `json:"length,omitempty"` // steps of the run that leads there
	Trace  string `json:"trace,omitempty"`  // file of that run
}

// head returns the beginning of a report: the model, and the sentence of the first run to a violation.
func (c *Check) head() object {
	r := c.Counterexample()
	if r == nil {
		a := c.Program.About(&traces.Trace{Header: c.Header("")})
		return object{{"title", a.Title}, {"source", a.Source}, {"set", a.Set}}
	}
	says := ""
	for _, p := range c.Space.Properties() {
		if p.Name == r.Trace.Property {
			says = p.Doc
		}
	}
	a := c.Program.About(r.Trace)
	return object{{"sentence?", r.Sentence()}, {"says?", says}, {"culprits?", r.Culprits()},
		{"title", a.Title}, {"source", a.Source}, {"set", a.Set}, {"command?", a.Command}}
}
