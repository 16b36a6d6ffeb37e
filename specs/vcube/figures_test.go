package vcube

import (
	"slices"
	"strings"
	"testing"

	"github.com/atmostk/atmostk/model/figures"
)

// TestFigures follows Figures 4 and 5; with two steps exchanged, or a message to somebody else,
// nothing is followed any more.
func TestFigures(t *testing.T) {
	for _, f := range []figures.Figure{figure4, figure5} {
		if got := f.Follow(); got.Verdict != "holds" || got.Length != len(f.Steps) {
			t.Errorf("%s %s: %+v", f.Spec.Name, f.Args, got)
		}
		swapped, other := f, f
		swapped.Steps, other.Steps = slices.Clone(f.Steps), slices.Clone(f.Steps)
		swapped.Steps[0], swapped.Steps[1] = swapped.Steps[1], swapped.Steps[0]
		last := slices.IndexFunc(other.Steps, func(s string) bool { return strings.HasSuffix(s, "to p3") })
		other.Steps[last] = strings.TrimSuffix(other.Steps[last], "p3") + "p1"
		for _, wrong := range []figures.Figure{swapped, other} {
			if got := wrong.Follow(); got.Verdict != "violated" {
				t.Errorf("%s %s: %+v for %q", f.Spec.Name, f.Args, got, wrong.Steps)
			}
		}
	}
}
