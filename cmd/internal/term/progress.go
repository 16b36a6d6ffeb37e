package term

import (
	"fmt"
	"strings"
	"time"

	"github.com/atmostk/atmostk/explore"
	"github.com/atmostk/atmostk/traces/printable"
)

// Progress shows how far a search is, once it takes longer than a delay: on a terminal in one line with a
// bar, elsewhere in a line now and then.
type Progress struct {
	w        *Output
	terminal bool
	next     time.Duration // not before this time into the search; 0: never
	shown    bool
}

// NewProgress returns one that writes to an output after the delay; 0: never.
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
		fmt.Fprintf(p.w, "\r\x1b[K%s", progressBar(&s, p.w.Width()-1))
		p.next = s.Elapsed + 200*time.Millisecond
	} else {
		printable.Fprintln(p.w, progressLine(&s))
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

// progressLine is the whole of a snapshot.
func progressLine(s *explore.Snapshot) string {
	doing := printable.Number(s.Frontier) + " to expand in it"
	if s.Merging > 0 {
		doing = fmt.Sprintf("%d of %d shards of the next one merged", s.Merged, s.Merging)
	}
	line := fmt.Sprintf("%s, %s/s, level %d, %s, %s, %s",
		printable.Plural(s.States, "state"), printable.Number(rate(s)), s.Level, doing,
		explore.Bytes(s.Memory), s.Elapsed.Round(100*time.Millisecond))
	if s.Disk > 0 {
		line += ", " + explore.Bytes(s.Disk) + " of files"
	}
	if _, left := Remaining(s); left != "" {
		line += ", " + left
	}
	return line
}

func rate(s *explore.Snapshot) int64 { return int64(float64(s.States) / s.Elapsed.Seconds()) }

// Remaining returns the share of states that were visited, and how long the rest will take at the rate so
// far; "": unknown.
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
	case d < time.Second:
		return "1s"
	case d < time.Minute:
		return fmt.Sprintf("%ds", int(d.Seconds()))
	case d < 10*time.Minute:
		return fmt.Sprintf("%dm%02ds", int(d.Minutes()), int(d.Seconds())%60)
	case d < time.Hour:
		return fmt.Sprintf("%dm", int(d.Minutes()))
	case d < 100*time.Hour:
		return fmt.Sprintf("%dh%02dm", int(d.Hours()), int(d.Minutes())%60)
	case d > 10_000*time.Hour:
		return "years"
	}
	return fmt.Sprintf("%dd", int(d.Hours()/24))
}

// The bar takes what the rest leaves of the line, within these.
const (
	shortestBar = 5
	longestBar  = 30
)

// progressBar is as much of a snapshot as fits a line of width columns: a bar first, if the end can be
// estimated, then what matters most.
func progressBar(s *explore.Snapshot, width int) string {
	part, left := Remaining(s)
	pace := digits(rate(s)) + "/s"
	if s.Merging > 0 {
		pace = "merging"
	}
	parts := []string{
		digits(s.States) + " states", pace, fmt.Sprintf("level %d", s.Level),
		explore.Bytes(s.Memory),
		s.Elapsed.Round(time.Second).String(),
	}
	if left != "" {
		parts = append([]string{strings.TrimPrefix(left, "about ")}, parts...)
	}
	line := ""
	for _, p := range parts {
		longer := strings.TrimPrefix(line+"  "+p, "  ")
		if bar := shortestBar + len("[] 100%  "); left != "" && bar+len(longer) > width ||
			len(longer) > width {
			break
		}
		line = longer
	}
	room := min(longestBar, width-len("[] 100%  ")-len(line))
	if left == "" || room < shortestBar {
		return line
	}
	done := min(room, int(part*float64(room)))
	return fmt.Sprintf("[%s%s] %3.0f%%  %s", strings.Repeat("#", done), strings.Repeat("-", room-done),
		100*part, line)
}

// digits writes a number in a few digits.
func digits(n int64) string {
	x, unit := float64(n), ""
	for _, u := range []string{"k", "M", "G", "T"} {
		if x < 1000 {
			break
		}
		x, unit = x/1000, u
	}
	if unit == "" {
		return fmt.Sprint(n)
	}
	return fmt.Sprintf("%.3g%s", x, unit)
}
