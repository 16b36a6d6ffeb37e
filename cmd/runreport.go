package cmd

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/atmostk/atmostk/explore"
	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/traces/cluster"
	"github.com/atmostk/atmostk/traces/logs"
)

// judgement is what is said of the runs of a model.
type judgement struct {
	spec   *model.Spec
	in     model.Instance
	args   *model.Args
	runs   []cluster.Run
	dir    string
	took   time.Duration
	judged []*validation // per run; nil: not validated
	after  time.Duration // that took
}

// judge validates the logs of each run, as validate does if it is told nothing but the
// model: every line has to be explained.
func (j *judgement) judge(ctx context.Context) error {
	begun := time.Now()
	flags := validateFlags{ending: logs.Endings[logs.Auto]}
	declareExplain(pflag.NewFlagSet("", pflag.ContinueOnError), &flags)
	for i := range j.runs {
		log, err := logs.Read(j.runs[i].Logs, logs.Options{Keep: true})
		if err != nil {
			return inputError{err}
		}
		v := &validation{log: log, flags: &flags, spec: j.spec, in: j.in, args: j.args, k: modelK(j.args)}
		v.occupy()
		if err := v.explain(ctx); err != nil {
			return err
		}
		j.judged = append(j.judged, v)
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
	fmt.Fprintf(w, "%s%s\n\n", bold(j.spec.Name), settings(j.args))
	entries, steps, peak := 0, 0, int64(0)
	for i := range j.runs {
		r := &j.runs[i]
		entries, steps = entries+r.Entries, steps+r.Steps
		killed, verdict := "", ""
		if len(r.Killed) > 0 {
			killed = ", killed " + strings.Join(r.Killed, " and ")
		}
		if j.judged != nil {
			verdict = "; " + colourVerdict(j.judged[i].verdict())
		}
		fmt.Fprintf(w, "  run %d: %s entries, %s%s; %s after %.2f s%s\n", i+1, number(int64(r.Entries)), plural(int64(r.Steps), "step"),
			killed, r.End, r.Elapsed.Seconds(), verdict)
		for _, s := range r.States {
			peak = max(peak, peakMemoryOf(s))
		}
	}
	fmt.Fprintln(w)
	if j.points(w) {
		fmt.Fprintln(w)
	}
	fmt.Fprintf(w, "%s entries and %s in %s, %.2f s", number(int64(entries)), plural(int64(steps), "step"), plural(int64(len(j.runs)), "run"), j.took.Seconds())
	if peak > 0 {
		fmt.Fprintf(w, "; peak memory of a process %s", explore.Bytes(peak))
	}
	fmt.Fprintf(w, "\nlogs in %s\n", j.dir)
	if j.judged != nil {
		j.substance(w)
	}
	return w.Flush()
}

// maxDetails is how many lines a point may have here.
const maxDetails = 3

// points says what speaks against the runs that are not accepted, and which properties are
// violated in others. It returns false if there is nothing to say.
func (j *judgement) points(w *bufio.Writer) (said bool) {
	for i, v := range j.judged {
		for _, p := range v.points() {
			if p.level != "error" && p.rule != "property-violated" && p.rule != "assumption-broken" && v.verdict() == accepted {
				continue
			}
			said = true
			fmt.Fprintf(w, "  run %d: %s\n", i+1, p.text)
			for _, d := range p.details[:min(len(p.details), maxDetails)] {
				fmt.Fprintf(w, "         %s\n", d)
			}
			if more := len(p.details) - maxDetails; more > 0 {
				fmt.Fprintf(w, "         and %d more; validate shows all\n", more)
			}
			if p.crowd != nil {
				stayTable(w, p.crowd)
			}
		}
	}
	return said
}

// substance says how much the runs put to the test.
func (j *judgement) substance(w *bufio.Writer) {
	inside, crashes, lines, worst := 0, 0, 0, accepted
	never := map[string]int{}
	for _, v := range j.judged {
		if v.verdict() != accepted && worst != rejected {
			worst = v.verdict()
		}
		if x := v.explanation; x != nil {
			inside, crashes, lines = max(inside, x.Vacuity.Inside), max(crashes, x.Vacuity.Crashes), lines+x.Explained
			for _, action := range x.Vacuity.Never {
				never[action]++
			}
		}
	}
	of := ""
	if k := modelK(j.args); k > 0 {
		of = " of " + plural(int64(k), "unit")
	}
	fmt.Fprintf(w, "validated in %.2f s: %s explained by runs of %s, at most %d%s in use at once, at most %s in a run\n",
		j.after.Seconds(), plural(int64(lines), "line"), j.spec.Name, inside, of, strings.TrimSuffix(plural(int64(crashes), "crashe"), "e"))
	var idle []string
	for _, a := range j.in.Space.Actions() {
		if never[a.Name] == len(j.judged) {
			idle = append(idle, a.Name)
		}
	}
	if len(idle) > 0 {
		fmt.Fprintf(w, "%s\n", maybe("never happened: "+strings.Join(slices.Compact(idle), ", ")))
	}
	fmt.Fprintln(w, colourVerdict(worst))
}

// colourVerdict colours a verdict on a log.
func colourVerdict(verdict string) string {
	return map[string]func(...any) string{accepted: good, rejected: bad, undecided: maybe}[verdict](verdict)
}
