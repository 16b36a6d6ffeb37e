package experiment

import (
	"context"
	"fmt"
	"io"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"go.yaml.in/yaml/v3"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/tools/paperdocs/rows"
	"github.com/atmostk/atmostk/tools/paperdocs/timed"
)

// A Cell has the measurements of a series in a panel at a point.
type Cell struct {
	Reading, Panel, Series string

	X      float64
	Values map[string]timed.Estimate // by metric
}

// runs is the number of runs behind a cell.
func (c *Cell) runs() (n int) {
	for _, v := range c.Values {
		n = max(n, v.N)
	}
	return n
}

// Censored marks a mean of the served requests, where most were not served.
const Censored = "*"

// written writes the estimate of a metric. A star marks a waiting time where more requests still waited at
// the end than had been served: it is the mean of the served ones, which are the quickest.
func (c *Cell) written(metric string) string {
	text := written(c.Values[metric])
	if strings.HasPrefix(metric, "obtaining") && c.Values["requests"].Mean > 2*c.Values["entries"].Mean {
		text += Censored
	}
	return text
}

// written writes an estimate with half of its interval.
func written(e timed.Estimate) string {
	switch {
	case math.IsNaN(e.Mean):
		return "-"
	case e.N < 2:
		return fmt.Sprintf("%.4g", e.Mean)
	}
	return fmt.Sprintf("%.4g±%.2g", e.Mean, e.Half)
}

// Run measures all cells, and prints a line on each. Cells with the same model and settings are measured
// once.
func (e *Experiment) Run(ctx context.Context, find func(name string) (*model.Spec, error), out io.Writer) (
	cells []Cell, err error) {
	same := map[string]*Cell{} // by model, settings and runs
	for _, reading := range e.Readings {
		for _, panel := range e.Panels {
			for _, series := range e.Series {
				for _, point := range e.Points {
					x, _ := strconv.ParseFloat(point[e.X], 64) // checked
					c := Cell{Reading: reading.Name, Panel: panel.Name, Series: series.Name, X: x}
					if panel.Series != nil && !slices.Contains(panel.Series, c.Series) || !reading.has(x) ||
						!panel.has(x) || !series.has(x) {
						continue
					}
					where := fmt.Sprintf("%s %s %s %s=%g", c.Reading, c.Panel, c.Series, e.X, x)
					_, _ = fmt.Fprintln(out, where) // a progress report
					point := reading.point(point)
					s := []*yaml.Node{&e.Settings, &panel.Settings, &reading.Settings, &series.Settings}
					line := filled(series.Model, point)
					if err := e.measure(ctx, &c, line, s, point, find, same); err != nil {
						return nil, fmt.Errorf("%s: %w", where, err)
					}
					cells = append(cells, c)
				}
			}
		}
	}
	return cells, nil
}

// measure measures a model at a point; later settings change earlier ones.
func (e *Experiment) measure(ctx context.Context, c *Cell, line string, settings []*yaml.Node,
	point map[string]string, find func(string) (*model.Spec, error), same map[string]*Cell,
) error {
	var s timed.Settings
	for _, node := range settings {
		if err := fill(&s, node, point); err != nil {
			return err
		}
	}
	runs := e.Runs
	if n, err := strconv.Atoi(point["runs"]); err == nil && n > 0 {
		runs = n
	}
	key := fmt.Sprint(line, s, runs)
	if m := same[key]; m != nil {
		c.Values = m.Values
		return nil
	}
	name, args, _ := strings.Cut(line, " ")
	spec, err := find(name)
	if err != nil {
		return err
	}
	in, _, err := spec.Stage(strings.Fields(args))
	if err != nil {
		return err
	}
	samples, err := timed.Measure(ctx, in, s, e.Seed, runs)
	if err != nil {
		return err
	}
	c.Values = map[string]timed.Estimate{}
	for m := range timed.Metrics {
		var values []float64
		for _, x := range samples {
			values = append(values, x[m])
		}
		c.Values[m] = timed.EstimateOf(values)
	}
	same[key] = c
	return nil
}

// filled puts the values of a point into a text.
func filled(text string, point map[string]string) string {
	for name, value := range point {
		text = strings.ReplaceAll(text, "{"+name+"}", value)
	}
	return text
}

// fill reads settings from a node, with the values of a point put into it, over those that s has. A value
// that is a whole scalar, {late}, becomes a number if it looks like one; a list of numbers stays a text.
func fill(s *timed.Settings, node *yaml.Node, point map[string]string) error {
	if node.IsZero() {
		return nil
	}
	text, err := yaml.Marshal(node)
	if err != nil {
		return err
	}
	scalar := regexp.MustCompile(`["']\{[a-z]+\}["']`)
	whole := scalar.ReplaceAllStringFunc(string(text), func(quoted string) string {
		value := filled(quoted[1:len(quoted)-1], point)
		if strings.Contains(value, ",") {
			return strconv.Quote(value)
		}
		return value
	})
	d := yaml.NewDecoder(strings.NewReader(filled(whole, point)))
	d.KnownFields(true)
	return d.Decode(s)
}

// A row is a cell in the file of an experiment.
type row struct {
	Experiment string             `json:"experiment"`
	Reading    string             `json:"reading,omitempty"`
	Panel      string             `json:"panel,omitempty"`
	Series     string             `json:"series"`
	Point      map[string]float64 `json:"point"` // the value of Experiment.X
	// Metrics have a mean, half of its interval, and the number of runs each; a metric without a value is
	// missing.
	Metrics map[string][3]float64 `json:"metrics"`
}

// Write writes all numbers into a file: a row for each cell.
func (e *Experiment) Write(file string, cells []Cell) error {
	var kept []row
	for _, c := range cells {
		r := row{e.Name, c.Reading, c.Panel, c.Series, map[string]float64{e.X: c.X}, map[string][3]float64{}}
		for name, v := range c.Values {
			if !math.IsNaN(v.Mean) {
				r.Metrics[name] = [3]float64{shortened(v.Mean), shortened(v.Half), float64(v.N)}
			}
		}
		kept = append(kept, r)
	}
	return rows.Write(file, kept)
}

// shortened rounds a number to eight digits.
func shortened(x float64) float64 {
	short, _ := strconv.ParseFloat(strconv.FormatFloat(x, 'g', 8, 64), 64) // it was written just now
	return short
}

// ReadCells reads the numbers that Write wrote into a file; none if there is no file.
func ReadCells(file string) (cells []Cell, err error) {
	kept, err := rows.Read[row](file)
	for _, r := range kept {
		c := Cell{Reading: r.Reading, Panel: r.Panel, Series: r.Series,
			Values: map[string]timed.Estimate{}}
		for _, c.X = range r.Point { // the only one
		}
		for name := range timed.Metrics {
			c.Values[name] = timed.Estimate{Mean: math.NaN()}
			if v, known := r.Metrics[name]; known {
				c.Values[name] = timed.Estimate{Mean: v[0], Half: v[1], N: int(v[2])}
			}
		}
		cells = append(cells, c)
	}
	return cells, err
}

// Print writes the means of the experiment's figures, a table for each metric in each reading, and the
// verdicts on its claims.
func (e *Experiment) Print(w io.Writer, cells []Cell) error {
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	_, _ = fmt.Fprintf(tw, "%s; means of %s, half of an interval of 95%%\n", e.Title, runsOf(cells))
	for _, f := range e.Figures {
		for _, metric := range f.Metrics {
			for _, r := range e.Readings {
				_, _ = fmt.Fprintf(tw, "\n%s: %s, %s\t%s\t\n", f.Name, metric, r.Name, e.X)
				for i := range cells {
					if c := &cells[i]; c.Reading == r.Name {
						_, _ = fmt.Fprintf(tw, "  %s %s\t%g\t%s\n", c.Panel, c.Series, c.X, c.written(metric))
					}
				}
			}
		}
	}
	for i := range e.Claims {
		v := e.Judge(&e.Claims[i], cells)
		_, _ = fmt.Fprintf(tw, "\n%s (%s): %s\n  %s\n", e.Claims[i].Sentence, e.Claims[i].Source, v.Word,
			strings.Join(v.Lines, "\n  "))
	}
	return tw.Flush() // which has the errors of the lines before
}
