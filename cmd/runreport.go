//go:build !js

package cmd

import (
	"bufio"
	"context"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/atmostk/atmostk/explore"
	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/traces/cluster"
	"github.com/atmostk/atmostk/traces/explain"
	"github.com/atmostk/atmostk/traces/logs"
	"github.com/atmostk/atmostk/traces/printable"
	"github.com/atmostk/atmostk/traces/validate"
)

// judgement is what is said of the runs of a model.
type judgement struct {
	program *Program
	spec    *model.Spec
	in      model.Instance
	args    *model.Args
	runs    []cluster.Run
	dir     string
	removed bool // the directory is temporary and is removed
	took    time.Duration
	judged  []*validation // per run; nil: not validated
	after   time.Duration // that took
}

// judge validates the logs of each run, as validate does if it is told nothing but the
// model: every line has to be explained.
func (j *judgement) judge(ctx context.Context) error {
	begun := time.Now()
	memory, err := memoryLimit("")
	if err != nil {
		return err
	}
	model := &validate.Model{Name: j.spec.Name, Instance: j.in}
	opt := validate.Options{Options: logs.Options{Keep: true}, Timeout: time.Minute,
		Explain: explain.Options{Tail: -1, Repair: 2, Memory: memory},
		Model:   func(logs.Header) (*validate.Model, error) { return model, nil }}
	for i := range j.runs {
		r, err := validate.Run(ctx, j.runs[i].Logs, opt)
		if err != nil {
			return inputError{err}
		}
		j.judged = append(j.judged, &validation{Report: r, program: j.program, flags: &validateFlags{},
			files: j.runs[i].Logs, spec: j.spec, args: j.args})
	}
	j.after = time.Since(begun)
	return nil
}

// code is that of the worst verdict.
func (j *judgement) code() (code int) {
	for _, v := range j.judged {
		switch c := v.code(); {
		case c == exitViolated:
			return c
		case c != exitHolds:
			code = c
		}
	}
	return code
}

func (j *judgement) text(out io.Writer) error {
	w := bufio.NewWriter(out)
	printable.Fprintf(w, "%s%s\n\n", bold(j.spec.Name), settings(j.args))
	entries, steps := 0, 0
	for i := range j.runs {
		r := &j.runs[i]
		entries, steps = entries+r.Entries, steps+r.Steps
		killed, verdict := "", printable.Raw("")
		if len(r.Killed) > 0 {
			killed = ", killed " + strings.Join(r.Killed, " and ")
		}
		if j.judged != nil {
			verdict = "; " + colourVerdict(j.judged[i].Verdict())
		}
		printable.Fprintf(w, "  run %d: %s, %s%s; %s after %.2f s%s\n", i+1, entriesOf(r.Entries),
			plural(int64(r.Steps), "step"),
			killed, r.End, r.Elapsed.Seconds(), verdict)
	}
	printable.Fprintln(w)
	if j.points(w) {
		printable.Fprintln(w)
	}
	printable.Fprintf(w, "%s and %s in %s, %.2f s", entriesOf(entries), plural(int64(steps), "step"),
		plural(int64(len(j.runs)), "run"), j.took.Seconds())
	if peak := j.peak(); peak > 0 {
		printable.Fprintf(w, "; peak memory of a process %s", explore.Bytes(peak))
	}
	kept := "logs in " + j.dir
	if j.removed {
		kept = "logs not kept (--logs)"
	}
	printable.Fprintf(w, "\n%s\n", kept)
	if j.judged != nil {
		j.conclude(w)
	}
	return w.Flush()
}

// html writes the page of the first run that is not accepted, or if all are of the first.
func (j *judgement) html(out io.Writer) error {
	w := bufio.NewWriter(out)
	i := max(0, slices.IndexFunc(j.judged,
		func(v *validation) bool { return v.Verdict() != explain.Accepted }))
	if len(j.judged) == 0 {
		return j.text(out) // it was interrupted before any log was judged
	}
	if err := j.judged[i].html(w); err != nil {
		return err
	}
	return w.Flush()
}

// entriesOf writes a number of entries of the critical section.
func entriesOf(n int) string {
	if n == 1 {
		return "1 entry"
	}
	return number(int64(n)) + " entries"
}

// maxDetails is how many lines a point may have here.
const maxDetails = 3

// points says what speaks against the runs that are not accepted, and which properties are
// violated in others. It returns false if there is nothing to say.
func (j *judgement) points(w *bufio.Writer) (said bool) {
	for i, v := range j.judged {
		for _, p := range v.points() {
			if p.level != "error" && p.rule != "property-violated" && p.rule != "assumption-broken" &&
				v.Verdict() == explain.Accepted {
				continue
			}
			said = true
			printable.Fprintf(w, "  run %d: %s\n", i+1, p.text)
			for _, d := range p.details[:min(len(p.details), maxDetails)] {
				printable.Fprintf(w, "         %s\n", d)
			}
			if more := len(p.details) - maxDetails; more > 0 {
				printable.Fprintf(w, "         and %d more; validate shows all\n", more)
			}
			if p.overlap != nil {
				for _, line := range stayLines(p.overlap) {
					printable.Fprintf(w, "           %s\n", line)
				}
			}
		}
	}
	return said
}

// substance is how much the runs put to the test.
type substance struct {
	inside  int // the most units in use at once
	crashes int // the most in one run
	lines   int // explained
	never   []string
	verdict explain.Verdict // the worst
}

func (j *judgement) substance() (s substance) {
	if j.judged == nil {
		return s
	}
	s.verdict = explain.Accepted
	never := map[string]int{}
	for _, v := range j.judged {
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
	for _, a := range j.in.Space.Actions() {
		if never[a.Name] == len(j.judged) && !slices.Contains(s.never, a.Name) {
			s.never = append(s.never, a.Name)
		}
	}
	return s
}

// conclude writes the substance and the verdict.
func (j *judgement) conclude(w *bufio.Writer) {
	s, of := j.substance(), ""
	if k := j.in.Capacity; k > 0 {
		of = " of " + plural(int64(k), "unit")
	}
	printable.Fprintf(w, "validated in %.2f s: %s explained by runs of %s, at most %d%s in use at once, at "+
		"most %s in a run\n",
		j.after.Seconds(), plural(int64(s.lines), "line"), j.spec.Name, s.inside, of,
		validate.Crashes(s.crashes))
	if len(s.never) > 0 {
		printable.Fprintf(w, "%s\n", maybe("never happened: "+strings.Join(s.never, ", ")))
	}
	printable.Fprintln(w, colourVerdict(s.verdict))
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

// json writes the report for a program.
func (j *judgement) json(out io.Writer) error {
	s := j.substance()
	r := jsonRuns{
		Spec: j.spec.Name, Parameters: map[string]string{}, Seconds: j.took.Seconds(), Inside: s.inside,
		Crashes: s.crashes,
		Lines:   s.lines, Never: append([]string{}, s.never...), Memory: j.peak(), Runs: []jsonRun{},
	}
	for _, kv := range j.args.List() {
		r.Parameters[kv[0]] = kv[1]
	}
	for i, x := range j.runs {
		one := jsonRun{Entries: x.Entries, Steps: x.Steps, Killed: append([]string{}, x.Killed...),
			End: x.End, Seconds: x.Elapsed.Seconds(), Logs: x.Logs}
		if j.removed {
			one.Logs = nil
		}
		if j.judged != nil {
			r.Verdict, one.Verdict = s.verdict, j.judged[i].Verdict()
		}
		r.Runs = append(r.Runs, one)
	}
	return printable.EncodeJSON(out, r, "")
}

// peak is the most memory that a process took; 0 if unknown.
func (j *judgement) peak() (peak int64) {
	for i := range j.runs {
		for _, s := range j.runs[i].States {
			peak = max(peak, peakMemoryOf(s))
		}
	}
	return peak
}

// colourVerdict colours a verdict on a log.
func colourVerdict(verdict explain.Verdict) printable.Raw {
	return map[explain.Verdict]func(string) printable.Raw{explain.Accepted: good, explain.Rejected: bad,
		explain.Undecided: maybe}[verdict](string(verdict))
}
