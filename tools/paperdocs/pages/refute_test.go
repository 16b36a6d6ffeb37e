package pages

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"github.com/atmostk/atmostk/tools/paperdocs/paper"
)

// TestPlantedSentenceIsRefuted: a sentence that all instances of the tables bear out falls by one that is
// not in them, and the same one for the same seed; one that is true stands.
func TestPlantedSentenceIsRefuted(t *testing.T) {
	p := *read(t, "ring")
	p.Claims, p.Implement = []paper.Claim{{Name: "planted", Statements: []paper.Statement{
		{Says: "Two are safe.", Spec: "ring-recovery", Where: "scheme=2 n=2 repair=none",
			Properties: "one-token", Verdict: paper.Everywhere},
		{Says: "One is safe.", Spec: "ring-basic", Where: "n=2 ring-up=one", Properties: "mutual-exclusion",
			Verdict: paper.Everywhere},
	}}}, nil
	j := put(t, &p)
	said := func() string {
		var b bytes.Buffer
		by := Refuting{Tries: 20, Seed: 1, States: 5000}
		if _, err := j.Refute(context.Background(), &b, j.Claims, by); err != nil {
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
	p := *read(t, "ring")
	p.Claims, p.Implement = []paper.Claim{{Name: "planted", Trials: []paper.Trial{
		{Spec: "ring-basic", Args: "n=2 rounds=1,0", Property: "mutual-exclusion"}}}}, nil
	r := put(t, &p).Claims[0].Rows[0]
	r.Kept = &Kept{Finding: Finding{Verdict: holds, Explored: complete}}
	if got := r.Told(r.Finding()); got != "holds (vacuous: at most 1 unit is ever requested)" {
		t.Error(got)
	}
}
