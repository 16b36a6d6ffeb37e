package cli

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"github.com/atmostk/atmostk/cmd/internal/models"
	"github.com/atmostk/atmostk/explore"
	"github.com/atmostk/atmostk/model/papers"
	"github.com/atmostk/atmostk/specs"
)

// TestPlantedSentenceIsRefuted: a sentence that all instances of the tables bear out falls by one that is not
// in them, and the same one for the same seed; one that is true stands.
func TestPlantedSentenceIsRefuted(t *testing.T) {
	p := paperOf(t, "ring")
	p.Claims = []papers.Claim{{Name: "planted", Statements: []papers.Statement{
		{Says: "Two are safe.", Spec: "ring-recovery", Where: "scheme=2 n=2 repair=none",
			Properties: "one-token", Verdict: papers.Everywhere},
		{Says: "One is safe.", Spec: "ring-basic", Where: "n=2 ring-up=one", Properties: "mutual-exclusion",
			Verdict: papers.Everywhere},
	}}}
	p.Implement = nil
	j := reviewed(t, p)
	said := func() string {
		var b bytes.Buffer
		a := &app{Program: Program{Set: models.Set{Specs: specs.All}}.complete(), out: &output{W: &b}, diag: &output{W: &b}}
		if err := a.refute(context.Background(), j, []*judged{&j.claims[0]}, explore.Options{Workers: 1},
			refuting{tries: 20, seed: 1, states: 5000}); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	text := said()
	if !strings.Contains(text, "refuted  Two are safe.") || !strings.Contains(text, "check ring-recovery") ||
		!strings.Contains(text, "stood    One is safe.") || text != said() {
		t.Error(text)
	}
}

// TestRowThatCannotFailIsVacuous: what a row says to a property that no algorithm violates there.
func TestRowThatCannotFailIsVacuous(t *testing.T) {
	p := paperOf(t, "ring")
	p.Claims = []papers.Claim{{Name: "planted", Trials: []papers.Trial{
		{Spec: "ring-basic", Args: "n=2 rounds=1,0", Property: "mutual-exclusion"}}}}
	p.Implement = nil
	r := &reviewed(t, p).claims[0].rows[0]
	r.kept = &keptRow{Finding: papers.Finding{Verdict: "holds", Explored: complete}}
	if got := r.told(r.finding()); got != "holds (vacuous: at most 1 unit is ever requested)" {
		t.Error(got)
	}
}
