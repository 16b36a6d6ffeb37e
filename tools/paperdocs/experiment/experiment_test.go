package experiment

import (
	"maps"
	"strconv"
	"strings"
	"testing"

	"github.com/atmostk/atmostk/explore/timed"
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

// TestReadingWithoutPointsIsNotDrawn: a reading of which no point is measured has no axis to draw.
func TestReadingWithoutPointsIsNotDrawn(t *testing.T) {
	e := Experiment{X: "n", Log: true, Points: []map[string]string{{"n": "8"}}, Panels: []Panel{{}},
		Series: []Panel{{Name: "A"}}, Readings: []Panel{{Name: "first"}, {Name: "second"}}}
	cells := []Cell{{Reading: "first", Series: "A", X: 8, Values: map[string]timed.Estimate{
		"messages": {Mean: 7, Half: 1, N: 3},
	}}}
	drawn := e.Plot(&Figure{Name: "f", Metric: "messages", Log: true}, cells)
	if strings.Contains(drawn, "second") || !strings.Contains(drawn, "first") ||
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
