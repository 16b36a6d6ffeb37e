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

// A Claim is a sentence of the source that the measurements can bear out. It is reproduced if all its
// conditions are met in every reading.
type Claim struct {
	Name     string      `yaml:"name"`     // a word, by which pages refer to it
	Sentence string      `yaml:"sentence"` // in our words
	Source   string      `yaml:"source"`
	When     []Condition `yaml:"when"`
	Remark   string      `yaml:"remark"` // what the numbers do not say: why they are so
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
//	falls, rises  from the first of At to the last, and nowhere else
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

// The verdicts on a claim: Depends if one reading bears it out, and another refutes it.
const (
	Reproduced    = "reproduced"
	NotReproduced = "not reproduced"
	Depends       = "depends"
	Undecided     = "undecided"
)

// Verdicts are all of them.
var Verdicts = []string{Reproduced, NotReproduced, Depends, Undecided}

// A Verdict is what measurements say of a claim, in each reading.
type Verdict struct {
	*Claim
	readings []reading
	varies   string // what the readings differ in
	cells    []Cell // what was measured for it
}

// A reading is what they say of it under the assumptions of one reading.
type reading struct {
	name    string      // "" if there is only one
	answer  cond.Answer // whether all conditions are met
	figures []string    // of each condition, the numbers, with an interval each
}

// Word is the verdict in a word or two.
func (v *Verdict) Word() string {
	is := func(a cond.Answer) bool {
		return slices.ContainsFunc(v.readings, func(r reading) bool { return r.answer == a })
	}
	switch {
	case is(cond.Met) && is(cond.Refuted):
		return Depends
	case is(cond.Undecided):
		return Undecided
	case is(cond.Met):
		return Reproduced
	}
	return NotReproduced
}

// On says what the verdict depends on, and what it is in each reading; "" if it depends on nothing.
func (v *Verdict) On() string {
	if v.Word() != Depends {
		return ""
	}
	text := "on " + v.varies
	for i, word := range []string{NotReproduced, Undecided, Reproduced} {
		var names []string
		for _, r := range v.readings {
			if r.answer == cond.Answer(i) {
				names = append(names, r.name)
			}
		}
		if names != nil {
			text += "; " + word + " if " + strings.Join(names, ", or ")
		}
	}
	return text
}

// Numbers are the figures of all readings, a line each.
func (v *Verdict) Numbers() (lines []string) {
	for _, r := range v.readings {
		for _, f := range r.figures {
			if r.name != "" {
				f = r.name + ": " + f
			}
			lines = append(lines, f)
		}
	}
	return lines
}

// Lines are what the verdict depends on, if it does, and the figures.
func (v *Verdict) Lines() []string {
	if on := v.On(); on != "" {
		return append([]string{on}, v.Numbers()...)
	}
	return v.Numbers()
}

// Simulated says how many runs the verdict is from.
func (v *Verdict) Simulated() string {
	return fmt.Sprintf("simulated, %s of each of %d points", runsOf(v.cells), len(v.cells))
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
	if err != nil {
		return nil, err
	}
	v := e.judge(c, cells)
	if len(v.cells) == 0 {
		return nil, fmt.Errorf("no numbers of the experiment %s are kept", e.Name)
	}
	return v, nil
}

// judge holds a claim against the cells.
func (e *Experiment) judge(c *Claim, cells []Cell) *Verdict {
	v := &Verdict{Claim: c, varies: e.Varies}
	for _, r := range e.Readings {
		in := reading{name: r.Name, answer: cond.Met}
		for k := range c.When {
			answer, figures := e.meets(&c.When[k], r.Name, cells)
			in.answer = min(in.answer, answer)
			in.figures = append(in.figures, figures)
		}
		v.readings = append(v.readings, in)
	}
	var panels, series []string
	everywhere, points := false, []float64(nil)
	for _, w := range c.When {
		panel, of, other := strings.Cut(w.Right, ":")
		if !other {
			panel, of = w.Panel, w.Right
		}
		panels, series = append(panels, w.Panel, panel), append(series, w.Left, of)
		everywhere, points = everywhere || w.At == nil || w.course != "", append(points, w.At...)
	}
	for i := range cells {
		cell := &cells[i]
		if slices.Contains(panels, cell.Panel) && slices.Contains(series, cell.Series) &&
			(everywhere || slices.Contains(points, cell.X)) {
			v.cells = append(v.cells, *cell)
		}
	}
	return v
}

// meets reports whether a condition is met in a reading, and with which numbers.
func (e *Experiment) meets(w *Condition, reading string, cells []Cell) (answer cond.Answer, figures string) {
	what := strings.TrimSpace(w.Panel+" "+w.Metric) + " of " + w.Left
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
		return cond.Undecided, what + " is not known"
	}
	if w.course != "" {
		answer, why := courses[w.course](w, xs, ys)
		return answer, fmt.Sprintf("%s %s, %s (%s)%s", what, w.course, why, strings.Join(values, "; "),
			mark(answer))
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
		return cond.Undecided, what + " is not known there"
	}
	return answer, fmt.Sprintf("%s, %s at %s=%s", what, w.than(), e.X, strings.Join(parts, "; "))
}

// compare judges a value at a point, and writes what it is compared with.
func (w *Condition) compare(
	y simulate.Estimate, reading string, cells []Cell, x float64,
) (cond.Answer, string) {
	values := map[string]cond.Value{w.Left: cond.Number(y.Mean, y.Half)}
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
		if v := c.Values[w.Metric]; name != w.Left {
			values[name] = cond.Number(v.Mean, v.Half)
		}
		if name == w.Right {
			other = c.written(w.Metric)
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

// than says in words what is compared how with what.
func (w *Condition) than() string {
	words := map[string]string{">": "more", "<": "less", "~": "about", "=": "never"}
	if _, err := strconv.ParseFloat(w.Right, 64); err == nil {
		words[">"], words["<"] = "above", "below"
	}
	word, known := words[w.Op[:1]]
	if !known || w.Op == "<=" || w.Op == ">=" {
		word = w.Op
	}
	panel, series, other := strings.Cut(w.Right, ":")
	switch {
	case !other:
		return word + " " + panel
	case series == w.Left:
		return word + " " + panel
	}
	return word + " " + panel + " " + series
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
	return compare(inside, ">", outside), fmt.Sprintf("is largest at %g", xs[best])
}

// trend compares the last value with the first, and each with the next: none may go the other way for sure.
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
	var x, y, xx, xy, yy float64 // means of the values, and sums of products of what they differ from these
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
