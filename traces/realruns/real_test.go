package main

import (
	"context"
	"errors"
	"path/filepath"
	"testing"

	"github.com/atmostk/atmostk/traces/logs"
)

// TestScenarios runs the servers, and judges the logs. Of the systems that work no more
// than k clients have it at once in any order of events that fits the log, and so many
// have; of the broken ones there are more in every order.
func TestScenarios(t *testing.T) {
	for _, s := range scenarios {
		t.Run(s.name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "log.ndjson")
			err := s.capture(context.Background(), file, 7)
			if errors.Is(err, errMissing) {
				t.Skip(err)
			}
			if err != nil {
				t.Fatal(err)
			}
			log, err := logs.Read([]string{file}, logs.Options{Strict: true})
			if err != nil {
				t.Fatal(err)
			}
			use := log.Occupancy(s.k, logs.Auto, false)
			t.Logf("%d stays, surely %d at once, possibly %d, %d definite crowds", use.Stays, use.Surely, use.Possibly, use.Count)
			if !s.broken && (use.Surely != s.k || use.Possibly != s.k || use.Open > 0) || s.broken && use.Count == 0 {
				t.Errorf("%+v", use)
			}
		})
	}
}

// TestInterrupted: a run that does not come to its end leaves nothing behind.
func TestInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for _, s := range scenarios {
		dir := t.TempDir()
		if err := s.capture(ctx, filepath.Join(dir, "log.ndjson"), 1); err == nil {
			t.Errorf("%s: no error", s.name)
		}
		if left, err := filepath.Glob(filepath.Join(dir, "*")); err != nil || len(left) > 0 {
			t.Errorf("%s leaves %v, %v", s.name, left, err)
		}
	}
}
