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
	if why := s.interruption(at); why != "" {
		return why
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
		States: s.report.States, Generated: s.counts.Generated, Level: s.report.Depth,
		Levels:   s.report.Levels,
		Frontier: s.now.Count, Memory: s.memory(), Elapsed: time.Since(s.begun),
	}
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

// noCounts is what was counted of nothing.
func (s *search) noCounts() store.Counts {
	return store.Counts{Fired: make([]int64, len(s.report.Actions)), Properties: make([]int64, len(s.finds))}
}

// tally puts what was counted into the report.
func (s *search) tally() {
	r, c := &s.report, &s.counts
	r.Generated, r.Outside, r.Beyond, r.Pruned = c.Generated, c.Outside, c.Beyond, c.Pruned
	r.Stuck, r.StuckDepth, r.Quiet = c.Stuck, c.StuckDepth, c.Quiet
	r.Fired = append(r.Fired[:0], c.Fired...)
	for i, n := range c.Properties {
		r.Properties[i].Count = n
	}
}

// A function of the model that does not return cannot be ended. A search that is to stop and does not do so
// within a grace period is abandoned in its goroutine, and its report has the counts of the last expansion
// that ended.

const (
	// GracePeriod is how long something that runs functions of a model has to end after it is to stop.
	GracePeriod = 300 * time.Millisecond
	// writingGracePeriod is the grace period with files, which lose an abandoned expansion.
	writingGracePeriod = 5 * time.Second
	// confirmFor is how long it may take to find once more what an abandoned search had met.
	confirmFor = 3 * time.Second
)

// abandoned in supervisor.phase: for good.
const abandoned = -1

// A supervisor waits for a search, and abandons it.
type supervisor struct {
	begun    time.Time
	ended    chan struct{}
	report   *Report // of a search that has ended
	err      error
	panicked any // the value it panicked with

	// phase is odd while the search can be abandoned. It grows when that changes.
	phase atomic.Int64

	mu     sync.Mutex // of the rest, held while Options.Progress runs
	silent bool       // Progress is not called any more
	stands Report     // how the search stood after the last expansion, without results
	next   int        // states of the next level
	found  uint64     // properties that have a find
}

// supervised runs a search, and waits no longer than a grace period for it once it is to stop.
func supervised(ctx context.Context, in model.Instance, opt Options, grace time.Duration) (*Report, error) {
	w := &supervisor{begun: time.Now(), ended: make(chan struct{})}
	w.stands = Report{Store: opt.Store.Kind, Reduce: opt.Reduce, Actions: in.Space.Actions()}
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
	defer model.Catch(&mistake, &returned) // here, where the stack says where it is
	w.report, w.err = run(ctx, in, opt)
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
	properties, confirmed := in.Space.Properties(), w.confirmed(in, opt)
	asked := opt.asked(properties)
	r.Verdict, r.Stopped = Unknown, why
	for i, p := range properties {
		result, known := confirmed[p.Name]
		switch {
		case asked>>i&1 == 0:
			continue
		case known && result.Verdict == Violated:
			r.Verdict = Violated
		case !known:
			result = Result{PropertyInfo: p, Verdict: Unknown, Length: -1}
			if w.found>>i&1 == 1 {
				result.Undecided = "met, and not confirmed: the search was abandoned"
			}
		}
		r.Properties = append(r.Properties, result)
	}
	r.Elapsed = time.Since(w.begun)
	return &r
}

// confirmed returns, by name, the results with a run of the properties for which an abandoned search had met
// something. The memory of that search belongs to its goroutine, so another one finds it once more, among the
// states that were visited before, and judges these properties only.
func (w *supervisor) confirmed(in model.Instance, opt Options) map[string]Result {
	again := Options{KeepGoing: true, Workers: opt.Workers, Reduce: opt.Reduce, Memory: opt.Memory,
		MaxStates: w.stands.States}
	for i := range in.Space.Properties() {
		if w.found>>i&1 == 1 {
			again.Properties = append(again.Properties, i)
		}
	}
	if again.Properties == nil || opt.confirming {
		return nil
	}
	again.confirming = true
	ctx, cancel := context.WithTimeout(context.Background(), confirmFor)
	defer cancel()
	r, err := supervised(ctx, in, again, GracePeriod)
	if err != nil {
		return nil // a mistake of the model that was not met before
	}
	results := map[string]Result{}
	for _, p := range r.Properties {
		if p.Path != nil {
			results[p.Name] = p
		}
	}
	return results
}

// setAbandonable says whether the search can be abandoned from now on. An abandoned search ends here, if the
// function of the model has returned after all: it writes nothing that its report does not know.
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

// recordProgress keeps how the search stands between two expansions.
func (s *search) recordProgress() {
	w := s.opt.supervisor
	if w == nil {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	s.tally()
	fired := w.stands.Fired[:0]
	fired = append(fired, s.report.Fired...)
	w.stands = s.report
	w.stands.Fired, w.stands.Properties, w.stands.Complete = fired, nil, false
	w.next, w.found = s.next.Count, 0
	for i := range s.finds {
		if s.finds[i].known {
			w.found |= 1 << i
		}
	}
}
