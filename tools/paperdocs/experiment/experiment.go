// Package experiment carries out experiments that files describe: models side by side, measured under the
// same load at several points, and compared with the claims of their source.
package experiment

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/atmostk/atmostk/model/usage"
	"github.com/atmostk/atmostk/tools/paperdocs/timed"
)

// An Experiment is the description in a file. In settings and models, {NAME} stands for the value of NAME at
// the point that is measured.
type Experiment struct {
	Name    string   `yaml:"name"`
	Title   string   `yaml:"title"`
	Source  string   `yaml:"source"`  // paper and place
	Assumes []string `yaml:"assumes"` // choices where the source is open; a sentence each
	// Runs is the number of runs at each point, default 5; the value "runs" of a point replaces it.
	Runs   int                 `yaml:"runs"`
	Seed   uint64              `yaml:"seed"`
	X      string              `yaml:"x"` // the variable that changes from point to point
	Points []map[string]string `yaml:"points"`

	Settings yaml.Node `yaml:"settings"`
	// Readings are settings where the source is open: everything is measured in each. Varies names the
	// difference, such as "how messages are received". Default: one reading.
	Readings []Panel  `yaml:"readings"`
	Varies   string   `yaml:"varies"`
	Panels   []Panel  `yaml:"panels"` // default: one
	Series   []Panel  `yaml:"series"`
	Figures  []Figure `yaml:"figures"`
	Claims   []Claim  `yaml:"claims"`
}

// A Panel is a variant of the measurements: a panel of the figures, a series in all panels, or a reading.
type Panel struct {
	Name     string    `yaml:"name"`
	Model    string    `yaml:"model"` // as on the command line; of a series
	Settings yaml.Node `yaml:"settings"`
	// Series are the series in the panel; nil: all.
	Series []string `yaml:"series"`
	// Points are those that are measured, by their values of X; nil: all.
	Points []float64 `yaml:"points"`
	// Values, of a reading, replace values of the points, which they may name: {late: "{soon}"}.
	Values map[string]string `yaml:"values"`
}

// has reports whether a point is measured.
func (p *Panel) has(x float64) bool { return p.Points == nil || slices.Contains(p.Points, x) }

// point is a point with the values of the reading p put into it.
func (p *Panel) point(point map[string]string) map[string]string {
	with := maps.Clone(point)
	for name, value := range p.Values {
		with[name] = filled(value, point)
	}
	return with
}

// A Figure is metrics of all series at the points.
type Figure struct {
	Name    string   `yaml:"name"`
	Title   string   `yaml:"title"`
	Metrics []string `yaml:"metrics"`
}

// All reads the experiments beside the models of the repository at root.
func All(root string) (all []*Experiment, err error) {
	files, err := filepath.Glob(filepath.Join(root, "specs", "*", "experiments", "*.yaml"))
	for _, file := range files {
		var e *Experiment
		if e, err = Read(file); err != nil {
			return nil, err
		}
		all = append(all, e)
	}
	return all, err
}

// Find returns the experiment of a name, of one of its figures, or in a file.
func Find(root, name string) (*Experiment, error) {
	if strings.HasSuffix(name, ".yaml") {
		return Read(name)
	}
	all, err := All(root)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, e := range all {
		if e.Name == name {
			return e, nil
		}
		names = append(names, e.Name)
		for i, f := range e.Figures {
			if names = append(names, f.Name); f.Name == name {
				e.Figures = e.Figures[i : i+1]
				return e, nil
			}
		}
	}
	return nil, usage.Errorf("there is no experiment %q%s; without a name all are listed", name,
		usage.Nearest(name, names))
}

// Read reads the description of an experiment.
func Read(file string) (*Experiment, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var e Experiment
	d := yaml.NewDecoder(bytes.NewReader(text))
	d.KnownFields(true)
	if err = d.Decode(&e); err == nil {
		err = e.check()
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return &e, nil
}

// check fills in defaults, and returns the first mistake.
func (e *Experiment) check() error {
	e.Runs = cmp.Or(e.Runs, 5)
	if len(e.Panels) == 0 {
		e.Panels = []Panel{{}}
	}
	if len(e.Readings) == 0 {
		e.Readings = []Panel{{}}
	}
	switch {
	case e.Name == "" || strings.ContainsAny(e.Name, " /"):
		return fmt.Errorf("name: %q: a word is wanted", e.Name)
	case len(e.Points) == 0 || len(e.Series) == 0 || len(e.Figures) == 0:
		return fmt.Errorf("there are no points, no series or no figures")
	case e.Runs < 1 || e.Runs > 10_000:
		return fmt.Errorf("runs: %d: allowed are 1 to 10000", e.Runs)
	case (len(e.Readings) > 1) != (e.Varies != ""):
		return fmt.Errorf("varies: it names the difference of readings, and is allowed with several only")
	}
	for i, p := range e.Points {
		if _, err := strconv.ParseFloat(p[e.X], 64); err != nil {
			return fmt.Errorf("points: number %d has no number %q, the x", i+1, e.X)
		}
	}
	for _, f := range e.Figures {
		for _, m := range f.Metrics {
			if err := known(m); err != nil {
				return fmt.Errorf("figures: %s: %w", f.Name, err)
			}
		}
	}
	for i := range e.Claims {
		if err := e.Claims[i].check(e); err != nil {
			return fmt.Errorf("claims: number %d: %w", i+1, err)
		}
	}
	return nil
}

// known returns an error unless there is such a metric.
func known(metric string) error {
	if _, known := timed.Metrics[metric]; known {
		return nil
	}
	return fmt.Errorf("there is no metric %q%s", metric, usage.Nearest(metric,
		slices.Sorted(maps.Keys(timed.Metrics))))
}

// Claim returns the claim of a name.
func (e *Experiment) Claim(name string) (*Claim, error) {
	for i := range e.Claims {
		if e.Claims[i].Name == name {
			return &e.Claims[i], nil
		}
	}
	return &Claim{}, fmt.Errorf("the experiment %s has no claim %q", e.Name, name)
}

// Only keeps the points with the given values of X, unless nil: claims are not judged then; and sets the
// number of runs, unless 0.
func (e *Experiment) Only(points []string, runs int) error {
	if points != nil {
		e.Points = slices.DeleteFunc(e.Points, func(p map[string]string) bool {
			return !slices.Contains(points, p[e.X])
		})
		e.Claims = nil
	}
	if runs != 0 {
		e.Runs = runs
		for _, p := range e.Points {
			delete(p, "runs")
		}
	}
	if len(e.Points) == 0 || e.Runs < 1 || e.Runs > 10_000 {
		return usage.Errorf("--points=%s --runs=%d: allowed are points of %s, and 1 to 10000 runs",
			strings.Join(points, ","), runs, e.Name)
	}
	return nil
}

// List lists the experiments, with their figures.
func List(root string) (text string, err error) {
	all, err := All(root)
	for _, e := range all {
		text += fmt.Sprintf("%s: %s\n", e.Name, e.Title)
		for _, f := range e.Figures {
			text += fmt.Sprintf("  %-20s  %s\n", f.Name, f.Title)
		}
	}
	return text, err
}
