package experiment

import (
	"testing"

	"github.com/atmostk/atmostk/explore/simulate"
)

func estimates(half float64, means ...float64) (ys []simulate.Estimate) {
	for _, m := range means {
		ys = append(ys, simulate.Estimate{Mean: m, Half: half, N: 5})
	}
	return ys
}

// TestRelations: a condition is met or refuted where intervals are apart, and undecided where they are not.
func TestRelations(t *testing.T) {
	for name, c := range map[string]struct {
		is   string
		a, b simulate.Estimate
		want Answer
	}{
		"more":              {"more", estimates(1, 5)[0], estimates(1, 2)[0], met},
		"more, too wide":    {"more", estimates(2, 5)[0], estimates(2, 2)[0], undecided},
		"more, the other":   {"more", estimates(1, 2)[0], estimates(1, 5)[0], refuted},
		"less":              {"less", estimates(1, 2)[0], estimates(1, 5)[0], met},
		"below a number":    {"below", estimates(0.1, 2)[0], simulate.Estimate{Mean: 3}, met},
		"about":             {"about", estimates(0.1, 10)[0], estimates(0.1, 11)[0], met},
		"about, too wide":   {"about", estimates(2, 10)[0], estimates(2, 11)[0], undecided},
		"about, far apart":  {"about", estimates(0.1, 10)[0], estimates(0.1, 20)[0], refuted},
		"never":             {"never", estimates(0, 0)[0], simulate.Estimate{}, met},
		"once, in one run":  {"never", estimates(2, 1)[0], simulate.Estimate{}, refuted},
		"nothing was meant": {"more", simulate.EstimateOf(nil), estimates(1, 5)[0], undecided},
	} {
		if got := relations[c.is].point(&Condition{Is: c.is}, c.a, c.b); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
	xs := []float64{1, 2, 4, 8}
	for name, c := range map[string]struct {
		is   string
		at   []float64
		ys   []simulate.Estimate
		want Answer
	}{
		"a peak":             {"peak", []float64{2, 4}, estimates(0.1, 1, 2, 3, 1), met},
		"a peak elsewhere":   {"peak", []float64{8}, estimates(0.1, 1, 2, 3, 1), refuted},
		"two peaks":          {"peak", []float64{2}, estimates(1, 1, 2, 2.5, 1), undecided},
		"it falls":           {"falls", nil, estimates(0.1, 4, 3, 2, 1), met},
		"it falls and rises": {"falls", nil, estimates(0.1, 4, 3, 3.5, 1), refuted},
		"it rises a little":  {"rises", nil, estimates(1, 1, 1.1, 1.2, 1.3), undecided},
		"it rises from 4 on": {"rises", []float64{4, 8}, estimates(0.1, 4, 3, 2, 5), met},
		"a line":             {"linear", nil, estimates(0, 3, 5, 9, 17), met},
		"no line":            {"linear", nil, estimates(0, 3, 9, 0, 9), refuted},
		"it stays":           {"flat", nil, estimates(0.01, 3, 3.01, 3.02, 3), met},
		"it does not":        {"flat", nil, estimates(0.01, 3, 3.01, 4, 3), refuted},
		"it stays, up to 4":  {"flat", []float64{1, 4}, estimates(0.01, 3, 3.01, 3, 9), met},
	} {
		if got, why := relations[c.is].course(&Condition{Is: c.is, At: c.at}, xs, c.ys); got != c.want {
			t.Errorf("%s: %v (%s)", name, got, why)
		}
	}
}

// TestVerdicts: what readings say differently depends on them.
func TestVerdicts(t *testing.T) {
	for _, c := range []struct {
		answers []Answer
		want    string
	}{
		{[]Answer{met}, Reproduced},
		{[]Answer{met, met}, Reproduced},
		{[]Answer{refuted, refuted}, NotReproduced},
		{[]Answer{refuted, met}, Depends},
		{[]Answer{undecided, met}, Undecided},
		{[]Answer{undecided, refuted}, Undecided},
		{[]Answer{undecided, refuted, met}, Depends},
	} {
		v := Verdict{What: "the weather"}
		for i, a := range c.answers {
			v.Readings = append(v.Readings, Reading{Name: string(rune('a' + i)), Answer: a})
		}
		if got := v.Word(); got != c.want || (got == Depends) != (v.On() != "") {
			t.Errorf("%v: %s, on %q", c.answers, got, v.On())
		}
	}
}
