package report

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/atmostk/atmostk/cmd/internal/term"

	"github.com/atmostk/atmostk/explore"
	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/traces"
	"github.com/atmostk/atmostk/traces/printable"
)

// Text writes the report for a person: what is violated comes first, with the run that shows it, and the
// verdicts last; where nothing is, they come first.
func (c *Check) Text(out io.Writer) error {
	w := bufio.NewWriter(out)
	shown := c.stories(w, traces.Options{Width: c.Width, Paint: ink})
	if !shown {
		printable.Fprintf(w, "%s%s\n", term.Bold(c.Spec.Name), Settings(c.Args))
		c.unread(w)
		printable.Fprintln(w)
		c.verdicts(w)
	}
	if err := c.mistake(w); err != nil {
		return err
	}
	if err := c.witnesses(w); err != nil {
		return err
	}
	printable.Fprintln(w)
	c.figures(w)
	if shown {
		printable.Fprintln(w)
		c.verdicts(w)
	}
	printable.Fprintf(w, "%s\n", term.Verdict(c.Report.Verdict, string(c.Report.Verdict)))
	return w.Flush()
}

// unread names the parameters that were given for nothing.
func (c *Check) unread(w io.Writer) {
	if unread := c.Args.Unread(); unread != nil {
		printable.Fprintf(w, "%s\n", term.Maybe("never asked for by the model: "+strings.Join(unread, ", ")))
	}
}

// witnesses writes the runs to goals, and those that cost least and most, where they are asked for.
func (c *Check) witnesses(w io.Writer) error {
	for i := range c.Report.Properties {
		p := &c.Report.Properties[i]
		if !c.Witness {
			continue
		}
		if p.Verdict != explore.Violated && p.Path != nil {
			printable.Fprintln(w)
			if err := traces.Render(w, "text", c.Runs[i], traces.Options{}); err != nil {
				return err
			}
			c.written(w, i)
		}
		if p.Least != nil {
			extremes(w, p)
		}
	}
	return nil
}

// written says where a run was written.
func (c *Check) written(w io.Writer, i int) {
	if c.Files != nil && c.Files[i] != "" {
		printable.Fprintf(w, "written to %s\n", c.Files[i])
	}
}

// rows is the table of verdicts.
func (c *Check) rows() (rows []Row, not []NotAsked) {
	for i := range c.Report.Properties {
		p := &c.Report.Properties[i]
		r := Row{Verdict: string(p.Verdict), Name: p.Name}
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
			r.Lines = append(r.Lines, term.Faint(fmt.Sprintf("%s: out of reach from %s of %s",
				cmp.Or(l.Origin, "all states"), printable.Number(l.Lost), printable.Number(l.States))))
		}
		if p.LostUnknown != "" {
			r.Lines = append(r.Lines, term.Maybe("not asked from where it is out of reach: "+p.LostUnknown))
		}
		rows = append(rows, r)
	}
	for _, p := range c.Report.NotAsked {
		not = append(not, NotAsked{p.Name, p.Moot})
	}
	return rows, not
}

// verdicts writes the table of verdicts.
func (c *Check) verdicts(w io.Writer) {
	rows, not := c.rows()
	if len(rows) == 0 {
		printable.Fprintf(w, "  %s\n",
			term.Maybe("nothing was asked: there is no property, or none but by name"))
	}
	writeRows(w, rows, not)
}

// vacuity says what a property is about that never came up; "": it is not vacuous.
func vacuity(p *explore.Result) string {
	if len(p.Vacuous) == 0 {
		return ""
	}
	why := slices.Clone(p.Vacuous)
	if p.Excuse != "" {
		why = append(why, p.Excuse)
	}
	return "vacuous: " + strings.Join(why, "; ")
}

// Unexcused reports whether a property holds vacuously, and the model does not say why.
func Unexcused(p explore.Result) bool { return len(p.Vacuous) > 0 && p.Excuse == "" }

// found says what there is to know of a property besides its verdict.
func (c *Check) found(p *explore.Result) string {
	states := "states"
	if p.Kind == model.StepInvariant {
		states = "steps"
	}
	switch {
	case p.Undecided != "":
		return c.undecided(p)
	case p.Kind == model.Costs:
		return counted(p)
	case p.Path != nil && p.Kind == model.Liveness:
		return fmt.Sprintf("a fair run without end: %s to %s%s",
			printable.Plural(p.CycleAt, "step"), cycle(p), part(p))
	case p.Path == nil && p.Kind == model.Reachable && p.Verdict == explore.Violated:
		return strings.TrimSuffix("no run gets there: "+p.Moot, ": ")
	case p.Path == nil && p.Verdict == explore.Unknown && c.Report.Beyond > 0:
		return "no violation within the bounds"
	case p.Path == nil && p.Kind == model.Liveness && c.Report.Outside > 0:
		return "of the runs within the constraint; steps that leave it are never taken, but count as enabled"
	case p.Path == nil:
		return ""
	case p.Kind == model.Reachable:
		return fmt.Sprintf("shortest run: %s", printable.Plural(p.Length, "step"))
	case c.Report.Complete:
		return fmt.Sprintf("shortest counterexample: %s%s; %s %s in all",
			printable.Plural(p.Length, "step"), part(p), printable.Number(p.Count), states)
	}
	return fmt.Sprintf("shortest counterexample: %s%s", printable.Plural(p.Length, "step"), part(p))
}

// undecided says why a property is unknown after a complete search; "": it is not.
func (c *Check) undecided(p *explore.Result) string {
	if unfit := c.Report.Store.Unfit(p.Kind); p.Undecided == unfit.String() {
		return unfit.With(Flagged)
	}
	return p.Undecided
}

// part says which part of a property is violated, if it is made of several.
func part(p *explore.Result) string {
	if p.Part == "" {
		return ""
	}
	return ", violates it for " + p.Part
}

// cycle says how the counterexample of a liveness property goes on for ever.
func cycle(p *explore.Result) string {
	if n := len(p.Path) - 1 - p.CycleAt; n > 0 {
		return "a cycle of " + printable.Plural(n, "step")
	}
	return "stuttering"
}

// counted says what was counted for a property of kind Costs.
func counted(p *explore.Result) string {
	if p.Least == nil {
		return ""
	}
	return fmt.Sprintf("least: %s; most: %s", spent(p.Least), spent(p.Most))
}

// spent says what an extreme costs.
func spent(e *explore.Extreme) string {
	switch {
	case e.Endless:
		return "no limit, a cycle can be repeated"
	case e.Requests == 1:
		return printable.Plural(e.Count, "message")
	}
	return fmt.Sprintf("%s for %d requests, %.2f each", printable.Plural(e.Count, "message"), e.Requests,
		float64(e.Count)/float64(e.Requests))
}

// extremes writes the runs that cost least and most.
func extremes(w io.Writer, p *explore.Result) {
	for _, e := range []struct {
		name string
		*explore.Extreme
	}{{"least", p.Least}, {"most", p.Most}} {
		printable.Fprintf(w, "\n%s: the %s is %s, in this run:\n", p.Name, e.name, spent(e.Extreme))
		for i, step := range e.Path[1:] {
			printable.Fprintf(w, "  %3d  %s\n", i+1, step.Text)
		}
	}
}

// figures writes the statistics. What differs from run to run is in the last line.
func (c *Check) figures(w io.Writer) {
	r := c.Report
	state := "complete"
	if !r.Complete {
		state = r.Stopped
	}
	printable.Fprintf(w, "%s, %s generated, depth %d; %s\n", printable.Plural(r.States, "state"),
		printable.Number(r.Generated), r.Depth, state)
	if r.Reduce != (model.Reduction{}) {
		printable.Fprintf(w,
			"left out: %s; verdicts are those of all states, figures those of what was visited\n", r.Reduce)
	}
	if outside := r.Outside - r.Beyond; outside > 0 {
		printable.Fprintf(w, "%s outside the constraint\n", printable.Plural(outside, "successor"))
	}
	if r.Beyond > 0 {
		printable.Fprintf(w, "%s beyond the bounds\n", printable.Plural(r.Beyond, "successor"))
	}
	if r.Pruned > 0 {
		printable.Fprintf(w, "%s pruned by the assumption on runs; %s with nothing else to do\n",
			printable.Plural(r.Pruned, "step"), printable.Plural(r.Stuck, "state"))
	}
	largest := slices.Max(append([]int64{0}, r.Levels...))
	printable.Fprintf(w, "largest level: %s\n", printable.Plural(largest, "state"))
	flushed := writeFired(w, r.Actions, r.Fired)
	if never := r.Never(); len(never) > 0 && flushed == nil {
		words := "never happened: "
		if !r.Complete { // it may yet
			words = "not yet happened: "
		}
		printable.Fprintf(w, "%s\n", term.Maybe(words+strings.Join(never, ", ")))
	}
	if len(r.Unchanged) > 0 {
		printable.Fprintf(w, "%s\n", term.Maybe("never changed: "+strings.Join(r.Unchanged, ", ")))
	}
	if len(r.Unseen) > 0 {
		printable.Fprintf(w, "%s\n", term.Maybe("steps never enabled: "+strings.Join(r.Unseen, "; ")))
	}
	if r.Omission > 0 {
		printable.Fprintf(w, "%s\n", term.Faint(omission(r)))
	}
	printable.Fprintf(w, "%s\n", term.Faint(fmt.Sprintf("%.2f s, %s states/s, %s, peak memory %s",
		r.Elapsed.Seconds(),
		printable.Number(int64(float64(r.States)/max(r.Elapsed.Seconds(), 1e-6))), stored(r),
		explore.Bytes(term.Peak(r.Memory)))))
}

// omission says how likely it is that a state was left out.
func omission(r *explore.Report) string {
	return fmt.Sprintf("store %v: states were told apart by codes of %d bits, so that one was left out with "+
		"a probability of at most %.1e", r.Store, r.CodeBits, r.Omission)
}

// stored says how much the visited states take.
func stored(r *explore.Report) string {
	if r.Store == explore.Disk {
		return fmt.Sprintf("%d bytes/state on disk, at most %s of files", r.StateBytes, explore.Bytes(r.Disk))
	}
	return fmt.Sprintf("%d bytes/state stored", r.StateBytes)
}
