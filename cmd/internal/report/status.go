package report

import (
	"io"
	"strings"
	"time"

	"github.com/atmostk/atmostk/cmd/internal/term"
	"github.com/atmostk/atmostk/explore"
	"github.com/atmostk/atmostk/traces/printable"
)

// WriteStatus writes the progress of a search that keeps files; args are its model and parameters.
func WriteStatus(w io.Writer, args []string, s *explore.Status) {
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
	line(w, "%s", term.Bold(strings.Join(args, " ")))
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
}
