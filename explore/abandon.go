package explore

import (
	"context"
	"math/bits"
	"runtime"
	"runtime/debug"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/atmostk/atmostk/model"
)

// A function of the model that does not return cannot be ended. A search that is to stop and does not do so
// within a grace period is abandoned in its goroutine, and its report is that of the last expansion that
// ended.

const (
	// GracePeriod is how long something that runs functions of a model has to end after it is to stop.
	GracePeriod = 300 * time.Millisecond
	// writingGracePeriod is that of a search with files, which lose what an abandoned expansion did.
	writingGracePeriod = 5 * time.Second
	// repeatPeriod limits the second search, for the runs to what an abandoned search found.
	repeatPeriod = 100 * time.Millisecond
)

// abandoned in supervisor.phase: for good.
const abandoned = -1

// A supervisor waits for a search, and abandons it.
type supervisor struct {
	begun         time.Time
	grace, repeat time.Duration
	ended         chan struct{}
	report        *Report // of a search that has ended
	err           error
	panicked      any // what it panicked with

	// phase is odd while the search can be abandoned. It grows when that changes.
	phase atomic.Int64

	notifying sync.Mutex // held while Options.Progress runs
	silent    bool       // Progress is not called any more

	mu     sync.Mutex // of the rest: how the search stood after the last expansion
	stands Report     // without results
	next   int        // states of the next level
	found  uint64     // properties of which something was found
}

// supervised runs a search, and waits no longer than a grace period for it once it is to stop.
func supervised(ctx context.Context, in model.Instance, opt Options, grace time.Duration) (*Report, error) {
	w := &supervisor{begun: time.Now(), grace: grace, repeat: repeatPeriod, ended: make(chan struct{})}
	if opt.patient {
		w.grace, w.repeat = GracePeriod, time.Hour
	}
	w.stands = Report{Store: opt.Store.Kind, Reduce: opt.Reduce, Actions: in.Space.Actions()}
	w.stands.Fired = make([]int64, len(w.stands.Actions))
	w.phase.Store(1)
	if notify := opt.Progress; notify != nil {
		opt.Progress = func(s Snapshot) {
			w.notifying.Lock()
			defer w.notifying.Unlock()
			if !w.silent {
				notify(s)
			}
		}
	}
	opt.supervisor = w
	go w.search(ctx, in, opt)
	if w.wait(ctx) {
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
func (w *supervisor) wait(ctx context.Context) (ended bool) {
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
			case n&1 == 1 && now.Sub(since) >= w.patience() && w.phase.CompareAndSwap(n, abandoned):
				return false
			}
		}
	}
}

// patience is the grace period: a short one while there is nothing to lose.
func (w *supervisor) patience() time.Duration {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.stands.States == 0 {
		return min(w.grace, GracePeriod)
	}
	return w.grace
}

// partial returns the report of an abandoned search.
func (w *supervisor) partial(in model.Instance, opt Options, why string) *Report {
	w.notifying.Lock()
	w.silent = true
	w.notifying.Unlock()
	w.mu.Lock()
	r, n, found := w.stands, w.next, w.found
	r.Fired, r.Levels = slices.Clone(r.Fired), slices.Clone(r.Levels)
	w.mu.Unlock()
	if n > 0 {
		r.Levels = append(r.Levels, int64(n))
		r.Depth++
	}
	r.Verdict, r.Complete, r.Stopped, r.Elapsed = Unknown, false, why, time.Since(w.begun)
	properties := in.Space.Properties()
	asked, results := opt.asked(properties), w.repeated(in, opt, r.States, found)
	for i, p := range properties {
		if asked>>i&1 == 0 {
			continue
		}
		result := Result{PropertyInfo: p, Verdict: Unknown, Length: -1}
		if again, known := results[p.Name]; known {
			result = again
		}
		if r.Properties = append(r.Properties, result); result.Verdict == Violated {
			r.Verdict = Violated
		}
	}
	return &r
}

// repeated searches again, up to a number of states, for what was found of some properties, and returns the
// results with runs.
func (w *supervisor) repeated(in model.Instance, opt Options, states int64, found uint64) map[string]Result {
	if found == 0 {
		return nil
	}
	again := Options{KeepGoing: true, Workers: opt.Workers, Reduce: opt.Reduce, MaxStates: states,
		Memory: opt.Memory}
	for left := found; left != 0; left &= left - 1 {
		again.Properties = append(again.Properties, bits.TrailingZeros64(left))
	}
	ctx, cancel := context.WithTimeout(context.Background(), w.repeat)
	defer cancel()
	r, err := supervised(ctx, in, again, w.repeat)
	if err != nil {
		return nil // what is wrong with the model was not met before
	}
	results := map[string]Result{}
	for i := range r.Properties {
		if p := &r.Properties[i]; p.Path != nil {
			results[p.Name] = *p
		}
	}
	return results
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
	w.stands.Fired, w.stands.Properties = fired, nil
	w.next, w.found = s.next.Count, 0
	for i := range s.finds {
		if s.finds[i].known {
			w.found |= 1 << i
		}
	}
}
