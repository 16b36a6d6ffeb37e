package specs_test

import (
	"context"
	"os"
	"testing"

	"github.com/atmostk/atmostk/explore/lint"
	"github.com/atmostk/atmostk/model/modeltest"
	"github.com/atmostk/atmostk/specs"
)

// sweep is set for the larger sweep, which takes minutes:
// run ATMOSTK_SWEEP=1 go test ./specs.
var sweep = os.Getenv("ATMOSTK_SWEEP") != ""

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
