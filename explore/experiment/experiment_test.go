package experiment

import (
	"io"
	"maps"
	"testing"

	"github.com/atmostk/atmostk/explore/simulate"
)

// TestMeanOfFewServedIsMarked: a time of waiting is marked where most requests were still waiting.
func TestMeanOfFewServedIsMarked(t *testing.T) {
	for entries, want := range map[float64]string{40: "5±1*", 60: "5±1"} {
		c := Cell{Values: map[string]simulate.Estimate{
			"requests": {Mean: 100}, "entries": {Mean: entries}, "obtaining": {Mean: 5, Half: 1, N: 3},
			"messages": {Mean: 7, Half: 1, N: 3},
		}}
		if got := c.Written("obtaining") + " " + c.Written("messages"); got != want+" 7±1" {
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
	if err := e.Plot(io.Discard, &Figure{Name: "f", Metric: "messages", Log: true}, cells); err != nil {
		t.Error(err)
	}
}
