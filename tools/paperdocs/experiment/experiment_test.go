package experiment

import (
	"context"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/specs/raymond"
	"github.com/atmostk/atmostk/tools/paperdocs/timed"
)

// TestMeanOfFewServedIsMarked: a time of waiting is marked where most requests were still waiting.
func TestMeanOfFewServedIsMarked(t *testing.T) {
	for entries, want := range map[float64]string{40: "5±1*", 60: "5±1"} {
		c := Cell{Values: map[string]timed.Estimate{
			"requests": {Mean: 100}, "entries": {Mean: entries}, "obtaining": {Mean: 5, Half: 1, N: 3},
			"messages": {Mean: 7, Half: 1, N: 3},
		}}
		if got := c.written("obtaining") + " " + c.written("messages"); got != want+" 7±1" {
			t.Errorf("%g of 100 served: %s", entries, got)
		}
	}
}

// TestReadingReplacesValuesOfPoint: a reading may name values of the point, and leave out points.
func TestReadingReplacesValuesOfPoint(t *testing.T) {
	r := Panel{Values: map[string]string{"late": "{soon}", "more": "1"}, Points: []float64{8}}
	got := r.point(map[string]string{"n": "8", "late": "90", "soon": "3"})
	if want := map[string]string{"n": "8", "late": "3", "soon": "3", "more": "1"}; !maps.Equal(got, want) {
		t.Errorf("%v", got)
	}
	if all := (&Panel{}); !r.has(8) || r.has(16) || !all.has(16) {
		t.Error("points that a panel has or has not")
	}
}

// TestValuesFillSettings: a value of a point becomes a number, or a list of times, in any style of YAML.
func TestValuesFillSettings(t *testing.T) {
	for _, text := range []string{`faults: {at: "{at}", crashes: "{f}"}`,
		"faults:\n  at: '{at}'\n  crashes: \"{f}\""} {
		var node yaml.Node
		if err := yaml.Unmarshal([]byte(text), &node); err != nil {
			t.Fatal(err)
		}
		var s timed.Settings
		err := fill(&s, node.Content[0], map[string]string{"at": "20, 30.5", "f": "2"})
		if err != nil || !slices.Equal(s.Faults.At, []float64{20, 30.5}) || s.Faults.Crashes != 2 {
			t.Errorf("%s: %+v (%v)", text, s.Faults, err)
		}
	}
}

// TestKeptCellsAreReadAgain: the file of an experiment has all that is printed of its measurements.
func TestKeptCellsAreReadAgain(t *testing.T) {
	dir := t.TempDir()
	e := &Experiment{Name: "mine", Title: "Mine", X: "n", Seed: 7, Runs: 3,
		Points:  []map[string]string{{"n": "4"}},
		Series:  []Panel{{Name: "RAY", Model: "raymond n={n} k=2 rounds=inf"}},
		Figures: []Figure{{Name: "fig", Metrics: []string{"obtaining"}}},
		Claims: []Claim{{Name: "dear", Sentence: "Dear.", When: []Condition{
			{Metric: "messages-per-request", Is: "RAY > 1"}}}},
	}
	if err := yaml.Unmarshal([]byte("{duration: 60, load: {first: uniform 0 1, think: \"3\", use: \"1\"}}"),
		&e.Settings); err != nil {
		t.Fatal(err)
	}
	e.Settings = *e.Settings.Content[0]
	if err := e.check(); err != nil {
		t.Fatal(err)
	}
	find := func(string) (*model.Spec, error) { return &raymond.Spec, nil }
	cells, err := e.Run(context.Background(), find, io.Discard)
	if err == nil {
		err = e.Write(filepath.Join(dir, "mine.ndjson"), cells)
	}
	if err != nil {
		t.Fatal(err)
	}
	var page strings.Builder
	if err := e.Print(&page, cells); err != nil || !strings.Contains(page.String(), "Dear. (): reproduced") {
		t.Errorf("%s (%v)", page.String(), err)
	}
	known, err := ReadCells(filepath.Join(dir, "mine.ndjson"))
	if err != nil {
		t.Fatal(err)
	}
	var same strings.Builder
	if err := e.Print(&same, known); err != nil || same.String() != page.String() {
		t.Errorf("%s, not %s (%v)", same.String(), page.String(), err)
	}
}
