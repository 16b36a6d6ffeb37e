package explore

// What ends a search before its time, and what it tells while it goes on.

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/atmostk/atmostk/explore/store"
)

// interruption returns why whatever is under way has to stop now, or "".
func (s *search) interruption(at stopPoint) string {
	return cmp.Or(s.stopsAt(at), endedBy(s.ctx))
}

// stopsAt returns why a test wants the search to stop here, or "".
func (s *search) stopsAt(at stopPoint) string {
	if s.hooks.stopAt == nil {
		return ""
	}
	return s.hooks.stopAt(at)
}

// endedBy says why something ends whose context has ended; "": it has not.
func endedBy(ctx context.Context) string {
	switch err := context.Cause(ctx); {
	case errors.Is(err, context.DeadlineExceeded):
		return "stopped at the time limit"
	case err != nil:
		return "interrupted"
	}
	return ""
}

// limit returns why the search has to stop now, or "".
func (s *search) limit(at stopPoint) string {
	if at == atExpansion || s.checkpoint == nil { // what is written down are whole expansions
		if why := s.interruption(at); why != "" {
			return why
		}
	}
	switch {
	case s.opt.MaxStates > 0 && s.report.States >= s.opt.MaxStates:
		return s.atMaxStates()
	case s.opt.MaxDepth > 0 && s.report.Depth >= s.opt.MaxDepth:
		return fmt.Sprintf("stopped at the limit of %d levels", s.opt.MaxDepth)
	}
	return ""
}

func (s *search) atMaxStates() string {
	return fmt.Sprintf("stopped at the limit of %d states", s.opt.MaxStates)
}

// violated reports whether something was found that is not the answer to a question.
func (s *search) violated() bool {
	for i, f := range s.finds {
		if f.known && s.goals>>i&1 == 0 {
			return true
		}
	}
	return false
}

func (s *search) snapshot() Snapshot {
	return Snapshot{
		States: s.report.States, Generated: s.report.Generated, Level: s.report.Depth,
		Levels:   s.report.Levels,
		Frontier: s.now.Count, Memory: s.memory(), Elapsed: s.elapsed(),
	}
}

// elapsed is how long the search takes, with those that it goes on with.
func (s *search) elapsed() time.Duration {
	d := time.Since(s.begun)
	if s.checkpoint != nil {
		d += time.Duration(s.checkpoint.before * float64(time.Second))
	}
	return d
}

// Bytes writes a number of bytes in the largest unit that it reaches.
func Bytes(n int64) string {
	switch {
	case n >= 1<<30:
		return fmt.Sprintf("%.1f GiB", float64(n)/(1<<30))
	case n >= 1<<20:
		return fmt.Sprintf("%.1f MiB", float64(n)/(1<<20))
	}
	return fmt.Sprintf("%.1f KiB", float64(n)/(1<<10))
}

// counts returns what was counted, as it is saved.
func (s *search) counts() (c store.Counts) {
	r := &s.report
	c = store.Counts{
		Expanded: s.expanded, Generated: r.Generated, Outside: r.Outside, Beyond: r.Beyond, Pruned: r.Pruned,
		Stuck: r.Stuck, StuckDepth: r.StuckDepth, Quiet: r.Quiet, Fired: slices.Clone(r.Fired),
	}
	for i := range r.Properties {
		c.Properties = append(c.Properties, r.Properties[i].Count)
	}
	return c
}

// countFrom makes what was counted what was saved.
func (s *search) countFrom(c *store.Counts) {
	r := &s.report
	s.expanded = c.Expanded
	r.Generated, r.Outside, r.Beyond, r.Pruned = c.Generated, c.Outside, c.Beyond, c.Pruned
	r.Stuck, r.StuckDepth, r.Quiet = c.Stuck, c.StuckDepth, c.Quiet
	clear(r.Fired)
	copy(r.Fired, c.Fired)
	for i := range r.Properties {
		r.Properties[i].Count = 0
	}
	for i, n := range c.Properties {
		r.Properties[i].Count = n
	}
}
