package experiment

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/atmostk/atmostk/explore/timed"
	"github.com/atmostk/atmostk/model"
)

// A Claim is a sentence of the source that the measurements can bear out. It is reproduced if all its
// conditions are met.
type Claim struct {
	Sentence string      `yaml:"sentence"` // in our words
	Source   string      `yaml:"source"`
	When     []Condition `yaml:"when"`
	// Depends says what the verdict depends on, if other assumptions give another one.
	Depends string `yaml:"depends"`
}

// A Condition compares a metric of two series, or with numbers.
type Condition struct {
	Panel  string    `yaml:"panel"`
	Metric string    `yaml:"metric"`
	Series string    `yaml:"series"`
	At     []float64 `yaml:"at"` // points; default all
	// Is: more or less than Than by more than both intervals, or about the same, within Within (a part of
	// the larger; default 0.25); peak: the largest value of all points is at one of At; above, below: than
	// Number.
	Is     string  `yaml:"is"`
	Than   string  `yaml:"than"` // another series
	Number float64 `yaml:"number"`
	Within float64 `yaml:"within"`
}

var relations = []string{"more", "less", "about", "peak", "above", "below"}

func (c *Claim) check(e *Experiment) error {
	for i := range c.When {
		w := &c.When[i]
		if !slices.Contains(relations, w.Is) {
			return fmt.Errorf("is: %q: allowed are %s", w.Is, strings.Join(relations, ", "))
		}
		if _, known := timed.Metrics[w.Metric]; !known {
			return fmt.Errorf("there is no metric %q%s", w.Metric, model.Nearest(w.Metric, metrics()))
		}
		for _, s := range []string{w.Series, w.Than} {
			if s != "" && !slices.ContainsFunc(e.Series, func(p Panel) bool { return p.Name == s }) {
				return fmt.Errorf("there is no series %q", s)
			}
		}
		if !slices.ContainsFunc(e.Panels, func(p Panel) bool { return p.Name == w.Panel }) {
			return fmt.Errorf("there is no panel %q", w.Panel)
		}
	}
	return nil
}

// A Verdict is what measurements say of a claim.
type Verdict struct {
	Claim   *Claim
	Answer  Answer   // whether all conditions are met
	Figures []string // of each condition, the numbers, with an interval each
}

// An Answer says whether a condition is met. Undecided: the intervals are too wide to tell.
type Answer int

// The answers, the worse the smaller.
const (
	refuted Answer = iota
	undecided
	met
)

// Word is the verdict in a word or two.
func (v *Verdict) Word() string {
	switch {
	case len(v.Claim.When) == 0:
		return "not judged"
	case v.Claim.Depends != "":
		return "depends"
	case v.Answer == met:
		return "reproduced"
	case v.Answer == undecided:
		return "undecided"
	}
	return "not reproduced"
}

// Judge holds the claims against the cells.
func (e *Experiment) Judge(cells []Cell) (vs []Verdict) {
	for i := range e.Claims {
		v := Verdict{Claim: &e.Claims[i], Answer: met}
		for k := range v.Claim.When {
			answer, figures := e.meets(&v.Claim.When[k], cells)
			v.Answer = min(v.Answer, answer)
			v.Figures = append(v.Figures, figures)
		}
		vs = append(vs, v)
	}
	return vs
}

// meets reports whether a condition is met, and with which numbers.
func (e *Experiment) meets(w *Condition, cells []Cell) (answer Answer, figures string) {
	points := w.At
	if points == nil || w.Is == "peak" {
		points = nil
		for _, c := range cells {
			if c.Panel == w.Panel && c.Series == w.Series {
				points = append(points, c.X)
			}
		}
	}
	if w.Is == "peak" {
		return e.peak(w, cells, points)
	}
	answer = met
	if len(points) == 0 {
		answer = undecided
	}
	var parts []string
	for _, x := range points {
		a := value(at(cells, w.Panel, w.Series, x), w.Metric)
		b := timed.Estimate{Mean: w.Number}
		what := fmt.Sprintf("%g", w.Number)
		if w.Than != "" {
			b = value(at(cells, w.Panel, w.Than, x), w.Metric)
			what = w.Than + " " + written(b)
		}
		here := compare(w, a, b)
		answer = min(answer, here)
		mark := [...]string{" (not met)", " (undecided)", ""}[here]
		parts = append(parts, fmt.Sprintf("%s=%g: %s %s, %s%s", e.X, x, w.Series, written(a), what, mark))
	}
	about := strings.TrimSpace(w.Panel + " " + w.Metric)
	return answer, fmt.Sprintf("%s, %s %s: %s", about, w.Series, w.Is, strings.Join(parts, "; "))
}

// compare says whether a is as w says to b. More and less take intervals that do not overlap.
func compare(w *Condition, a, b timed.Estimate) Answer {
	within := w.Within
	if within == 0 {
		within = 0.25
	}
	switch w.Is {
	case "less", "below":
		a, b = b, a
	case "about":
		if math.Abs(a.Mean-b.Mean) <= within*max(math.Abs(a.Mean), math.Abs(b.Mean)) {
			return met
		}
		return refuted
	}
	switch {
	case a.Low() > b.High():
		return met
	case a.High() < b.Low():
		return refuted
	}
	return undecided
}

// peak finds where a series is largest.
func (e *Experiment) peak(w *Condition, cells []Cell, points []float64) (answer Answer, figures string) {
	best, most := math.NaN(), math.Inf(-1)
	var parts []string
	for _, x := range points {
		v := value(at(cells, w.Panel, w.Series, x), w.Metric)
		parts = append(parts, fmt.Sprintf("%g: %s", x, written(v)))
		if v.Mean > most {
			best, most = x, v.Mean
		}
	}
	if slices.Contains(w.At, best) {
		answer = met
	}
	return answer, fmt.Sprintf("%s of %s is largest at %s=%g (%s)",
		strings.TrimSpace(w.Panel+" "+w.Metric), w.Series, e.X, best, strings.Join(parts, "; "))
}

// written writes an estimate with its interval.
func written(e timed.Estimate) string {
	switch {
	case math.IsNaN(e.Mean):
		return "-"
	case e.N < 2:
		return fmt.Sprintf("%.4g", e.Mean)
	}
	return fmt.Sprintf("%.4g ± %.2g", e.Mean, e.Half)
}
