package explore

import (
	"cmp"
	"context"
	"runtime"
	"runtime/debug"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/atmostk/atmostk/model"
)

// A function of the model that does not return cannot be ended. A search that is to stop and does not do so
// within a grace period is abandoned in its goroutine, and its report has the counts of the last expansion that
// ended.

const (
	// GracePeriod is how long something that runs functions of a model has to end after it is to stop.
	GracePeriod = 300 * time.Millisecond
	// writingGracePeriod is that of a search with files, which lose what an abandoned expansion did.
	writingGracePeriod = 5 * time.Second
)

// abandoned in supervisor.phase: for good.
const abandoned = -1

// A supervisor waits for a search, and abandons it.
type supervisor struct {
	begun    time.Time
	ended    chan struct{}
	report   *Report // of a search that has ended
	err      error
	panicked any // what it panicked with

	// phase is odd while the search can be abandoned. It grows when that changes.
	phase atomic.Int64

	mu     sync.Mutex // of the rest, held while Options.Progress runs
	silent bool       // Progress is not called any more
	stands Report     // how the search stood after the last expansion, without results
	next   int        // states of the next level
	found  uint64     // properties of which something was found
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
	r.Verdict, r.Stopped, r.Elapsed = Unknown, why, time.Since(w.begun)
	properties := in.Space.Properties()
	asked := opt.asked(properties)
	for i, p := range properties {
		if asked>>i&1 == 0 {
			continue
		}
		result := Result{PropertyInfo: p, Verdict: Unknown, Length: -1}
		if w.found>>i&1 == 1 {
			result.Undecided = "met, and not confirmed: the search was abandoned"
		}
		r.Properties = append(r.Properties, result)
	}
	return &r
}

// abandonable says whether the search can be abandoned from now on. An abandoned search ends here, if the
// function of the model has returned after all: it writes nothing that its report does not know.
func (o *Options) abandonable(can bool) {
	w := o.supervisor
	if w == nil {
		return
	}
	n := w.phase.Load()
	if n == abandoned || (n&1 == 1) != can && !w.phase.CompareAndSwap(n, n+1) {
		runtime.Goexit()
	}
}

// stand keeps how the search stands between two expansions.
func (s *search) stand() {
	w := s.opt.supervisor
	if w == nil {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
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
