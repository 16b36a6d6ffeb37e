//go:build !js

package cmd

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/atmostk/atmostk/explore/experiment"
	"github.com/atmostk/atmostk/explore/simulate"
	"github.com/atmostk/atmostk/traces/printable"
)

// text writes the report for a person.
func (m *measured) text(out io.Writer) error {
	w := bufio.NewWriter(out)
	printable.Fprintf(w, "%s: %s\n%s\n", bold(m.Name), m.Title, faint(m.Source))
	for i := range m.Figures {
		f := &m.Figures[i]
		for _, metric := range f.Metrics() {
			for _, reading := range m.Readings {
				printable.Fprintf(w, "\n%s: %s (%s)\n", f.Name, titled(f.Title, reading.Name),
					simulate.Metrics[metric])
				tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
				for _, row := range m.rows(metric, reading.Name) {
					for _, entry := range row {
						printable.Fprintf(tw, "%s\t", entry)
					}
					printable.Fprintln(tw)
				}
				if err := tw.Flush(); err != nil {
					return err
				}
			}
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
		printable.Fprintf(w, "  %s  %s (%s)\n", paint(fmt.Sprintf("%-14s", word)), v.Claim.Sentence,
			v.Claim.Source)
		for _, text := range []string{v.On(), v.Claim.Remark} {
			if text != "" {
				printable.Fprintf(w, "  %-14s  %s\n", "", text)
			}
		}
		for _, figures := range v.Numbers() {
			printable.Fprintf(w, "  %-14s  %s\n", "", faint(figures))
		}
	}
	events := int64(0)
	for _, c := range m.cells {
		if c.Duration > 0 { // it was measured now
			events += c.Events()
		}
	}
	printable.Fprintf(w, "\n%s\n", faint(fmt.Sprintf("%.2f s, %s, %s events/s", m.took.Seconds(),
		plural(events, "event"),
		number(int64(float64(events)/max(m.took.Seconds(), 1e-6))))))
	return w.Flush()
}

// legend says what the mark of an incomplete mean says, if the table has it.
func legend(rows [][]string) string {
	if !strings.Contains(fmt.Sprint(rows), experiment.Censored) {
		return ""
	}
	return " A star: at the end more requests waited than had been served, and the mean is of those served."
}

// titled is a title with the name of a reading, if there are several.
func titled(title, reading string) string {
	if reading == "" {
		return title
	}
	return title + ", " + reading
}

// rows is the table of a metric in a reading: a row for each point, a column for each series in each panel.
func (m *measured) rows(metric, reading string) (rows [][]string) {
	head := []string{m.X}
	for _, p := range m.Panels {
		for _, s := range m.Series {
			if m.has(p.Name, s.Name) {
				head = append(head, strings.TrimSpace(p.Name+" "+s.Name))
			}
		}
	}
	rows = append(rows, head)
	for _, point := range m.Points {
		row := []string{point[m.X]}
		for _, p := range m.Panels {
			for _, s := range m.Series {
				if m.has(p.Name, s.Name) {
					row = append(row, m.entry(metric, reading, p.Name, s.Name, point[m.X]))
				}
			}
		}
		rows = append(rows, row)
	}
	return rows
}

// has reports whether a series was measured in a panel.
func (m *measured) has(panel, series string) bool {
	return slices.ContainsFunc(m.cells, func(c experiment.Cell) bool {
		return c.Panel == panel &&
			c.Series == series
	})
}

// entry is an entry of a table.
func (m *measured) entry(metric, reading, panel, series, x string) string {
	for _, c := range m.cells {
		if c.Reading == reading && c.Panel == panel && c.Series == series && fmt.Sprint(c.X) == x {
			return c.Written(metric)
		}
	}
	return ""
}

// page writes the experiment for documentation, in Markdown.
func (m *measured) page(b *bytes.Buffer) {
	fmt.Fprintf(b, "# %s\n\n%s. Written by `atmostk experiment %s --write DIR`; means of %s with "+
		"intervals of 95%%.\n",
		m.Title, m.Source, m.Name, runsOf(m.cells))
	fmt.Fprintf(b, "\nAssumptions, where the source leaves something open:\n\n")
	for _, a := range m.Assumes {
		fmt.Fprintf(b, "- %s\n", a)
	}
	for i := range m.Figures {
		f := &m.Figures[i]
		fmt.Fprintf(b, "\n## %s: %s\n\n![%s](%s.svg)\n", f.Name, f.Title, f.Title, f.Name)
		for _, metric := range f.Metrics() {
			for _, reading := range m.Readings {
				rows := m.rows(metric, reading.Name)
				fmt.Fprintf(b, "\n%s.%s\n\n", titled("The "+simulate.Metrics[metric], reading.Name),
					legend(rows))
				for k, row := range rows {
					fmt.Fprintf(b, "| %s |\n", strings.Join(row, " | "))
					if k == 0 {
						fmt.Fprintf(b, "|%s\n", strings.Repeat("--:|", len(row)))
					}
				}
			}
		}
	}
	if len(m.verdicts) > 0 {
		fmt.Fprintf(b, "\n## Claims\n\n| claim | where | verdict | numbers |\n|---|---|---|---|\n")
	}
	for _, v := range m.verdicts {
		fmt.Fprintf(b, "| %s | %s | %s | %s |\n", v.Claim.Sentence, v.Claim.Source,
			strings.TrimSpace("**"+v.Word()+"** "+v.On()), strings.Join(v.Numbers(), "<br>"))
		if v.Claim.Remark != "" {
			fmt.Fprintf(b, "| | | | %s |\n", v.Claim.Remark)
		}
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
	Reading string  `json:"reading,omitempty"`
	Panel   string  `json:"panel"`
	Series  string  `json:"series"`
	Model   string  `json:"model"`
	X       float64 `json:"x"`
	Events  int64   `json:"events"`
	// metrics of which there is nothing to tell are left out
	Values map[string]simulate.Estimate `json:"values"`
}

type jsonClaimByRuns struct {
	Name     string   `json:"name"`
	Sentence string   `json:"sentence"`
	Source   string   `json:"source"`
	Verdict  string   `json:"verdict"`
	Depends  string   `json:"depends,omitempty"` // on what
	Remark   string   `json:"remark,omitempty"`
	Numbers  []string `json:"numbers"`
}

func (m *measured) forJSON() jsonExperiment {
	j := jsonExperiment{Name: m.Name, Title: m.Title, Source: m.Source, Assumes: m.Assumes,
		Seconds: m.took.Seconds()}
	for _, c := range m.cells {
		values := map[string]simulate.Estimate{}
		for name, v := range c.Values {
			if !math.IsNaN(v.Mean) {
				values[name] = v
			}
		}
		j.Cells = append(j.Cells, jsonCell{c.Reading, c.Panel, c.Series, c.Model, c.X, c.Events(), values})
	}
	for _, v := range m.verdicts {
		c := v.Claim
		j.Claims = append(j.Claims, jsonClaimByRuns{c.Name, c.Sentence, c.Source, v.Word(), v.On(), c.Remark,
			v.Numbers()})
	}
	return j
}
