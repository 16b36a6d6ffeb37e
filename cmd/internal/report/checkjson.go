package report

import (
	"io"

	"github.com/atmostk/atmostk/cmd/internal/term"
	"github.com/atmostk/atmostk/explore"
	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/traces"
	"github.com/atmostk/atmostk/traces/printable"
)

// JSON writes the report for a program, as check.schema.json has it. Fields may be added; these stay.
func (c *Check) JSON(out io.Writer) error {
	r, reduce := c.Report, ""
	if r.Reduce != (model.Reduction{}) {
		reduce = r.Reduce.String()
	}
	properties := make([]object, len(r.Properties))
	for i := range r.Properties {
		properties[i] = c.property(&r.Properties[i], c.Runs[i])
	}
	var fault object
	if m := r.Mistake; m != nil {
		fault = mistake(m.Error, &m.Length, c.Mistaken.written())
		if m.Path == nil {
			fault = mistake(m.Error, nil, "")
		}
	}
	return printable.EncodeJSON(out, append(c.head(), object{
		{"spec", c.Spec.Name}, {"parameters", c.Parameters()}, {"verdict", r.Verdict},
		{"complete", r.Complete}, {"stopped?", r.Stopped}, {"states", r.States}, {"generated", r.Generated},
		{"depth", r.Depth}, {"seconds", r.Elapsed.Seconds()}, {"properties", properties},
		{"model-error?", fault}, {"never-asked-for?", c.Args.Unread()}, {"levels", r.Levels},
		{"actions", fired(r.Actions, r.Fired)}, {"outside", r.Outside}, {"beyond?", r.Beyond},
		{"pruned", r.Pruned}, {"rp-stuck", r.Stuck}, {"rp-stuck-depth?", r.StuckDepth}, {"quiet", r.Quiet},
		{"reduce?", reduce}, {"not-asked?", notAskedOf(r)}, {"never-changed?", r.Unchanged},
		{"fairness-never-enabled?", r.Unseen}, {"state-bytes", r.StateBytes}, {"memory", term.Peak(r.Memory)},
		{"store", r.Store.String()}, {"omission?", r.Omission}, {"disk?", r.Disk},
	}...), "")
}

// property puts the result of a property into its form for programs.
func (c *Check) property(p *explore.Result, run *Shown) object {
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
	lost := each(p.Lost, func(l *explore.Lost) object {
		return object{{"from", l.Origin}, {"states", l.States}, {"lost", l.Lost}}
	})
	return object{
		{"name", p.Name}, {"verdict", p.Verdict}, {"unknown-because?", c.undecided(p)}, {"length?", length},
		{"trace?", run.written()}, {"part?", p.Part}, {"count", p.Count}, {"vacuous?", p.Vacuous},
		{"vacuous-because?", excuse}, {"state-by-state?", p.StateByState}, {"out-of-reach?", lost},
		{"least?", extreme(p.Least)}, {"most?", extreme(p.Most)}, {"sentence?", sentence},
		{"culprits?", culprits},
	}
}

// extreme is the least or the most that a property of kind costs counted; nil: nothing was counted.
func extreme(e *explore.Extreme) object {
	if e == nil {
		return nil
	}
	return object{{"messages", e.Count}, {"requests", e.Requests}, {"endless?", e.Endless}}
}

// mistake is the fault of a model, with the steps of the run that leads there, and the file of that run.
func mistake(e *model.Error, length *int, file string) object {
	m := traces.NewMistake(e)
	return object{
		{"part", e.Part}, {"what", m.What}, {"where?", m.Where}, {"process?", m.Process},
		{"action?", m.Action}, {"state?", m.State}, {"message?", m.Message}, {"first?", m.First},
		{"second?", m.Second}, {"length?", length}, {"trace?", file},
	}
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
		{"title", a.Title},
		{"source", a.Source}, {"set", a.Set}, {"command?", a.Command}}
}
