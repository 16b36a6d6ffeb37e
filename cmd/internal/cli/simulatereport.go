//go:build !js

package cli

import (
	"github.com/atmostk/atmostk/cmd/internal/report"
	"github.com/atmostk/atmostk/cmd/internal/term"

	"bufio"
	"fmt"
	"io"
	"math"
	"strings"
	"text/tabwriter"

	"github.com/atmostk/atmostk/explore"
	"github.com/atmostk/atmostk/explore/simulate"
	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/traces"
	"github.com/atmostk/atmostk/traces/printable"
)

// text writes the report for a person.
func (s *simulated) text(out io.Writer) error {
	w := bufio.NewWriter(out)
	printable.Fprintf(w, "%s%s\n\n", term.Bold(s.spec.Name), report.Settings(s.args))
	s.verdicts(w)
	if s.Mistake != nil {
		report.WriteError(w, s.Mistake)
		printable.Fprintf(w, "  %s\n", term.Faint(fmt.Sprintf("after %s of run %d",
			printable.Plural(int64(s.MistakeAt),
				"step"), s.MistakeRun)))
	}
	for i, run := range s.runs {
		if run == nil {
			continue
		}
		printable.Fprintln(w)
		if err := traces.Render(w, "text", run, traces.Options{}); err != nil {
			return err
		}
		if s.files[i] != "" {
			printable.Fprintf(w, "written to %s\n", s.files[i])
		}
	}
	printable.Fprintln(w)
	s.figures(w)
	return w.Flush()
}

func (s *simulated) verdicts(w io.Writer) {
	width := 0
	for _, p := range s.Properties {
		width = max(width, len(p.Name))
	}
	for _, p := range s.Unasked {
		width = max(width, len(p.Name)+1)
	}
	for i := range s.Properties {
		p := &s.Properties[i]
		printable.Fprintf(w, "  %s  %-*s  %s\n",
			term.Verdict(p.Verdict, fmt.Sprintf("%-8s", p.Verdict)), width,
			p.Name, p.Doc)
		if found := s.found(p, s.runs[i]); found != "" {
			printable.Fprintf(w, "  %-8s  %-*s  %s\n", "", width, "", term.Faint(found))
		}
	}
	for _, p := range s.Unasked {
		why := "runs do not say what others cost at most; see check --costs"
		if p.Kind == model.Liveness {
			why = "a run that ends says nothing of what comes later; --within N judges how long it takes"
		}
		printable.Fprintf(w, "  %s %-*s  %s\n", term.Faint("not asked"), width, p.Name+":", why)
	}
}

// found says what there is to know of a property besides its verdict.
func (s *simulated) found(p *simulate.Result, run *traces.Run) string {
	if p.Run < 0 {
		return ""
	}
	text := fmt.Sprintf("run %d, after %s", p.Run, printable.Plural(int64(p.Length), "step"))
	switch {
	case p.Late:
		text += fmt.Sprintf(", in which it was not fulfilled for more than %d in a row", s.flags.Within)
	case p.Kind == model.Reachable:
		text += " gets there"
	case run != nil && len(run.Taken) < p.Length:
		text += fmt.Sprintf(", made shorter: %d", len(run.Taken))
	}
	if s.flags.KeepGoing {
		text += fmt.Sprintf("; %s of %s", printable.Plural(p.Runs, "run"), printable.Number(s.Runs))
	}
	return text
}

// figures writes the statistics. What differs from one time to another is in the last line but one.
func (s *simulated) figures(w io.Writer) {
	printable.Fprintf(w, "%s with seed %d, %s, the longest of %s; scheduler %s\n",
		printable.Plural(s.Runs, "run"),
		s.flags.Seed,
		printable.Plural(s.Steps, "step"), printable.Number(int64(s.Longest)), s.flags.Scheduler)
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
	printable.Fprintln(w, strings.Join(ends, ", "))
	if g := s.guarantee(); g != "" {
		printable.Fprintln(w, g)
	}
	s.covered(w)
	tw := tabwriter.NewWriter(w, 0, 0, 1, ' ', tabwriter.AlignRight)
	var never []string
	for i, a := range s.Actions {
		printable.Fprintf(tw, "  %s\t  %s\t\n", printable.Number(s.Fired[i]), a.Name)
		if s.Fired[i] == 0 {
			never = append(never, a.Name)
		}
	}
	if flushed := tw.Flush(); len(never) > 0 && flushed == nil {
		printable.Fprintf(w, "%s\n", term.Maybe("never happened: "+strings.Join(never, ", ")))
	}
	printable.Fprintf(w, "%s\n", term.Faint(fmt.Sprintf("%.2f s, %s steps/s", s.Elapsed.Seconds(),
		printable.Number(s.speed()))))
	printable.Fprintf(w, "%s\n", term.Verdict(s.Verdict, string(s.Verdict)))
}

// speed is in steps per second.
func (s *simulated) speed() int64 { return int64(float64(s.Steps) / max(s.Elapsed.Seconds(), 1e-6)) }

// covered writes how much of the model was seen.
func (s *simulated) covered(w io.Writer) {
	c := s.Coverage
	if c == nil {
		return
	}
	printable.Fprintf(w, "%s seen, %s of them in one run only; %s; %s of %d actions seen to be concurrent\n",
		printable.Plural(c.States, "state"), printable.Number(c.Once),
		printable.Plural(c.Locals, "local state"), printable.Plural(int64(c.Pairs),
			"pair"), len(s.Actions))
	printable.Fprintf(w, "%s by the last %s; the next one should see %.3g more (Good-Turing), and there "+
		"should be %s or more (Chao)\n",
		printable.Plural(c.Last, "new state"), printable.Plural(c.LastRuns, "run"), c.Next(s.Runs),
		printable.Number(int64(math.Ceil(c.Least(s.Runs)))))
}

// probability is what PCT guarantees of each run; 0 under other schedulers.
func (s *simulated) probability() float64 {
	if s.flags.Scheduler != simulate.PCT || s.Threads == 0 {
		return 0
	}
	return 1 / (float64(s.Threads) * math.Pow(float64(s.flags.Steps), float64(s.flags.Depth-1)))
}

// guarantee says so in words.
func (s *simulated) guarantee() string {
	p := s.probability()
	if p == 0 {
		return ""
	}
	return fmt.Sprintf("a bug of depth %d is found by a run with a probability of %.2g or more: of %d "+
		"threads, and --steps %d",
		s.flags.Depth, p, s.Threads, s.flags.Steps)
}

// jsonSimulation is the report in JSON. Fields may be added; these stay.
type jsonSimulation struct {
	Spec       string             `json:"spec"`
	Parameters map[string]string  `json:"parameters"`
	Verdict    explore.Verdict    `json:"verdict"`
	Complete   bool               `json:"complete"` // never
	Stopped    string             `json:"stopped,omitempty"`
	Scheduler  simulate.Scheduler `json:"scheduler"`
	Seed       uint64             `json:"seed"`
	First      int64              `json:"first-run"`
	Runs       int64              `json:"runs"`
	Steps      int64              `json:"steps"`
	Longest    int                `json:"longest"`
	Ended      int64              `json:"ended"`
	Cut        int64              `json:"cut"`
	TooLong    int64              `json:"too-long"`
	Guarantee  float64            `json:"guarantee,omitempty"`
	Threads    int                `json:"threads,omitempty"`
	Seconds    float64            `json:"seconds"`
	Coverage   *jsonCoverage      `json:"coverage,omitempty"`
	Properties []jsonWalked       `json:"properties"`
	NotAsked   []string           `json:"not-asked,omitempty"`
	Actions    []report.Action    `json:"actions"`
	Mistake    *report.Mistake    `json:"model-error,omitempty"`
}

type jsonCoverage struct {
	States   int64   `json:"states"`
	Once     int64   `json:"once"`
	Twice    int64   `json:"twice"`
	Locals   int64   `json:"local-states"`
	Pairs    int     `json:"concurrent-pairs"`
	Last     int64   `json:"new-in-last-runs"`
	LastRuns int64   `json:"last-runs"`
	Next     float64 `json:"expected-in-next-run"`
	Least    float64 `json:"states-at-least"`
}

type jsonWalked struct {
	Name    string          `json:"name"`
	Verdict explore.Verdict `json:"verdict"`
	Run     *int64          `json:"run,omitempty"`
	Steps   int             `json:"steps,omitempty"`  // of that run, up to where it shows
	Length  *int            `json:"length,omitempty"` // of the run that is shown
	Late    bool            `json:"late,omitempty"`
	Runs    int64           `json:"runs"`
	Trace   string          `json:"trace,omitempty"`
}

// json writes the report for a program.
func (s *simulated) json(out io.Writer) error {
	j := jsonSimulation{
		Spec: s.spec.Name, Parameters: map[string]string{}, Verdict: s.Verdict, Stopped: s.Stopped,
		Scheduler: s.flags.Scheduler, Seed: s.flags.Seed, First: s.flags.First, Runs: s.Runs, Steps: s.Steps,
		Longest: s.Longest, Ended: s.Ends[simulate.Ended], Cut: s.Ends[simulate.Cut],
		TooLong:   s.Ends[simulate.TooLong],
		Guarantee: s.probability(), Threads: s.Threads, Seconds: s.Elapsed.Seconds(),
		Properties: []jsonWalked{},
	}
	for _, kv := range s.args.List() {
		j.Parameters[kv[0]] = kv[1]
	}
	if c := s.Coverage; c != nil {
		j.Coverage = &jsonCoverage{
			c.States, c.Once, c.Twice, c.Locals, c.Pairs, c.Last, c.LastRuns, c.Next(s.Runs), c.Least(s.Runs),
		}
	}
	for i := range s.Properties {
		p := &s.Properties[i]
		jp := jsonWalked{Name: p.Name, Verdict: p.Verdict, Late: p.Late, Runs: p.Runs, Trace: s.files[i]}
		if p.Run >= 0 {
			jp.Run, jp.Steps = &p.Run, p.Length
		}
		if run := s.runs[i]; run != nil {
			n := len(run.Taken)
			jp.Length = &n
		}
		j.Properties = append(j.Properties, jp)
	}
	for _, p := range s.Unasked {
		j.NotAsked = append(j.NotAsked, p.Name)
	}
	for i, a := range s.Actions {
		j.Actions = append(j.Actions, report.Action{Name: a.Name, Fired: s.Fired[i]})
	}
	if s.Mistake != nil {
		j.Mistake = &report.Mistake{
			Part: s.Mistake.Part, Mistake: *traces.NewMistake(s.Mistake), Length: &s.MistakeAt,
		}
	}
	return printable.EncodeJSON(out, j, "")
}
