package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"html/template"
	"maps"
	"path"
	"slices"
	"strings"
)

// A table is rows of data, each by column. The field id of a row is its anchor, the field trace links to its
// counterexample.
type table struct {
	Columns []string // in the order in which rows name them
	Rows    []map[string]string
}

// set sets a field of the last row.
func (t *table) set(name string, value any) {
	if name != "id" && !slices.Contains(t.Columns, name) {
		t.Columns = append(t.Columns, name)
	}
	t.Rows[len(t.Rows)-1][name] = fmt.Sprint(value)
}

// tableTemplate shows a table on a page.
var tableTemplate = template.Must(template.New("table").Parse(`<h1>{{.Title}}</h1>
<p><a href="{{.Link}}">{{.File}}</a>, {{len .Rows}} rows.</p>
<div class="wide"><table><thead><tr>{{range .Columns}}<th>{{.}}</th>{{end}}</tr></thead>
<tbody>{{range $row := .Rows}}<tr{{with .id}} id="{{.}}"{{end}}>` +
	`{{range $name := $.Columns}}<td>{{with index $row $name}}` +
	`{{if eq $name "trace"}}<a href="{{.}}">step through it</a>{{else}}{{.}}{{end}}` +
	`{{end}}</td>{{end}}</tr>
{{end}}</tbody></table></div>
`))

// isData reports whether a file is shown as a table.
func isData(file string) bool { return path.Ext(file) == ".ndjson" }

// renderData makes the body of a page from rows of data: a value of JSON in each line.
func (s *site) renderData(p *page) error {
	t := &table{}
	if err := t.read(p.text); err != nil {
		return err
	}
	for _, row := range t.Rows {
		if run := row["trace"]; run != "" {
			folder := strings.TrimSuffix(p.Source, "-rows.ndjson")
			row["trace"] = from(p.Out, s.takeAlong(path.Join(folder, run+".ndjson")))
		}
	}
	var b bytes.Buffer
	err := tableTemplate.Execute(&b, struct {
		*table
		Title, File, Link string
	}{t, p.Title, path.Base(p.Source), repository + p.Source})
	p.Body = template.HTML(b.String()) //nolint:gosec // rendered from this repository
	p.parts = []part{{Title: p.Title, Level: 1}}
	return err
}

// read reads rows of JSON, with their fields in the order of the file. The members of an object, and pairs in
// a list, are fields of their own. A metric of an experiment is its mean with half of its interval of 95%.
func (t *table) read(text []byte) error {
	for line := range bytes.Lines(text) {
		t.Rows = append(t.Rows, map[string]string{})
		d := json.NewDecoder(bytes.NewReader(line))
		d.UseNumber()
		_, err := d.Token() // the bracket
		for err == nil && d.More() {
			var name json.Token
			var value any
			if name, err = d.Token(); err == nil {
				err = d.Decode(&value)
			}
			switch v := value.(type) {
			case map[string]any:
				for _, key := range slices.Sorted(maps.Keys(v)) {
					if metric, ok := v[key].([]any); ok {
						v[key] = fmt.Sprintf("%v ± %v", metric[0], metric[1])
					}
					t.set(key, v[key])
				}
			case []any:
				for _, pair := range v {
					if two, ok := pair.([]any); ok && len(two) == 2 {
						t.set(fmt.Sprint(two[0]), two[1])
					}
				}
			default:
				t.set(fmt.Sprint(name), v)
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}
