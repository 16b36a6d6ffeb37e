package files

import (
	"context"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/atmostk/atmostk/explore/lint"
	"github.com/atmostk/atmostk/model/file"
	"github.com/atmostk/atmostk/model/modeltest"
)

// The heap of these tests may grow as the command lets it for searches.
var _ = debug.SetGCPercent(400)

// TestModels tests every model as modellers test theirs: references, the plain semantics, vacuity.
func TestModels(t *testing.T) {
	names, err := filepath.Glob("*" + file.Extension)
	if err != nil || len(names) == 0 {
		t.Fatal(err, "no models")
	}
	for _, name := range names {
		t.Run(strings.TrimSuffix(name, file.Extension), func(t *testing.T) {
			spec, err := file.Load(name)
			if err != nil {
				t.Fatal(err)
			}
			if len(spec.References) == 0 {
				t.Error("it has no references")
			}
			modeltest.Check(t, *spec)
			if os.Getenv("ATMOSTK_SWEEP") == "" {
				return
			}
			found, err := lint.Spec(context.Background(), spec, lint.Options{Large: true})
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
