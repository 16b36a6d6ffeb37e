package cli

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/atmostk/atmostk/cmd/internal/report"
	"github.com/atmostk/atmostk/model/usage"
	"github.com/atmostk/atmostk/traces"
)

// writable returns an error unless a file can be written there: better now than
// after the search. "" is no file.
func writable(file string) error {
	info, err := os.Stat(file)
	switch {
	case file == "":
		return nil
	case err == nil && info.IsDir():
		return usage.Errorf("--trace=%s is a directory; a file is wanted", file)
	case err == nil && !info.Mode().IsRegular(): // a pipe or a terminal
		return nil
	}
	t, err := os.CreateTemp(filepath.Dir(file), ".trace-*")
	if err == nil {
		err = cmp.Or(t.Close(), os.Remove(t.Name()))
	}
	return unwritable(file, err)
}

// unwritable is the error of writing a trace; nil: there is none.
func unwritable(file string, err error) error {
	if err == nil {
		return nil
	}
	return badOutput(fmt.Errorf("--trace=%s cannot be written: %w", file, err))
}

// writeTraces writes runs, unless file is "": the first to the file, those of further properties beside it,
// with the property's name before the ending.
func writeTraces(file string, runs []*report.Shown) error {
	for i, run := range runs {
		if file == "" {
			break
		}
		name := file
		if i > 0 {
			ending := filepath.Ext(file)
			name = strings.TrimSuffix(file, ending) + "." + run.Trace.Property + ending
		}
		if err := traces.WriteFile(name, run.Trace); err != nil {
			return unwritable(name, err)
		}
		run.File = name
	}
	return nil
}
