package specs_test

import (
	"context"
	"os"
	"runtime/debug"
	"testing"

	"github.com/atmostk/atmostk/explore/lint"
	"github.com/atmostk/atmostk/model/modeltest"
	"github.com/atmostk/atmostk/specs"
)

// sweep is set for the larger sweep, which takes minutes:
// run ATMOSTK_SWEEP=1 go test ./specs.
var sweep = os.Getenv("ATMOSTK_SWEEP") != ""

// The heap of these tests may grow as the command lets it for searches: many small ones would
// pay more for its collection than for themselves.
var _ = debug.SetGCPercent(400)

// TestModels tests every model as modellers test theirs: references, the plain semantics,
// vacuity. Their claims are asked by the tests of the command, which compare the figures, too.
func TestModels(t *testing.T) {
	for _, spec := range specs.All {
		t.Run(spec.Name, func(t *testing.T) {
			spec.Paper = nil
			modeltest.Check(t, spec)
			if !sweep {
				return
			}
			found, err := lint.Spec(context.Background(), &spec, lint.Options{Large: true})
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range found {
				if !f.Note {
					t.Errorf("%s: %s", f.Args, f.What)
				}
			}
		})
	}
}
