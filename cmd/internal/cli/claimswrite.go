//go:build !js

package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	files "github.com/google/renameio/v2/maybe"

	"github.com/atmostk/atmostk/traces"
)

// writeClaims writes the findings, the page, and the counterexamples with their pictures
// into a directory of the paper's name beside it. Counterexamples that no row shows any
// more are removed.
func (a *app) writeClaims(dir string, j *review) error {
	beside := filepath.Join(dir, j.paper.Name)
	if err := os.MkdirAll(beside, 0o755); err != nil {
		return writeError{fmt.Errorf("--update into %s: %w", dir, err)}
	}
	var found bytes.Buffer
	lines := json.NewEncoder(&found)
	lines.SetEscapeHTML(false)
	shown := map[string]bool{}
	for i := range j.claims {
		c := &j.claims[i]
		for k := range c.rows {
			r := &c.rows[k]
			if err := r.keep(beside, c); err != nil {
				return writeError{fmt.Errorf("--update into %s: %w", dir, err)}
			}
			if r.kept == nil {
				continue
			}
			shown[r.kept.Trace] = true
			if err := lines.Encode(r.kept); err != nil {
				return err
			}
		}
	}
	if err := sweepOut(beside, shown); err != nil {
		return writeError{fmt.Errorf("--update into %s: %w", dir, err)}
	}
	if err := writeText(dir, foundFile(j.paper), found.String()); err != nil {
		return err
	}
	steps := func(trace string) (string, error) { return a.steps(filepath.Join(beside, trace+".ndjson")) }
	return writeText(dir, j.paper.Name+".md", j.page(steps))
}

// keep makes the answer of this run the kept one, and writes its counterexample.
func (r *claimRow) keep(dir string, c *judged) error {
	if r.now == nil {
		return nil
	}
	r.kept = &keptRow{Claim: c.Key(), Question: c.question(r), Finding: r.now.Finding}
	if !r.violated() || r.now.run == nil {
		return nil
	}
	r.kept.Trace = r.trace()
	name := filepath.Join(dir, r.kept.Trace)
	if err := traces.WriteFile(name+".ndjson", r.now.run.Trace); err != nil {
		return err
	}
	var picture strings.Builder
	if err := traces.Render(&picture, "svg", r.now.run, traces.Options{}); err != nil {
		return err
	}
	return files.WriteFile(name+".svg", []byte(picture.String()), 0o644)
}

// sweepOut removes the counterexamples that are not shown.
func sweepOut(dir string, shown map[string]bool) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		ending := filepath.Ext(e.Name())
		if !slices.Contains([]string{".ndjson", ".svg"}, ending) ||
			shown[strings.TrimSuffix(e.Name(), ending)] {
			continue
		}
		if err := os.Remove(filepath.Join(dir, e.Name())); err != nil {
			return err
		}
	}
	return nil
}

// steps shows a kept counterexample with a column for each process.
func (a *app) steps(file string) (string, error) {
	run, err := a.loadRun([]string{file})
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	var b strings.Builder
	err = traces.Render(&b, "columns", run, traces.Options{Width: 110})
	return b.String(), err
}

// writeText writes a file of documentation: all of it, or it stays as it was.
func writeText(dir, name, text string) error {
	if err := files.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
		return writeError{fmt.Errorf("--update into %s: %w", dir, err)}
	}
	return nil
}
