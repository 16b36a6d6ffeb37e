package report

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/atmostk/atmostk/cmd/internal/models"
	"github.com/atmostk/atmostk/cmd/internal/term"
	"github.com/atmostk/atmostk/explore"
	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/traces"
	"github.com/atmostk/atmostk/traces/printable"
)

// Text writes the report for a person: violations come first, with their runs, and the table of verdicts
// last; without a violation the table comes first.
func (c *Check) Text(out io.Writer) error {
	w := bufio.NewWriter(out)
	first := violations(w, c.Subject, c.runsOf(explore.Violated), c.Width)
	switch {
	case first == nil:
		heading(w, c.Subject, c.Width)
		unread(w, c.Subject)
		line(w, "")
		c.verdicts(w)
	case c.Mistaken == nil:
		next(w, c.Program.Name, cmp.Or(first.File, c.Kept))
	default:
		next(w, c.Program.Name, c.Kept)
	}
	if m := c.Report.Mistake; m != nil {
		writeError(w, m.Error)
	}
	if c.Mistaken != nil {
		line(w, "  %s\n", term.Faint("the shortest run that leads there has "+
			printable.Plural(c.Report.Mistake.Length, "step")))
		if err := writeRun(w, c.Mistaken); err != nil {
			return err
		}
	}
	if err := c.witnesses(w); err != nil {
		return err
	}
	line(w, "")
	c.figures(w)
	if first != nil {
		line(w, "")
		c.verdicts(w)
	}
	c.afterLimit(w)
	line(w, "%s", term.Verdict(c.Report.Verdict, string(c.Report.Verdict)))
	return w.Flush()
}

// afterLimit writes what to try after a search that ended undecided at a limit.
func (c *Check) afterLimit(w io.Writer) {
	r, program := c.Report, c.Program.Name
	decides := func(p explore.Result) bool { // what needs the graph of all states is decided by neither
		return p.Verdict == explore.Unknown && p.Kind != model.Liveness && p.Kind != model.Costs
	}
	if r.Verdict != explore.Unknown || r.Complete || c.Program.Cluster ||
		!slices.ContainsFunc(r.Properties, decides) {
		return
	}
	instance := c.Program.About(&traces.Trace{Header: c.Header("")}).Args
	further, what := program+" check "+instance+" --store disk=DIR", "keeps its states in files"
	if r.Store == explore.Disk {
		further, what = program+" check --resume DIR", "goes on within the same limits"
	}
	line(w, "%s", term.Faint("To decide more: smaller parameters, or"))
	line(w, "  %s  %s", further, term.Faint(what))
	line(w, "  %s simulate %s  %s", program, instance, term.Faint("random runs"))
}

// unread names the parameters that the model never read.
func unread(w io.Writer, s *models.Subject) {
	if unread := s.Args.Unread(); unread != nil {
		line(w, "%s", term.Maybe("never read by the model: "+strings.Join(unread, ", ")))
	}
}

// witnesses writes the runs to goals, and the cheapest and dearest runs, if the user asks for them.
func (c *Check) witnesses(w io.Writer) error {
	for i := range c.Report.Properties {
		p := &c.Report.Properties[i]
		if !c.Witness {
			continue
		}
		if p.Verdict != explore.Violated && c.Runs[i] != nil {
			line(w, "")
			if err := writeRun(w, c.Runs[i]); err != nil {
				return err
			}
		}
		for k, e := range []*explore.Extreme{p.Least, p.Most} {
			if e == nil {
				continue
			}
			line(w, "\n%s: the %s is %s, in this run:", p.Name, []string{"least", "most"}[k], spent(e))
			for i, step := range e.Path[1:] {
				line(w, "  %3d  %s", i+1, step.Text)
			}
		}
	}
	return nil
}

func (c *Check) verdicts(w io.Writer) {
	var rows []row
	where := map[bool]string{true: " within the constraint"}[c.Report.Outside > c.Report.Beyond]
	for i := range c.Report.Properties {
		p := &c.Report.Properties[i]
		r := row{Verdict: verdictOf(p.Verdict), Name: p.Name}
		if len(p.Vacuous) > 0 {
			r.Text = term.Maybe("("+vacuity(p)+")") + " "
		}
		r.Text += printable.Raw(printable.Text(p.Doc))
		if p.StateByState {
			r.Text += " " + term.Faint("(state by state)")
		}
		if found := c.found(p); found != "" {
			r.Lines = append(r.Lines, term.Faint(found))
		}
		for _, l := range p.Lost {
			r.Lines = append(r.Lines, term.Faint(fmt.Sprintf("%s: out of reach%s from %s of %s",
				cmp.Or(l.Origin, "all states"), where, printable.Number(l.Lost), printable.Number(l.States))))
		}
		if p.LostUnknown != "" {
			r.Lines = append(r.Lines, term.Maybe("not checked from where it is out of reach: "+p.LostUnknown))
		}
		rows = append(rows, r)
	}
	if len(rows) == 0 {
		line(w, "  %s",
			term.Maybe("nothing was checked: the model has no property, or only ones that have to be named"))
	}
	for _, p := range c.Report.NotAsked {
		rows = append(rows, notAsked(p.Name, p.Moot))
	}
	writeRows(w, rows, c.Width)
}

// figures writes the statistics, in lines of 80 columns. Times and memory come last.
func (c *Check) figures(w io.Writer) {
	r := c.Report
	state, never := "complete", "never happened"
	if !r.Complete {
		state, never = r.Stopped, "not yet happened"
	}
	folded(w, 0, "", "  ", fmt.Sprintf("%s, %s generated, depth %d; %s", printable.Plural(r.States, "state"),
		printable.Number(r.Generated), r.Depth, state), nil)
	if r.Reduce != (model.Reduction{}) {
		folded(w, 0, "", "  ", fmt.Sprintf("left out: %s; the verdicts hold for all states, the figures for "+
			"the visited ones", r.Reduce), nil)
	}
	doubt := func(text string) { folded(w, 0, "", "  ", text, term.Maybe) }
	for _, m := range r.Movers {
		doubt(m.String())
	}
	if outside := r.Outside - r.Beyond; outside > 0 {
		line(w, "%s outside the constraint", printable.Plural(outside, "successor"))
	}
	if r.Beyond > 0 {
		line(w, "%s beyond the bounds", printable.Plural(r.Beyond, "successor"))
	}
	if r.Pruned > 0 {
		folded(w, 0, "", "  ", fmt.Sprintf("%s pruned by the assumption on runs; %s with nothing else to do",
			printable.Plural(r.Pruned, "step"), printable.Plural(r.Stuck, "state")), nil)
	}
	line(w, "largest level: %s", printable.Plural(slices.Max(append([]int64{0}, r.Levels...)), "state"))
	writeFired(w, r, never)
	if len(r.Unchanged) > 0 {
		doubt("never changed: " + strings.Join(r.Unchanged, ", "))
	}
	if len(r.Unseen) > 0 {
		doubt("steps never enabled: " + strings.Join(r.Unseen, "; "))
	}
	if r.Omission > 0 {
		folded(w, 0, "", "  ", fmt.Sprintf("store %v: states were compared by codes of %d bits; a state was "+
			"left out with a probability of at most %.1e", r.Store, r.CodeBits, r.Omission), term.Faint)
	}
	stored := "stored"
	if r.Store == explore.Disk {
		stored = fmt.Sprintf("on disk, at most %s of files", explore.Bytes(r.Disk))
	}
	seconds := r.Elapsed.Seconds()
	folded(w, 0, "", "  ", fmt.Sprintf("%.2f s, %s states/s, %d bytes/state %s, peak memory %s", seconds,
		printable.Number(int64(float64(r.States)/max(seconds, 1e-6))), r.StateBytes, stored,
		explore.Bytes(term.Peak(r.Memory))), term.Faint)
}

// violations writes runs that violate a property, apart from nil ones, the first with the command that finds
// it again. It returns the first run, or nil.
func violations(w io.Writer, s *models.Subject, runs []*traces.Run, width int) (first *traces.Run) {
	o := traces.Options{Width: width, Paint: func(i traces.Style, text string) printable.Raw {
		return map[traces.Style]func(string) printable.Raw{
			traces.Wrong: term.Bad, traces.Goal: term.Good, traces.Inside: term.Inside,
			traces.Message: term.Message, traces.Muted: term.Faint,
		}[i](text)
	}}
	for _, run := range runs {
		switch {
		case run == nil:
			continue
		case first != nil:
			line(w, "")
		}
		traces.Sentences(w, run, o)
		if first == nil {
			first = run
			// The command finds the run again.
			a := s.Program.About(run.Trace)
			line(w, "%s%s", term.Bold(s.Spec.Name), strings.Join(append([]string{""}, a.Set...), " "))
			what := a.Title
			if a.Source != "" {
				what += ", " + a.Source
			}
			folded(w, o.Width, "", "", what, term.Faint)
			unread(w, s)
			line(w, "%s %s", term.Faint("Again:"), a.Command)
		}
		line(w, "")
		traces.Story(w, run, o)
		writeFile(w, run)
	}
	return first
}

// next writes the commands to try with a run in a file; "": none.
func next(w io.Writer, program, file string) {
	if file == "" {
		return
	}
	line(w, "")
	for _, x := range [][4]string{{"replay", "all steps", "--as html > run.html", "as a page in a file"},
		{"explore", "in the browser; take another way", "--tty", "in the terminal"}} {
		line(w, "  %s %s %s  %s", program, x[0], file, term.Faint(x[1]))
		line(w, "    %-20s  %s", x[2], term.Faint(x[3]))
	}
}

// WriteStatus writes the progress of a search that keeps files; args are its model and parameters.
func WriteStatus(w io.Writer, args []string, s *explore.Status) {
	state := "not finished; --resume continues it within its limits, unless it is running"
	if s.Exhausted() {
		state = "finished"
	} else if s.Violated() {
		state = "not finished, and something is violated"
	}
	levels := append([]int64{0}, s.Levels...) // so that there is a last one
	line(w, "%s", term.Bold(strings.Join(args, " ")))
	states, elapsed := s.States(), time.Duration(s.Seconds*float64(time.Second))
	line(w, "%s in %d levels, the last of %s; %s", printable.Plural(states, "state"), len(s.Levels),
		printable.Plural(levels[len(levels)-1], "state"), state)
	line(w, "%s, %s states/s, %s of files, %d bytes/state; saved %s ago",
		elapsed.Round(100*time.Millisecond), printable.Number(int64(float64(states)/max(s.Seconds, 1e-6))),
		explore.Bytes(s.Bytes()), s.Bytes()/max(1, states), time.Since(s.Saved).Round(time.Second))
	shot := explore.Snapshot{States: states, Levels: s.Levels, Elapsed: elapsed}
	if part, left := term.Remaining(&shot); left != "" && !s.Exhausted() {
		line(w, "some %.0f%% of the states; %s at this rate", 100*part, left)
	}
}

// TableHead writes the head of a table of a family of instances, which has a column for each property.
func TableHead(w io.Writer, properties []string) {
	line(w, "%14s %6s  %s", "states", "depth", strings.Join(properties, "  "))
}

// TableRow writes the results of an instance with some arguments as a row of a table.
func TableRow(w io.Writer, properties []string, args string, r *explore.Report) {
	states := printable.Number(r.States)
	if !r.Complete {
		states = "> " + states
	}
	printable.Fprintf(w, "%14s %6d", states, r.Depth)
	for _, name := range properties {
		verdict, text := mark(r, name)
		printable.Fprintf(w, "  %s", term.Verdict(verdict, fmt.Sprintf("%-*s", len(name), text)))
	}
	line(w, "  %s", args)
}

// mark is the verdict on a property in a cell: a dot if its answer follows from the parameters of the
// instance, "" if the instance has no such property, and error if it is unknown because the model is at
// fault.
func mark(r *explore.Report, property string) (verdict explore.Verdict, text string) {
	if slices.ContainsFunc(r.NotAsked, func(p model.PropertyInfo) bool { return p.Name == property }) {
		return explore.Unknown, "."
	}
	i := slices.IndexFunc(r.Properties, func(p explore.Result) bool { return p.Name == property })
	if i < 0 {
		return explore.Unknown, ""
	}
	p := &r.Properties[i]
	goal, violated := p.Kind == model.Reachable, p.Verdict == explore.Violated
	switch {
	case p.Verdict == explore.Unknown && r.Mistake != nil:
		text = "error"
	case p.Verdict == explore.Unknown:
		text = "?"
	case goal && violated:
		text = "-"
	case goal:
		text = fmt.Sprintf("+%d", p.Length)
	case violated:
		text = fmt.Sprintf("-%d", p.Length)
	default:
		text = "+"
	}
	return p.Verdict, text
}
