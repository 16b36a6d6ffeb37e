//go:build !js

package report

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/atmostk/atmostk/traces"
	"github.com/atmostk/atmostk/traces/explain"
	"github.com/atmostk/atmostk/traces/logs/formats"
	"github.com/atmostk/atmostk/traces/logs/occupancy"
	"github.com/atmostk/atmostk/traces/page"
	"github.com/atmostk/atmostk/traces/printable"
	"github.com/atmostk/atmostk/traces/validate"
)

// HTML writes the judgement as a page in one file.
func (v *Log) HTML(w io.Writer) error {
	d := &page.Data{Schema: 1, Kind: "log", Verdict: string(v.Verdict()), Shown: -1, Tool: v.Program.Tool(),
		Start: -1, Culprits: []string{}, Properties: []page.Property{}, Actions: []page.Action{},
		Points: []page.Point{}}
	d.Set, d.Default = []string{}, []string{}
	if v.Subject != nil {
		d.Model = v.Subject.Spec.Name
		d.About = v.Program.About(&traces.Trace{Header: v.Subject.Header("")})
	}
	d.Command = strings.Join(slices.Concat([]string{v.Program.Name, "validate"}, strings.Fields(d.Args),
		v.Log.Files), " ")
	d.Notes = []string{v.summary()}
	if v.Use != nil {
		d.Notes = append(d.Notes, strings.Join(v.figures(), "; "))
	}
	v.rows(d)
	v.findings(d)
	return page.Write(w, d)
}

// rows fills in the rows of the page: the run that was found, or the events.
func (v *Log) rows(d *page.Data) {
	h := v.Log.History()
	d.Lanes = slices.Clone(v.Log.Nodes)
	switch {
	case h == nil || len(h.Events) == 0 || v.Explanation == nil &&
		(v.Log.Contradictory() || len(h.Events) > page.MaxRows):
		d.Steps = []page.Step{{Taken: -1}}
		d.Steps[0].Text = "the lines are not shown"
		d.Notes = append(d.Notes, fmt.Sprintf("The page shows the lines of logs that do not contradict "+
			"themselves, have at most %s events, and no whole holding.", printable.Number(page.MaxRows)))
		return
	case v.Explanation != nil:
		d.Steps = page.RowsOf(h, v.Explanation)
		d.Notes = append(d.Notes, v.Coverage())
	default:
		d.Steps = page.Rows(h)
		d.Notes = append(d.Notes, "The rows stand in one order that fits the log.")
	}
	if u := v.Use; u != nil && !u.Shared && v.K > 0 && v.K < math.MaxInt && (len(u.Definite) > 0 ||
		u.Possible == nil) {
		d.Capacity = v.K // otherwise the rows may show an overlap that need not have happened
	}
	d.Uses = d.Capacity > 0 || slices.ContainsFunc(d.Steps,
		func(s page.Step) bool { return len(s.Inside) > 0 })
	d.Start = slices.IndexFunc(d.Steps, func(s page.Step) bool { return s.Mark == "departs" })
	if d.Start >= 0 {
		d.Culprits, d.Roots = []string{d.Steps[d.Start].Node}, []int{d.Start}
	}
}

// findings fills in the findings, and begins the page with the worst one.
func (v *Log) findings(d *page.Data) {
	for _, f := range v.Findings() {
		x := page.Point{Level: string(f.Severity), Text: f.Message.With(Flagged), Details: f.Details, Row: -1}
		switch {
		case f.Overlap != nil:
			x.Details = Holdings(f.Overlap)
			if f.Severity == validate.Error {
				x.Row = overlapRow(d, f.Overlap)
			}
		case f.Details == nil && f.Places != nil:
			x.Details = printable.Each(f.Places, func(p *formats.Place) string { return p.String() })
		}
		for i := 0; f.Overlap == nil && x.Row < 0 && i < len(f.Places); i++ {
			x.Row = page.RowAt(d.Steps, f.Places[i])
		}
		if x.Row >= 0 && d.Start < 0 && f.Severity != validate.Note {
			d.Start = x.Row
		}
		d.Points = append(d.Points, x)
	}
	d.Sentence = d.Verdict
	if len(d.Points) > 0 && d.Points[0].Level != levelNote {
		d.Sentence += ": " + d.Points[0].Text
		if len(d.Culprits) > 0 {
			d.Sentence += " (" + strings.Join(d.Culprits, ", ") + ")"
		}
	} else if x := v.Explanation; x != nil && x.Verdict == explain.Accepted {
		d.Sentence += ": a run of " + v.Subject.Spec.Name + " explains the log"
	}
	slices.Sort(d.Roots)
	d.Roots = slices.Compact(d.Roots)
}

// overlapRow returns the row in which the last holding of an overlap set begins; -1: none is shown. The page
// marks the rows and nodes of all of them.
func overlapRow(d *page.Data, c *occupancy.OverlapSet) int {
	last := -1
	for i := range c.Holdings {
		s := &c.Holdings[i]
		if row := page.RowAt(d.Steps, s.Enter); row >= 0 {
			last = max(last, row)
			d.Roots = append(d.Roots, row)
		}
		if !slices.Contains(d.Culprits, s.Node) {
			d.Culprits = append(d.Culprits, s.Node)
		}
	}
	return last
}
