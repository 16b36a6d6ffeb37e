package main

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"html/template"
	"maps"
	"path"
	"slices"
	"strings"
)

// A field is one value of a row of data.
type field struct{ Name, Text string }

// tableTemplate shows rows of data. What a row has in its field id is its anchor.
var tableTemplate = template.Must(template.New("table").Parse(`<h1>{{.Title}}</h1>
<p><a href="{{.Source}}">{{.File}}</a>, {{len .Rows}} rows.</p>
<div class="wide"><table><thead><tr>{{range .Columns}}<th>{{.}}</th>{{end}}</tr></thead>
<tbody>{{range .Rows}}<tr{{with .ID}} id="{{.}}"{{end}}>{{range .Cells}}<td>{{if .To}}<a href="{{.To}}">step through it</a>{{else}}{{.Text}}{{end}}</td>{{end}}</tr>
{{end}}</tbody></table></div>
`))

type (
	dataTable struct {
		Title, File, Source string
		Columns             []string
		Rows                []dataRow
	}
	dataRow struct {
		ID    string
		Cells []dataCell
	}
	dataCell struct{ Text, To string }
)

// isData reports whether a file is shown as a table.
func isData(file string) bool { return path.Ext(file) == ".ndjson" || path.Ext(file) == ".csv" }

// renderData makes the body of a page from rows of data: a value of JSON in each line, or the numbers of an
// experiment. A field trace names the counterexample of a row.
func (s *site) renderData(p *page) error {
	read := jsonRows
	if path.Ext(p.Source) == ".csv" {
		read = experimentRows
	}
	rows, err := read(p.text)
	if err != nil {
		return fmt.Errorf("%s: %w", p.Source, err)
	}
	t := dataTable{Title: p.Title, File: path.Base(p.Source), Source: repository + p.Source}
	for _, row := range rows {
		for _, f := range row {
			if f.Name != "id" && !slices.Contains(t.Columns, f.Name) {
				t.Columns = append(t.Columns, f.Name)
			}
		}
	}
	for _, row := range rows {
		r := dataRow{Cells: make([]dataCell, len(t.Columns))}
		for _, f := range row {
			switch i := slices.Index(t.Columns, f.Name); f.Name {
			case "id":
				r.ID = f.Text
				p.ids = append(p.ids, f.Text)
			case "trace":
				folder := strings.TrimSuffix(p.Source, "-rows.ndjson")
				r.Cells[i].To = from(p.Out, s.runPage(path.Join(folder, f.Text+".ndjson")))
			default:
				r.Cells[i].Text = f.Text
			}
		}
		t.Rows = append(t.Rows, r)
	}
	var b bytes.Buffer
	err = tableTemplate.Execute(&b, t)
	p.body = b.String()
	p.parts = []part{{Title: p.Title, Level: 1}}
	return err
}

// jsonRows reads rows of JSON, with their fields in the order of the file. The members of an object, and
// pairs in a list, are fields of their own.
func jsonRows(text []byte) (rows [][]field, err error) {
	for line := range bytes.Lines(text) {
		d := json.NewDecoder(bytes.NewReader(line))
		d.UseNumber()
		_, err = d.Token() // the bracket
		var row []field
		for err == nil && d.More() {
			var name json.Token
			var value any
			if name, err = d.Token(); err == nil {
				err = d.Decode(&value)
			}
			switch v := value.(type) {
			case map[string]any:
				for _, key := range slices.Sorted(maps.Keys(v)) {
					row = append(row, field{key, fmt.Sprint(v[key])})
				}
			case []any:
				for _, pair := range v {
					if two, ok := pair.([]any); ok && len(two) == 2 {
						row = append(row, field{fmt.Sprint(two[0]), fmt.Sprint(two[1])})
					}
				}
			default:
				row = append(row, field{fmt.Sprint(name), fmt.Sprint(v)})
			}
		}
		if err != nil {
			return nil, err
		}
		rows = append(rows, row)
	}
	return rows, nil
}

// experimentRows reads the numbers of an experiment, which have a line for each metric, and returns a row for
// each point: its reading, panel, series and x, and the mean of each metric with half of its interval of 95%.
func experimentRows(text []byte) (rows [][]field, err error) {
	const keys, metric, mean, half = 5, 5, 6, 7 // fields of a line
	lines, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
	if err != nil || len(lines) == 0 {
		return nil, err
	}
	var last []string
	for _, line := range lines[1:] {
		if last == nil || !slices.Equal(last[:keys], line[:keys]) {
			rows = append(rows, nil)
			for i := 1; i < keys; i++ {
				rows[len(rows)-1] = append(rows[len(rows)-1], field{lines[0][i], line[i]})
			}
		}
		last = line
		row := &rows[len(rows)-1]
		*row = append(*row, field{line[metric], line[mean] + " ± " + line[half]})
	}
	return rows, nil
}
