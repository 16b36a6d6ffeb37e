package cli

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/atmostk/atmostk/cmd/internal/models"
	"github.com/atmostk/atmostk/cmd/internal/report"
	"github.com/atmostk/atmostk/explore"
	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/usage"
	"github.com/atmostk/atmostk/traces"
)

// writable returns an error unless a file can be written there: better now than
// after the search.
func writable(file string) error {
	info, err := os.Stat(file)
	switch {
	case err == nil && info.IsDir():
		return usage.Errorf("--trace=%s is a directory; a file is wanted", file)
	case err == nil && !info.Mode().IsRegular(): // a pipe or a terminal
		return nil
	}
	t, err := os.CreateTemp(filepath.Dir(file), ".trace-*")
	if err != nil {
		return writeError{fmt.Errorf("--trace=%s cannot be written: %w", file, err)}
	}
	if err := cmp.Or(t.Close(), os.Remove(t.Name())); err != nil {
		return writeError{err}
	}
	return nil
}

// checked is a finished check with the files of its runs.
type checked struct{ report.Check }

// recordRuns turns the paths of a report into runs.
func (c *checked) recordRuns(in model.Instance, raw bool) error {
	if m := c.Report.Mistake; m != nil && m.Path != nil {
		h := c.Program.Header(c.Spec, c.Args, m.Part)
		h.Mistake = traces.NewMistake(m.Error)
		var err error
		if c.Mistaken, err = models.Recorded(in, h, m.Path); err != nil {
			return err
		}
	}
	c.Runs = make([]*traces.Run, len(c.Report.Properties))
	for i := range c.Report.Properties {
		if c.Report.Properties[i].Path == nil {
			continue
		}
		var err error
		if c.Runs[i], err = c.Program.Record(in, c.Spec, c.Args, &c.Report.Properties[i], raw); err != nil {
			return err
		}
	}
	return nil
}

// writeTraces writes the counterexamples: the first to the file, those of further
// properties beside it, with the property's name before the ending. If there is no
// counterexample, witnesses are written. It keeps the names for the report.
func (c *checked) writeTraces(file string) error {
	c.Files = make([]string, len(c.Runs))
	next := file
	if c.Mistaken != nil {
		if err := traces.WriteFile(next, c.Mistaken.Trace); err != nil {
			return usage.Errorf("--trace=%s cannot be written: %v", next, err)
		}
		c.MistakeFile, next = next, ""
	}
	for _, verdict := range []explore.Verdict{explore.Violated, explore.Holds} {
		for i, run := range c.Runs {
			p := &c.Report.Properties[i]
			if run == nil || p.Verdict != verdict {
				continue
			}
			if next == "" {
				next = beside(file, p.Name)
			}
			if err := writeTrace(next, run); err != nil {
				return err
			}
			c.Files[i], next = next, ""
		}
	}
	return nil
}

// beside returns the file for the run of a further property: its name is before the ending.
func beside(file, property string) string {
	ending := filepath.Ext(file)
	return strings.TrimSuffix(file, ending) + "." + property + ending
}

func writeTrace(file string, run *traces.Run) error {
	if err := traces.WriteFile(file, run.Trace); err != nil {
		return writeError{fmt.Errorf("--trace=%s cannot be written: %w", file, err)}
	}
	return nil
}
