package experiment

import (
	"strings"
	"testing"

	"github.com/atmostk/atmostk/tools/paperdocs/cond"
	"github.com/atmostk/atmostk/tools/paperdocs/timed"
)

func estimates(half float64, means ...float64) (ys []timed.Estimate) {
	for _, m := range means {
		ys = append(ys, timed.Estimate{Mean: m, Half: half, N: 5})
	}
	return ys
}

// TestCourses: a course is met or refuted where intervals are apart, and undecided where they are not.
func TestCourses(t *testing.T) {
	xs := []float64{1, 2, 4, 8}
	for name, c := range map[string]struct {
		is   string
		at   []float64
		ys   []timed.Estimate
		want cond.Answer
	}{
		"a peak":             {"peak", []float64{2, 4}, estimates(0.1, 1, 2, 3, 1), cond.Met},
		"a peak elsewhere":   {"peak", []float64{8}, estimates(0.1, 1, 2, 3, 1), cond.Refuted},
		"two peaks":          {"peak", []float64{2}, estimates(1, 1, 2, 2.5, 1), cond.Undecided},
		"it falls":           {"falls", nil, estimates(0.1, 4, 3, 2, 1), cond.Met},
		"it falls and rises": {"falls", nil, estimates(0.1, 4, 3, 3.5, 1), cond.Refuted},
		"it rises a little":  {"rises", nil, estimates(1, 1, 1.1, 1.2, 1.3), cond.Undecided},
		"it rises from 4 on": {"rises", []float64{4, 8}, estimates(0.1, 4, 3, 2, 5), cond.Met},
		"a line":             {"linear", nil, estimates(0, 3, 5, 9, 17), cond.Met},
		"no line":            {"linear", nil, estimates(0, 3, 9, 0, 9), cond.Refuted},
		"it stays":           {"flat", nil, estimates(0.01, 3, 3.01, 3.02, 3), cond.Met},
		"it does not":        {"flat", nil, estimates(0.01, 3, 3.01, 4, 3), cond.Refuted},
		"it may":             {"flat 50%", nil, estimates(0.01, 3, 3.01, 4, 3), cond.Met},
		"it stays, up to 4":  {"flat", []float64{1, 4}, estimates(0.01, 3, 3.01, 3, 9), cond.Met},
	} {
		e := Experiment{Panels: []Panel{{}}, Series: []Panel{{Name: "A"}}}
		w := Condition{Metric: "messages", At: c.at, Is: "A " + c.is}
		if err := w.check(&e); err != nil {
			t.Fatal(err)
		}
		var cells []Cell
		for i, x := range xs {
			cells = append(cells,
				Cell{Series: "A", X: x, Values: map[string]timed.Estimate{"messages": c.ys[i]}})
		}
		if got, why := e.meets(&w, "", cells); got != c.want {
			t.Errorf("%s: %v (%s)", name, got, why)
		}
	}
}

// TestComparisons: a series is compared with another one, with one of another panel, and with a number.
func TestComparisons(t *testing.T) {
	e := Experiment{
		X:      "n",
		Panels: []Panel{{Name: "LOW"}, {Name: "HIGH"}},
		Series: []Panel{{Name: "A"}, {Name: "B"}},
	}
	value := func(mean float64) map[string]timed.Estimate {
		return map[string]timed.Estimate{"messages": {Mean: mean, Half: 0.5, N: 3}}
	}
	cells := []Cell{{Panel: "LOW", Series: "A", X: 8, Values: value(5)}, {Panel: "LOW", Series: "B", X: 8,
		Values: value(2)}, {Panel: "HIGH", Series: "A", X: 8, Values: value(9)}}
	for is, want := range map[string]string{
		"A > B":      "LOW messages, A > B: n=8: 5±0.5 to 2±0.5",
		"A > 1.5":    "LOW messages, A > 1.5: n=8: 5±0.5 to 1.5",
		"A < HIGH:A": "LOW messages, A < HIGH:A: n=8: 5±0.5 to 9±0.5",
		"A < HIGH:B": "LOW messages, A < HIGH:B: n=8: 5±0.5 to - (undecided)",
		"A ~5% B":    "LOW messages, A ~5% B: n=8: 5±0.5 to 2±0.5 (not met)",
		"A = 0":      "LOW messages, A = 0: n=8: 5±0.5 to 0 (not met)",
	} {
		w := Condition{Panel: "LOW", Metric: "messages", Is: is}
		if err := w.check(&e); err != nil {
			t.Fatal(err)
		}
		if _, got := e.meets(&w, "", cells); got != want {
			t.Errorf("%s: %s, want %s", is, got, want)
		}
	}
	for is, want := range map[string]string{"A > C": "neither a number nor a name", "C rises": "no series",
		"A": "no condition", "A much B": "no condition"} {
		w := Condition{Panel: "LOW", Metric: "messages", Is: is}
		if err := w.check(&e); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", is, err)
		}
	}
}

// TestVerdictDependsOnReadings: a claim that one reading reproduces and another refutes depends on them.
func TestVerdictDependsOnReadings(t *testing.T) {
	met, refuted, undecided := estimates(0.1, 3)[0], estimates(0.1, 1)[0], estimates(1, 2)[0]
	for _, c := range []struct {
		values []timed.Estimate // of A > 2, by reading
		want   string
	}{
		{[]timed.Estimate{met}, Reproduced},
		{[]timed.Estimate{met, met}, Reproduced},
		{[]timed.Estimate{refuted, refuted}, NotReproduced},
		{[]timed.Estimate{refuted, met}, Depends},
		{[]timed.Estimate{undecided, met}, Undecided},
		{[]timed.Estimate{undecided, refuted}, Undecided},
		{[]timed.Estimate{undecided, refuted, met}, Depends},
	} {
		e := Experiment{Varies: "the weather", X: "n", Panels: []Panel{{}}, Series: []Panel{{Name: "A"}}}
		claim := Claim{When: []Condition{{Metric: "messages", Is: "A > 2"}}}
		if err := claim.When[0].check(&e); err != nil {
			t.Fatal(err)
		}
		var cells []Cell
		for i, v := range c.values {
			name := string(rune('a' + i))
			e.Readings = append(e.Readings, Panel{Name: name})
			cells = append(cells, Cell{Reading: name, Series: "A", X: 1,
				Values: map[string]timed.Estimate{"messages": v}})
		}
		v := e.Judge(&claim, cells)
		if v.Word != c.want || (v.Word == Depends) != strings.HasPrefix(v.Lines[0], "on the weather; ") {
			t.Errorf("%v: %+v", c.values, v)
		}
	}
}
