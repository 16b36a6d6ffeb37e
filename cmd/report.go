package cmd

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/atmostk/atmostk/cmd/internal/term"

	"github.com/atmostk/atmostk/explore"
	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/traces"
	"github.com/atmostk/atmostk/traces/printable"
)

// text writes the report for a person: what is violated comes first, with the run that shows it, and the
// verdicts last; where nothing is, they come first.
func (c *checked) text(out io.Writer) error {
	w := bufio.NewWriter(out)
	shown := c.stories(w, traces.Options{Width: c.width, Paint: ink})
	if !shown {
		printable.Fprintf(w, "%s%s\n", bold(c.spec.Name), settings(c.args))
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
	printable.Fprintf(w, "%s\n", paint(c.report.Verdict, string(c.report.Verdict)))
	return w.Flush()
}

// unread names the parameters that were given for nothing.
func (c *checked) unread(w io.Writer) {
	if unread := c.args.Unread(); unread != nil {
		printable.Fprintf(w, "%s\n", maybe("never asked for by the model: "+strings.Join(unread, ", ")))
	}
}

// witnesses writes the runs to goals, and those that cost least and most, where they are asked for.
func (c *checked) witnesses(w io.Writer) error {
	for i := range c.report.Properties {
		p := &c.report.Properties[i]
		if !c.flags.witness {
			continue
		}
		if p.Verdict != explore.Violated && p.Path != nil {
			printable.Fprintln(w)
			if err := traces.Render(w, "text", c.runs[i], traces.Options{}); err != nil {
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
func (c *checked) written(w io.Writer, i int) {
	if c.files != nil && c.files[i] != "" {
		printable.Fprintf(w, "written to %s\n", c.files[i])
	}
}

// settings lists the parameters; those that are empty are left out.
func settings(a *model.Args) string {
	var b strings.Builder
	for _, kv := range a.List() {
		if kv[1] != "" {
			printable.Fprintf(&b, " %s=%s", kv[0], kv[1])
		}
	}
	return b.String()
}

func (c *checked) verdicts(w io.Writer) {
	width := 0
	for _, p := range c.report.Properties {
		width = max(width, len(p.Name))
	}
	for _, p := range c.report.NotAsked {
		width = max(width, len(p.Name))
	}
	for _, p := range c.report.Properties {
		printable.Fprintf(w, "  %s  %-*s  %s%s%s\n",
			paint(p.Verdict, fmt.Sprintf("%-8s", p.Verdict)), width, p.Name, vacuous(&p), p.Doc,
			stateByState(&p))
		if found := c.found(&p); found != "" {
			printable.Fprintf(w, "  %-8s  %-*s  %s\n", "", width, "", faint(found))
		}
		for _, l := range p.Lost {
			printable.Fprintf(w, "  %-8s  %-*s  %s\n", "", width, "", faint(lost(l)))
		}
		if p.LostUnknown != "" {
			printable.Fprintf(w, "  %-8s  %-*s  %s\n", "", width, "",
				maybe("not asked from where it is out of reach: "+p.LostUnknown))
		}
	}
	if len(c.report.Properties) == 0 {
		printable.Fprintf(w, "  %s\n", maybe("nothing was asked: there is no property, or none but by name"))
	}
	for _, p := range c.report.NotAsked {
		printable.Fprintf(w, "  %s %-*s  %s\n", faint("not asked"), width, p.Name+":", p.Moot)
	}
}

// stateByState says behind the sentence of a property that it takes time of its own for each state.
func stateByState(p *explore.Result) printable.Raw {
	if !p.StateByState {
		return ""
	}
	return " " + faint("(state by state)")
}

// vacuous says what a property that holds is about and did not come up, in front of its
// sentence.
func vacuous(p *explore.Result) printable.Raw {
	if len(p.Vacuous) == 0 {
		return ""
	}
	return maybe("("+vacuity(p)+")") + " "
}

// vacuity is the same without colour; "" if something came up.
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

// unexcused reports whether a property holds vacuously, and the model does not say why.
func unexcused(p explore.Result) bool { return len(p.Vacuous) > 0 && p.Excuse == "" }

// found says what there is to know of a property besides its verdict.
func (c *checked) found(p *explore.Result) string {
	states := "states"
	if p.Kind == model.StepInvariant {
		states = "steps"
	}
	switch {
	case p.Undecided == c.report.Store.Unfit(p.Kind).String():
		return c.report.Store.Unfit(p.Kind).With(flagged)
	case p.Undecided != "":
		return p.Undecided
	case p.Kind == model.Costs:
		return counted(p)
	case p.Path != nil && p.Kind == model.Liveness:
		return fmt.Sprintf("a fair run without end: %s to %s%s",
			plural(int64(p.CycleAt), "step"), cycle(p), part(p))
	case p.Path == nil && p.Kind == model.Reachable && p.Verdict == explore.Violated:
		return strings.TrimSuffix("no run gets there: "+p.Moot, ": ")
	case p.Path == nil && p.Verdict == explore.Unknown && c.report.Beyond > 0:
		return "no violation within the bounds"
	case p.Path == nil && p.Kind == model.Liveness && c.report.Outside > 0:
		return "of the runs within the constraint; steps that leave it are never taken, but count as enabled"
	case p.Path == nil:
		return ""
	case p.Kind == model.Reachable:
		return fmt.Sprintf("shortest run: %s", plural(int64(p.Length), "step"))
	case c.report.Complete:
		return fmt.Sprintf("shortest counterexample: %s%s; %s %s in all",
			plural(int64(p.Length), "step"), part(p), number(p.Count), states)
	}
	return fmt.Sprintf("shortest counterexample: %s%s", plural(int64(p.Length), "step"), part(p))
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
		return "a cycle of " + plural(int64(n), "step")
	}
	return "stuttering"
}

// lost says from how many states of a class a goal is out of reach.
func lost(l explore.Lost) string {
	origin := l.Origin
	if origin == "" {
		origin = "all states"
	}
	return fmt.Sprintf("%s: out of reach from %s of %s", origin, number(l.Lost), number(l.States))
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
		return plural(int64(e.Count), "message")
	}
	return fmt.Sprintf("%s for %d requests, %.2f each", plural(int64(e.Count), "message"), e.Requests,
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
func (c *checked) figures(w io.Writer) {
	r := c.report
	state := "complete"
	if !r.Complete {
		state = r.Stopped
	}
	printable.Fprintf(w, "%s, %s generated, depth %d; %s\n", plural(r.States, "state"), number(r.Generated),
		r.Depth, state)
	if r.Reduce != (model.Reduction{}) {
		printable.Fprintf(w,
			"left out: %s; verdicts are those of all states, figures those of what was visited\n", r.Reduce)
	}
	if outside := r.Outside - r.Beyond; outside > 0 {
		printable.Fprintf(w, "%s outside the constraint\n", plural(outside, "successor"))
	}
	if r.Beyond > 0 {
		printable.Fprintf(w, "%s beyond the bounds\n", plural(r.Beyond, "successor"))
	}
	if r.Pruned > 0 {
		printable.Fprintf(w, "%s pruned by the assumption on runs; %s with nothing else to do\n",
			plural(r.Pruned, "step"), plural(r.Stuck, "state"))
	}
	printable.Fprintf(w, "largest level: %s\n", plural(maximum(r.Levels), "state"))
	tw := tabwriter.NewWriter(w, 0, 0, 1, ' ', tabwriter.AlignRight)
	for i, a := range r.Actions {
		printable.Fprintf(tw, "  %s\t  %s\t\n", number(r.Fired[i]), a.Name)
	}
	flushed := tw.Flush()
	if never := r.Never(); len(never) > 0 && flushed == nil {
		words := "never happened: "
		if !r.Complete { // it may yet
			words = "not yet happened: "
		}
		printable.Fprintf(w, "%s\n", maybe(words+strings.Join(never, ", ")))
	}
	if len(r.Unchanged) > 0 {
		printable.Fprintf(w, "%s\n", maybe("never changed: "+strings.Join(r.Unchanged, ", ")))
	}
	if len(r.Unseen) > 0 {
		printable.Fprintf(w, "%s\n", maybe("steps never enabled: "+strings.Join(r.Unseen, "; ")))
	}
	if r.Omission > 0 {
		printable.Fprintf(w, "%s\n", faint(omission(r)))
	}
	printable.Fprintf(w, "%s\n", faint(fmt.Sprintf("%.2f s, %s states/s, %s, peak memory %s",
		r.Elapsed.Seconds(),
		number(int64(float64(r.States)/max(r.Elapsed.Seconds(), 1e-6))), stored(r),
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

func maximum(xs []int64) (m int64) {
	for _, x := range xs {
		m = max(m, x)
	}
	return m
}
