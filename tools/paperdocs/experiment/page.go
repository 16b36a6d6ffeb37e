package experiment

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/atmostk/atmostk/explore/timed"
)

// Page writes the experiment for documentation, in Markdown.
func (e *Experiment) Page(cells []Cell) string {
	var b strings.Builder
	fmt.Fprintf(
		&b,
		"# %s\n\n%s. Written by `paperdocs experiment %s --write DIR`; means of %s with intervals of 95%%.\n",
		e.Title,
		e.Source,
		e.Name,
		runsOf(cells),
	)
	b.WriteString("\nAssumptions, where the source leaves something open:\n\n")
	for _, a := range e.Assumes {
		fmt.Fprintf(&b, "- %s\n", a)
	}
	for i := range e.Figures {
		f := &e.Figures[i]
		fmt.Fprintf(&b, "\n## %s: %s\n\n![%s](%s.svg)\n", f.Name, f.Title, f.Title, f.Name)
		for _, metric := range f.metrics() {
			for _, r := range e.Readings {
				e.table(&b, metric, r.Name, cells)
			}
		}
	}
	if len(e.Claims) > 0 {
		b.WriteString("\n## Claims\n\n| claim | where | verdict | numbers |\n|---|---|---|---|\n")
	}
	for i := range e.Claims {
		v := e.judge(&e.Claims[i], cells)
		fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", v.Sentence, v.Source,
			strings.TrimSpace("**"+v.Word()+"** "+v.on()), strings.Join(v.numbers(), "<br>"))
		if v.Remark != "" {
			fmt.Fprintf(&b, "| | | | %s |\n", v.Remark)
		}
	}
	return b.String()
}

// table writes a metric in a reading: a row for each point, a column for each series in each panel.
func (e *Experiment) table(b *strings.Builder, metric, reading string, cells []Cell) {
	rows := make([][]string, 1+len(e.Points))
	rows[0] = []string{e.X}
	for i, point := range e.Points {
		rows[i+1] = []string{point[e.X]}
	}
	for _, p := range e.Panels {
		for _, s := range e.Series {
			if !slices.ContainsFunc(
				cells,
				func(c Cell) bool { return c.Panel == p.Name && c.Series == s.Name },
			) {
				continue
			}
			rows[0] = append(rows[0], strings.TrimSpace(p.Name+" "+s.Name))
			for i, point := range e.Points {
				text := ""
				for _, c := range cells {
					if c.Reading == reading && c.Panel == p.Name && c.Series == s.Name &&
						fmt.Sprint(c.X) == point[e.X] {
						text = c.written(metric)
					}
				}
				rows[i+1] = append(rows[i+1], text)
			}
		}
	}
	title, star := "The "+timed.Metrics[metric], ""
	if reading != "" {
		title += ", " + reading
	}
	if strings.Contains(fmt.Sprint(rows), Censored) {
		star = " A star: at the end more requests waited than had been served, and the mean is of those " +
			"served."
	}
	fmt.Fprintf(b, "\n%s.%s\n\n", title, star)
	for k, row := range rows {
		fmt.Fprintf(b, "| %s |\n", strings.Join(row, " | "))
		if k == 0 {
			fmt.Fprintf(b, "|%s\n", strings.Repeat("--:|", len(row)))
		}
	}
}

// Write writes the drawings, the numbers as CSV, and the page. A course over time is drawn only if it was
// measured.
func (e *Experiment) Write(dir string, cells []Cell) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	files := map[string][]byte{e.Name + ".md": []byte(e.Page(cells))}
	for i := range e.Figures {
		f := &e.Figures[i]
		if f.Course == "" || slices.ContainsFunc(cells, func(c Cell) bool { return c.InUse != nil }) {
			files[f.Name+".svg"] = []byte(e.Plot(f, cells))
		}
	}
	var b bytes.Buffer
	if err := e.WriteCSV(&b, cells); err != nil {
		return err
	}
	files[e.Name+".csv"] = b.Bytes()
	for name, content := range files {
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o666); err != nil {
			return err
		}
	}
	return nil
}
