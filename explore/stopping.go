package explore

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/atmostk/atmostk/explore/store"
	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/property"
)

// interruption returns the reason that the search has to stop now, for a test or its context; "": none.
func (s *search) interruption(at stopPoint) string {
	return cmp.Or(s.stopsAt(at), endedBy(s.ctx))
}

// stopsAt returns the reason that a test gives to stop here; "": none.
func (s *search) stopsAt(at stopPoint) string {
	if s.hooks.stopAt == nil {
		return ""
	}
	return s.hooks.stopAt(at)
}

// endedBy returns the reason that a context has ended; "": it has not.
func endedBy(ctx context.Context) string {
	switch err := context.Cause(ctx); {
	case errors.Is(err, context.DeadlineExceeded):
		return "stopped at the time limit"
	case err != nil:
		return "interrupted"
	}
	return ""
}

// noRoom is the reason that a search for parents or paths could not be finished.
type noRoom string

func (n noRoom) Error() string { return string(n) }

// limit returns the reason that the search has to stop now, limits included; "": none.
func (s *search) limit(at stopPoint) string {
	switch why := s.interruption(at); {
	case why != "":
		return why
	case s.opt.MaxStates > 0 && s.report.States >= s.opt.MaxStates:
		return store.AtLimit("the limit", s.opt.MaxStates, "state")
	case s.opt.MaxDepth > 0 && s.report.Depth >= s.opt.MaxDepth:
		return store.AtLimit("the limit", int64(s.opt.MaxDepth), "level")
	}
	return ""
}

// Bytes writes a number of bytes in KiB, MiB or GiB: the largest unit that it reaches.
func Bytes(n int64) string {
	switch {
	case n >= 1<<30:
		return fmt.Sprintf("%.1f GiB", float64(n)/(1<<30))
	case n >= 1<<20:
		return fmt.Sprintf("%.1f MiB", float64(n)/(1<<20))
	}
	return fmt.Sprintf("%.1f KiB", float64(n)/(1<<10))
}

// noCounts returns counts that are all zero.
func (s *search) noCounts() store.Counts {
	return store.Counts{Fired: make([]int64, len(s.report.Actions)), Properties: make([]int64, len(s.finds))}
}

// tally copies the counts into the report.
func (s *search) tally() {
	r, c := &s.report, &s.counts
	r.Generated, r.Outside, r.Beyond, r.Pruned = c.Generated, c.Outside, c.Beyond, c.Pruned
	r.Stuck, r.StuckDepth, r.Quiet = c.Stuck, c.StuckDepth, c.Quiet
	r.Fired = append(r.Fired[:0], c.Fired...)
	for i, n := range c.Properties {
		r.Properties[i].Count = n
	}
}

// A function of the model that does not return cannot be ended. If a search does not stop within a grace
// period, it is abandoned: its goroutine runs on, and the report has the counts of the last finished
// expansion.

const (
	// GracePeriod is the time that a search, or another user of a model, has to stop before it is abandoned.
	GracePeriod = 300 * time.Millisecond
	// writingGracePeriod is the grace period with files, which lose an abandoned expansion.
	writingGracePeriod = 5 * time.Second
	// confirmFor is the time limit for the search for runs to the finds of an abandoned one.
	confirmFor = 3 * time.Second
)

// abandoned is the last value of supervisor.phase of an abandoned search.
const abandoned = -1

// A supervisor waits for a search, and abandons it.
type supervisor struct {
	begun    time.Time
	ended    chan struct{}
	report   *Report // of a search that has ended
	err      error
	panicked any // the value it panicked with

	// phase is odd while the search can be abandoned. Each change adds 1.
	phase atomic.Int64

	mu     sync.Mutex // guards the fields below; held while Options.Progress runs
	silent bool       // Progress is not called any more
	stands Report     // the state of the search after the last expansion, without results
	next   int        // states of the next level
	fired  []int64    // in stands
	found  []int64    // per property: the states or steps to report
}

// supervised runs a search. After ctx is done it waits for the search for a grace period at most.
func supervised(ctx context.Context, in model.Instance, opt Options, grace time.Duration) (*Report, error) {
	w := &supervisor{begun: time.Now(), ended: make(chan struct{})}
	w.stands = Report{Store: opt.Store.Kind, Reduce: opt.Reduce, Actions: in.Space.Actions()}
	w.found = make([]int64, len(in.Space.Properties()))
	w.stands.Fired = make([]int64, len(w.stands.Actions))
	w.phase.Store(1)
	if notify := opt.Progress; notify != nil {
		opt.Progress = func(s Snapshot) {
			w.mu.Lock()
			defer w.mu.Unlock()
			if !w.silent {
				notify(s)
			}
		}
	}
	opt.supervisor = w
	go w.search(ctx, in, opt)
	if w.wait(ctx, cmp.Or(hooksOf(ctx).grace, grace)) {
		if w.panicked != nil {
			panic(w.panicked)
		}
		return w.report, w.err
	}
	return w.partial(in, opt, endedBy(ctx)+": a function of the model has not returned"), nil
}

// search runs the search, in a goroutine of its own, which a function of the model may end.
func (w *supervisor) search(ctx context.Context, in model.Instance, opt Options) {
	var mistake *model.Error
	defer close(w.ended)
	defer func() {
		x := recover()
		if _, known := x.(*failure); x != nil && !known {
			x = &failure{x, debug.Stack()}
		}
		if mistake != nil {
			w.err = mistake
		} else if x != nil {
			w.panicked = x
		}
	}()
	returned := false
	defer model.Catch(&mistake, &returned) // here, because the stack shows the place
	if w.report, w.err = run(ctx, in, opt); w.err == nil {
		w.report.unanswered()
	}
	returned = true
}

// wait waits until the search ends; false: it is abandoned.
func (w *supervisor) wait(ctx context.Context, grace time.Duration) (ended bool) {
	select {
	case <-w.ended:
		return true
	case <-ctx.Done():
	}
	tick := time.NewTicker(GracePeriod / 10)
	defer tick.Stop()
	for phase, since := w.phase.Load(), time.Now(); ; {
		select {
		case <-w.ended:
			return true
		case now := <-tick.C:
			switch n := w.phase.Load(); {
			case n != phase:
				phase, since = n, now
			case n&1 == 1 && now.Sub(since) >= grace && w.phase.CompareAndSwap(n, abandoned):
				return false
			}
		}
	}
}

// partial returns the report of an abandoned search.
func (w *supervisor) partial(in model.Instance, opt Options, why string) *Report {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.silent = true
	r := w.stands
	r.Fired, r.Levels = slices.Clone(r.Fired), slices.Clone(r.Levels)
	if w.next > 0 {
		r.Levels = append(r.Levels, int64(w.next))
		r.Depth++
	}
	r.Stopped = why
	properties := in.Space.Properties()
	for i := range property.Among(opt.asked(properties)) {
		p := Result{PropertyInfo: properties[i], Verdict: Unknown, Length: -1, Count: w.found[i]}
		if p.Count > 0 {
			p.Undecided = "met, and not confirmed: the search was abandoned"
		}
		r.Properties = append(r.Properties, p)
	}
	r.sumUp()
	if opt.Finds == 0 { // the memory of the search belongs to its goroutine
		ctx, cancel := context.WithTimeout(context.Background(), confirmFor)
		defer cancel()
		again := func(o Options) (*Report, error) { return supervised(ctx, in, o, GracePeriod) }
		// an error is a mistake of the model that the abandoned search had not met
		_ = r.AddRuns(in, Options{
			Workers: opt.Workers, Reduce: opt.Reduce, Memory: opt.Memory, MaxStates: r.States,
		}, again)
	}
	r.Elapsed = time.Since(w.begun)
	return &r
}

// setAbandonable sets whether the search can be abandoned from now on. An abandoned search ends here when the
// function of the model returns after all, so that it writes nothing that its report does not have.
func (o *Options) setAbandonable(can bool) {
	w := o.supervisor
	if w == nil {
		return
	}
	n := w.phase.Load()
	if n == abandoned || (n&1 == 1) != can && !w.phase.CompareAndSwap(n, n+1) {
		runtime.Goexit()
	}
}

// recordProgress records counts and finds between two expansions, for the report of an abandoned search.
func (s *search) recordProgress() {
	w := s.opt.supervisor
	if w == nil {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	s.tally()
	w.stands, w.next, w.found = s.report, s.next.Count, append(w.found[:0], s.counts.Properties...)
	w.fired = append(w.fired[:0], s.report.Fired...)
	w.stands.Fired, w.stands.Properties, w.stands.Complete = w.fired, nil, false
}
