// Package experiment carries out experiments that are described in files: models side by side, measured
// under the same load at several points, drawn as figures, and held against what their source claims.
package experiment

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/atmostk/atmostk/explore/timed"
	"github.com/atmostk/atmostk/model"
)

// An Experiment is what a file describes. In settings and models, {NAME} stands for the value of NAME at the
// point that is measured.
type Experiment struct {
	Name    string   `yaml:"name"`
	Title   string   `yaml:"title"`
	Source  string   `yaml:"source"`  // paper and place
	Assumes []string `yaml:"assumes"` // what the source leaves open, and how it is filled in; a sentence each
	Runs    int      `yaml:"runs"`    // at each point; default 5
	Seed    uint64   `yaml:"seed"`
	// X names the variable that is on the x axis.
	X      string              `yaml:"x"`
	Label  string              `yaml:"label"` // of the x axis
	Log    bool                `yaml:"log"`   // the x axis is logarithmic
	Points []map[string]string `yaml:"points"`

	Settings yaml.Node `yaml:"settings"`
	Panels   []Panel   `yaml:"panels"` // default: one
	Series   []Panel   `yaml:"series"`
	Figures  []Figure  `yaml:"figures"`
	Claims   []Claim   `yaml:"claims"`
}

// A Panel is one of several drawings of a figure, or one of the series in all of them: what it changes.
type Panel struct {
	Name     string    `yaml:"name"`
	Model    string    `yaml:"model"` // as on the command line; of a series
	Settings yaml.Node `yaml:"settings"`
}

// A Figure draws a metric over the points, or what changes in the course of the runs at the last point.
type Figure struct {
	Name   string `yaml:"name"`
	Title  string `yaml:"title"`
	Metric string `yaml:"metric"`
	Course string `yaml:"course"` // in place of Metric: in-use or queue over time
	Label  string `yaml:"label"`  // of the y axis
	Log    bool   `yaml:"log"`
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
	switch {
	case e.Name == "" || strings.ContainsAny(e.Name, " /"):
		return nil, fmt.Errorf("name: %q: a word is wanted", e.Name)
	case len(e.Points) == 0 || len(e.Series) == 0 || len(e.Figures) == 0:
		return nil, fmt.Errorf("there are no points, no series or no figures")
	case e.Runs < 1 || e.Runs > 10_000:
		return nil, fmt.Errorf("runs: %d: allowed are 1 to 10000", e.Runs)
	}
	for i, p := range e.Points {
		if _, ok := p[e.X]; !ok {
			return nil, fmt.Errorf("points: number %d has no %q, which is to be on the x axis", i+1, e.X)
		}
	}
	for _, f := range e.Figures {
		if _, known := timed.Metrics[f.Metric]; !known && f.Course != "in-use" && f.Course != "queue" {
			return nil, fmt.Errorf("figures: %s: there is no metric %q%s", f.Name, f.Metric, model.Nearest(f.Metric, metrics()))
		}
	}
	for i := range e.Claims {
		if err := e.Claims[i].check(&e); err != nil {
			return nil, fmt.Errorf("claims: number %d: %w", i+1, err)
		}
	}
	return &e, nil
}

func metrics() (names []string) {
	for name := range timed.Metrics {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// A Cell is what was measured of a series in a panel at a point.
type Cell struct {
	Panel, Series string
	X             float64
	Values        map[string]timed.Estimate // by metric
	InUse, Queue  []float64                 // means over the runs, in the course of time
	Duration      float64
	Events        int64
	Model         string
}

// Specs finds models by name.
type Specs func(name string) (*model.Spec, error)

// Run measures all cells, with so many runs each (0: as many as the description says), and tells of each
// that is done.
func (e *Experiment) Run(ctx context.Context, find Specs, runs int, done func(*Cell)) (cells []Cell, err error) {
	e.Runs = cmp.Or(runs, e.Runs)
	for _, panel := range e.Panels {
		for _, series := range e.Series {
			for _, point := range e.Points {
				c, err := e.measure(ctx, find, &panel, &series, point, e.Runs)
				if err != nil {
					return nil, fmt.Errorf("%s %s at %s=%s: %w", panel.Name, series.Name, e.X, point[e.X], err)
				}
				cells = append(cells, c)
				done(&c)
			}
		}
	}
	return cells, nil
}

func (e *Experiment) measure(ctx context.Context, find Specs, panel, series *Panel, point map[string]string, runs int) (c Cell, err error) {
	c = Cell{Panel: panel.Name, Series: series.Name, Values: map[string]timed.Estimate{}, Model: filled(series.Model, point)}
	x, ok := number(point[e.X])
	if !ok {
		return c, fmt.Errorf("%q is no number", point[e.X])
	}
	c.X = x
	var s timed.Settings
	for _, node := range []*yaml.Node{&e.Settings, &panel.Settings, &series.Settings} {
		if err := fill(&s, node, point); err != nil {
			return c, err
		}
	}
	c.Duration = s.Duration
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
	samples, err := timed.Measure(ctx, in, s, e.Seed, runs)
	if err != nil {
		return c, err
	}
	for _, m := range metrics() {
		var values []float64
		for _, x := range samples {
			values = append(values, x.Values[m])
		}
		c.Values[m] = timed.EstimateOf(values)
	}
	c.InUse, c.Queue = make([]float64, timed.Bins), make([]float64, timed.Bins)
	for _, x := range samples {
		c.Events += x.Events
		for i := range timed.Bins {
			c.InUse[i] += x.InUse[i] / float64(runs)
			c.Queue[i] += x.Queue[i] / float64(runs)
		}
	}
	return c, nil
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
func fill(s *timed.Settings, node *yaml.Node, point map[string]string) error {
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
func at(cells []Cell, panel, series string, x float64) *Cell {
	i := slices.IndexFunc(cells, func(c Cell) bool { return c.Panel == panel && c.Series == series && c.X == x })
	if i < 0 {
		return nil
	}
	return &cells[i]
}

// value returns an estimate; NaN if there is none.
func value(c *Cell, metric string) timed.Estimate {
	if c == nil {
		return timed.Estimate{Mean: math.NaN()}
	}
	return c.Values[metric]
}
