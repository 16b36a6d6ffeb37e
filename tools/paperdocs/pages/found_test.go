package pages

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/atmostk/atmostk/explore"
	"github.com/atmostk/atmostk/explore/simulate"
	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/specs"
	"github.com/atmostk/atmostk/tools/paperdocs/paper"
)

// foundPage is the page that TestFound writes, from foundRows: a row in JSON each.
var (
	foundPage = filepath.Join(root, "docs", "found-by-runs.md")
	foundRows = filepath.Join(root, "docs", "found-by-runs.ndjson")
)

const (
	foundSeeds = 20
	foundRuns  = 400 // after so many a seed is given up
	foundSteps = 400 // of a run
)

// An errata is an error of a claims page.
type errata struct {
	Claim    string `json:"claim"` // with its paper
	Line     string `json:"line"`  // the instance
	Property string `json:"property"`
	Least    int    `json:"least,omitempty"` // steps of the shortest counterexample; 0: no search finds it
	// Runs is by scheduler how many runs are needed, the median over the seeds; more than foundRuns: most
	// of them find nothing.
	Runs map[simulate.Scheduler]int `json:"runs"`
}

// tooLarge are errors in instances that no search gets through.
var tooLarge = []errata{
	{
		Claim: "timerfree: the listing without timestamps", Property: "permissions-exact",
		Line: "timerfree n=16 k=3 f=2 rounds=2 crashes=0 variant=a rp=off",
	},
	{Claim: "vcube: Lemma 7.3", Line: "vcube-stack n=16 k=3 rounds=1 crashes=0", Property: "fair-order"},
}

// A beyond is an error that no run shows that ends, and why.
type beyond struct{ claim, why string }

// erroneous are the errors of the claims pages that a run can show: of each claim the first row of its own
// that is violated, if its property is one of states or steps. The others are out of reach.
func erroneous(t *testing.T) (found []errata, out []beyond) {
	for _, name := range []string{"timerfree", "cohorts", "vcube", "ring"} {
		for _, c := range put(t, read(t, name)).Claims {
			if paper.Rows[c.Ruling] != violated {
				continue
			}
			if e, why := c.shownByRun(t); why == "" {
				found = append(found, e)
			} else {
				out = append(out, beyond{c.Paper + ": " + c.Name, why})
			}
		}
	}
	return found, out
}

// shownByRun is the error of a claim, or why no run shows it.
func (c *Claim) shownByRun(t *testing.T) (e errata, why string) {
	why = "it is calculated, not searched"
	for _, row := range c.Rows {
		if row.Aside != "" || !row.Searches() || !row.is(violated) {
			continue
		}
		line := strings.TrimSpace(row.Spec + " " + row.Args)
		in, i := property(t, line, row.Property)
		switch in.Space.Properties()[i].Kind {
		case model.Invariant, model.StepInvariant, model.Quiet, model.DeadlockFree:
			return errata{Claim: c.Paper + ": " + c.Name, Line: line, Property: row.Property,
				Least: row.Kept.Length}, ""
		case model.Liveness:
			why = "its counterexamples are runs without end"
		case model.Reachable:
			why = "that a goal is out of reach is what all runs together show, and none by itself"
		default:
			why = "its property counts messages or steps of an attempt, which runs do not"
		}
	}
	return e, why
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

// until is how many runs a scheduler needs, the median over the seeds; more than foundRuns if most find
// nothing.
func (e *errata) until(t *testing.T, by simulate.Scheduler) int {
	in, i := property(t, e.Line, e.Property)
	var needed []int
	missed := 0
	for seed := range uint64(foundSeeds) {
		if missed > foundSeeds/2 {
			return foundRuns + 1
		}
		opt := simulate.Options{
			Seed: seed, Scheduler: by, Depth: 3, Runs: foundRuns, Steps: foundSteps, NoCoverage: true,
			Properties: []int{i}, Workers: 1,
		}
		r, err := simulate.Run(context.Background(), in, opt)
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

// measure asks all schedulers.
func (e *errata) measure(t *testing.T) {
	e.Runs = map[simulate.Scheduler]int{}
	for _, by := range simulate.Schedulers {
		e.Runs[by] = e.until(t, by)
	}
}

// row is the row of the page.
func (e *errata) row() string {
	cells := []string{e.Claim, "`" + e.Line + "`", e.Property, "too large"}
	if e.Least > 0 {
		cells[3] = fmt.Sprint(e.Least)
	}
	for _, by := range simulate.Schedulers {
		if n := e.Runs[by]; n > foundRuns {
			cells = append(cells, "-")
		} else {
			cells = append(cells, fmt.Sprint(n))
		}
	}
	return "| " + strings.Join(cells, " | ") + " |"
}

// same reports whether two rows are of one question.
func (e *errata) same(d *errata) bool {
	return e.Claim == d.Claim && e.Line == d.Line && e.Property == d.Property && e.Least == d.Least
}

// measured are the rows that are kept.
func measured(t *testing.T) (rows []errata) {
	text, err := os.ReadFile(foundRows)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	d := json.NewDecoder(bytes.NewReader(text))
	for d.More() {
		var e errata
		if err := d.Decode(&e); err != nil {
			t.Fatal(err)
		}
		rows = append(rows, e)
	}
	return rows
}

// TestFound asks how soon random runs find the errors of the claims pages. With ATMOSTK_SWEEP=1 it
// measures the rows that are not kept yet, keeps each as soon as it is known, and writes the page: it may
// be ended and called again. Without, it holds the page against what is kept, and asks one row again.
func TestFound(t *testing.T) {
	found, out := erroneous(t)
	found = append(found, tooLarge...)
	kept := measured(t)
	for i := range found {
		e := &found[i]
		switch k := slices.IndexFunc(kept, func(d errata) bool { return d.same(e) }); {
		case k >= 0:
			e.Runs = kept[k].Runs
		case !sweep:
			t.Errorf("%s has no row of %s, %s", foundRows, e.Claim, e.Line)
		default:
			e.measure(t)
			keepErrata(t, e)
		}
	}
	text := pageOf(found, out)
	if sweep {
		if err := os.WriteFile(foundPage, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	if old, err := os.ReadFile(foundPage); err != nil || string(old) != text {
		t.Errorf("%s is not what %s makes of it (%v)", foundPage, foundRows, err)
	}
	again := found[0]
	if again.measure(t); !maps.Equal(again.Runs, found[0].Runs) {
		t.Errorf("%s needs %v runs, not %v as is kept", again.Line, again.Runs, found[0].Runs)
	}
}

// keepErrata adds a row to those that are kept.
func keepErrata(t *testing.T, e *errata) {
	line, err := json.Marshal(e)
	if err != nil {
		t.Fatal(err)
	}
	f, err := os.OpenFile(foundRows, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	if err == nil {
		_, err = f.Write(append(line, '\n'))
		err = errors.Join(err, f.Close())
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Log(e.row())
}

// pageOf is the page.
func pageOf(found []errata, out []beyond) string {
	var b strings.Builder
	fmt.Fprintf(&b, `# How soon random runs find the errors

<!-- Written by "ATMOSTK_SWEEP=1 go test ./pages -run TestFound -timeout 0" in tools/paperdocs from found-by-runs.ndjson,
to which it adds the rows that are missing: who deletes one has it measured anew. -->

Of each claim that is in error, if a run that ends can show it, the first row of the [claims pages](claims/)
that does, and how many runs `+"`simulate`"+` takes until it is found: the median over %d seeds. A dash says
that most seeds found nothing in %d runs of at most %d steps. PCT looks for bugs of depth 3. The shortest
counterexample is that of the search; the last rows are of instances that are too large for it: after two and a
half minutes of a busy machine a search of the first of them had met 2.7 million states, in its sixth level, and
one of the second 5 million, without an answer.

A violation that was planted among 64 processes (`+"`TestPlantedAmongMany`"+`: who has one permission too few
enters Raymond's algorithm) was met after 6,142 steps of the first run, made shorter to 255, of which 252 are
needed, and [drawn](planted-64.svg).

`, foundSeeds, foundRuns, foundSteps)
	b.WriteString("| error | instance | property | shortest |")
	for _, by := range simulate.Schedulers {
		fmt.Fprintf(&b, " %s |", by)
	}
	b.WriteString("\n|---|---|---|--:|" + strings.Repeat("--:|", len(simulate.Schedulers)) + "\n")
	for i := range found {
		b.WriteString(found[i].row() + "\n")
	}
	b.WriteString("\n## Out of reach\n\nNo run that ends shows the errors of these claims:\n\n" +
		"| error | why |\n|---|---|\n")
	for _, x := range out {
		fmt.Fprintf(&b, "| %s | %s |\n", x.claim, x.why)
	}
	return b.String()
}
