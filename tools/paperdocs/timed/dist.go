package timed

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
)

// A distribution draws times. It is written as in experiments: "0.8" or "constant 0.8", "uniform 0.5 1.5",
// "normal MEAN DEVIATION", "lognormal MEAN DEVIATION" (of the logarithm), "exponential MEAN". A draw
// below 0 counts as 0.
type distribution struct {
	text string
	draw func(r *rand.Rand) float64
}

// A form is a distribution with parameters.
type form struct {
	params int
	draw   func(r *rand.Rand, xs []float64) float64
}

var forms = map[string]form{
	"constant": {1, func(_ *rand.Rand, xs []float64) float64 { return xs[0] }},
	"uniform":  {2, func(r *rand.Rand, xs []float64) float64 { return r.Float64()*(xs[1]-xs[0]) + xs[0] }},
	"normal": {2, func(r *rand.Rand, xs []float64) float64 {
		return max(0, r.NormFloat64()*xs[1]+xs[0])
	}},
	"lognormal": {2, func(r *rand.Rand, xs []float64) float64 {
		return math.Exp(r.NormFloat64()*xs[1] + xs[0])
	}},
	"exponential": {1, func(r *rand.Rand, xs []float64) float64 { return xs[0] * r.ExpFloat64() }},
}

// UnmarshalText reads a distribution.
func (d *distribution) UnmarshalText(text []byte) error {
	words := strings.Fields(string(text))
	if len(words) == 1 {
		words = []string{"constant", words[0]}
	}
	if len(words) == 0 || len(words) != forms[words[0]].params+1 || forms[words[0]].draw == nil {
		return fmt.Errorf("%q is no distribution; allowed are a number, constant X, uniform LOW HIGH, "+
			"normal MEAN DEVIATION, lognormal MEAN DEVIATION and exponential MEAN", text)
	}
	var xs []float64
	for _, w := range words[1:] {
		x, err := strconv.ParseFloat(w, 64)
		if err != nil || x < 0 && words[0] != "lognormal" || x != x || x > 1e12 {
			return fmt.Errorf("%q in the distribution %q: allowed are numbers from 0 on", w, text)
		}
		xs = append(xs, x)
	}
	if words[0] == "uniform" && xs[1] < xs[0] {
		return fmt.Errorf("the distribution %q ends before it begins", text)
	}
	draw := forms[words[0]].draw
	*d = distribution{string(text), func(r *rand.Rand) float64 { return draw(r, xs) }}
	return nil
}

// String returns the text that was read; "": none was.
func (d distribution) String() string { return d.text }

// of draws a time; 0 from a distribution that was not read.
func (d *distribution) of(r *rand.Rand) float64 {
	if d.draw == nil {
		return 0
	}
	return d.draw(r)
}
