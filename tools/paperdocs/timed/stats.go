package timed

import (
	"math"
	"slices"
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
	n := float64(len(values))
	mean := sum(values) / n
	var squares, rest float64 // the rest corrects for the rounding of the mean
	for _, v := range values {
		squares += (v - mean) * (v - mean)
		rest += v - mean
	}
	deviation := math.Sqrt((squares - rest*rest/n) / (n - 1))
	return Estimate{mean, studentT975(len(values)-1) * deviation / math.Sqrt(n), len(values)}
}

func sum(values []float64) (s float64) {
	for _, v := range values {
		s += v
	}
	return s
}

// t975 are the quantiles of 0.975 of Student's distribution for 1 to 30 degrees of freedom.
var t975 = [...]float64{
	12.706205, 4.302653, 3.182446, 2.776445, 2.570582, 2.446912, 2.364624, 2.306004, 2.262157, 2.228139,
	2.200985, 2.178813, 2.160369, 2.144787, 2.131450, 2.119905, 2.109816, 2.100922, 2.093024, 2.085963,
	2.079614, 2.073873, 2.068658, 2.063899, 2.059539, 2.055529, 2.051831, 2.048407, 2.045230, 2.042272,
}

// studentT975 returns the quantile for any number of degrees of freedom from 1. Beyond the table it expands
// the quantile of the normal distribution in 1/n (Abramowitz and Stegun 26.7.5), which is exact to 2e-6
// there.
func studentT975(n int) float64 {
	if n <= len(t975) {
		return t975[n-1]
	}
	const z = 1.959963984540054
	const z3, z5, z7 = z * z * z, z * z * z * z * z, z * z * z * z * z * z * z
	f := float64(n)
	return z + (z3+z)/(4*f) + (5*z5+16*z3+3*z)/(96*f*f) + (3*z7+19*z5+17*z3-15*z)/(384*f*f*f)
}

// quantile returns a quantile of values, which it sorts; NaN of none.
func quantile(p float64, values []float64) float64 {
	if len(values) == 0 {
		return math.NaN()
	}
	slices.Sort(values)
	return values[max(0, int(math.Ceil(p*float64(len(values))))-1)]
}
