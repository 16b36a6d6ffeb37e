package cli

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/atmostk/atmostk/cmd/internal/term"

	"github.com/atmostk/atmostk/explore"
	"github.com/atmostk/atmostk/model/usage"
	"github.com/atmostk/atmostk/traces/printable"
)

// showStatus reports how far the search in a directory is, as of the last level that was finished.
func (a *app) showStatus(dir, format string) error {
	k, err := a.loadKept(dir)
	if err != nil {
		return err
	}
	status, err := explore.StatusOf(dir)
	if err != nil {
		return inputError{err}
	}
	switch format {
	case "json":
		return statusJSON(a.out, k, status)
	case "text":
		statusText(a.out, k, status)
		return nil
	}
	return usage.Errorf("--format=%s: with --status allowed are text and json", format)
}

// statusText reports how far a search is, for a person.
func statusText(w io.Writer, k *keptSearch, s *explore.Status) {
	printable.Fprintf(w, "%s\n", term.Bold(strings.Join(k.Args, " ")))
	state := "not finished; --resume goes on with it unless it is running"
	if s.Finished {
		state = "finished"
	} else if s.Violated {
		state = "not finished, and something is violated"
	}
	printable.Fprintf(w, "%s in %d levels, the last of %s; %s\n",
		printable.Plural(s.States, "state"), len(s.Levels), printable.Plural(lastOf(s.Levels), "state"),
		state)
	printable.Fprintf(w, "%s, %s states/s, %s of files, %d bytes/state; saved %s ago\n",
		s.Elapsed.Round(100*time.Millisecond), printable.Number(s.Rate()), explore.Bytes(s.Disk),
		s.Disk/max(1, s.States),
		time.Since(s.Saved).Round(time.Second))
	shot := explore.Snapshot{States: s.States, Levels: s.Levels, Elapsed: s.Elapsed}
	if part, left := term.Remaining(&shot); left != "" && !s.Finished {
		printable.Fprintf(w, "some %.0f%% of the states; %s at this rate\n", 100*part, left)
	}
}

// lastOf returns the last of some numbers, 0 if there is none.
func lastOf(xs []int64) int64 {
	if len(xs) == 0 {
		return 0
	}
	return xs[len(xs)-1]
}

type jsonStatus struct {
	Args     []string `json:"args"`
	Program  string   `json:"program"`
	Store    string   `json:"store"`
	Finished bool     `json:"finished"`
	Violated bool     `json:"violated"`
	States   int64    `json:"states"`
	Levels   []int64  `json:"levels"`
	Seconds  float64  `json:"seconds"`
	Disk     int64    `json:"disk"`
	Saved    string   `json:"saved"`
	// Of a search that is not finished, how many states it will have, as far as the levels tell.
	Estimate []int64 `json:"estimate,omitempty"` // likely, low, high
}

func statusJSON(w io.Writer, k *keptSearch, s *explore.Status) error {
	var estimate []int64
	if e, ok := explore.EstimateOf(s.Levels); ok && !s.Finished {
		estimate = []int64{e.States, e.Low, e.High}
	}
	return printable.EncodeJSON(w, jsonStatus{
		Estimate: estimate,
		Args:     k.Args, Program: k.Program, Store: fmt.Sprint(s.Store), Finished: s.Finished,
		Violated: s.Violated,
		States:   s.States, Levels: s.Levels, Seconds: s.Elapsed.Seconds(), Disk: s.Disk,
		Saved: s.Saved.Format(time.RFC3339),
	}, "")
}
