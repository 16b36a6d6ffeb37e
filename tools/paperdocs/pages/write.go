package pages

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/atmostk/atmostk/traces"
)

// Write keeps the findings, and writes the page and the counterexamples with their pictures into a folder
// of the paper's name beside it. Counterexamples that no row shows any more are removed.
func (r *Review) Write() error {
	if err := os.MkdirAll(r.path(""), 0o755); err != nil {
		return err
	}
	var found []*Kept
	shown := []string{""}
	for _, c := range r.Claims {
		for _, row := range c.Rows {
			if err := row.keep(r.path("")); err != nil {
				return err
			}
			if row.Kept != nil {
				found, shown = append(found, row.Kept), append(shown, row.Kept.Trace)
			}
		}
	}
	files, err := os.ReadDir(r.path(""))
	if err != nil {
		return err
	}
	for _, f := range files {
		ending := filepath.Ext(f.Name())
		if (ending == ".ndjson" || ending == ".svg") &&
			!slices.Contains(shown, strings.TrimSuffix(f.Name(), ending)) {
			if err := os.Remove(filepath.Join(r.path(""), f.Name())); err != nil {
				return err
			}
		}
	}
	if err := writeLines(r.path("-found.ndjson"), found); err != nil {
		return err
	}
	page, err := r.Page()
	if err != nil {
		return err
	}
	return os.WriteFile(r.path(".md"), []byte(page), 0o644)
}

// writeLines writes a file of JSON, a value in each line.
func writeLines[T any](file string, values []T) error {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	for _, v := range values {
		if err := e.Encode(v); err != nil {
			return err
		}
	}
	return os.WriteFile(file, b.Bytes(), 0o644)
}

// keep makes the answer of this run the kept one, and writes its counterexample.
func (r *Row) keep(dir string) error {
	if r.Now == nil {
		return nil
	}
	r.Kept = &Kept{Claim: r.Claim.Key(), Question: r.Question(), Finding: r.Now.Finding}
	if r.Now.Run == nil {
		return nil
	}
	r.Kept.Trace = r.Trace()
	name := filepath.Join(dir, r.Kept.Trace)
	if err := traces.WriteFile(name+".ndjson", r.Now.Run); err != nil {
		return err
	}
	picture, err := Picture(name+".ndjson", "svg")
	if err != nil {
		return err
	}
	return os.WriteFile(name+".svg", []byte(picture), 0o644)
}

// Steps shows a kept counterexample with a column for each process.
func (r *Review) Steps(trace string) (string, error) {
	text, err := Picture(filepath.Join(r.path(""), trace+".ndjson"), "columns")
	return strings.TrimRight(text, "\n"), err
}
