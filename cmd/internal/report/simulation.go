//go:build !js

package report

import (
	"bufio"
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

// A Simulation is what random runs of a model have shown.
type Simulation struct {
	*models.Subject
	*simulate.Report
	Options simulate.Options
	Shown   []*Shown // per property; nil: no run shows it
}

// Text writes the report for a person.
func (s *Simulation) Text(out io.Writer) error {
	w := bufio.NewWriter(out)
	heading(w, s.Subject)
	line(w, "")
	s.verdicts(w)
	if s.Mistake != nil {
		writeError(w, s.Mistake)
		line(w, "  %s", term.Faint(fmt.Sprintf("after %s of run %d",
			printable.Plural(s.MistakeAt, "step"), s.MistakeRun)))
	}
	for _, run := range s.Shown {
		if run == nil {
			continue
		}
		line(w, "")
		if err := writeRun(w, run); err != nil {
			return err
		}
	}
	line(w, "")
	s.figures(w)
	return w.Flush()
}

func (s *Simulation) verdicts(w io.Writer) {
	var rows []row
	for i := range s.Properties {
		p := &s.Properties[i]
		r := row{Verdict: string(p.Verdict), Name: p.Name, Text: printable.Raw(printable.Text(p.Doc))}
		if found := s.found(p, s.Shown[i]); found != "" {
			r.Lines = append(r.Lines, term.Faint(found))
		}
		rows = append(rows, r)
	}
	var not []notAsked
	for _, p := range s.Unasked {
		why := "runs do not say what others cost at most; see check --costs"
		if p.Kind == model.Liveness {
			why = "a run that ends says nothing of what comes later; --within N judges how long it takes"
		}
		not = append(not, notAsked{p.Name, why})
	}
	writeRows(w, rows, not)
}

// found says which run shows a property, and how; "": none does.
func (s *Simulation) found(p *simulate.Result, run *Shown) string {
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
	line(w, "%s with seed %d, %s, the longest of %s; scheduler %s", printable.Plural(s.Runs, "run"),
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
	line(w, "%s", strings.Join(ends, ", "))
	if p := s.guarantee(); p > 0 {
		line(w, "a bug of depth %d is found by a run with a probability of %.2g or more: of %d threads, and "+
			"--steps %d", s.Options.Depth, p, s.Threads, s.Options.Steps)
	}
	if c := s.Coverage; c != nil {
		line(w, "%s seen, %s of them in one run only; %s; %s of %d actions seen to be concurrent",
			printable.Plural(c.States, "state"), printable.Number(c.Once),
			printable.Plural(c.Locals, "local state"), printable.Plural(c.Pairs, "pair"), len(s.Actions))
		line(w, "%s by the last %s; the next one should see %.3g more (Good-Turing), and there should be %s or "+
			"more (Chao)", printable.Plural(c.Last, "new state"), printable.Plural(c.LastRuns, "run"),
			c.Next(s.Runs), printable.Number(int64(math.Ceil(c.Least(s.Runs)))))
	}
	actions := fired(s.Actions, s.Fired)
	var never []string
	for _, a := range actions {
		if a.Fired == 0 {
			never = append(never, a.Name)
		}
	}
	writeFired(w, actions, "never happened", never)
	seconds := s.Elapsed.Seconds()
	line(w, "%s", term.Faint(fmt.Sprintf("%.2f s, %s steps/s", seconds,
		printable.Number(int64(float64(s.Steps)/max(seconds, 1e-6))))))
	line(w, "%s", term.Verdict(s.Verdict, string(s.Verdict)))
}

// guarantee is the probability that a run finds a bug of the depth asked for, by PCT; 0 under other schedulers.
func (s *Simulation) guarantee() float64 {
	if s.Options.Scheduler != simulate.PCT || s.Threads == 0 {
		return 0
	}
	return 1 / (float64(s.Threads) * math.Pow(float64(s.Options.Steps), float64(s.Options.Depth-1)))
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
	Properties []jsonSimulated    `json:"properties"`
	NotAsked   []string           `json:"not-asked,omitempty"`
	Actions    []action           `json:"actions"`
	Mistake    *mistake           `json:"model-error,omitempty"`
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

type jsonSimulated struct {
	Name    string          `json:"name"`
	Verdict explore.Verdict `json:"verdict"`
	Run     *int64          `json:"run,omitempty"`
	Steps   int             `json:"steps,omitempty"`  // of that run, up to where it shows
	Length  *int            `json:"length,omitempty"` // of the run that is shown
	Late    bool            `json:"late,omitempty"`
	Runs    int64           `json:"runs"`
	Trace   string          `json:"trace,omitempty"`
}

// JSON writes the report for a program.
func (s *Simulation) JSON(out io.Writer) error {
	j := jsonSimulation{
		Spec: s.Spec.Name, Parameters: s.Parameters(), Verdict: s.Verdict, Stopped: s.Stopped,
		Scheduler: s.Options.Scheduler, Seed: s.Options.Seed, First: s.Options.First, Runs: s.Runs,
		Steps: s.Steps, Longest: s.Longest, Ended: s.Ends[simulate.Ended], Cut: s.Ends[simulate.Cut],
		TooLong: s.Ends[simulate.TooLong], Guarantee: s.guarantee(), Threads: s.Threads,
		Seconds: s.Elapsed.Seconds(), Properties: []jsonSimulated{}, Actions: fired(s.Actions, s.Fired),
	}
	if c := s.Coverage; c != nil {
		j.Coverage = &jsonCoverage{
			c.States, c.Once, c.Twice, c.Locals, c.Pairs, c.Last, c.LastRuns, c.Next(s.Runs), c.Least(s.Runs),
		}
	}
	for i := range s.Properties {
		p, run := &s.Properties[i], s.Shown[i]
		jp := jsonSimulated{Name: p.Name, Verdict: p.Verdict, Late: p.Late, Runs: p.Runs, Trace: run.Written()}
		if p.Run >= 0 {
			jp.Run, jp.Steps = &p.Run, p.Length
		}
		if run != nil {
			n := len(run.Taken)
			jp.Length = &n
		}
		j.Properties = append(j.Properties, jp)
	}
	for _, p := range s.Unasked {
		j.NotAsked = append(j.NotAsked, p.Name)
	}
	if s.Mistake != nil {
		j.Mistake = &mistake{Part: s.Mistake.Part, Mistake: traces.NewMistake(s.Mistake), Length: &s.MistakeAt}
	}
	return printable.EncodeJSON(out, j, "")
}
