//go:build !js

package cmd

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"math"
	"strings"
	"text/tabwriter"

	"github.com/atmostk/atmostk/explore/experiment"
	"github.com/atmostk/atmostk/explore/timed"
	"github.com/atmostk/atmostk/traces/printable"
)

// text writes the report for a person.
func (m *measured) text(out io.Writer) error {
	w := bufio.NewWriter(out)
	printable.Fprintf(w, "%s: %s\n%s\n", bold(m.Name), m.Title, faint(m.Source))
	for i := range m.Figures {
		f := &m.Figures[i]
		if f.Metric == "" {
			continue
		}
		printable.Fprintf(w, "\n%s: %s (%s)\n", f.Name, f.Title, timed.Metrics[f.Metric])
		tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
		for _, row := range m.rows(f) {
			for _, entry := range row {
				printable.Fprintf(tw, "%s\t", entry)
			}
			printable.Fprintln(tw)
		}
		if err := tw.Flush(); err != nil {
			return err
		}
	}
	if len(m.verdicts) > 0 {
		printable.Fprintln(w)
	}
	for _, v := range m.verdicts {
		word := v.Word()
		paint := maybe
		if word == "reproduced" {
			paint = good
		}
		printable.Fprintf(w, "  %s  %s (%s)\n", paint(fmt.Sprintf("%-14s", word)), v.Claim.Sentence, v.Claim.Source)
		if v.Claim.Depends != "" {
			printable.Fprintf(w, "  %-14s  on %s\n", "", v.Claim.Depends)
		}
		for _, figures := range v.Figures {
			printable.Fprintf(w, "  %-14s  %s\n", "", faint(figures))
		}
	}
	events := int64(0)
	for _, c := range m.cells {
		events += c.Events
	}
	printable.Fprintf(w, "\n%s\n", faint(fmt.Sprintf("%.2f s, %s, %s events/s", m.took.Seconds(), plural(events, "event"),
		number(int64(float64(events)/max(m.took.Seconds(), 1e-6))))))
	return w.Flush()
}

// rows is the table of a figure: a row for each point, a column for each series in each panel.
func (m *measured) rows(f *experiment.Figure) (rows [][]string) {
	head := []string{m.X}
	for _, p := range m.Panels {
		for _, s := range m.Series {
			head = append(head, strings.TrimSpace(p.Name+" "+s.Name))
		}
	}
	rows = append(rows, head)
	for _, point := range m.Points {
		row := []string{point[m.X]}
		for _, p := range m.Panels {
			for _, s := range m.Series {
				row = append(row, m.entry(f.Metric, p.Name, s.Name, point[m.X]))
			}
		}
		rows = append(rows, row)
	}
	return rows
}

// entry is an entry of a table.
func (m *measured) entry(metric, panel, series, x string) string {
	for _, c := range m.cells {
		if c.Panel == panel && c.Series == series && fmt.Sprint(c.X) == x {
			return estimated(c.Values[metric])
		}
	}
	return ""
}

// estimated writes a mean with half of its interval.
func estimated(v timed.Estimate) string {
	switch {
	case math.IsNaN(v.Mean):
		return "-"
	case v.N < 2:
		return fmt.Sprintf("%.4g", v.Mean)
	}
	return fmt.Sprintf("%.4g±%.2g", v.Mean, v.Half)
}

// page writes the experiment for documentation, in Markdown.
func (m *measured) page(b *bytes.Buffer) {
	fmt.Fprintf(b, "# %s\n\n%s. Written by `atmostk experiment %s --write DIR`; means of %d runs with intervals of 95%%.\n",
		m.Title, m.Source, m.Name, m.Runs)
	fmt.Fprintf(b, "\nAssumptions, where the source leaves something open:\n\n")
	for _, a := range m.Assumes {
		fmt.Fprintf(b, "- %s\n", a)
	}
	for i := range m.Figures {
		f := &m.Figures[i]
		fmt.Fprintf(b, "\n## %s: %s\n\n![%s](%s.svg)\n", f.Name, f.Title, f.Title, f.Name)
		if f.Metric == "" {
			continue
		}
		fmt.Fprintf(b, "\nThe %s.\n\n", timed.Metrics[f.Metric])
		for k, row := range m.rows(f) {
			fmt.Fprintf(b, "| %s |\n", strings.Join(row, " | "))
			if k == 0 {
				fmt.Fprintf(b, "|%s\n", strings.Repeat("--:|", len(row)))
			}
		}
	}
	if len(m.verdicts) > 0 {
		fmt.Fprintf(b, "\n## Claims\n\n| claim | where | verdict | numbers |\n|---|---|---|---|\n")
	}
	for _, v := range m.verdicts {
		word := "**" + v.Word() + "**"
		if v.Claim.Depends != "" {
			word += " on " + v.Claim.Depends
		}
		fmt.Fprintf(b, "| %s | %s | %s | %s |\n", v.Claim.Sentence, v.Claim.Source, word, strings.Join(v.Figures, "<br>"))
	}
}

// jsonExperiment is the report in JSON. Fields may be added; these stay.
type jsonExperiment struct {
	Name    string            `json:"name"`
	Title   string            `json:"title"`
	Source  string            `json:"source"`
	Assumes []string          `json:"assumes"`
	Seconds float64           `json:"seconds"`
	Cells   []jsonCell        `json:"cells"`
	Claims  []jsonClaimByRuns `json:"claims"`
}

type jsonCell struct {
	Panel  string                    `json:"panel"`
	Series string                    `json:"series"`
	Model  string                    `json:"model"`
	X      float64                   `json:"x"`
	Events int64                     `json:"events"`
	Values map[string]timed.Estimate `json:"values"` // metrics of which there is nothing to tell are left out
}

type jsonClaimByRuns struct {
	Sentence string   `json:"sentence"`
	Source   string   `json:"source"`
	Verdict  string   `json:"verdict"`
	Depends  string   `json:"depends-on,omitempty"`
	Numbers  []string `json:"numbers"`
}

func (m *measured) forJSON() jsonExperiment {
	j := jsonExperiment{Name: m.Name, Title: m.Title, Source: m.Source, Assumes: m.Assumes, Seconds: m.took.Seconds()}
	for _, c := range m.cells {
		values := map[string]timed.Estimate{}
		for name, v := range c.Values {
			if !math.IsNaN(v.Mean) {
				values[name] = v
			}
		}
		j.Cells = append(j.Cells, jsonCell{c.Panel, c.Series, c.Model, c.X, c.Events, values})
	}
	for _, v := range m.verdicts {
		j.Claims = append(j.Claims, jsonClaimByRuns{v.Claim.Sentence, v.Claim.Source, v.Word(), v.Claim.Depends, v.Figures})
	}
	return j
}
