package claims

import (
	"context"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/atmostk/atmostk/explore"
	"github.com/atmostk/atmostk/explore/simulate"
	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/tools/paperdocs/rows"
)

// foundRows has a row for each false claim: how soon random runs find it, or why none does.
var foundRows = filepath.Join(root, "docs", "claims", "found-by-runs.ndjson")

const (
	foundSeeds = 20
	foundRuns  = 400 // after these a seed is given up
	foundSteps = 400 // of a run
)

// A foundRow is a false claim with the number of random runs that find a violation.
type foundRow struct {
	Claim    string `json:"claim"` // with its paper
	Line     string `json:"line,omitempty"`
	Property string `json:"property,omitempty"`
	Least    int    `json:"least,omitempty"` // steps of the shortest counterexample; 0: no search finds it
	// Runs is by scheduler the median over the seeds; more than foundRuns: most seeds find nothing.
	Runs map[simulate.Scheduler]int `json:"runs,omitempty"`
	Why  string                     `json:"why,omitempty"` // no run that ends shows the violation
}

// tooLarge are violations in instances that no search exhausts.
var tooLarge = []foundRow{
	{
		Claim: "timerfree: the listing without timestamps", Property: "permissions-exact",
		Line: "timerfree n=16 k=3 f=2 rounds=2 crashes=0 variant=a rp=off",
	},
	{Claim: "vcube: Lemma 7.3", Line: "vcube-stack n=16 k=3 rounds=1 crashes=0", Property: "fair-order"},
}

// falseClaims returns a row for each false claim, without numbers of runs: the first violated row with a
// property of states or steps, or the reason why no run shows it.
func falseClaims(t *testing.T) (rows []foundRow) {
	t.Helper()
	for _, p := range all(t) {
		for _, c := range p.Claims {
			if demanded[c.Ruling] == violated {
				rows = append(rows, c.shownByRun(t, p.Name))
			}
		}
	}
	return append(rows, tooLarge...)
}

func (c *Claim) shownByRun(t *testing.T, paper string) foundRow {
	t.Helper()
	found := foundRow{Claim: paper + ": " + c.Name, Why: "it is calculated, not searched"}
	for _, row := range c.Rows {
		if row.Aside != "" || !row.Searches() || !row.is(violated) {
			continue
		}
		line := strings.TrimSpace(row.Spec + " " + row.Args)
		in, i := propertyOf(t, line, row.Property)
		switch in.Space.Properties()[i].Kind {
		case model.Invariant, model.StepInvariant, model.Quiet, model.DeadlockFree:
			found.Line, found.Property, found.Least, found.Why = line, row.Property, row.Kept.Length, ""
			return found
		case model.Liveness:
			found.Why = "its counterexamples are runs without end"
		case model.Reachable:
			found.Why = "only all runs together show that a goal is out of reach"
		default:
			found.Why = "its property counts messages or steps of an attempt, which runs do not"
		}
	}
	return found
}

// propertyOf returns the instance of a line, and the index of a property.
func propertyOf(t *testing.T, line, name string) (model.Instance, int) {
	t.Helper()
	words := strings.Fields(line)
	spec, err := Spec(words[0])
	if err != nil {
		t.Fatal(err)
	}
	in, _, err := spec.Follow(words[1:])
	if err != nil {
		t.Fatal(err)
	}
	return in, slices.IndexFunc(in.Space.Properties(), func(p model.PropertyInfo) bool {
		return p.Name == name
	})
}

// until is the number of runs that a scheduler needs, the median over the seeds; more than foundRuns if most
// find nothing.
func (e *foundRow) until(t *testing.T, by simulate.Scheduler) int {
	t.Helper()
	in, i := propertyOf(t, e.Line, e.Property)
	var needed []int
	missed := 0
	for seed := range uint64(foundSeeds) {
		if missed > foundSeeds/2 {
			return foundRuns + 1
		}
		opt := simulate.Options{
			Seed: seed, Scheduler: by, Depth: 3, Runs: foundRuns, Steps: foundSteps, NoCoverage: true,
			Properties: []int{i}, Workers: 1,
		}
		r, err := simulate.Run(context.Background(), in, opt)
		if err != nil {
			t.Fatal(err)
		}
		n := foundRuns + 1
		if r.Verdict == explore.Violated {
			n = int(r.Properties[0].Run) + 1
		} else {
			missed++
		}
		needed = append(needed, n)
	}
	slices.Sort(needed)
	return (needed[foundSeeds/2-1] + needed[foundSeeds/2]) / 2
}

// measure asks all schedulers.
func (e *foundRow) measure(t *testing.T) {
	t.Helper()
	e.Runs = map[simulate.Scheduler]int{}
	for _, by := range simulate.Schedulers {
		e.Runs[by] = e.until(t, by)
	}
}

// same reports whether two rows ask one question.
func (e *foundRow) same(d foundRow) bool {
	return e.Claim == d.Claim && e.Line == d.Line && e.Property == d.Property && e.Least == d.Least
}

// TestFoundByRuns asks how soon random runs find the violations of false claims. With ATMOSTK_SWEEP=1 it
// measures the rows that are not kept, and keeps each at once: it may be ended and called again; delete a
// row to measure it anew. Otherwise it compares the rows with the claims, and measures one again.
func TestFoundByRuns(t *testing.T) {
	asked := falseClaims(t)
	kept, err := rows.Read[foundRow](foundRows)
	if err != nil {
		t.Fatal(err)
	}
	for i := range asked {
		e := &asked[i]
		k := slices.IndexFunc(kept, e.same)
		switch {
		case e.Why != "":
		case k >= 0:
			e.Runs = kept[k].Runs
		case !sweep:
			t.Errorf("%s has no row of %s, %s", foundRows, e.Claim, e.Line)
		default:
			e.measure(t)
			if err := rows.Write(foundRows, append(kept, asked[:i+1]...)); err != nil {
				t.Fatal(err)
			}
		}
	}
	if sweep || os.Getenv("ATMOSTK_UPDATE") != "" {
		if err := rows.Write(foundRows, asked); err != nil {
			t.Fatal(err)
		}
		return
	}
	if text, err := os.ReadFile(foundRows); err != nil || string(text) != spelled(t, asked) {
		t.Errorf("%s differs from the claims (%v)", foundRows, err)
	}
	first := slices.IndexFunc(asked, func(e foundRow) bool { return e.Why == "" })
	again := asked[first]
	if again.measure(t); !maps.Equal(again.Runs, asked[first].Runs) {
		t.Errorf("%s needs %v runs, not %v as is kept", again.Line, again.Runs, asked[first].Runs)
	}
}
