package cmd_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/atmostk/atmostk/cmd"
	"github.com/atmostk/atmostk/specs"
)

// TestClaims asks for every finding that is recorded, and takes a changed one for
// a failure. Those that take long, and the pages, are part of the larger sweep:
// ATMOSTK_SWEEP=1 go test ./cmd -run Claims -timeout 4h.
func TestClaims(t *testing.T) {
	sweep := os.Getenv("ATMOSTK_SWEEP") != ""
	tried := map[string]bool{}
	for _, spec := range specs.All {
		if spec.Paper == nil || tried[spec.Paper.Name] {
			continue
		}
		name := spec.Paper.Name
		tried[name] = true
		t.Run(name, func(t *testing.T) {
			args := []string{"claims", name, "--format", "markdown"}
			if !sweep {
				args = append(args, "--quick")
			}
			page := run(t, args...)
			if !sweep {
				return
			}
			if kept, err := os.ReadFile(filepath.Join("..", "docs", "claims", name+".md")); err != nil || string(kept) != page {
				t.Errorf("docs/claims/%s.md is not what atmostk claims %s --write docs/claims writes (%v)", name, name, err)
			}
		})
	}
}

// TestKeptTraces replays the counterexamples that the pages about the claims show.
func TestKeptTraces(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("..", "docs", "claims", "*", "*.ndjson"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no counterexamples are kept: %v", err)
	}
	for _, file := range files {
		run(t, "replay", file)
	}
}

// run runs the command, which has to succeed, and returns what it printed.
func run(t *testing.T, args ...string) string {
	t.Helper()
	var out, diag bytes.Buffer
	if code := cmd.Run(context.Background(), args, nil, &out, &diag, specs.All...); code != 0 {
		t.Errorf("atmostk %v: exit code %d\n%s%s", args, code, out.String(), diag.String())
	}
	return out.String()
}
