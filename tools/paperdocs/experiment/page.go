package experiment

import (
	"bytes"
	_ "embed"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/template"

	"github.com/atmostk/atmostk/explore/simulate"
)

//go:embed page.tmpl
var pageText string

var pageTemplate = template.Must(template.New("").Parse(pageText))

// measured is an experiment that was carried out, for its page.
type measured struct {
	*Experiment
	cells     []Cell
	Described map[string]string // the metrics
}

// Page writes the experiment for documentation, in Markdown.
func (e *Experiment) Page(cells []Cell) (string, error) {
	var b strings.Builder
	err := pageTemplate.Execute(&b, &measured{e, cells, simulate.Metrics})
	return b.String(), err
}

// RunsOf says how many runs there are of each cell.
func (m *measured) RunsOf() string { return runsOf(m.cells) }

// Verdicts are what the measurements say of the claims.
func (m *measured) Verdicts() (all []*Verdict) {
	for i := range m.Claims {
		all = append(all, m.judge(&m.Claims[i], m.cells))
	}
	return all
}

// Starred reports whether some mean of a table is of the served requests only.
func (m *measured) Starred(rows [][]string) bool { return strings.Contains(fmt.Sprint(rows), Censored) }

// Rows is the table of a metric in a reading: a row for each point, a column for each series in each panel.
func (m *measured) Rows(metric, reading string) [][]string {
	rows := [][]string{{m.X}}
	for _, point := range m.Points {
		rows = append(rows, []string{point[m.X]})
	}
	for _, p := range m.Panels {
		for _, s := range m.Series {
			of := func(c Cell) bool { return c.Panel == p.Name && c.Series == s.Name }
			if !slices.ContainsFunc(m.cells, of) {
				continue
			}
			rows[0] = append(rows[0], strings.TrimSpace(p.Name+" "+s.Name))
			for i, point := range m.Points {
				text := ""
				for _, c := range m.cells {
					if of(c) && c.Reading == reading && fmt.Sprint(c.X) == point[m.X] {
						text = c.written(metric)
					}
				}
				rows[i+1] = append(rows[i+1], text)
			}
		}
	}
	return rows
}

// Write writes the drawings, the numbers as CSV, and the page. A course over time is drawn only if it was
// measured.
func (e *Experiment) Write(dir string, cells []Cell) error {
	page, err := e.Page(cells)
	if err != nil {
		return err
	}
	var b bytes.Buffer
	if err := e.WriteCSV(&b, cells); err != nil {
		return err
	}
	files := map[string]string{e.Name + ".md": page, e.Name + ".csv": b.String()}
	for i := range e.Figures {
		f := &e.Figures[i]
		if f.Course == "" || slices.ContainsFunc(cells, func(c Cell) bool { return c.InUse != nil }) {
			if files[f.Name+".svg"], err = e.Plot(f, cells); err != nil {
				return err
			}
		}
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	for name, content := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o666); err != nil {
			return err
		}
	}
	return nil
}
