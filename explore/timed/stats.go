package timed

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

// An Estimate is a mean over replications with half of its confidence interval of 95%, by Student's
// distribution.
type Estimate struct {
	Mean float64 `json:"mean"`
	Half float64 `json:"half"` // NaN is written as 0: of one replication
	N    int     `json:"n"`
}

// EstimateOf returns the estimate from the values of replications. Those that are not known, NaN, are left
// out.
func EstimateOf(values []float64) Estimate {
	values = slices.DeleteFunc(slices.Clone(values), math.IsNaN)
	if len(values) == 0 {
		return Estimate{Mean: math.NaN()}
	}
	if len(values) == 1 {
		return Estimate{Mean: values[0], N: 1}
	}
	mean, deviation := stat.MeanStdDev(values, nil)
	n := float64(len(values))
	t := distuv.StudentsT{Mu: 0, Sigma: 1, Nu: n - 1}.Quantile(0.975)
	return Estimate{mean, t * deviation / math.Sqrt(n), len(values)}
}

// Low returns the lower end of the interval.
func (e Estimate) Low() float64 { return e.Mean - e.Half }

// High returns the upper end of the interval.
func (e Estimate) High() float64 { return e.Mean + e.Half }

// quantile returns a quantile of values, which it sorts; NaN of none.
func quantile(p float64, values []float64) float64 {
	if len(values) == 0 {
		return math.NaN()
	}
	slices.Sort(values)
	return stat.Quantile(p, stat.Empirical, values, nil)
}
