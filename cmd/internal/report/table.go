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

// TableHead writes the head of a table of a family of instances, which has a column for each property.
func TableHead(w io.Writer, properties []string) {
	line(w, "%14s %6s  %s", "states", "depth", strings.Join(properties, "  "))
}

// TableRow writes the results of an instance with some arguments as a row of a table.
func TableRow(w io.Writer, properties []string, args string, r *explore.Report) {
	states := printable.Number(r.States)
	if !r.Complete {
		states = "> " + states
	}
	printable.Fprintf(w, "%14s %6d", states, r.Depth)
	for _, name := range properties {
		verdict, text := mark(r, name)
		printable.Fprintf(w, "  %s", term.Verdict(verdict, fmt.Sprintf("%-*s", len(name), text)))
	}
	line(w, "  %s", args)
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
