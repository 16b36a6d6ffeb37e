package cmd

import (
	"fmt"
	"io"
	"time"

	"github.com/atmostk/atmostk/explore"
	"github.com/atmostk/atmostk/traces/printable"
)

// progress shows how far a search is, once it takes longer than --progress: one line
// that is written over and over on a terminal, a line now and then elsewhere.
type progress struct {
	w        io.Writer
	terminal bool
	next     time.Duration // not before this time into the search; 0: never
	shown    bool
}

func (a *app) newProgress() *progress {
	return &progress{w: a.diag, terminal: a.diag.terminal(), next: a.patience}
}

func (p *progress) show(s explore.Snapshot) {
	if p.next == 0 || s.Elapsed < p.next {
		return
	}
	line := fmt.Sprintf("%s, %s/s, level %d, %s to expand in it, %s, %s",
		plural(s.States, "state"), number(int64(float64(s.States)/s.Elapsed.Seconds())), s.Level,
		number(int64(s.Frontier)), explore.Bytes(s.Memory), s.Elapsed.Round(100*time.Millisecond))
	if p.terminal {
		fmt.Fprintf(p.w, "\r\x1b[K%s", line)
		p.next = s.Elapsed + 200*time.Millisecond
	} else {
		printable.Fprintln(p.w, line)
		p.next = s.Elapsed + 5*time.Second
	}
	p.shown = true
}

// done clears the line on a terminal.
func (p *progress) done() {
	if p.terminal && p.shown {
		fmt.Fprint(p.w, "\r\x1b[K")
	}
}
