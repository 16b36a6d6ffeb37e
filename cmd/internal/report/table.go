//go:build !js

package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/atmostk/atmostk/cmd/internal/term"
	"github.com/atmostk/atmostk/explore"
	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/traces/printable"
)

// A Table is the results of a family of instances of a model. It is written row by row, so that the first
// rows of a long table can be read early.
type Table struct {
	Tool, Model string
	Form        string   // text, json or junit
	Columns     []string // the properties of all instances
	rows        int
	suites      []Suite
}

// Row writes the results of an instance.
func (t *Table) Row(w io.Writer, args string, r *explore.Report) error {
	marks := make([]string, len(t.Columns))
	for i, name := range t.Columns {
		marks[i] = mark(r, name)
	}
	t.rows++
	switch t.Form {
	case "json":
		return tableJSON(w, args, r)
	case "junit":
		t.suites = append(t.suites, instanceSuite(t.Model, t.Model+" "+args, r,
			func(int) string { return r.Stopped }))
	default:
		if t.rows == 1 {
			line(w, "%14s %6s  %s", "states", "depth", strings.Join(t.Columns, "  "))
		}
		printable.Fprintf(w, "%14s %6d", states(r), r.Depth)
		for i, name := range t.Columns {
			verdict := explore.Unknown
			if p := resultOf(r, name); p != nil {
				verdict = p.Verdict
			}
			printable.Fprintf(w, "  %s", term.Verdict(verdict, fmt.Sprintf("%-*s", len(name), marks[i])))
		}
		line(w, "  %s", args)
	}
	return nil
}

// End writes the end of the table.
func (t *Table) End(w io.Writer) error {
	if t.Form != "junit" {
		return nil
	}
	return (&Doc{Tool: t.Tool, Suites: t.suites}).JUnit(w)
}

// resultOf returns the result of a property; nil: it was not asked.
func resultOf(r *explore.Report, property string) *explore.Result {
	for i := range r.Properties {
		if r.Properties[i].Name == property {
			return &r.Properties[i]
		}
	}
	return nil
}

// mark is the verdict on a property in a cell: a dot if its answer follows from the parameters of the
// instance, "" if the instance has no such property, and error if it is unknown because the model is at
// fault.
func mark(r *explore.Report, property string) string {
	p := resultOf(r, property)
	switch {
	case p == nil:
		for _, notAskedOf := range r.NotAsked {
			if notAskedOf.Name == property {
				return "."
			}
		}
		return ""
	case p.Verdict == explore.Unknown && r.Mistake != nil:
		return "error"
	case p.Verdict == explore.Unknown:
		return "?"
	case p.Kind == model.Reachable && p.Verdict == explore.Violated:
		return "-"
	case p.Kind == model.Reachable:
		return fmt.Sprintf("+%d", p.Length)
	case p.Verdict == explore.Violated:
		return fmt.Sprintf("-%d", p.Length)
	}
	return "+"
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
