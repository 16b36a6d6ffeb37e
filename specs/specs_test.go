package specs_test

import (
	"context"
	"os"
	"runtime/debug"
	"testing"

	"github.com/atmostk/atmostk/explore/lint"
	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/modeltest"
	"github.com/atmostk/atmostk/specs"
)

// sweep is set for the larger sweep, which takes minutes:
// run ATMOSTK_SWEEP=1 go test ./specs.
var sweep = os.Getenv("ATMOSTK_SWEEP") != ""

// The heap of these tests may grow as the command lets it for searches: many small ones would
// pay more for its collection than for themselves.
var _ = debug.SetGCPercent(1000)

// ordinary is the number of states up to which the ordinary run explores references; the sweep explores all.
const ordinary = 4_000

// references returns those that this run explores.
func references(s *model.Spec) (some []model.Reference) {
	for _, ref := range s.Loaded().References {
		if sweep || ref.States <= ordinary && !ref.Large {
			some = append(some, ref)
		}
	}
	return some
}

// TestModels tests every model as modellers test theirs: references, the plain semantics,
// vacuity. Package files does it for models that are files.
func TestModels(t *testing.T) {
	for _, spec := range specs.All {
		t.Run(spec.Name, func(t *testing.T) {
			if s := spec.Loaded(); spec.Load != nil {
				if s.Name != spec.Name || s.Load != nil || len(references(s)) == 0 {
					t.Errorf("loaded: %s, with %d references", s.Name, len(s.References))
				}
				return
			}
			spec.References = references(&spec)
			if len(spec.References) == 0 {
				t.Fatal("no reference is small enough")
			}
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
