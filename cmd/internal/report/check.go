package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/atmostk/atmostk/cmd/internal/models"
	"github.com/atmostk/atmostk/explore"
	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/traces"
	"github.com/atmostk/atmostk/traces/printable"
)

// A Check is a finished search.
type Check struct {
	*models.Subject
	Named   string // the model's name as the user gave it
	Report  *explore.Report
	Witness bool          // shows runs to goals, and the cheapest and dearest runs
	Width   int           // columns of the terminal
	Runs    []*traces.Run // per property; nil: none
	Kept    string        // the file of the kept run, as replay names it; "": none

	Mistaken *traces.Run // the run to a mistake of the model; nil: none
}

// Verdict is the verdict in one line.
func (c *Check) Verdict() string {
	var which []string
	for i := range c.Report.Properties {
		if p := &c.Report.Properties[i]; p.Verdict == c.Report.Verdict && p.Verdict != explore.Holds {
			which = append(which, p.Name)
		}
	}
	line := c.String() + ": " + string(c.Report.Verdict)
	return strings.TrimSuffix(line+": "+strings.Join(which, ", "), ": ")
}

// Shown returns all runs: to a mistake of the model, to violations, to goals.
func (c *Check) Shown() (all []*traces.Run) {
	if c.Mistaken != nil {
		all = append(all, c.Mistaken)
	}
	return slices.Concat(all, c.runsOf(explore.Violated), c.runsOf(explore.Holds))
}

// runsOf returns the runs that show properties with a verdict.
func (c *Check) runsOf(verdict explore.Verdict) (all []*traces.Run) {
	for i, run := range c.Runs {
		if run != nil && c.Report.Properties[i].Verdict == verdict {
			all = append(all, run)
		}
	}
	return all
}

// Counterexample returns the run to a mistake of the model, or else the first run to a violation, or nil.
func (c *Check) Counterexample() *traces.Run {
	if shown := c.Shown(); len(shown) > 0 && shown[0].Trace.Verdict != traces.Reached {
		return shown[0]
	}
	return nil
}

// vacuity returns the reason why a property is vacuous; "": it is not.
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

// Unexcused reports whether a property holds vacuously, and the model gives no reason.
func Unexcused(p explore.Result) bool { return len(p.Vacuous) > 0 && p.Excuse == "" }

// found describes the result of a property besides its verdict; "": there is nothing to add.
func (c *Check) found(p *explore.Result) string {
	states := "state"
	if p.Kind == model.StepInvariant {
		states = "step"
	}
	switch {
	case p.Undecided != "":
		return c.undecided(p)
	case p.Least != nil:
		return fmt.Sprintf("least: %s; most: %s", spent(p.Least), spent(p.Most))
	case p.Kind == model.Costs:
		return ""
	case p.Path != nil && p.Kind == model.Liveness:
		cycle := "stuttering"
		if n := len(p.Path) - 1 - p.CycleAt; n > 0 {
			cycle = "a cycle of " + printable.Plural(n, "step")
		}
		return fmt.Sprintf("a fair run without end: %s to %s%s", printable.Plural(p.CycleAt, "step"), cycle,
			part(p))
	case p.Path == nil && p.Kind == model.Reachable && p.Verdict == explore.Violated:
		return strings.TrimSuffix("no run gets there: "+p.Moot, ": ")
	case p.Path == nil && p.Verdict == explore.Unknown && c.Report.Beyond > 0:
		return "no violation within the bounds"
	case p.Path == nil && p.Kind == model.Liveness && c.Report.Outside > 0:
		return "for runs within the constraint; steps that leave it are never taken, but count as enabled"
	case p.Path == nil:
		return ""
	case p.Kind == model.Reachable:
		return "shortest run: " + printable.Plural(p.Length, "step")
	}
	text := "shortest counterexample: " + printable.Plural(p.Length, "step") + part(p)
	if c.Report.Complete {
		text += "; " + printable.Plural(p.Count, states) + " in all"
	}
	return text
}

// undecided returns the reason why a property is unknown after a complete search; "": it is known.
func (c *Check) undecided(p *explore.Result) string {
	if unfit := c.Report.Store.Unfit(p.Kind); p.Undecided == unfit.String() {
		return unfit.With(Flagged)
	}
	return p.Undecided
}

// part names the violated part of a property that has several.
func part(p *explore.Result) string {
	if p.Part == "" {
		return ""
	}
	return ", violates it for " + p.Part
}

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
