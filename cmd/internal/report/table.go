//go:build !js

package report

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/atmostk/atmostk/cmd/internal/term"
	"github.com/atmostk/atmostk/explore"
	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/traces/printable"
)

// A Table is the results of a family of instances of a model. It is written row by row, so that the first
// rows of a long table can be read early.
type Table struct {
	Doc
	Model   string
	Form    string   // text, json or junit
	Columns []string // the properties of all instances
	begun   bool
}

// Row writes the results of an instance.
func (t *Table) Row(w io.Writer, args string, r *explore.Report) error {
	switch t.Form {
	case "json":
		return tableJSON(w, args, r)
	case "junit":
		t.Suites = append(t.Suites, instanceSuite(t.Model, t.Model+" "+args, r,
			func(int) string { return r.Stopped }))
		return nil
	}
	if !t.begun {
		line(w, "%14s %6s  %s", "states", "depth", strings.Join(t.Columns, "  "))
	}
	t.begun = true
	printable.Fprintf(w, "%14s %6d", states(r), r.Depth)
	for _, name := range t.Columns {
		verdict, text := mark(r, name)
		printable.Fprintf(w, "  %s", term.Verdict(verdict, fmt.Sprintf("%-*s", len(name), text)))
	}
	line(w, "  %s", args)
	return nil
}

// End writes the end of the table.
func (t *Table) End(w io.Writer) error {
	if t.Form == "junit" {
		return t.JUnit(w)
	}
	return nil
}

// mark is the verdict on a property in a cell: a dot if its answer follows from the parameters of the
// instance, "" if the instance has no such property, and error if it is unknown because the model is at
// fault.
func mark(r *explore.Report, property string) (verdict explore.Verdict, text string) {
	for _, p := range r.NotAsked {
		if p.Name == property {
			return explore.Unknown, "."
		}
	}
	i := slices.IndexFunc(r.Properties, func(p explore.Result) bool { return p.Name == property })
	if i < 0 {
		return explore.Unknown, ""
	}
	p := &r.Properties[i]
	goal, violated := p.Kind == model.Reachable, p.Verdict == explore.Violated
	switch {
	case p.Verdict == explore.Unknown && r.Mistake != nil:
		text = "error"
	case p.Verdict == explore.Unknown:
		text = "?"
	case goal && violated:
		text = "-"
	case goal:
		text = fmt.Sprintf("+%d", p.Length)
	case violated:
		text = fmt.Sprintf("-%d", p.Length)
	default:
		text = "+"
	}
	return p.Verdict, text
}

// states is the number of states in a cell.
func states(r *explore.Report) string {
	if r.Complete {
		return printable.Number(r.States)
	}
	return "> " + printable.Number(r.States)
}

// tableJSON writes an object in a line of its own.
func tableJSON(w io.Writer, args string, r *explore.Report) error {
	mistake := ""
	if r.Mistake != nil {
		mistake = r.Mistake.Error.Error()
	}
	properties := each(r.Properties, func(p *explore.Result) object {
		return object{{"name", p.Name}, {"verdict", p.Verdict}, {"length?", max(p.Length, 0)}}
	})
	return printable.EncodeJSON(w, object{
		{"arguments", args}, {"complete", r.Complete}, {"stopped?", r.Stopped}, {"model-error?", mistake},
		{"states", r.States}, {"generated", r.Generated}, {"pruned", r.Pruned}, {"stuck", r.Stuck},
		{"depth", r.Depth}, {"seconds", r.Elapsed.Seconds()}, {"properties", properties},
		{"not-asked?", notAskedOf(r)},
	}, "")
}
