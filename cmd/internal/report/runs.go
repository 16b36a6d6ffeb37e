//go:build !js

package report

import (
	"bufio"
	"cmp"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/atmostk/atmostk/cmd/internal/models"
	"github.com/atmostk/atmostk/cmd/internal/term"
	"github.com/atmostk/atmostk/explore"
	"github.com/atmostk/atmostk/traces/cluster"
	"github.com/atmostk/atmostk/traces/explain"
	"github.com/atmostk/atmostk/traces/printable"
)

// Runs are runs of real processes, with the judgements of their logs.
type Runs struct {
	*models.Subject
	Runs    []cluster.Run
	Dir     string // of the logs
	Removed bool   // the directory is temporary and is removed
	Took    time.Duration
	Judged  []*Log        // per run; nil: not validated
	After   time.Duration // time of the judgement
}

// Text writes the report for a person.
func (j *Runs) Text(out io.Writer) error {
	w := bufio.NewWriter(out)
	heading(w, j.Subject, 0)
	line(w, "")
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
		line(w, "  run %d: %s, %s%s; %s after %.2f s%s", i+1, printable.Plural(r.Entries, "entry"),
			printable.Plural(r.Steps, "step"), killed, cmp.Or(r.End, "an error"), r.Elapsed.Seconds(),
			verdict)
	}
	line(w, "")
	j.findings(w)
	peak, kept := "", "logs in "+j.Dir
	if bytes := j.peak(); bytes > 0 {
		peak = "; peak memory of a process " + explore.Bytes(bytes)
	}
	if j.Removed {
		kept = "logs not kept (--logs)"
	}
	line(w, "%s and %s in %s, %.2f s%s", printable.Plural(entries, "entry"), printable.Plural(steps, "step"),
		printable.Plural(len(j.Runs), "run"), j.Took.Seconds(), peak)
	line(w, "%s", kept)
	if j.Judged != nil {
		s, of := j.coverage(), ""
		if j.Capacity > 0 {
			of = " of " + printable.Plural(j.Capacity, "unit")
		}
		line(w, "validated in %.2f s: %s explained by runs of %s, at most %d%s in use at once, at most %s "+
			"in a run", j.After.Seconds(), printable.Plural(s.Lines, "line"), j.Spec.Name, s.Inside, of,
			printable.Plural(s.Crashes, "crash"))
		if len(s.Never) > 0 {
			line(w, "%s", term.Maybe("never happened: "+strings.Join(s.Never, ", ")))
		}
		line(w, "%s", term.Verdict(s.Verdict, string(s.Verdict)))
	}
	return w.Flush()
}

// findings writes all findings about rejected and undecided runs, and about accepted runs the violated
// properties and assumptions.
func (j *Runs) findings(w io.Writer) {
	for i, v := range j.Judged {
		d := Doc{Findings: slices.DeleteFunc(findingsOf(v.Findings()), func(f Finding) bool {
			return v.Verdict() == explain.Accepted && f.Rule != "property-violated" &&
				f.Rule != "assumption-broken"
		})}
		if len(d.Findings) > 0 {
			line(w, "  run %d:", i+1)
			d.writeFindings(w)
		}
	}
}

// coverage is the part of the model that the runs have tested.
type coverage struct {
	Verdict explain.Verdict // the worst; "": not validated
	Inside  int             // the most units in use at once
	Crashes int             // the most in one run
	Lines   int             // explained
	Never   []string        // actions
}

// coverage returns the coverage of all runs, with their worst verdict.
func (j *Runs) coverage() coverage {
	s := coverage{Never: []string{}}
	if j.Judged == nil {
		return s
	}
	s.Verdict = explain.Accepted
	never := map[string]int{}
	for _, v := range j.Judged {
		if v.Verdict() != explain.Accepted && s.Verdict != explain.Rejected {
			s.Verdict = v.Verdict()
		}
		if x := v.Explanation; x != nil {
			s.Inside, s.Crashes = max(s.Inside, x.Vacuity.Inside), max(s.Crashes, x.Vacuity.Crashes)
			s.Lines += x.Explained
			for _, action := range x.Vacuity.Never {
				never[action]++
			}
		}
	}
	for _, a := range j.Space.Actions() {
		if never[a.Name] == len(j.Judged) && !slices.Contains(s.Never, a.Name) {
			s.Never = append(s.Never, a.Name)
		}
	}
	return s
}

// JSON writes the report for a program.
func (j *Runs) JSON(out io.Writer) error {
	runs := make([]object, len(j.Runs))
	for i, x := range j.Runs {
		verdict, kept := explain.Verdict(""), x.Logs
		if j.Removed {
			kept = nil
		}
		if j.Judged != nil {
			verdict = j.Judged[i].Verdict()
		}
		runs[i] = object{{"verdict?", verdict}, {"entries", x.Entries}, {"steps", x.Steps},
			{"killed", list(x.Killed)}, {"end", x.End}, {"seconds", x.Elapsed.Seconds()}, {"logs?", kept}}
	}
	s := j.coverage()
	return printable.EncodeJSON(out, object{
		{"spec", j.Spec.Name}, {"parameters", j.Parameters()}, {"verdict?", s.Verdict},
		{"seconds", j.Took.Seconds()}, {"inside", s.Inside}, {"crashes", s.Crashes}, {"lines", s.Lines},
		{"never", s.Never}, {"memory", j.peak()}, {"runs", runs},
	}, "")
}

// Verdict is the worst verdict of the runs; "": none was judged.
func (j *Runs) Verdict() explain.Verdict { return j.coverage().Verdict }

// peak is the largest memory of a process, in bytes; 0 if unknown.
func (j *Runs) peak() (peak int64) {
	for i := range j.Runs {
		for _, s := range j.Runs[i].States {
			peak = max(peak, term.PeakOf(s))
		}
	}
	return peak
}
