//go:build !js

package report

import (
	"bufio"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/atmostk/atmostk/cmd/internal/term"
	"github.com/atmostk/atmostk/explore"
	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/traces/cluster"
	"github.com/atmostk/atmostk/traces/explain"
	"github.com/atmostk/atmostk/traces/printable"
)

// A Runs is what real processes did, and the judgement of their logs.
type Runs struct {
	Spec    *model.Spec
	In      model.Instance
	Args    *model.Args
	Runs    []cluster.Run
	Dir     string // of the logs
	Removed bool   // the directory is temporary and is removed
	Took    time.Duration
	Judged  []*Log        // per run; nil: not validated
	After   time.Duration // that took
}

// Text writes the report for a person.
func (j *Runs) Text(out io.Writer) error {
	w := bufio.NewWriter(out)
	printable.Fprintf(w, "%s%s\n\n", term.Bold(j.Spec.Name), Settings(j.Args))
	entries, steps := 0, 0
	for i := range j.Runs {
		r := &j.Runs[i]
		entries, steps = entries+r.Entries, steps+r.Steps
		killed, verdict := "", printable.Raw("")
		if len(r.Killed) > 0 {
			killed = ", killed " + strings.Join(r.Killed, " and ")
		}
		if j.Judged != nil {
			verdict = "; " + term.Verdict(j.Judged[i].Verdict(), string(j.Judged[i].Verdict()))
		}
		printable.Fprintf(w, "  run %d: %s, %s%s; %s after %.2f s%s\n", i+1, printable.Plural(r.Entries,
			"entry"),
			printable.Plural(r.Steps, "step"),
			killed, r.End, r.Elapsed.Seconds(), verdict)
	}
	printable.Fprintln(w)
	if j.findings(w) {
		printable.Fprintln(w)
	}
	printable.Fprintf(w, "%s and %s in %s, %.2f s", printable.Plural(entries, "entry"),
		printable.Plural(steps, "step"),
		printable.Plural(len(j.Runs), "run"), j.Took.Seconds())
	if peak := j.peak(); peak > 0 {
		printable.Fprintf(w, "; peak memory of a process %s", explore.Bytes(peak))
	}
	kept := "logs in " + j.Dir
	if j.Removed {
		kept = "logs not kept (--logs)"
	}
	printable.Fprintf(w, "\n%s\n", kept)
	if j.Judged != nil {
		j.conclude(w)
	}
	return w.Flush()
}

// HTML writes the page of the first run that is not accepted, or if all are of the first.
func (j *Runs) HTML(out io.Writer) error {
	if len(j.Judged) == 0 {
		return j.Text(out) // it was interrupted before any log was judged
	}
	i := slices.IndexFunc(j.Judged, func(v *Log) bool { return v.Verdict() != explain.Accepted })
	return j.Judged[max(0, i)].HTML(out)
}

// mostDetails is how many lines a finding may have here.
const mostDetails = 3

// findings writes what speaks against the runs that are not accepted, and which properties are violated in
// others. It returns false if there is nothing.
func (j *Runs) findings(w io.Writer) (any bool) {
	for i, v := range j.Judged {
		for _, f := range findingsOf(v.Findings()) {
			if f.Level != levelError && f.Rule != "property-violated" && f.Rule != "assumption-broken" &&
				v.Verdict() == explain.Accepted {
				continue
			}
			any = true
			printable.Fprintf(w, "  run %d: %s\n", i+1, f.Text)
			for _, d := range f.Details[:min(len(f.Details), mostDetails)] {
				printable.Fprintf(w, "         %s\n", d)
			}
			if more := len(f.Details) - mostDetails; more > 0 {
				printable.Fprintf(w, "         and %d more; validate shows all\n", more)
			}
			for _, line := range f.Holdings {
				printable.Fprintf(w, "           %s\n", line)
			}
		}
	}
	return any
}

// coverage is how much the runs put to the test.
type coverage struct {
	inside  int // the most units in use at once
	crashes int // the most in one run
	lines   int // explained
	never   []string
	verdict explain.Verdict // the worst
}

// coverage returns it, with the worst verdict.
func (j *Runs) coverage() (s coverage) {
	if j.Judged == nil {
		return s
	}
	s.verdict = explain.Accepted
	never := map[string]int{}
	for _, v := range j.Judged {
		if v.Verdict() != explain.Accepted && s.verdict != explain.Rejected {
			s.verdict = v.Verdict()
		}
		if x := v.Explanation; x != nil {
			s.inside, s.crashes, s.lines = max(s.inside, x.Vacuity.Inside), max(s.crashes, x.Vacuity.Crashes),
				s.lines+x.Explained
			for _, action := range x.Vacuity.Never {
				never[action]++
			}
		}
	}
	for _, a := range j.In.Space.Actions() {
		if never[a.Name] == len(j.Judged) && !slices.Contains(s.never, a.Name) {
			s.never = append(s.never, a.Name)
		}
	}
	return s
}

// conclude writes the coverage and the verdict.
func (j *Runs) conclude(w *bufio.Writer) {
	s, of := j.coverage(), ""
	if k := j.In.Capacity; k > 0 {
		of = " of " + printable.Plural(k, "unit")
	}
	printable.Fprintf(w, "validated in %.2f s: %s explained by runs of %s, at most %d%s in use at once, at "+
		"most %s in a run\n",
		j.After.Seconds(), printable.Plural(s.lines, "line"), j.Spec.Name, s.inside, of,
		printable.Plural(s.crashes, "crash"))
	if len(s.never) > 0 {
		printable.Fprintf(w, "%s\n", term.Maybe("never happened: "+strings.Join(s.never, ", ")))
	}
	printable.Fprintln(w, term.Verdict(s.verdict, string(s.verdict)))
}

// jsonRuns is the report in JSON.
type jsonRuns struct {
	Spec       string            `json:"spec"`
	Parameters map[string]string `json:"parameters"`
	Verdict    explain.Verdict   `json:"verdict,omitempty"` // "": not validated
	Seconds    float64           `json:"seconds"`
	Inside     int               `json:"inside"`
	Crashes    int               `json:"crashes"`
	Lines      int               `json:"lines"`
	Never      []string          `json:"never"`
	Memory     int64             `json:"memory"`
	Runs       []jsonRun         `json:"runs"`
}

type jsonRun struct {
	Verdict explain.Verdict `json:"verdict,omitempty"`
	Entries int             `json:"entries"`
	Steps   int             `json:"steps"`
	Killed  []string        `json:"killed"`
	End     cluster.End     `json:"end"`
	Seconds float64         `json:"seconds"`
	Logs    []string        `json:"logs,omitempty"` // missing: they are not kept
}

// JSON writes the report for a program.
func (j *Runs) JSON(out io.Writer) error {
	s := j.coverage()
	r := jsonRuns{
		Spec: j.Spec.Name, Parameters: parameters(j.Args), Seconds: j.Took.Seconds(), Inside: s.inside,
		Crashes: s.crashes,
		Lines:   s.lines, Never: append([]string{}, s.never...), Memory: j.peak(), Runs: []jsonRun{},
	}
	for i, x := range j.Runs {
		one := jsonRun{Entries: x.Entries, Steps: x.Steps, Killed: append([]string{}, x.Killed...),
			End: x.End, Seconds: x.Elapsed.Seconds(), Logs: x.Logs}
		if j.Removed {
			one.Logs = nil
		}
		if j.Judged != nil {
			r.Verdict, one.Verdict = s.verdict, j.Judged[i].Verdict()
		}
		r.Runs = append(r.Runs, one)
	}
	return printable.EncodeJSON(out, r, "")
}

// Verdict is the worst; "": nothing was judged.
func (j *Runs) Verdict() explain.Verdict { return j.coverage().verdict }

// peak is the most memory that a process took; 0 if unknown.
func (j *Runs) peak() (peak int64) {
	for i := range j.Runs {
		for _, s := range j.Runs[i].States {
			peak = max(peak, term.PeakOf(s))
		}
	}
	return peak
}
