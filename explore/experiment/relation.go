package experiment

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/stat"

	"github.com/atmostk/atmostk/explore/simulate"
)

// A relation is what Condition.Is may be.
type relation struct {
	// ofAll says that it is about a series at all points, and not about each point by itself.
	ofAll bool
	// point compares two estimates, course judges a series.
	point  func(w *Condition, a, b simulate.Estimate) Answer
	course func(w *Condition, xs []float64, ys []simulate.Estimate) (Answer, string)
}

// relations are those that there are. Values that differ by less than both their intervals are undecided.
//
//	more, less, above, below  than Than, or than Number
//	never                     0 in every run, so that one run refutes it: for metrics that are not negative
//	about                     the same, within Within (a part of the larger; default 0.25)
//	peak                      the largest value of all points is at one of At
//	falls, rises              from the first of At to the last, and nowhere else
//	flat                      the means at At differ by the part Within of the largest (default 0.05)
//	linear                    a straight line explains the part Within of the variance (default 0.95)
var relations = map[string]relation{
	"more": {point: above}, "above": {point: above}, "less": {point: below}, "below": {point: below},
	"about": {point: about}, "never": {point: never},
	"peak": {ofAll: true, course: peak}, "linear": {ofAll: true, course: linear},
	"flat":  {ofAll: true, course: flat},
	"falls": {ofAll: true, course: falls}, "rises": {ofAll: true, course: rises},
}

func sortedKeys[T any](m map[string]T) []string { return slices.Sorted(maps.Keys(m)) }

func above(_ *Condition, a, b simulate.Estimate) Answer {
	switch {
	case a.Low() > b.High():
		return met
	case a.High() < b.Low():
		return refuted
	}
	return undecided
}

func below(w *Condition, a, b simulate.Estimate) Answer { return above(w, b, a) }

func about(w *Condition, a, b simulate.Estimate) Answer {
	most := cmp.Or(w.Within, 0.25) * max(math.Abs(a.Mean), math.Abs(b.Mean))
	apart, play := math.Abs(a.Mean-b.Mean), a.Half+b.Half
	switch {
	case apart+play <= most || a == b: // to the last digit: two algorithms that do the same in each run
		return met
	case apart-play > most:
		return refuted
	}
	return undecided
}

func never(_ *Condition, a, _ simulate.Estimate) Answer {
	if a.Mean > 0 {
		return refuted
	}
	return met
}

// peak finds where a series is largest.
func peak(w *Condition, xs []float64, ys []simulate.Estimate) (Answer, string) {
	best, inside, outside := 0, simulate.Estimate{Mean: math.Inf(-1)}, simulate.Estimate{Mean: math.Inf(-1)}
	for i, y := range ys {
		if y.Mean > ys[best].Mean {
			best = i
		}
		side := &outside
		if slices.Contains(w.At, xs[i]) {
			side = &inside
		}
		if y.Mean > side.Mean {
			*side = y
		}
	}
	return above(w, inside, outside), fmt.Sprintf("is largest at %g", xs[best])
}

func rises(w *Condition, xs []float64, ys []simulate.Estimate) (Answer, string) {
	return trend(w, xs, ys, above)
}
func falls(w *Condition, xs []float64, ys []simulate.Estimate) (Answer, string) {
	return trend(w, xs, ys, below)
}

// trend compares the last value with the first, and each with the next: none may go the other way for sure.
func trend(w *Condition, xs []float64, ys []simulate.Estimate,
	goes func(*Condition, simulate.Estimate, simulate.Estimate) Answer,
) (Answer, string) {
	first, last := ends(w, xs)
	for i := first; i < last; i++ {
		if goes(w, ys[i+1], ys[i]) == refuted {
			return refuted, fmt.Sprintf("from %g to %g it does not", xs[i], xs[i+1])
		}
	}
	return goes(w, ys[last], ys[first]), fmt.Sprintf("from %g to %g", xs[first], xs[last])
}

// ends are the indices of the least and the greatest point meant.
func ends(w *Condition, xs []float64) (first, last int) {
	if w.At == nil {
		return 0, len(xs) - 1
	}
	return max(0, slices.Index(xs, slices.Min(w.At))), max(0, slices.Index(xs, slices.Max(w.At)))
}

// flat compares the least and the greatest value.
func flat(w *Condition, xs []float64, ys []simulate.Estimate) (Answer, string) {
	first, last := ends(w, xs)
	least, most := ys[first], ys[first]
	for _, y := range ys[first : last+1] {
		if y.Mean < least.Mean {
			least = y
		}
		if y.Mean > most.Mean {
			most = y
		}
	}
	within := *w
	within.Within = cmp.Or(w.Within, 0.05)
	return about(&within, least, most), fmt.Sprintf("from %g to %g", xs[first], xs[last])
}

// linear fits a line by least squares.
func linear(w *Condition, xs []float64, ys []simulate.Estimate) (Answer, string) {
	first, last := ends(w, xs)
	var means []float64
	for _, y := range ys[first : last+1] {
		means = append(means, y.Mean)
	}
	xs = xs[first : last+1]
	a, b := stat.LinearRegression(xs, means, nil, false)
	part := stat.RSquared(xs, means, nil, a, b)
	answer := refuted
	if part >= cmp.Or(w.Within, 0.95) {
		answer = met
	}
	return answer, fmt.Sprintf("%.3g + %.3g x explains %.1f%% of the variance from %g to %g", a, b, 100*part,
		xs[0], xs[len(xs)-1])
}

// meets reports whether a condition is met in a reading, and with which numbers.
func (e *Experiment) meets(w *Condition, reading string, cells []Cell) (answer Answer, figures string) {
	what := strings.TrimSpace(w.Panel+" "+w.Metric) + " of " + w.Series
	var xs []float64
	var ys []simulate.Estimate
	var values []string
	for _, c := range cells {
		y := c.Values[w.Metric]
		if c.Reading != reading || c.Panel != w.Panel || c.Series != w.Series || math.IsNaN(y.Mean) {
			continue
		}
		xs, ys = append(xs, c.X), append(ys, y)
		values = append(values, fmt.Sprintf("%g: %s", c.X, c.Written(w.Metric)))
	}
	if len(xs) == 0 {
		return undecided, what + " is not known"
	}
	if of := relations[w.Is].course; of != nil {
		answer, why := of(w, xs, ys)
		return answer, fmt.Sprintf("%s %s, %s (%s)%s", what, w.Is, why, strings.Join(values, "; "),
			mark(answer))
	}
	answer = met
	var parts []string
	for i, x := range xs {
		if w.At != nil && !slices.Contains(w.At, x) {
			continue
		}
		b, other := e.compared(w, reading, cells, x)
		here := relations[w.Is].point(w, ys[i], b)
		answer = min(answer, here)
		parts = append(parts, fmt.Sprintf("%s to %s%s", values[i], other, mark(here)))
	}
	if len(parts) == 0 {
		return undecided, what + " is not known there"
	}
	than := strings.TrimSpace(w.ThanPanel + " " + w.Than)
	return answer, fmt.Sprintf("%s, %s %s at %s=%s", what, w.Is, cmp.Or(than, fmt.Sprintf("%g", w.Number)),
		e.X, strings.Join(parts, "; "))
}

// compared is what a value at a point is compared with, and how that is written; NaN if it was not measured.
func (e *Experiment) compared(w *Condition, reading string, cells []Cell, x float64) (
	simulate.Estimate, string,
) {
	if w.Than == "" && w.ThanPanel == "" {
		b := simulate.Estimate{Mean: w.Number}
		return b, written(b)
	}
	c := at(cells, reading, cmp.Or(w.ThanPanel, w.Panel), cmp.Or(w.Than, w.Series), x)
	if c == nil {
		return simulate.Estimate{Mean: math.NaN()}, "-"
	}
	return c.Values[w.Metric], c.Written(w.Metric)
}

func mark(a Answer) string { return [...]string{" (not met)", " (undecided)", ""}[a] }

// written writes an estimate with half of its interval.
func written(e simulate.Estimate) string {
	switch {
	case math.IsNaN(e.Mean):
		return "-"
	case e.N < 2:
		return fmt.Sprintf("%.4g", e.Mean)
	}
	return fmt.Sprintf("%.4g±%.2g", e.Mean, e.Half)
}
