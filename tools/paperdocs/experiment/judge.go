package experiment

import (
	"cmp"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/atmostk/atmostk/tools/paperdocs/cond"
	"github.com/atmostk/atmostk/tools/paperdocs/timed"
)

// A Claim is a sentence of the source that measurements can reproduce: all its conditions are met in every
// reading.
type Claim struct {
	Name     string      `yaml:"name"`     // a word, by which pages refer to it
	Sentence string      `yaml:"sentence"` // in our words
	Source   string      `yaml:"source"`
	When     []Condition `yaml:"when"`
	Remark   string      `yaml:"remark"` // the reason of the numbers
}

// A Condition is about a metric of a series in a panel: at each point by itself, or about its course over
// the points.
type Condition struct {
	Panel  string    `yaml:"panel"`
	Metric string    `yaml:"metric"`
	At     []float64 `yaml:"at"` // points; default all
	// Is compares a series with another one, with one of another panel, or with a number, in the language
	// of package cond: "RAY > BAS", "OURS ~10% slow:OURS", "OURS < 1.5"; or it names a course: "OURS
	// rises", "OURS flat 10%".
	Is string `yaml:"is"`

	cond.Condition // of Is
}

func (c *Claim) check(e *Experiment) error {
	if c.Name == "" || strings.ContainsAny(c.Name, " /") {
		return fmt.Errorf("name: %q: a word is wanted", c.Name)
	}
	if len(c.When) == 0 {
		return fmt.Errorf("when: there is no condition")
	}
	for i := range c.When {
		if err := c.When[i].check(e); err != nil {
			return err
		}
	}
	return nil
}

func (w *Condition) check(e *Experiment) (err error) {
	values := map[string]cond.Value{}
	for _, p := range e.Panels {
		for _, s := range e.Series {
			values[s.Name], values[p.Name+":"+s.Name] = cond.Number(1, 0), cond.Number(1, 0)
		}
	}
	if w.Condition, err = cond.Parse(w.Is); err != nil {
		return fmt.Errorf("is: %w", err)
	}
	if !w.Course() {
		_, err = w.Judge(values)
	}
	if err != nil {
		return fmt.Errorf("is: %q: %w", w.Is, err)
	}
	if _, known := values[w.Left]; !known {
		return fmt.Errorf("is: %q: there is no series %q", w.Is, w.Left)
	}
	if !slices.ContainsFunc(e.Panels, func(p Panel) bool { return p.Name == w.Panel }) {
		return fmt.Errorf("there is no panel %q", w.Panel)
	}
	return known(w.Metric)
}

// The verdicts on a claim. Depends: some reading reproduces it, and another refutes it.
const (
	Reproduced    = "reproduced"
	NotReproduced = "not reproduced"
	Depends       = "depends"
	Undecided     = "undecided"
)

// Verdicts are all of them.
var Verdicts = []string{Reproduced, NotReproduced, Depends, Undecided}

// A Verdict is the result of comparing measurements with a claim.
type Verdict struct {
	Word string // one of Verdicts
	// Simulated says how many runs it rests on.
	Simulated string
	// Lines are the reason of a verdict that depends on a reading, and the numbers: a line for each
	// condition in each reading.
	Lines []string
}

// runsOf says how many runs there are of each cell.
func runsOf(cells []Cell) string {
	least, most := math.MaxInt, 0
	for i := range cells {
		least, most = min(least, cells[i].runs()), max(most, cells[i].runs())
	}
	switch {
	case most == 1:
		return "1 run"
	case most > least:
		return fmt.Sprintf("%d to %d runs", least, most)
	}
	return fmt.Sprintf("%d runs", most)
}

// Kept judges a claim by the numbers that are kept in the repository at root.
func (e *Experiment) Kept(root, claim string) (*Verdict, error) {
	c, err := e.Claim(claim)
	if err != nil {
		return nil, err
	}
	cells, err := ReadCells(filepath.Join(root, "docs", "experiments", e.Name+".ndjson"))
	if err == nil && cells == nil {
		err = fmt.Errorf("no numbers of the experiment %s are kept", e.Name)
	}
	if err != nil {
		return nil, err
	}
	return e.Judge(c, cells), nil
}

// Judge compares a claim with the cells.
func (e *Experiment) Judge(c *Claim, cells []Cell) *Verdict {
	v := &Verdict{Simulated: "simulated, " + runsOf(cells) + " of each point"}
	readings := map[cond.Answer][]string{} // names, by answer
	for _, r := range e.Readings {
		all := cond.Met
		for k := range c.When {
			answer, numbers := e.meets(&c.When[k], r.Name, cells)
			all = min(all, answer)
			if r.Name != "" {
				numbers = r.Name + ": " + numbers
			}
			v.Lines = append(v.Lines, numbers)
		}
		readings[all] = append(readings[all], r.Name)
	}
	switch {
	case readings[cond.Met] != nil && readings[cond.Refuted] != nil:
		v.Word = Depends
		on := "on " + e.Varies
		for answer, word := range []string{NotReproduced, Undecided, Reproduced} {
			if names := readings[cond.Answer(answer)]; names != nil {
				on += "; " + word + " if " + strings.Join(names, ", or ")
			}
		}
		v.Lines = append([]string{on}, v.Lines...)
	case readings[cond.Undecided] != nil:
		v.Word = Undecided
	case readings[cond.Met] != nil:
		v.Word = Reproduced
	default:
		v.Word = NotReproduced
	}
	return v
}

// meets reports whether a condition is met in a reading, and the numbers.
func (e *Experiment) meets(w *Condition, reading string, cells []Cell) (answer cond.Answer, numbers string) {
	subject := strings.TrimSpace(w.Panel+" "+w.Metric) + ", " + w.Is
	var xs []float64
	var ys []timed.Estimate
	var values []string
	for _, c := range cells {
		y := c.Values[w.Metric]
		if c.Reading != reading || c.Panel != w.Panel || c.Series != w.Left || math.IsNaN(y.Mean) {
			continue
		}
		xs, ys = append(xs, c.X), append(ys, y)
		values = append(values, fmt.Sprintf("%g: %s", c.X, c.written(w.Metric)))
	}
	if len(xs) == 0 {
		return cond.Undecided, subject + ": not known"
	}
	if w.Course() {
		answer, why := w.course(xs, ys)
		return answer, fmt.Sprintf("%s: %s (%s)%s", subject, why, strings.Join(values, "; "), mark(answer))
	}
	answer = cond.Met
	var parts []string
	for i, x := range xs {
		if w.At == nil || slices.Contains(w.At, x) {
			here, other := w.compare(reading, cells, x)
			answer = min(answer, here)
			parts = append(parts, fmt.Sprintf("%s to %s%s", values[i], other, mark(here)))
		}
	}
	if len(parts) == 0 {
		return cond.Undecided, subject + ": not known there"
	}
	return answer, fmt.Sprintf("%s: %s=%s", subject, e.X, strings.Join(parts, "; "))
}

// compare judges the values at a point, and writes the other side.
func (w *Condition) compare(reading string, cells []Cell, x float64) (answer cond.Answer, other string) {
	values := map[string]cond.Value{}
	for i := range cells {
		c := &cells[i]
		if c.Reading != reading || c.X != x {
			continue
		}
		names := []string{c.Panel + ":" + c.Series}
		if c.Panel == w.Panel {
			names = append(names, c.Series)
		}
		for _, name := range names {
			values[name] = cond.Number(c.Values[w.Metric].Mean, c.Values[w.Metric].Half)
			if name == w.Right {
				other = c.written(w.Metric)
			}
		}
	}
	answer, err := w.Judge(values)
	if err != nil {
		return cond.Undecided, "-" // it was not measured there
	}
	if other == "" {
		right, _ := cond.Sum(values, w.Right) // it was judged
		other = fmt.Sprintf("%.4g", right.Mean)
	}
	return answer, other
}

func mark(a cond.Answer) string { return [...]string{" (not met)", " (undecided)", ""}[a] }

// course judges a series over the points. Values that differ by less than both their intervals are undecided.
//
//	peak          the largest value of all points is at one of At
//	falls, rises  from the first of At to the last; no step may certainly go the other way
//	flat          the means differ by the part given of the largest (default 5%)
//	linear        a straight line explains the part given of the variance (default 95%)
func (w *Condition) course(xs []float64, ys []timed.Estimate) (cond.Answer, string) {
	word, text, _ := strings.Cut(w.Op, " ")
	part, _ := strconv.ParseFloat(strings.TrimSuffix(text, "%"), 64) // 0: the default
	if word == "peak" {
		return peak(w.At, xs, ys)
	}
	if w.At != nil {
		first, last := slices.Index(xs, slices.Min(w.At)), slices.Index(xs, slices.Max(w.At))
		xs, ys = xs[max(0, first):max(0, last)+1], ys[max(0, first):max(0, last)+1]
	}
	last := len(xs) - 1
	from := fmt.Sprintf("from %g to %g", xs[0], xs[last])
	switch word {
	case "flat":
		byMean := func(a, b timed.Estimate) int { return cmp.Compare(a.Mean, b.Mean) }
		about := fmt.Sprintf("~%g%%", cmp.Or(part, 5))
		return cond.Compare(slices.MinFunc(ys, byMean), about, slices.MaxFunc(ys, byMean)), from
	case "linear":
		answer, line := linear(xs, ys, cmp.Or(part, 95)/100)
		return answer, line + " " + from
	}
	op := map[string]string{"rises": ">", "falls": "<"}[word]
	for i := range last {
		if cond.Compare(ys[i+1], op, ys[i]) == cond.Refuted {
			return cond.Refuted, fmt.Sprintf("from %g to %g it does not", xs[i], xs[i+1])
		}
	}
	return cond.Compare(ys[last], op, ys[0]), from
}

// peak compares the largest value at some points with the largest at all others.
func peak(at, xs []float64, ys []timed.Estimate) (cond.Answer, string) {
	least := timed.Estimate{Mean: math.Inf(-1)}
	best, where := map[bool]timed.Estimate{true: least, false: least}, 0
	for i, y := range ys {
		if inside := slices.Contains(at, xs[i]); y.Mean > best[inside].Mean {
			best[inside] = y
		}
		if y.Mean > ys[where].Mean {
			where = i
		}
	}
	return cond.Compare(best[true], ">", best[false]), fmt.Sprintf("the largest is at %g", xs[where])
}

// linear fits a line by least squares, which is to explain the wanted part of the variance.
func linear(xs []float64, ys []timed.Estimate, wanted float64) (answer cond.Answer, line string) {
	n := float64(len(xs))
	var x, y, xx, xy, yy float64 // means, and sums of products of differences from them
	for i := range xs {
		x, y = x+xs[i]/n, y+ys[i].Mean/n
	}
	for i := range xs {
		dx, dy := xs[i]-x, ys[i].Mean-y
		xx, xy, yy = xx+dx*dx, xy+dx*dy, yy+dy*dy
	}
	slope := xy / xx
	part := slope * xy / yy
	if part >= wanted {
		answer = cond.Met
	}
	return answer, fmt.Sprintf("%.3g + %.3g x explains %.1f%% of the variance", y-slope*x, slope, 100*part)
}
