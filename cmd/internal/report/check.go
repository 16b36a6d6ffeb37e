package report

import (
	"strings"

	"github.com/atmostk/atmostk/cmd/internal/models"
	"github.com/atmostk/atmostk/explore"
	"github.com/atmostk/atmostk/traces"
)

// A Check is a finished search.
type Check struct {
	*models.Subject
	Named   string // how the user named the model
	Report  *explore.Report
	Witness bool     // shows runs to goals, and those that cost least and most
	Width   int      // columns of the terminal
	Runs    []*Shown // per property; nil: none
	Kept    string   // the file that the run is kept in, as replay names it; "": none

	Mistaken *Shown // the run to a mistake of the model; nil: none
}

// A Shown is a run that a report shows.
type Shown struct {
	*traces.Run
	File string // where it was written; "": nowhere
}

// Written is the file of the run; "": it was not written, or there is no run.
func (s *Shown) Written() string {
	if s == nil {
		return ""
	}
	return s.File
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
	if which == nil {
		return line
	}
	return line + ": " + strings.Join(which, ", ")
}

// Shown returns all runs: to a mistake of the model, to violations, to goals.
func (c *Check) Shown() (all []*Shown) {
	if c.Mistaken != nil {
		all = append(all, c.Mistaken)
	}
	for _, verdict := range []explore.Verdict{explore.Violated, explore.Holds} {
		for i, run := range c.Runs {
			if run != nil && c.Report.Properties[i].Verdict == verdict {
				all = append(all, run)
			}
		}
	}
	return all
}

// Counterexample returns the run that a check is remembered by: to a mistake of the model, or the first one
// to a violation; nil: there is none.
func (c *Check) Counterexample() *Shown {
	for i, run := range c.Runs {
		if c.Mistaken == nil && run != nil && c.Report.Properties[i].Verdict == explore.Violated {
			return run
		}
	}
	return c.Mistaken
}
