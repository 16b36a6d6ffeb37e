package cmd

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/atmostk/atmostk/explore"
	"github.com/atmostk/atmostk/traces"
)

// lastFile is where the last counterexample is kept that check found.
func (p *Program) lastFile() (string, error) {
	dir, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	return filepath.Join(dir, p.Name, "last.ndjson"), nil
}

// keepLast keeps the first counterexample of a check, so that replay can show it without another
// search. Where there is no place for it, nothing is kept: nobody asked for it.
func (c *checked) keepLast() {
	run := c.counterexample()
	if run == nil {
		return
	}
	file, err := c.program.lastFile()
	if err == nil && os.MkdirAll(filepath.Dir(file), 0o700) == nil {
		c.kept = traces.WriteFile(file, run.Trace) == nil
	}
}

// counterexample returns the run that a check is remembered by: to a mistake of the model, or the first one
// to a violation; nil: there is none.
func (c *checked) counterexample() *traces.Run {
	if c.mistaken != nil {
		return c.mistaken
	}
	for i, run := range c.runs {
		if run != nil && c.report.Properties[i].Verdict == explore.Violated {
			return run
		}
	}
	return nil
}

// replayed returns the file that replay is given, or that of the last counterexample.
func (a *app) replayed(args []string) (string, error) {
	if len(args) > 0 {
		return args[0], nil
	}
	file, err := a.lastFile()
	if err != nil {
		return "", inputError{fmt.Errorf("no file is given, and no counterexample is kept: %w", err)}
	}
	if _, err := os.Stat(file); errors.Is(err, fs.ErrNotExist) {
		return "", inputError{fmt.Errorf("no file is given, and no counterexample is kept at %s: check has "+
			"found none yet", file)}
	}
	return file, nil
}
