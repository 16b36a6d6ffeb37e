// Package experiment carries out experiments that are described in files: models side by side, measured
// under the same load at several points, drawn as figures, and held against what their source claims.
package experiment

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/atmostk/atmostk/explore/simulate"
	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/usage"
)

// An Experiment is what a file describes. In settings and models, {NAME} stands for the value of NAME at the
// point that is measured.
type Experiment struct {
	Name    string   `yaml:"name"`
	Title   string   `yaml:"title"`
	Source  string   `yaml:"source"`  // paper and place
	Assumes []string `yaml:"assumes"` // what the source leaves open, and how it is filled in; a sentence each
	// Runs is how many there are at each point, default 5; a point that has a value of that name has so many.
	Runs int    `yaml:"runs"`
	Seed uint64 `yaml:"seed"`
	// X names the variable that is on the x axis.
	X      string              `yaml:"x"`
	Label  string              `yaml:"label"` // of the x axis
	Log    bool                `yaml:"log"`   // the x axis is logarithmic
	Points []map[string]string `yaml:"points"`

	Settings yaml.Node `yaml:"settings"`
	// Readings are different settings for what the source leaves open: everything is measured under each, and
	// what they differ in is Varies, such as "how messages are received". Default: one.
	Readings []Panel  `yaml:"readings"`
	Varies   string   `yaml:"varies"`
	Panels   []Panel  `yaml:"panels"` // default: one
	Series   []Panel  `yaml:"series"`
	Figures  []Figure `yaml:"figures"`
	Claims   []Claim  `yaml:"claims"`
}

// A Panel is one of several drawings of a figure, one of the series in all of them, or a reading: what it
// changes.
type Panel struct {
	Name     string    `yaml:"name"`
	Model    string    `yaml:"model"` // as on the command line; of a series
	Settings yaml.Node `yaml:"settings"`
	// Series are those that there are in the panel; nil: all. Aside says that it is for claims, and not
	// drawn.
	Series []string `yaml:"series"`
	Aside  bool     `yaml:"aside"`
	// Points are those that are measured, by their values on the x axis; nil: all.
	Points []float64 `yaml:"points"`
	// Values, of a reading, replace values of the points, which they may name: {late: "{soon}"}.
	Values map[string]string `yaml:"values"`
}

// has reports whether the point is measured.
func (p *Panel) has(x float64) bool { return p.Points == nil || slices.Contains(p.Points, x) }

// point is a point with the values of the reading p put into it.
func (p *Panel) point(point map[string]string) map[string]string {
	with := maps.Clone(point)
	for name, value := range p.Values {
		with[name] = filled(value, point)
	}
	return with
}

// A Figure draws metrics over the points, or what changes in the course of the runs at the last point.
type Figure struct {
	Name   string `yaml:"name"`
	Title  string `yaml:"title"`
	Metric string `yaml:"metric"`
	// Range are further metrics in the same drawing, such as the least and the most of Metric.
	Range  []string `yaml:"range"`
	Course string   `yaml:"course"` // in place of Metric: in-use or queue over time
	Label  string   `yaml:"label"`  // of the y axis
	Log    bool     `yaml:"log"`
}

// Metrics are all that the figure draws over the points.
func (f *Figure) Metrics() []string {
	if f.Metric == "" {
		return nil
	}
	return append([]string{f.Metric}, f.Range...)
}

func (f *Figure) check() error {
	if f.Course == "in-use" || f.Course == "queue" {
		return nil
	}
	for _, m := range append([]string{f.Metric}, f.Range...) {
		if _, known := simulate.Metrics[m]; !known {
			return fmt.Errorf("figures: %s: there is no metric %q%s", f.Name, m,
				usage.Nearest(m, sortedKeys(simulate.Metrics)))
		}
	}
	return nil
}

// Parse reads the description of an experiment.
func Parse(text []byte) (*Experiment, error) {
	var e Experiment
	d := yaml.NewDecoder(bytes.NewReader(text))
	d.KnownFields(true)
	if err := d.Decode(&e); err != nil {
		return nil, err
	}
	e.Runs = cmp.Or(e.Runs, 5)
	if len(e.Panels) == 0 {
		e.Panels = []Panel{{}}
	}
	if len(e.Readings) == 0 {
		e.Readings = []Panel{{}}
	}
	switch {
	case e.Name == "" || strings.ContainsAny(e.Name, " /"):
		return nil, fmt.Errorf("name: %q: a word is wanted", e.Name)
	case len(e.Points) == 0 || len(e.Series) == 0 || len(e.Figures) == 0:
		return nil, fmt.Errorf("there are no points, no series or no figures")
	case e.Runs < 1 || e.Runs > 10_000:
		return nil, fmt.Errorf("runs: %d: allowed are 1 to 10000", e.Runs)
	case (len(e.Readings) > 1) != (e.Varies != ""):
		return nil, fmt.Errorf("varies: it says what several readings differ in, and is there with them only")
	}
	for i, p := range e.Points {
		if _, ok := p[e.X]; !ok {
			return nil, fmt.Errorf("points: number %d has no %q, which is to be on the x axis", i+1, e.X)
		}
	}
	for i := range e.Figures {
		if err := e.Figures[i].check(); err != nil {
			return nil, err
		}
	}
	for i := range e.Claims {
		if err := e.Claims[i].check(&e); err != nil {
			return nil, fmt.Errorf("claims: number %d: %w", i+1, err)
		}
	}
	return &e, nil
}

// A Cell is what was measured of a series in a panel at a point.
type Cell struct {
	Reading, Panel, Series string

	X            float64
	Values       map[string]simulate.Estimate // by metric
	InUse, Queue []float64                    // means over the runs, in the course of time
	Duration     float64
	Model        string
}

// Same reports whether two cells are of the same reading, panel, series and point.
func (c *Cell) Same(d *Cell) bool {
	return c.Reading == d.Reading && c.Panel == d.Panel && c.Series == d.Series && c.X == d.X
}

// Runs is how many runs there were.
func (c *Cell) Runs() (n int) {
	for _, v := range c.Values {
		n = max(n, v.N)
	}
	return n
}

// Written writes what was measured of a metric. A star marks a time of waiting where more requests were still
// waiting at the end than had been served: it is the mean of those that were served, which are the quickest.
func (c *Cell) Written(metric string) string {
	text := written(c.Values[metric])
	if strings.HasPrefix(metric, "obtaining") && c.Values["requests"].Mean > 2*c.Values["entries"].Mean {
		text += Censored
	}
	return text
}

// Censored marks a mean of the served requests, where most were not.
const Censored = "*"

// Events is how many events the simulation of the cell had.
func (c *Cell) Events() int64 {
	v := c.Values["events"]
	return int64(math.Round(v.Mean * float64(v.N)))
}

// Specs finds models by name.
type Specs func(name string) (*model.Spec, error)

// Run measures all cells and tells of each that is done. Those that are known already, of as many runs, are
// taken as they are.
// What is the same in two of them, model and settings, is measured once.
func (e *Experiment) Run(ctx context.Context, find Specs, known []Cell, done func(*Cell)) (cells []Cell,
	err error) {
	same := map[string]*Cell{}
	for _, reading := range e.Readings {
		for _, panel := range e.Panels {
			for _, series := range e.Series {
				if panel.Series != nil && !slices.Contains(panel.Series, series.Name) {
					continue
				}
				for _, point := range e.Points {
					w := wanted{e, &reading, &panel, &series, reading.point(point), same}
					if x, _ := number(point[e.X]); !reading.has(x) || !panel.has(x) || !series.has(x) {
						continue
					}
					c, err := w.measure(ctx, find, known)
					if err != nil {
						return nil, fmt.Errorf("%s %s %s at %s=%s: %w", reading.Name, panel.Name, series.Name,
							e.X, point[e.X], err)
					}
					cells = append(cells, c)
					done(&c)
				}
			}
		}
	}
	return cells, nil
}

// wanted is what a cell is to be of.
type wanted struct {
	*Experiment
	reading, panel, series *Panel
	point                  map[string]string
	same                   map[string]*Cell // by model, settings and runs: what was measured
}

// settings are those of the experiment, changed by the panel, the reading and the series.
func (w *wanted) settings() (s simulate.Settings, err error) {
	for _, node := range []*yaml.Node{&w.Settings, &w.panel.Settings, &w.reading.Settings,
		&w.series.Settings} {
		if err := fill(&s, node, w.point); err != nil {
			return s, err
		}
	}
	return s, nil
}

// runs is how many runs are made.
func (w *wanted) runs() int {
	if n, err := strconv.Atoi(w.point["runs"]); err == nil && n > 0 {
		return n
	}
	return w.Runs
}

func (w *wanted) measure(ctx context.Context, find Specs, known []Cell) (c Cell, err error) {
	x, ok := number(w.point[w.X])
	if !ok {
		return c, fmt.Errorf("%q is no number", w.point[w.X])
	}
	c = Cell{Reading: w.reading.Name, Panel: w.panel.Name, Series: w.series.Name, X: x,
		Model: filled(w.series.Model, w.point)}
	s, err := w.settings()
	if err != nil {
		return c, err
	}
	c.Duration = s.Duration
	key := fmt.Sprint(c.Model, s, w.runs())
	if k := at(known, c.Reading, c.Panel, c.Series, x); k != nil && k.Runs() == w.runs() {
		w.same[key] = k
		return *k, nil
	}
	if m := w.same[key]; m != nil {
		c.Values, c.InUse, c.Queue = m.Values, m.InUse, m.Queue
		return c, nil
	}
	words := strings.Fields(c.Model)
	if len(words) == 0 {
		return c, fmt.Errorf("the series has no model")
	}
	spec, err := find(words[0])
	if err != nil {
		return c, err
	}
	in, _, err := spec.Stage(words[1:])
	if err != nil {
		return c, err
	}
	samples, err := simulate.Measure(ctx, in, s, w.Seed, w.runs())
	if err != nil {
		return c, err
	}
	c.take(samples)
	w.same[key] = &c
	return c, nil
}

// take sums up what the runs have shown.
func (c *Cell) take(samples []simulate.Sample) {
	c.Values = map[string]simulate.Estimate{}
	for m := range simulate.Metrics {
		var values []float64
		for _, x := range samples {
			values = append(values, x.Values[m])
		}
		c.Values[m] = simulate.EstimateOf(values)
	}
	c.InUse, c.Queue = make([]float64, simulate.Bins), make([]float64, simulate.Bins)
	for _, x := range samples {
		for i := range simulate.Bins {
			c.InUse[i] += x.InUse[i] / float64(len(samples))
			c.Queue[i] += x.Queue[i] / float64(len(samples))
		}
	}
}

func number(text string) (x float64, ok bool) {
	x, err := strconv.ParseFloat(text, 64)
	return x, err == nil
}

// filled puts the values of a point into a text.
func filled(text string, point map[string]string) string {
	for name, value := range point {
		text = strings.ReplaceAll(text, "{"+name+"}", value)
	}
	return text
}

// fill reads settings from a node, over those that there are.
func fill(s *simulate.Settings, node *yaml.Node, point map[string]string) error {
	if node.IsZero() {
		return nil
	}
	text, err := yaml.Marshal(filledNode(node, point))
	if err != nil {
		return err
	}
	d := yaml.NewDecoder(bytes.NewReader(text))
	d.KnownFields(true)
	return d.Decode(s)
}

// filledNode returns a copy of a node with the values of a point put into it. What they make is a number if
// it looks like one.
func filledNode(node *yaml.Node, point map[string]string) *yaml.Node {
	n := *node
	if n.Kind == yaml.ScalarNode && strings.Contains(n.Value, "{") {
		n.Value, n.Tag, n.Style = filled(n.Value, point), "", 0
	}
	n.Content = nil
	for _, c := range node.Content {
		n.Content = append(n.Content, filledNode(c, point))
	}
	return &n
}

// at returns a cell; nil if there is none.
func at(cells []Cell, reading, panel, series string, x float64) *Cell {
	wanted := Cell{Reading: reading, Panel: panel, Series: series, X: x}
	i := slices.IndexFunc(cells, func(c Cell) bool { return c.Same(&wanted) })
	if i < 0 {
		return nil
	}
	return &cells[i]
}

// value returns an estimate; NaN if there is none.
func value(c *Cell, metric string) simulate.Estimate {
	if c == nil {
		return simulate.Estimate{Mean: math.NaN()}
	}
	return c.Values[metric]
}
