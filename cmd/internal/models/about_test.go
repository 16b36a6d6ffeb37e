package models

import (
	"slices"
	"testing"

	"github.com/atmostk/atmostk/specs"
	"github.com/atmostk/atmostk/traces"
)

// TestFolded shows only the parameters that one has to give, though a trace names all.
func TestFolded(t *testing.T) {
	tr, err := traces.ReadFile(
		"../../../docs/claims/vcube/vcube-stack-n4-k2-rounds2110-channelfifo-at-most-k.ndjson")
	if err != nil {
		t.Fatal(err)
	}
	all := &Set{Specs: specs.All}
	about := all.About(tr)
	if want := "vcube-stack n=4 k=2 rounds=2,1,1,0 channel=fifo"; about.Args != want {
		t.Errorf("%q, want %q", about.Args, want)
	}
	if !slices.Contains(about.Default, "crashable=0,1,2,3") {
		t.Errorf("%q", about.Default)
	}
	tr.Typed = []string{"crashable"}
	if about := all.About(tr); !slices.Contains(about.Set, "crashable=0,1,2,3") {
		t.Errorf("typed: %q", about.Set)
	}
}
