//go:build !js

package cmd

import (
	"context"
	"encoding/csv"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/atmostk/atmostk/explore/experiment"
	"github.com/atmostk/atmostk/explore/simulate"
	"github.com/atmostk/atmostk/model/papers"
	"github.com/atmostk/atmostk/model/usage"
)

// measurements are the cells of experiments that are known, by the experiment: rows of pages share them.
type measurements struct {
	lock  sync.Mutex
	cells map[string][]experiment.Cell
	dir   string // has the numbers of experiments as CSV, which are taken in place of measuring; "": none
}

// measuredFlag says what the flag for dir is for.
const measuredFlag = "take the numbers that are in CSV files of experiments in this directory, as " +
	"--write wrote them, " +
	"and measure the others only; without courses over time"

// of returns what is known of an experiment.
func (m *measurements) of(name string) (cells []experiment.Cell, err error) {
	m.lock.Lock()
	defer m.lock.Unlock()
	cells, known := m.cells[name]
	if known || m.dir == "" {
		return cells, nil
	}
	f, err := os.Open(filepath.Join(m.dir, name+".csv"))
	if err != nil {
		return nil, inputError{err}
	}
	defer f.Close() //nolint:errcheck // it was only read
	rows, err := csv.NewReader(f).ReadAll()
	if err == nil {
		cells, err = cellsOf(rows)
	}
	if err != nil {
		return nil, inputError{fmt.Errorf("%s: %w", f.Name(), err)}
	}
	m.keep(name, cells)
	return cells, nil
}

func (m *measurements) keep(name string, cells []experiment.Cell) {
	if m.cells == nil {
		m.cells = map[string][]experiment.Cell{}
	}
	m.cells[name] = append(m.cells[name], cells...)
}

// add keeps what was measured.
func (m *measurements) add(name string, cells []experiment.Cell) {
	m.lock.Lock()
	defer m.lock.Unlock()
	m.keep(name, cells)
}

// cellsOf reads the rows of the CSV of an experiment, as measured.csv writes them.
func cellsOf(rows [][]string) (cells []experiment.Cell, err error) {
	for i, row := range rows {
		if i == 0 || len(row) < len(csvHead) { // a CSV has as many fields in each row
			continue
		}
		var x, mean, half, n float64
		for field, to := range map[int]*float64{4: &x, 6: &mean, 7: &half, 8: &n} {
			if *to, err = strconv.ParseFloat(row[field], 64); err != nil {
				return nil, fmt.Errorf("line %d: %w", i+1, err)
			}
		}
		c := experiment.Cell{Reading: row[1], Panel: row[2], Series: row[3], X: x}
		last := len(cells) - 1
		if last < 0 || !cells[last].Same(&c) {
			c.Values = map[string]simulate.Estimate{}
			for name := range simulate.Metrics { // what is not in the file was not known
				c.Values[name] = simulate.Estimate{Mean: math.NaN()}
			}
			cells, last = append(cells, c), last+1
		}
		cells[last].Values[row[5]] = simulate.Estimate{Mean: mean, Half: half, N: int(n)}
	}
	return cells, nil
}

// sentences are the claims of the experiments that there are, by the names of both.
func (a *app) sentences() (map[[2]string]string, error) {
	all, err := a.experiments()
	says := map[[2]string]string{}
	for _, e := range all {
		for _, c := range e.Claims {
			says[[2]string{e.Name, c.Name}] = c.Sentence
		}
	}
	return says, err
}

// measure answers a trial of an experiment: it measures what its sentence needs, and is not known yet.
func (a *app) measure(ctx context.Context, t *papers.Trial, m *measurements) (found answer, err error) {
	begun := time.Now()
	e, err := a.findExperiment(t.Experiment)
	if err != nil {
		return found, err
	}
	only, ok := e.Of(t.Sentence)
	if !ok {
		return found, usage.Errorf("the experiment %s has no claim %q", t.Experiment, t.Sentence)
	}
	known, err := m.of(e.Name)
	if err != nil {
		return found, err
	}
	cells, err := only.Run(ctx, a.spec, known, a.telling(&only, begun))
	if err != nil {
		return found, err
	}
	m.add(e.Name, cells)
	found.Finding, found.elapsed = simulatedFinding(&only.Judge(cells)[0], cells), time.Since(begun)
	return found, nil
}

// simulatedFinding is a verdict with its numbers, a line for each condition in each reading.
func simulatedFinding(v *experiment.Verdict, cells []experiment.Cell) (f papers.Finding) {
	lines := v.Numbers()
	if on := v.On(); on != "" {
		lines = append([]string{on}, lines...)
	}
	f.Verdict, f.Detail = v.Word(), strings.Join(lines, "\n")
	f.Explored = fmt.Sprintf("simulated, %s of each of %s", runsOf(cells), plural(int64(len(cells)), "point"))
	return f
}

// runsOf says how many runs there are of each cell.
func runsOf(cells []experiment.Cell) string {
	least, most := math.MaxInt, 0
	for i := range cells {
		least, most = min(least, cells[i].Runs()), max(most, cells[i].Runs())
	}
	runs := plural(int64(most), "run")
	if most > least {
		runs = fmt.Sprintf("%d to %s", least, runs)
	}
	return runs
}
