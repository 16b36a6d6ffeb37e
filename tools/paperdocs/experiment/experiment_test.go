package experiment

import (
	"context"
	"errors"
	"io"
	"maps"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/atmostk/atmostk/explore/simulate"
	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/specs/raymond"
)

// TestMeanOfFewServedIsMarked: a time of waiting is marked where most requests were still waiting.
func TestMeanOfFewServedIsMarked(t *testing.T) {
	for entries, want := range map[float64]string{40: "5±1*", 60: "5±1"} {
		c := Cell{Values: map[string]simulate.Estimate{
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

// TestReadingWithoutPointsIsNotDrawn: a reading of which no point is measured has no axis to draw.
func TestReadingWithoutPointsIsNotDrawn(t *testing.T) {
	e := Experiment{X: "n", Log: true, Points: []map[string]string{{"n": "8"}}, Panels: []Panel{{}},
		Series: []Panel{{Name: "A"}}, Readings: []Panel{{Name: "first"}, {Name: "second"}}}
	cells := []Cell{{Reading: "first", Series: "A", X: 8, Values: map[string]simulate.Estimate{
		"messages": {Mean: 7, Half: 1, N: 3},
	}}}
	drawn, err := e.Plot(&Figure{Name: "f", Metric: "messages", Log: true}, cells)
	if err != nil || strings.Contains(drawn, "second") || !strings.Contains(drawn, "first") ||
		strings.Contains(drawn, "NaN") {
		t.Error(drawn)
	}
}

// TestScale: ticks are few and round, on both kinds of scale.
func TestScale(t *testing.T) {
	for _, c := range []struct {
		scale
		want string
	}{
		{scale{low: 0, high: 25.3}, "[0 5 10 15 20 25]"},
		{scale{low: 0, high: 0.7}, "[0 0.2 0.4 0.6]"},
		{scale{low: 0, high: 1}, "[0 0.2 0.4 0.6 0.8 1]"},
		{scale{low: 0.9, high: 110, log: true}, "[1 2 5 10 20 50 100]"},
		{scale{low: 0.9, high: 11000, log: true}, "[1 10 100 1000 10000]"},
	} {
		var ticks []string
		for _, v := range c.ticks() {
			ticks = append(ticks, strconv.FormatFloat(v, 'g', 4, 64))
		}
		if got := "[" + strings.Join(ticks, " ") + "]"; strings.ReplaceAll(got, "1e+04", "10000") != c.want {
			t.Errorf("%+v: %s, want %s", c.scale, got, c.want)
		}
	}
}

// TestPagesAreWhatTheNumbersMakeOfThem renders the pages of docs/experiments from the numbers that are kept
// beside them; ATMOSTK_UPDATE=1 writes them.
func TestPagesAreWhatTheNumbersMakeOfThem(t *testing.T) {
	const root = "../../.."
	all, err := All(root)
	if err != nil || len(all) < 8 {
		t.Fatal(len(all), err)
	}
	mutex, err := Read(filepath.Join(root, "docs", "experiments", "mutex.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range append(all, mutex) {
		file := filepath.Join(root, "docs", "experiments", e.Name)
		cells, err := ReadCSV(file + ".csv")
		if err != nil {
			t.Fatal(err)
		}
		page, err := e.Page(cells)
		if err == nil && os.Getenv("ATMOSTK_UPDATE") != "" {
			err = os.WriteFile(file+".md", []byte(page), 0o644)
		}
		if old, errOld := os.ReadFile(file + ".md"); err != nil || errOld != nil || string(old) != page {
			t.Errorf("%s.md is not what the numbers make of it (%v, %v)", file, err, errOld)
		}
	}
}

// TestMeasuredTwice: what is kept of an experiment need not be measured again.
func TestMeasuredTwice(t *testing.T) {
	dir := t.TempDir()
	e := &Experiment{Name: "mine", Title: "Mine", X: "n", Seed: 7, Runs: 3,
		Points:  []map[string]string{{"n": "4"}},
		Series:  []Panel{{Name: "RAY", Model: "raymond n={n} k=2 rounds=inf"}},
		Figures: []Figure{{Name: "fig", Metric: "obtaining"}, {Name: "course", Course: "in-use"}},
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
	cells, err := e.Run(context.Background(), find, nil, io.Discard)
	if err == nil {
		err = e.Write(dir, cells)
	}
	if err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile(filepath.Join(dir, "mine.md"))
	if err != nil || !strings.Contains(string(page), "**reproduced**") {
		t.Errorf("%s (%v)", page, err)
	}
	for _, name := range []string{"fig", "course"} {
		if drawn, err := os.ReadFile(filepath.Join(dir, name+".svg")); err != nil ||
			!strings.Contains(string(drawn), ">RAY</text>") {
			t.Errorf("%s: %s (%v)", name, drawn, err)
		}
	}
	known, err := ReadCSV(filepath.Join(dir, "mine.csv"))
	if err != nil {
		t.Fatal(err)
	}
	nobody := func(string) (*model.Spec, error) { return nil, errors.New("it is measured again") }
	again, err := e.Run(context.Background(), nobody, known, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	same, err := e.Page(again)
	if err != nil || same != string(page) {
		t.Errorf("%s, not %s (%v)", same, page, err)
	}
}
