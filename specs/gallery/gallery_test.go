package gallery_test

import (
	"testing"

	"github.com/atmostk/atmostk/model/modeltest"
	starfile "github.com/atmostk/atmostk/model/starlark"
	"github.com/atmostk/atmostk/specs/gallery"
)

// TestModels compares each model with its figures and the plain semantics. All its properties hold, and with
// mistake=yes one of them is violated.
func TestModels(t *testing.T) {
	for _, name := range gallery.Names() {
		t.Run(name, func(t *testing.T) {
			spec, err := starfile.Load(name + starfile.Extension)
			if err != nil {
				t.Fatal(err)
			}
			modeltest.Check(t, *spec)
			want := []struct {
				args     string
				violated int
			}{{"", 0}, {"mistake=yes", 1}}
			if len(spec.References) != len(want) {
				t.Fatalf("%d references, want %d", len(spec.References), len(want))
			}
			for i, w := range want {
				r := spec.References[i]
				if n := len(r.Violated); r.Args != w.args || n != w.violated {
					t.Errorf("%q has %d violated properties, want %q with %d", r.Args, n, w.args, w.violated)
				}
			}
		})
	}
}
