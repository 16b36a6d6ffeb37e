package usage_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/atmostk/atmostk/model/usage"
)

// TestText: options are named barely, or as they are given, in a text and in one of which it is a part.
func TestText(t *testing.T) {
	flag := func(o usage.Option) string { return "--" + string(o) }
	inner := usage.Errorf("%s %d leaves it out", usage.Option("property"), 7)
	outer := usage.Textf("line %d: %v", 3, inner)
	if got := outer.String(); got != "line 3: property 7 leaves it out" {
		t.Errorf("barely: %q", got)
	}
	if got := outer.With(flag); got != "line 3: --property 7 leaves it out" {
		t.Errorf("as flags: %q", got)
	}
	var misuse *usage.Error
	err := fmt.Errorf("so: %w", inner)
	if !errors.As(err, &misuse) || misuse.With(flag) != "--property 7 leaves it out" {
		t.Errorf("wrapped: %v", err)
	}
	if got := usage.Textf("100%%").With(flag); got != "100%" {
		t.Errorf("without arguments: %q", got)
	}
}

// TestNearest: the nearest word is told if it is near enough.
func TestNearest(t *testing.T) {
	words := []string{"raymond", "ring", "vcube-stack"}
	for given, want := range map[string]string{
		"raymnd": ` (did you mean "raymond"?)`, "rnig": ` (did you mean "ring"?)`, "zzz": "", "": "",
	} {
		if got := usage.Nearest(given, words); got != want {
			t.Errorf("%q: %q, not %q", given, got, want)
		}
	}
}
