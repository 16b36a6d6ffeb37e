package main

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// TestScenarios runs all programs: the log has the entries of each client.
func TestScenarios(t *testing.T) {
	for _, s := range scenarios {
		for _, broken := range []bool{false, true} {
			file := filepath.Join(t.TempDir(), s.file(broken))
			t.Run(filepath.Base(file), func(t *testing.T) {
				err := s.capture(context.Background(), file, 7, broken)
				if errors.Is(err, errMissing) {
					t.Skip(err)
				}
				if err != nil {
					t.Fatal(err)
				}
				text, err := os.ReadFile(file)
				if err != nil {
					t.Fatal(err)
				}
				if lines := bytes.Count(text, []byte("\n")); lines < 2*s.entries {
					t.Errorf("%d lines of %d entries of each client\n%s", lines, s.entries, text)
				}
			})
		}
	}
}

// TestInterruptedRunLeavesNoFile: a run that does not end leaves no file.
func TestInterruptedRunLeavesNoFile(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for _, s := range scenarios {
		dir := t.TempDir()
		if err := s.capture(ctx, filepath.Join(dir, "log"), 1, false); err == nil {
			t.Errorf("%s: no error", s.name)
		}
		if left, err := filepath.Glob(filepath.Join(dir, "*")); err != nil || len(left) > 0 {
			t.Errorf("%s leaves %v, %v", s.name, left, err)
		}
	}
}
