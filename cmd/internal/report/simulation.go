//go:build !js

package report

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/atmostk/atmostk/cmd/internal/models"
	"github.com/atmostk/atmostk/cmd/internal/term"
	"github.com/atmostk/atmostk/explore"
	"github.com/atmostk/atmostk/explore/simulate"
	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/traces"
	"github.com/atmostk/atmostk/traces/printable"
)

// A Simulation is the result of random runs of a model.
type Simulation struct {
	*models.Subject
	*simulate.Report
	Options simulate.Options
	Shown   []*traces.Run // per property; nil: no run shows it
	Kept    string        // the file of the kept run, as replay names it; "": none
	Width   int           // columns of the terminal
}

// Text writes the report for a person, in the order of a report of check: violations first, with their runs.
func (s *Simulation) Text(out io.Writer) error {
	w := bufio.NewWriter(out)
	first := violations(w, s.Subject, s.Shown, s.Width)
	if first == nil {
		heading(w, s.Subject, s.Width)
		line(w, "")
		s.verdicts(w)
	} else {
		next(w, s.Program.Name, cmp.Or(first.File, s.Kept))
	}
	if s.Mistake != nil {
		writeError(w, s.Mistake)
		line(w, "  %s", term.Faint(fmt.Sprintf("after %s of run %d",
			printable.Plural(s.MistakeAt, "step"), s.MistakeRun)))
	}
	line(w, "")
	s.figures(w)
	if first != nil {
		line(w, "")
		s.verdicts(w)
	}
	line(w, "%s", term.Verdict(s.Verdict, string(s.Verdict)))
	return w.Flush()
}

func (s *Simulation) verdicts(w io.Writer) {
	var rows []row
	for i := range s.Properties {
		p := &s.Properties[i]
		r := row{Verdict: verdictOf(p.Verdict), Name: p.Name, Text: printable.Raw(printable.Text(p.Doc))}
		if found := s.found(p, s.Shown[i]); found != "" {
			r.Lines = append(r.Lines, term.Faint(found))
		}
		rows = append(rows, r)
	}
	for _, p := range s.Unasked {
		why := "simulated runs give no bound on the costs of others; see check --costs"
		if p.Kind == model.Liveness {
			why = "a run that ends says nothing of what comes later; --within N judges how long it takes"
		}
		rows = append(rows, notAsked(p.Name, why))
	}
	writeRows(w, rows, s.Width)
}

// found describes the run that shows a property; "": no run.
func (s *Simulation) found(p *simulate.Result, run *traces.Run) string {
	if p.Run < 0 {
		return ""
	}
	text := fmt.Sprintf("run %d, after %s", p.Run, printable.Plural(p.Length, "step"))
	switch {
	case p.Late:
		text += fmt.Sprintf(", in which it was not fulfilled for more than %d in a row", s.Options.Within)
	case p.Kind == model.Reachable:
		text += " gets there"
	case run != nil && len(run.Taken) < p.Length:
		text += fmt.Sprintf(", made shorter: %d", len(run.Taken))
	}
	if s.Options.KeepGoing {
		text += fmt.Sprintf("; %s of %s", printable.Plural(p.Runs, "run"), printable.Number(s.Runs))
	}
	return text
}

// figures writes the statistics. Times are in the last line but one.
func (s *Simulation) figures(w io.Writer) {
	s.wrapped(w, "%s with seed %d, %s, the longest of %s; scheduler %s", printable.Plural(s.Runs, "run"),
		s.Options.Seed, printable.Plural(s.Steps, "step"), printable.Number(s.Longest), s.Options.Scheduler)
	var ends []string
	for end, what := range []string{"came to an end", "left the bounds or the constraint",
		"were cut off by --steps", "stopped at what they found"} {
		if n := s.Ends[end]; n > 0 {
			ends = append(ends, printable.Number(n)+" "+what)
		}
	}
	if s.Stopped != "" {
		ends = append(ends, s.Stopped)
	}
	s.wrapped(w, "%s", strings.Join(ends, ", "))
	if p := s.guarantee(); p > 0 {
		s.wrapped(w, "a bug of depth %d that takes no choice inside a thread is found by a run with a "+
			"probability of %.2g or more: of %d threads, and --steps %d",
			s.Options.Depth, p, s.Threads, s.Options.Steps)
	}
	if c := s.Coverage; c != nil {
		s.wrapped(w, "%s seen, %s of them in one run only; %s; %s of %d actions seen to be concurrent",
			printable.Plural(c.States, "state"), printable.Number(c.Once),
			printable.Plural(c.Locals, "local state"), printable.Plural(c.Pairs, "pair"), len(s.Actions))
		s.wrapped(w,
			"%s by the last %s; the next one should see %.3g more (Good-Turing), and there should be %s or "+
				"more (Chao)", printable.Plural(c.Last, "new state"), printable.Plural(c.LastRuns, "run"),
			c.Next(s.Runs), printable.Number(int64(math.Ceil(c.Least(s.Runs)))))
	}
	writeFired(w, &explore.Report{Actions: s.Actions, Fired: s.Fired}, "never happened")
	seconds := s.Elapsed.Seconds()
	line(w, "%s", term.Faint(fmt.Sprintf("%.2f s, %s steps/s", seconds,
		printable.Number(int64(float64(s.Steps)/max(seconds, 1e-6))))))
}

// wrapped writes a text in lines of the width of the report.
func (s *Simulation) wrapped(w io.Writer, format string, a ...any) {
	folded(w, s.Width, "", "", fmt.Sprintf(format, a...), nil)
}

// guarantee is the probability that a run finds a bug of the depth asked for, by PCT; 0: other schedulers.
func (s *Simulation) guarantee() float64 {
	if s.Options.Scheduler != simulate.PCT || s.Threads == 0 {
		return 0
	}
	return 1 / (float64(s.Threads) * math.Pow(float64(s.Options.Steps), float64(s.Options.Depth-1)))
}

// JSON writes the report for a program, in the form of simulate.schema.json. Fields may be added; these stay.
func (s *Simulation) JSON(out io.Writer) error {
	var coverage object
	var fault *mistake
	if c := s.Coverage; c != nil {
		coverage = object{{"states", c.States}, {"once", c.Once}, {"twice", c.Twice},
			{"local-states", c.Locals}, {"concurrent-pairs", c.Pairs}, {"new-in-last-runs", c.Last},
			{"last-runs", c.LastRuns},
			{"expected-in-next-run", c.Next(s.Runs)}, {"states-at-least", c.Least(s.Runs)}}
	}
	if s.Mistake != nil {
		fault = &mistake{s.Mistake.Part, traces.NewMistake(s.Mistake), &s.MistakeAt, ""}
	}
	properties := make([]object, len(s.Properties))
	for i := range s.Properties {
		properties[i] = simulated(&s.Properties[i], s.Shown[i])
	}
	return printable.EncodeJSON(out, object{
		{"spec", s.Spec.Name}, {"parameters", s.Parameters()}, {"verdict", s.Verdict}, {"complete", false},
		{"stopped?", s.Stopped}, {"scheduler", s.Options.Scheduler}, {"seed", s.Options.Seed},
		{"first-run", s.Options.First}, {"runs", s.Runs}, {"steps", s.Steps}, {"longest", s.Longest},
		{"ended", s.Ends[simulate.Ended]}, {"cut", s.Ends[simulate.Cut]},
		{"too-long", s.Ends[simulate.TooLong]}, {"guarantee?", s.guarantee()}, {"threads?", s.Threads},
		{"seconds", s.Elapsed.Seconds()}, {"coverage?", coverage}, {"properties", properties},
		{"not-asked?", printable.Each(s.Unasked, func(p *model.PropertyInfo) string { return p.Name })},
		{"actions", fired(s.Actions, s.Fired)}, {"model-error?", fault},
	}, "")
}

// simulated returns the result of a property for JSON: its run, the steps of that run up to the violation or
// goal, and the length of the run that is shown.
func simulated(p *simulate.Result, shown *traces.Run) object {
	var run *int64
	var length *int
	steps := 0
	if p.Run >= 0 {
		run, steps = &p.Run, p.Length
	}
	if shown != nil {
		length = new(len(shown.Taken))
	}
	return object{{"name", p.Name}, {"verdict", p.Verdict}, {"run?", run}, {"steps?", steps},
		{"length?", length}, {"late?", p.Late}, {"runs", p.Runs}, {"trace?", written(shown)}}
}
