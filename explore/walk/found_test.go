package walk

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/atmostk/atmostk/docs/claims"
	"github.com/atmostk/atmostk/explore"
	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/specs"
)

// foundPage is the page that TestFound writes.
var foundPage = filepath.Join("..", "..", "docs", "found-by-runs.md")

const (
	foundSeeds = 20
	foundRuns  = 400 // after so many a seed is given up
	foundSteps = 400 // of a run
)

// An errata is an error of a claims page.
type errata struct {
	claim    string // with its paper
	line     string // the instance
	property string
	// steps of the shortest counterexample; 0: nobody knows, the instance is too large to be searched
	least int
}

// tooLarge are errors in instances that no search gets through.
var tooLarge = []errata{
	{"timerfree: the listing without timestamps",
		"timerfree n=16 k=3 f=2 rounds=2 crashes=0 variant=a rp=off", "permissions-exact", 0},
	{"vcube: Lemma 7.3", "vcube-stack n=16 k=3 rounds=1 crashes=0", "fair-order", 0},
}

// erroneous are the errors of the claims pages that a run can show: of each claim the first row of its own
// that is violated, if its property is one of states or steps.
func erroneous(t *testing.T) (all []errata) {
	var seen []*model.Paper
	for i := range specs.All {
		p := specs.All[i].Paper
		if p == nil || slices.Contains(seen, p) {
			continue
		}
		seen = append(seen, p)
		kept := keptRows(t, p)
		for k := range p.Claims {
			c := &p.Claims[k]
			if c.Ruling != model.Erroneous && c.Ruling != model.ErroneousUnder && c.Ruling != model.Slip {
				continue
			}
			for _, trial := range c.Trials {
				line := strings.TrimSpace(trial.Spec + " " + trial.Args)
				steps, violated := kept[line+" --property "+trial.Property]
				if trial.Aside != "" || !trial.Searches() || !violated || !shows(t, line, trial.Property) {
					continue
				}
				all = append(all, errata{p.Name + ": " + c.Name, line, trial.Property, steps})
				break
			}
		}
	}
	return all
}

// keptRows are the rows that are kept as violated, with the steps of the counterexample.
func keptRows(t *testing.T, p *model.Paper) map[string]int {
	t.Helper()
	text, err := claims.Files.ReadFile(p.Name + "-found.ndjson")
	if err != nil {
		t.Fatal(err)
	}
	rows := map[string]int{}
	lines := bufio.NewScanner(bytes.NewReader(text))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var row struct {
			Question, Verdict string
			Steps             int
		}
		if err := json.Unmarshal(lines.Bytes(), &row); err != nil {
			t.Fatal(err)
		}
		if row.Verdict == string(explore.Violated) {
			rows[row.Question] = row.Steps
		}
	}
	return rows
}

// property returns the instance of a line, and the index of a property.
func property(t *testing.T, line, name string) (model.Instance, int) {
	t.Helper()
	words := strings.Fields(line)
	i := slices.IndexFunc(specs.All, func(s model.Spec) bool { return s.Name == words[0] })
	in, _, err := specs.All[i].Follow(words[1:])
	if err != nil {
		t.Fatal(err)
	}
	return in, slices.IndexFunc(in.Space.Properties(), func(p model.PropertyInfo) bool {
		return p.Name == name
	})
}

// shows reports whether a run that ends can show that the property is violated.
func shows(t *testing.T, line, name string) bool {
	in, i := property(t, line, name)
	if in.NewStage == nil {
		return false
	}
	switch in.Space.Properties()[i].Kind {
	case model.Invariant, model.StepInvariant, model.Quiet, model.DeadlockFree:
		return true
	}
	return false
}

// until is how many runs a scheduler needs, the median over the seeds; more than foundRuns if most find
// nothing.
func (e *errata) until(t *testing.T, by Scheduler) int {
	in, i := property(t, e.line, e.property)
	var needed []int
	missed := 0
	for seed := range uint64(foundSeeds) {
		if missed > foundSeeds/2 {
			return foundRuns + 1
		}
		opt := Options{
			Seed: seed, Scheduler: by, Depth: 3, Runs: foundRuns, Steps: foundSteps, NoCoverage: true,
			Properties: []int{i}, Workers: 1,
		}
		r, err := Run(context.Background(), in, opt)
		if err != nil {
			t.Fatal(err)
		}
		n := foundRuns + 1
		if r.Verdict == explore.Violated {
			n = int(r.Properties[0].Run) + 1
		} else {
			missed++
		}
		needed = append(needed, n)
	}
	slices.Sort(needed)
	return (needed[foundSeeds/2-1] + needed[foundSeeds/2]) / 2
}

// row is the row of the page.
func (e *errata) row(t *testing.T) string {
	cells := []string{e.claim, "`" + e.line + "`", e.property, "too large"}
	if e.least > 0 {
		cells[3] = fmt.Sprint(e.least)
	}
	for _, by := range Schedulers {
		n := e.until(t, by)
		if n > foundRuns {
			cells = append(cells, "-")
			continue
		}
		cells = append(cells, fmt.Sprint(n))
	}
	return "| " + strings.Join(cells, " | ") + " |"
}

// TestFound asks how soon random runs find the errors of the claims pages. With ATMOSTK_SWEEP=1 it writes the
// page; without, it asks two of its rows again.
func TestFound(t *testing.T) {
	all := erroneous(t)
	if os.Getenv("ATMOSTK_SWEEP") == "" {
		text, err := os.ReadFile(foundPage)
		if err != nil {
			t.Fatal(err)
		}
		for i := range all {
			if !strings.Contains(string(text), "`"+all[i].line+"` | "+all[i].property+" |") {
				t.Errorf("%s has no row of %s", foundPage, all[i].line)
			}
		}
		if row := all[0].row(t); !strings.Contains(string(text), row) {
			t.Errorf("%s has not the row\n%s", foundPage, row)
		}
		return
	}
	var b strings.Builder
	fmt.Fprintf(&b, "# How soon random runs find the errors\n\n"+
		"<!-- Written by `ATMOSTK_SWEEP=1 go test ./explore/walk -run TestFound -timeout 0`. -->\n\n"+
		"Of each claim that is in error, if one run can show it, the first row of the [claims "+
		"pages](claims/) that does, and how many\n"+
		"runs `simulate` takes until it is found: the median over %d seeds. A dash says that most seeds "+
		"found nothing in %d\n"+
		"runs of at most %d steps. PCT looks for bugs of depth 3. The shortest counterexample is that of "+
		"the search; the\n"+
		"last rows are of instances that no search gets through. The rings' models are not here: their "+
		"links are played by the\n"+
		"plain semantics, which is too slow for so many runs.\n\n"+
		"A violation that was planted among 64 processes (`TestPlantedAmongMany`: who has one permission "+
		"too few enters\n"+
		"Raymond's algorithm) was met after 6,142 steps of the first run, made shorter to 255, of which "+
		"252 are needed, and\n"+
		"[drawn](planted-64.svg).\n\n",
		foundSeeds, foundRuns, foundSteps)
	b.WriteString("| error | instance | property | shortest |")
	for _, by := range Schedulers {
		fmt.Fprintf(&b, " %s |", by)
	}
	b.WriteString("\n|---|---|---|--:|" + strings.Repeat("--:|", len(Schedulers)) + "\n")
	for _, e := range append(all, tooLarge...) {
		row := e.row(t)
		t.Log(row)
		b.WriteString(row + "\n")
	}
	if err := os.WriteFile(foundPage, []byte(b.String()), 0o666); err != nil {
		t.Fatal(err)
	}
}
