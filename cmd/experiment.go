//go:build !js

package cmd

import (
	"bytes"
	"cmp"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	files "github.com/google/renameio/v2/maybe"
	"github.com/spf13/cobra"

	"github.com/atmostk/atmostk/explore/experiment"
	"github.com/atmostk/atmostk/explore/simulate"
	"github.com/atmostk/atmostk/model/usage"
	"github.com/atmostk/atmostk/traces/printable"
)

// experimentFlags are the flags of experiment, as given.
type experimentFlags struct {
	runs   int
	points []string
	write  string
	format string

	measurements measurements
}

func (a *app) experiment() *cobra.Command {
	var f experimentFlags
	c := &cobra.Command{
		Use:   "experiment [NAME|FILE.yaml]",
		Short: "Measure models under a load, as figures of a paper or a file say",
		Long: `Carries out an experiment: measures models under the same load at several points, by
discrete-event simulation of the very handlers that are checked, and holds the figures
against what the source claims. NAME is that of an experiment or of one of its figures;
without one, all are listed. A file of one's own describes others; docs/simulation.md says how.

Means are over several runs, with intervals of 95%. --write DIR writes a drawing (SVG) of each
figure, all numbers as CSV, and a page with assumptions and verdicts.

Exit codes: 0 it was carried out, whatever became of the claims, 3 the description is not
usable, 64 wrong use, 65 a model is at fault, 74 something could not be written, 130 and 143
interrupted.`,
		Example: a.examples(`% experiment
% experiment vcube-12 --runs 2
% experiment timerfree-rho --points 1,9,20 --write figures`),
		Args: cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return a.listExperiments()
			}
			return a.runExperiment(c.Context(), args[0], &f)
		},
	}
	flags := c.Flags()
	flags.IntVar(&f.runs, "runs", 0, "so many runs at each point; 0: as many as the description says")
	flags.StringSliceVar(&f.points, "points", nil,
		"only the points with these values on the x axis, separated by commas; claims are not judged then")
	flags.StringVar(&f.write, "write", "", "write drawings, CSV and a page into this directory")
	flags.StringVar(&f.measurements.dir, "measured", "", measuredFlag)
	flags.StringVar(&f.format, "format", "text", "form of the report: text, csv or json")
	return c
}

// experiments returns all that the program has.
func (a *app) experiments() (all []*experiment.Experiment, err error) {
	if a.Experiments == nil {
		return nil, nil
	}
	err = fs.WalkDir(a.Experiments, ".", func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(file, ".yaml") {
			return err
		}
		text, err := fs.ReadFile(a.Experiments, file)
		if err != nil {
			return err
		}
		e, err := experiment.Parse(text)
		if err != nil {
			return inputError{fmt.Errorf("%s: %w", file, err)}
		}
		all = append(all, e)
		return nil
	})
	return all, err
}

func (a *app) listExperiments() error {
	all, err := a.experiments()
	if err != nil {
		return err
	}
	w := tabwriter.NewWriter(a.out, 0, 0, 2, ' ', 0)
	for _, e := range all {
		printable.Fprintf(w, "%s\t%s\n", e.Name, e.Title)
		for _, f := range e.Figures {
			printable.Fprintf(w, "  %s\t%s\n", f.Name, f.Title)
		}
	}
	return w.Flush()
}

// findExperiment returns the experiment of a name, of one of its figures, or in a file.
func (a *app) findExperiment(name string) (*experiment.Experiment, error) {
	if strings.HasSuffix(name, ".yaml") || strings.HasSuffix(name, ".yml") {
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, inputError{err}
		}
		e, err := experiment.Parse(text)
		if err != nil {
			return nil, inputError{fmt.Errorf("%s: %w", name, err)}
		}
		return e, nil
	}
	all, err := a.experiments()
	if err != nil {
		return nil, err
	}
	var names []string
	for _, e := range all {
		names = append(names, e.Name)
		if e.Name == name {
			return e, nil
		}
		for i, f := range e.Figures {
			names = append(names, f.Name)
			if f.Name == name {
				e.Figures = e.Figures[i : i+1]
				return e, nil
			}
		}
	}
	return nil, usage.Errorf("there is no experiment %q%s; `%s experiment` lists all", name,
		usage.Nearest(name, names), a.Name)
}

func (a *app) runExperiment(ctx context.Context, name string, f *experimentFlags) error {
	e, err := a.findExperiment(name)
	if err != nil {
		return err
	}
	if f.runs < 0 || f.runs > 10_000 {
		return usage.Errorf("--runs=%d: allowed are 1 to 10000, or 0", f.runs)
	}
	if !slices.Contains([]string{"text", "csv", "json"}, f.format) {
		return usage.Errorf("--format=%s: allowed are text, csv and json", f.format)
	}
	if f.points != nil {
		e.Points = slices.DeleteFunc(e.Points, func(p map[string]string) bool {
			return !slices.Contains(f.points, p[e.X])
		})
		e.Claims = nil
		if len(e.Points) == 0 {
			return usage.Errorf("--points=%s: %s has none of them", strings.Join(f.points, ","), e.Name)
		}
	}
	a.busy.Store("measuring " + name)
	if f.runs > 0 {
		e.Runs = f.runs
		for _, p := range e.Points {
			delete(p, "runs")
		}
	}
	known, err := f.measurements.of(e.Name)
	if err != nil {
		return err
	}
	begun := time.Now()
	cells, err := e.Run(ctx, a.spec, known, a.telling(e, begun))
	if errors.Is(err, context.Canceled) {
		return a.interrupt(ctx, "")
	}
	if err != nil {
		return err
	}
	m := measured{e, cells, e.Judge(cells), time.Since(begun)}
	var unwritten error
	if f.write != "" {
		unwritten = m.write(f.write)
	}
	switch f.format {
	case "csv":
		err = m.csv(a.out)
	case "json":
		err = printable.EncodeJSON(a.out, m.forJSON(), "")
	default:
		err = m.text(a.out)
	}
	return cmp.Or(unwritten, err)
}

// telling returns what tells of cells that are done, when it takes long.
func (a *app) telling(e *experiment.Experiment, begun time.Time) func(*experiment.Cell) {
	return func(c *experiment.Cell) {
		if a.patience > 0 && time.Since(begun) > a.patience {
			where := strings.Join(strings.Fields(c.Reading+" "+c.Panel+" "+c.Series), " ")
			printable.Fprintf(a.diag, "%s %s=%g: %s, %s\n", where, e.X, c.X,
				plural(c.Events(), "event"), time.Since(begun).Round(100*time.Millisecond))
		}
	}
}

// measured is an experiment that was carried out.
type measured struct {
	*experiment.Experiment
	cells    []experiment.Cell
	verdicts []experiment.Verdict
	took     time.Duration
}

// columns are the metrics of the CSV, in their order.
func (m *measured) columns() (names []string) {
	for name := range simulate.Metrics {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// csvHead names the fields of the CSV, but that of the x axis.
var csvHead = []string{"experiment", "reading", "panel", "series", "", "metric", "mean", "half-interval",
	"runs"}

// csv writes all numbers: a row for each metric of each cell.
func (m *measured) csv(w interface{ Write([]byte) (int, error) }) error {
	c := csv.NewWriter(w)
	head := slices.Clone(csvHead)
	head[4] = m.X
	rows := [][]string{head}
	for _, cell := range m.cells {
		for _, name := range m.columns() {
			if v := cell.Values[name]; !math.IsNaN(v.Mean) {
				rows = append(rows, []string{
					m.Name, cell.Reading, cell.Panel, cell.Series, shortest(cell.X), name, shortest(v.Mean),
					shortest(v.Half), strconv.Itoa(v.N),
				})
			}
		}
	}
	return c.WriteAll(rows)
}

func shortest(x float64) string { return strconv.FormatFloat(x, 'g', 8, 64) }

// write writes the drawings, the CSV and the page.
func (m *measured) write(dir string) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return writeError{err}
	}
	put := func(name string, content []byte) error {
		if err := files.WriteFile(filepath.Join(dir, name), content, 0o666); err != nil {
			return writeError{err}
		}
		return nil
	}
	for i := range m.Figures {
		var b bytes.Buffer
		if err := m.Plot(&b, &m.Figures[i], m.cells); err != nil {
			return err
		}
		if err := put(m.Figures[i].Name+".svg", b.Bytes()); err != nil {
			return err
		}
	}
	var b, page bytes.Buffer
	if err := m.csv(&b); err != nil {
		return err
	}
	m.page(&page)
	return cmp.Or(put(m.Name+".csv", b.Bytes()), put(m.Name+".md", page.Bytes()))
}
