package specs_test

import (
	"context"
	_ "embed"
	"os"
	"runtime/debug"
	"strings"
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

//go:embed references/counts.ndjson
var counts string

// inGo reports whether a model is no file, which has its references itself.
func inGo(spec string) bool { return strings.Contains(counts, `"spec":"`+spec+`"`) }

// TestReferencesAreOfModels: each line of the references is read.
func TestReferencesAreOfModels(t *testing.T) {
	read := 0
	for _, spec := range specs.All {
		if inGo(spec.Name) {
			read += len(spec.Loaded().References)
		}
	}
	if n := strings.Count(counts, "\n"); read != n {
		t.Errorf("%d of %d lines are references of models", read, n)
	}
}

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
			name := spec.Name
			spec = *spec.Loaded()
			if spec.References = references(&spec); spec.Name != name || len(spec.References) == 0 {
				t.Errorf("loaded: %s, with %d references to explore", spec.Name, len(spec.References))
			}
			if !inGo(name) {
				return
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
