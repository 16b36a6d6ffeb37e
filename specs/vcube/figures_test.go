package vcube

import (
	"slices"
	"strings"
	"testing"
)

// TestFigures follows Figures 4 and 5; with two steps exchanged, or a message to somebody else,
// nothing is followed any more.
func TestFigures(t *testing.T) {
	for _, f := range []figure{figure4, figure5} {
		if got := f.follow(); got.Verdict != "holds" || got.Length != len(f.steps) {
			t.Errorf("%s %s: %+v", f.spec.Name, f.args, got)
		}
		swapped := figure{f.spec, f.args, slices.Clone(f.steps)}
		swapped.steps[0], swapped.steps[1] = swapped.steps[1], swapped.steps[0]
		other := figure{f.spec, f.args, slices.Clone(f.steps)}
		last := slices.IndexFunc(other.steps, func(s string) bool { return strings.HasSuffix(s, "to p3") })
		other.steps[last] = strings.TrimSuffix(other.steps[last], "p3") + "p1"
		for _, wrong := range []figure{swapped, other} {
			if got := wrong.follow(); got.Verdict != "violated" {
				t.Errorf("%s %s: %+v for %q", f.spec.Name, f.args, got, wrong.steps)
			}
		}
	}
}
