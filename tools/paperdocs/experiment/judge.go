package experiment

import (
	"fmt"
	"math"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/atmostk/atmostk/explore/simulate"
	"github.com/atmostk/atmostk/tools/paperdocs/cond"
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

	cond.Condition         // of Is, if it compares
	course         string  // one of courses; "": it compares
	part           float64 // of the course; 0: its default
}

// courses judge a series over the points. Values that differ by less than both their intervals are undecided.
//
//	peak          the largest value of all points is at one of At
//	falls, rises  from the first of At to the last
//	flat          the means differ by the part given of the largest (default 5%)
//	linear        a straight line explains the part given of the variance (default 95%)
var courses = map[string]func(w *Condition, xs []float64, ys []simulate.Estimate) (cond.Answer, string){
	"peak": peak, "linear": linear, "flat": flat, "falls": trend, "rises": trend,
}

var courseForm = regexp.MustCompile(`^(.*) (peak|falls|rises|flat|linear)(?: ([0-9]+)%)?$`)

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
	if m := courseForm.FindStringSubmatch(w.Is); m != nil {
		w.Left, w.course = m[1], m[2]
		w.part, _ = strconv.ParseFloat(m[3], 64) // the form admits digits only
	} else if w.Condition, err = cond.Parse(w.Is); err != nil {
		return fmt.Errorf("is: %w", err)
	} else if _, err := w.Judge(values); err != nil {
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
	cells, err := ReadCSV(filepath.Join(root, "docs", "experiments", e.Name+".csv"))
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
	var ys []simulate.Estimate
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
	if w.course != "" {
		answer, why := courses[w.course](w, xs, ys)
		return answer, fmt.Sprintf("%s: %s (%s)%s", subject, why, strings.Join(values, "; "), mark(answer))
	}
	answer = cond.Met
	var parts []string
	for i, x := range xs {
		if w.At == nil || slices.Contains(w.At, x) {
			here, other := w.compare(ys[i], reading, cells, x)
			answer = min(answer, here)
			parts = append(parts, fmt.Sprintf("%s to %s%s", values[i], other, mark(here)))
		}
	}
	if len(parts) == 0 {
		return cond.Undecided, subject + ": not known there"
	}
	return answer, fmt.Sprintf("%s: %s=%s", subject, e.X, strings.Join(parts, "; "))
}

// compare judges a value at a point, and writes the other side.
func (w *Condition) compare(
	y simulate.Estimate, reading string, cells []Cell, x float64,
) (cond.Answer, string) {
	values := map[string]cond.Value{}
	other := ""
	for i := range cells {
		c := &cells[i]
		if c.Reading != reading || c.X != x {
			continue
		}
		name := c.Panel + ":" + c.Series
		if c.Panel == w.Panel && w.Right != name {
			name = c.Series
		}
		v := c.Values[w.Metric]
		values[name] = cond.Number(v.Mean, v.Half)
		if name == w.Right {
			other = c.written(w.Metric)
		}
	}
	values[w.Left] = cond.Number(y.Mean, y.Half)
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

func compare(a simulate.Estimate, op string, b simulate.Estimate) cond.Answer {
	return cond.Compare(cond.Interval{Mean: a.Mean, Half: a.Half}, op,
		cond.Interval{Mean: b.Mean, Half: b.Half})
}

// peak finds where a series is largest.
func peak(w *Condition, xs []float64, ys []simulate.Estimate) (cond.Answer, string) {
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
	return compare(inside, ">", outside), fmt.Sprintf("the largest is at %g", xs[best])
}

// trend compares the last value with the first, and each with the next: none may certainly go the other way.
func trend(w *Condition, xs []float64, ys []simulate.Estimate) (cond.Answer, string) {
	op := map[string]string{"rises": ">", "falls": "<"}[w.course]
	first, last := w.ends(xs)
	for i := first; i < last; i++ {
		if compare(ys[i+1], op, ys[i]) == cond.Refuted {
			return cond.Refuted, fmt.Sprintf("from %g to %g it does not", xs[i], xs[i+1])
		}
	}
	return compare(ys[last], op, ys[first]), fmt.Sprintf("from %g to %g", xs[first], xs[last])
}

// ends are the indices of the least and the greatest point meant.
func (w *Condition) ends(xs []float64) (first, last int) {
	if w.At == nil {
		return 0, len(xs) - 1
	}
	return max(0, slices.Index(xs, slices.Min(w.At))), max(0, slices.Index(xs, slices.Max(w.At)))
}

// flat compares the least and the greatest value.
func flat(w *Condition, xs []float64, ys []simulate.Estimate) (cond.Answer, string) {
	first, last := w.ends(xs)
	part, least, most := 5.0, ys[first], ys[first]
	if w.part > 0 {
		part = w.part
	}
	for _, y := range ys[first : last+1] {
		if y.Mean < least.Mean {
			least = y
		}
		if y.Mean > most.Mean {
			most = y
		}
	}
	return compare(least, fmt.Sprintf("~%g%%", part), most), fmt.Sprintf("from %g to %g", xs[first], xs[last])
}

// linear fits a line by least squares.
func linear(w *Condition, xs []float64, ys []simulate.Estimate) (cond.Answer, string) {
	first, last := w.ends(xs)
	xs, ys = xs[first:last+1], ys[first:last+1]
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
	part, wanted, answer := slope*xy/yy, 0.95, cond.Refuted
	if w.part > 0 {
		wanted = w.part / 100
	}
	if part >= wanted {
		answer = cond.Met
	}
	return answer, fmt.Sprintf("%.3g + %.3g x explains %.1f%% of the variance from %g to %g", y-slope*x,
		slope, 100*part, xs[0], xs[len(xs)-1])
}
