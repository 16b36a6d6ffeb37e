package report

import (
	"strings"

	"github.com/atmostk/atmostk/cmd/internal/models"
	"github.com/atmostk/atmostk/explore"
	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/traces"
)

// A Check is a finished search.
type Check struct {
	Program *models.Set
	Spec    *model.Spec
	Named   string // how the user named the model
	Args    *model.Args
	Report  *explore.Report
	Witness bool          // shows runs to goals, and those that cost least and most
	Width   int           // columns of the terminal
	Runs    []*traces.Run // per property; nil: none
	Files   []string      // per property: where its run was written
	Kept    string        // the file that the run is kept in, as replay names it; "": none

	Mistaken    *traces.Run // the run to a mistake of the model; nil: none
	MistakeFile string      // where it was written
}

// Verdict is the verdict in one line.
func (c *Check) Verdict() string {
	var which []string
	for i := range c.Report.Properties {
		if p := &c.Report.Properties[i]; p.Verdict == c.Report.Verdict && p.Verdict != explore.Holds {
			which = append(which, p.Name)
		}
	}
	line := c.about() + ": " + string(c.Report.Verdict)
	if which == nil {
		return line
	}
	return line + ": " + strings.Join(which, ", ")
}

// Counterexample returns the run that a check is remembered by: to a mistake of the model, or the first one
// to a violation; nil: there is none.
func (c *Check) Counterexample() *traces.Run {
	if c.Mistaken != nil {
		return c.Mistaken
	}
	for i, run := range c.Runs {
		if run != nil && c.Report.Properties[i].Verdict == explore.Violated {
			return run
		}
	}
	return nil
}
