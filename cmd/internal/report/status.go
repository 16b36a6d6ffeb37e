package report

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/atmostk/atmostk/cmd/internal/term"
	"github.com/atmostk/atmostk/explore"
	"github.com/atmostk/atmostk/traces/printable"
)

// A Status is the progress of a search that keeps files.
type Status struct {
	Args    []string // the model and its parameters
	Program string   // that began the search: name and version
	*explore.Status
}

// Text writes the status for a person.
func (s *Status) Text(w io.Writer) error {
	state := "not finished; --resume goes on with it unless it is running"
	if s.Finished {
		state = "finished"
	} else if s.Violated {
		state = "not finished, and something is violated"
	}
	last := int64(0)
	if n := len(s.Levels); n > 0 {
		last = s.Levels[n-1]
	}
	line(w, "%s", term.Bold(strings.Join(s.Args, " ")))
	line(w, "%s in %d levels, the last of %s; %s", printable.Plural(s.States, "state"), len(s.Levels),
		printable.Plural(last, "state"), state)
	line(w, "%s, %s states/s, %s of files, %d bytes/state; saved %s ago",
		s.Elapsed.Round(100*time.Millisecond),
		printable.Number(s.Rate()), explore.Bytes(s.Disk), s.Disk/max(1, s.States),
		time.Since(s.Saved).Round(time.Second))
	shot := explore.Snapshot{States: s.States, Levels: s.Levels, Elapsed: s.Elapsed}
	if part, left := term.Remaining(&shot); left != "" && !s.Finished {
		line(w, "some %.0f%% of the states; %s at this rate", 100*part, left)
	}
	return nil
}

// JSON writes the status for a program. The estimate of all states, of a search that is not finished, is the
// likely number, the least and the most.
func (s *Status) JSON(w io.Writer) error {
	var estimate []int64
	if e, ok := explore.EstimateOf(s.Levels); ok && !s.Finished {
		estimate = []int64{e.States, e.Low, e.High}
	}
	return printable.EncodeJSON(w, object{
		{"args", s.Args}, {"program", s.Program}, {"store", fmt.Sprint(s.Store)}, {"finished", s.Finished},
		{"violated", s.Violated}, {"states", s.States}, {"levels", s.Levels},
		{"seconds", s.Elapsed.Seconds()},
		{"disk", s.Disk}, {"saved", s.Saved.Format(time.RFC3339)}, {"estimate?", estimate},
	}, "")
}
