package term

import (
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/atmostk/atmostk/explore"
	"github.com/atmostk/atmostk/traces/printable"
)

// Progress shows the progress of a search that takes longer than a delay: on a terminal in one line, in other
// outputs in a line every five seconds.
type Progress struct {
	w        *Output
	terminal bool
	next     time.Duration // time of the next line, since the start of the search; 0: never
	shown    bool
}

// NewProgress returns a Progress that writes to an output after the delay; 0: never.
func NewProgress(w *Output, delay time.Duration) *Progress {
	return &Progress{w: w, terminal: w.Terminal(), next: delay}
}

// Show shows a snapshot, if it is time.
func (p *Progress) Show(s explore.Snapshot) {
	if p.next == 0 || s.Elapsed < p.next {
		return
	}
	if p.terminal {
		// in the last column some terminals begin a new line
		fmt.Fprintf(p.w, "\r\x1b[K%s", progressLine(&s, p.w.Width()-1))
		p.next = s.Elapsed + 200*time.Millisecond
	} else {
		printable.Fprintln(p.w, progressLine(&s, math.MaxInt))
		p.next = s.Elapsed + 5*time.Second
	}
	p.shown = true
}

// Done clears the line on a terminal.
func (p *Progress) Done() {
	if p.terminal && p.shown {
		fmt.Fprint(p.w, "\r\x1b[K")
	}
}

// progressLine describes a snapshot, most important things first, as far as a line of width columns allows.
func progressLine(s *explore.Snapshot, width int) (line string) {
	doing := printable.Number(s.Frontier) + " to expand in it"
	if s.Read > 0 {
		doing = explore.Bytes(s.Read) + " of files read to resume"
	} else if s.Merging > 0 {
		doing = fmt.Sprintf("%d of %d shards of the next one merged", s.Merged, s.Merging)
	}
	parts := []string{printable.Plural(s.States, "state"), printable.Number(rate(s)) + "/s",
		fmt.Sprintf("level %d", s.Level), doing}
	if s.Memory > 0 {
		parts = append(parts, explore.Bytes(s.Memory))
	}
	parts = append(parts, s.Elapsed.Round(100*time.Millisecond).String())
	if s.Disk > 0 {
		parts = append(parts, explore.Bytes(s.Disk)+" of files")
	}
	if part, left := Remaining(s); left != "" {
		parts = append([]string{fmt.Sprintf("%.0f%%", 100*part), left}, parts...)
	}
	for _, p := range parts {
		longer := strings.TrimPrefix(line+", "+p, ", ")
		if len(longer) > width {
			break
		}
		line = longer
	}
	return line
}

func rate(s *explore.Snapshot) int64 { return int64(float64(s.States) / s.Elapsed.Seconds()) }

// Remaining returns the visited share of all states, and the time for the rest at this rate; "": unknown.
func Remaining(s *explore.Snapshot) (part float64, left string) {
	e, ok := explore.EstimateOf(s.Levels)
	if !ok {
		return 0, ""
	}
	seconds := func(states int64) time.Duration {
		return time.Duration(min(1e18, float64(max(0, states-s.States))/float64(max(1, rate(s)))*float64(
			time.Second)))
	}
	part = float64(s.States) / float64(max(e.States, s.States, 1))
	return part, fmt.Sprintf("about %s left (%s to %s)", roughly(seconds(e.States)), roughly(seconds(e.Low)),
		roughly(seconds(e.High)))
}

// roughly writes a time in one unit or two.
func roughly(d time.Duration) string {
	switch {
	case d < 10*time.Minute:
		return max(d, time.Second).Truncate(time.Second).String()
	case d < time.Hour:
		return fmt.Sprintf("%dm", int(d.Minutes()))
	case d < 100*time.Hour:
		return fmt.Sprintf("%dh%02dm", int(d.Hours()), int(d.Minutes())%60)
	case d > 10_000*time.Hour:
		return "years"
	}
	return fmt.Sprintf("%dd", int(d.Hours()/24))
}
