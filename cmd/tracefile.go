package cmd

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/atmostk/atmostk/explore"
	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/lts"
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

// recordRuns turns the paths of a report into runs.
func (c *checked) recordRuns(in model.Instance, raw bool) error {
	if m := c.report.Mistake; m != nil && m.Path != nil {
		h := c.program.header(c.spec, c.args, m.Part)
		h.Mistake = traces.NewMistake(m.Error)
		var err error
		if c.mistaken, err = recorded(in, h, m.Path); err != nil {
			return err
		}
	}
	c.runs = make([]*traces.Run, len(c.report.Properties))
	for i := range c.report.Properties {
		if c.report.Properties[i].Path == nil {
			continue
		}
		var err error
		if c.runs[i], err = c.program.record(in, c.spec, c.args, &c.report.Properties[i], raw); err != nil {
			return err
		}
	}
	return nil
}

// record turns the path of a result into a run, and puts its steps in an order
// that is easier to follow, unless the raw one is wanted.
func (p *Program) record(in model.Instance, spec *model.Spec, args *model.Args, r *explore.Result,
	raw bool) (*traces.Run, error) {
	h := p.header(spec, args, r.Name)
	if r.Kind == model.Liveness {
		h.CycleAt = &r.CycleAt
	}
	run, err := recorded(in, h, r.Path)
	if err == nil && !raw {
		run = traces.Tidy(run)
	}
	return run, err
}

// header is the header of a run that shows something of a property, or of a part of the model.
func (p *Program) header(spec *model.Spec, args *model.Args, property string) traces.Header {
	h := traces.Header{Spec: spec.Name, Parameters: map[string]string{}, Property: property, Tool: p.tool()}
	for _, kv := range args.List() {
		h.Parameters[kv[0]] = kv[1]
	}
	return h
}

// recorded turns a path into a run.
func recorded(in model.Instance, h traces.Header, path []explore.Step) (*traces.Run, error) {
	states := make([]lts.State, len(path))
	for k, step := range path {
		states[k] = step.State
	}
	run, err := traces.FromStates(in, h, states)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", explore.ErrInternal, err)
	}
	return run, nil
}

// writeTraces writes the counterexamples: the first to the file, those of further
// properties beside it, with the property's name before the ending. If there is no
// counterexample, witnesses are written. It keeps the names for the report.
func (c *checked) writeTraces(file string) error {
	c.files = make([]string, len(c.runs))
	next := file
	if c.mistaken != nil {
		if err := traces.WriteFile(next, c.mistaken.Trace); err != nil {
			return usage.Errorf("--trace=%s cannot be written: %v", next, err)
		}
		c.mistakeFile, next = next, ""
	}
	for _, verdict := range []explore.Verdict{explore.Violated, explore.Holds} {
		for i, run := range c.runs {
			p := &c.report.Properties[i]
			if run == nil || p.Verdict != verdict {
				continue
			}
			if next == "" {
				next = beside(file, p.Name)
			}
			if err := writeTrace(next, run); err != nil {
				return err
			}
			c.files[i], next = next, ""
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
