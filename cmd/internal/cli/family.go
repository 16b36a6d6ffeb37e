//go:build !js

package cli

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/atmostk/atmostk/cmd/internal/report"
	"github.com/atmostk/atmostk/cmd/internal/term"
	"github.com/atmostk/atmostk/explore"
	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/usage"
	"github.com/atmostk/atmostk/traces/printable"
)

// singleOnly are the flags of check that are about one search.
var singleOnly = []string{"out-of-reach", "costs", "witness", "reduce", "max-depth", "timeout", "store",
	"checkpoint", "checkpoint-every", "trace", "raw", "strict", "watch", "id", "shards", "alone"}

// checkFamily explores a family of instances, each to the end whatever is violated, and writes a table.
func (a *app) checkFamily(c *cobra.Command, args []string, f *checkFlags) error {
	for _, name := range singleOnly {
		if c.Flags().Changed(name) {
			return usage.Errorf("--%s is about one search, and several instances are named", name)
		}
	}
	if f.workers < 0 || f.workers > 256 || f.MaxStates < 0 {
		return usage.Errorf("--workers=%d --max-states=%d: allowed are 0 to 256, and 0 and more", f.workers,
			f.MaxStates)
	}
	opt := explore.Options{Workers: f.workers, KeepGoing: true, MaxStates: f.MaxStates}
	var err error
	if opt.Memory, err = term.MemoryLimit(f.Memory); err != nil {
		return err
	}
	doc := report.Doc{Tool: a.Name}
	w, known := tableForms[f.format]
	switch {
	case f.format == "junit":
		w = func(_ io.Writer, _ bool, row *tableRow) {
			doc.Suites = append(doc.Suites, report.InstanceSuite(args[0], " "+row.args, row.report,
				func(int) string { return row.report.Stopped }))
		}
	case !known:
		return usage.Errorf("--format=%s: of several instances allowed are text, json, markdown and junit",
			f.format)
	}
	if err := a.tabulate(c.Context(), args[0], combinations(args[1:]), f.Properties, opt, w); err != nil ||
		f.format != "junit" {
		return err
	}
	return doc.JUnit(a.out)
}

// A tableRow is an instance of a table and what was found.
type tableRow struct {
	args    string
	report  *explore.Report
	columns []string // the properties of all instances of the table
}

// mark is the verdict on a property in a cell; a dot if there is nothing to ask in the
// instance, "" if it has no such property.
func (r *tableRow) mark(property string) string {
	for i := range r.report.Properties {
		if p := &r.report.Properties[i]; p.Name == property {
			return mark(p, r.report)
		}
	}
	for _, p := range r.report.NotAsked {
		if p.Name == property {
			return "."
		}
	}
	return ""
}

// mistake is the sentence about the mistake of the model; "" if none was met.
func (r *tableRow) mistake() string {
	if r.report.Mistake == nil {
		return ""
	}
	return r.report.Mistake.Error.Error()
}

// A tableForm writes a table row by row, so that a long one shows what it has.
type tableForm func(w io.Writer, first bool, row *tableRow)

var tableForms = map[string]tableForm{"text": textRow, "markdown": markdownRow, "json": jsonRow}

// tabulate explores the instances of a model that the rows describe, and writes each row when it is there.
func (a *app) tabulate(ctx context.Context, name string, rows, properties []string, opt explore.Options,
	form tableForm) error {
	spec, err := a.Spec(name)
	if err != nil {
		return err
	}
	columns, err := propertiesOf(spec, rows, properties)
	if err != nil {
		return err // a wrong one should not be found after hours
	}
	rest, cancel := context.WithCancel(ctx)
	defer cancel()
	n := 0
	for row, err := range inTurn(a, len(rows), func(i int) (*tableRow, error) {
		return a.tableRow(rest, spec, rows[i], properties, opt)
	}) {
		if err != nil {
			return err
		}
		row.columns = columns
		form(a.out, n == 0, row)
		n++
		if err := a.out.Failed(); err != nil {
			a.verdict = fmt.Sprintf("%d of %d instances explored; the last one: %s", n, len(rows), row)
			return err
		}
		if code := term.Interrupted(ctx); code != 0 {
			a.code = code
			return nil
		}
		switch m := row.report.Mistake; {
		case m != nil:
			a.code = exitModel
			printable.Fprintf(a.diag, "%s: %s %s: %v\n", a.Name, spec.Name, row.args, m.Error)
		case a.code == exitModel:
		case row.report.Verdict == explore.Violated:
			a.code = exitViolated
		case !row.report.Complete && a.code == exitHolds:
			a.code = exitUnknown
		}
	}
	return nil
}

// propertiesOf are the columns of a table: those asked for, or else all that some instance
// has and that are not on request only.
func propertiesOf(spec *model.Spec, rows, asked []string) (columns []string, err error) {
	for _, args := range rows {
		in, _, err := spec.Instantiate(strings.Fields(args))
		if err != nil {
			return nil, err
		}
		for _, p := range in.Space.Properties() {
			wanted := !p.OnRequest
			if asked != nil {
				wanted = slices.Contains(asked, p.Name)
			}
			if wanted && !slices.Contains(columns, p.Name) {
				columns = append(columns, p.Name)
			}
		}
	}
	return columns, nil
}

func (a *app) tableRow(ctx context.Context, spec *model.Spec, args string, properties []string,
	opt explore.Options) (*tableRow, error) {
	in, _, err := spec.Instantiate(strings.Fields(args))
	if err != nil {
		return nil, err
	}
	if opt.Properties, err = named(properties, in.Space.Properties()); err != nil {
		return nil, err
	}
	progress := term.NewProgress(a.diag, a.delay)
	opt.Progress = progress.Show
	report, err := a.examine(ctx, append([]string{spec.Name}, strings.Fields(args)...), true, in, opt)
	progress.Done()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", strings.TrimSpace(spec.Name+" "+args), err)
	}
	return &tableRow{args: args, report: report}, nil
}

// combinations spells out arguments in which slashes separate alternatives, the
// last one varying fastest.
func combinations(args []string) []string {
	all := []string{""}
	for _, arg := range args {
		key, values, _ := strings.Cut(arg, "=")
		var longer []string
		for _, prefix := range all {
			for _, value := range strings.Split(values, "/") {
				longer = append(longer, strings.TrimSpace(prefix+" "+key+"="+value))
			}
		}
		all = longer
	}
	return all
}

// modelAtFault is the mark of what cannot be told because the model itself is at fault.
const modelAtFault = "error"

// mark is the verdict on a property in a cell.
func mark(p *explore.Result, r *explore.Report) string {
	switch {
	case p.Verdict == explore.Unknown && r.Mistake != nil:
		return modelAtFault
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

// rowColumns are the columns of a table before those of properties.
var rowColumns = []string{"instance", "states", "depth", "explored", "pruned", "stuck"}

// The words of the column explored, besides complete.
const (
	withinBounds = "bounded" // complete within bounds
	atLimit      = "stopped" // at a limit
)

// extentOf says in a word how much of an instance was explored.
func extentOf(r *explore.Report) string {
	switch {
	case r.Complete && r.Outside > r.Beyond || strings.HasPrefix(r.Stopped, "complete within"):
		return withinBounds
	case r.Complete:
		return "complete"
	}
	return atLimit
}

func textRow(w io.Writer, first bool, row *tableRow) {
	if first {
		printable.Fprintf(w, "%14s %6s", "states", "depth")
		for _, name := range row.columns {
			printable.Fprintf(w, "  %s", name)
		}
		printable.Fprintln(w)
	}
	printable.Fprintf(w, "%14s %6d", states(row.report), row.report.Depth)
	for _, name := range row.columns {
		v := explore.Unknown
		for i := range row.report.Properties {
			if p := &row.report.Properties[i]; p.Name == name {
				v = p.Verdict
			}
		}
		printable.Fprintf(w, "  %s", term.Verdict(v, fmt.Sprintf("%-*s", len(name), row.mark(name))))
	}
	printable.Fprintf(w, "  %s\n", row.args)
}

func markdownRow(w io.Writer, first bool, row *tableRow) {
	if first {
		columns := slices.Concat(rowColumns, row.columns)
		printable.Fprintf(w, "| %s |\n|---|%s\n", strings.Join(columns, " | "), strings.Repeat("--:|",
			len(columns)-1))
	}
	r := row.report
	printable.Fprintf(w, "| %s | %s | %d | %s | %s | %s |",
		strings.ReplaceAll(row.args, "|", `\|`), states(r), r.Depth, extentOf(r), printable.Number(r.Pruned),
		printable.Number(r.Stuck))
	for _, name := range row.columns {
		printable.Fprintf(w, " %s |", row.mark(name))
	}
	printable.Fprintln(w)
}

// String is the row in one line.
func (r *tableRow) String() string {
	line := fmt.Sprintf("%s: %s states, depth %d", r.args, states(r.report), r.report.Depth)
	for _, name := range r.columns {
		line += fmt.Sprintf(", %s %s", name, r.mark(name))
	}
	return line
}

// jsonRow writes an object in a line of its own.
func jsonRow(w io.Writer, _ bool, row *tableRow) {
	type property struct {
		Name    string          `json:"name"`
		Verdict explore.Verdict `json:"verdict"`
		Length  int             `json:"length,omitempty"`
	}
	line := struct {
		Arguments  string            `json:"arguments"`
		Complete   bool              `json:"complete"`
		Stopped    string            `json:"stopped,omitempty"`
		Mistake    string            `json:"model-error,omitempty"`
		States     int64             `json:"states"`
		Generated  int64             `json:"generated"`
		Pruned     int64             `json:"pruned"`
		Stuck      int64             `json:"stuck"`
		Depth      int               `json:"depth"`
		Seconds    float64           `json:"seconds"`
		Properties []property        `json:"properties"`
		NotAsked   []report.NotAsked `json:"not-asked,omitempty"`
	}{
		row.args, row.report.Complete, row.report.Stopped, row.mistake(), row.report.States,
		row.report.Generated,
		row.report.Pruned, row.report.Stuck, row.report.Depth, row.report.Elapsed.Seconds(), []property{},
		nil,
	}
	for _, p := range row.report.Properties {
		line.Properties = append(line.Properties, property{p.Name, p.Verdict, max(p.Length, 0)})
	}
	for _, p := range row.report.NotAsked {
		line.NotAsked = append(line.NotAsked, report.NotAsked{Name: p.Name, Because: p.Moot})
	}
	_ = printable.EncodeJSON(w, line, "") // strings and numbers; the output keeps its error
}
