package timed

import (
	"math"
	"testing"
)

// TestEstimateHasStudentsInterval compares with values of Student's distribution from tables, within the
// table kept here and beyond it.
func TestEstimateHasStudentsInterval(t *testing.T) {
	for n, want := range map[int]float64{
		1: 12.7062, 4: 2.7764, 30: 2.0423, 31: 2.0395, 50: 2.0086, 999: 1.9623,
	} {
		if got := studentT975(n); math.Abs(got-want) > 1e-4 {
			t.Errorf("%d degrees of freedom: %v, want %v", n, got, want)
		}
	}
	e := EstimateOf([]float64{1, 2, math.NaN(), 3})
	if want := 4.302653 / math.Sqrt(3); e.Mean != 2 || e.N != 3 || math.Abs(e.Half-want) > 1e-12 {
		t.Errorf("the estimate of 1, 2, 3 is %+v, want 2±%v", e, want)
	}
	if q := quantile(0.5, []float64{4, 1, 3, 2}); q != 2 {
		t.Errorf("the median of 1, 2, 3, 4 is %v", q)
	}
}
