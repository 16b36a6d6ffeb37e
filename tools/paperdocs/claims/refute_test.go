package claims

import (
	"bytes"
	"context"
	"strings"
	"testing"
)

// TestPlantedSentenceIsRefuted: a sentence that all instances of the tables fulfil is refuted by an instance
// outside them, the same for the same seed; a true one stands.
func TestPlantedSentenceIsRefuted(t *testing.T) {
	p := open(t, "ring")
	planted := []*Claim{{Name: "planted", Statements: []*Statement{
		{Says: "Two are safe.", Spec: "ring-recovery", Where: "scheme=2 n=2 repair=none",
			Properties: "one-token", Verdict: Everywhere},
		{Says: "One is safe.", Spec: "ring-basic", Where: "n=2 ring-up=one", Properties: "mutual-exclusion",
			Verdict: Everywhere},
	}}}
	said := func() string {
		var b bytes.Buffer
		by := Refuting{Tries: 20, Seed: 1, States: 5000}
		if _, err := p.Refute(context.Background(), &b, planted, by); err != nil {
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

// TestRowThatCannotFailIsVacuous: an answer to a property that no algorithm violates there.
func TestRowThatCannotFailIsVacuous(t *testing.T) {
	r := Row{Spec: "ring-basic", Args: "n=2 rounds=1,0", Property: "mutual-exclusion",
		Kept: &Finding{Verdict: holds, Explored: complete}}
	if err := r.open(root); err != nil {
		t.Fatal(err)
	}
	if got := r.vacuous(); got != "at most 1 unit is ever requested" {
		t.Error(got)
	}
}
