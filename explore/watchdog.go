package explore

import (
	"context"
	"fmt"
	"math/bits"
	"runtime"
	"runtime/debug"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/lts"
)

// A function of the model that does not return cannot be ended: the search that has called it is left
// behind, in a goroutine of its own, when it is to stop, and what is reported is how it stood between two
// expansions.

// How often it is looked at what a search does; for how long one is waited for that is to stop and stands in
// a function of the model, and for how long if it has something to write; and for how long a search has
// after that to find what was found once more.
const (
	watchEvery        = 50 * time.Millisecond
	leaveAfter        = 300 * time.Millisecond
	leaveWritingAfter = 5 * time.Second
	retellFor         = 100 * time.Millisecond
)

// leftBehind stands in watchdog.leavable in place of a count, of which none is negative.
const leftBehind = -1

// tellAfter is after which time it is told that a handler has not returned.
const tellAfter = 5 * time.Second

// A watchdog waits for a search, with what is known of it from outside.
type watchdog struct {
	begun                          time.Time
	patience, tellAfter, retellFor time.Duration
	ended                          chan struct{}
	report                         *Report // of one that has ended
	err                            error
	panicked                       any // what it panicked with

	// leavable is odd while the search does what can be left behind. It changes when it begins to, and ends;
	// and to leftBehind, for good, when it is left behind.
	leavable atomic.Int64

	telling sync.Mutex // held while it is told how far the search is
	left    bool       // nothing is told any more

	mu        sync.Mutex // of the rest
	goroutine string
	underway  lts.Underway
	stands    Report // between two expansions, without results
	frontier  int    // states of the level that were still to be expanded
	next      int    // states of the level behind
	found     uint64 // properties of which something was found
}

// watched runs a search, and does not wait for it longer than for functions of the model that return.
func watched(ctx context.Context, in model.Instance, opt Options, patience time.Duration) (*Report, error) {
	w := &watchdog{
		begun: time.Now(), patience: patience, tellAfter: tellAfter, retellFor: retellFor,
		ended: make(chan struct{}),
	}
	if opt.patient {
		w.patience, w.tellAfter, w.retellFor = leaveAfter, leaveAfter, time.Hour
	}
	w.stands = Report{Store: opt.Store.Kind, Reduce: opt.Reduce, Actions: in.Space.Actions()}
	w.stands.Fired = make([]int64, len(w.stands.Actions))
	w.leavable.Store(1)
	tell := opt.Progress
	if tell != nil {
		opt.Progress = func(s Snapshot) { w.tell(tell, s) }
	}
	opt.watchdog = w
	go w.search(ctx, in, opt)
	why := w.wait(ctx, opt.Progress)
	if why == "" {
		if w.panicked != nil {
			panic(w.panicked)
		}
		return w.report, w.err
	}
	return w.leave(in, opt, why), nil
}

// tell passes on how far the search is, unless that was left behind.
func (w *watchdog) tell(progress func(Snapshot), s Snapshot) {
	w.telling.Lock()
	defer w.telling.Unlock()
	if !w.left {
		progress(s)
	}
}

// search runs the search, in a goroutine of its own, which a function of the model may end.
func (w *watchdog) search(ctx context.Context, in model.Instance, opt Options) {
	var mistake *model.Error
	defer close(w.ended)
	defer func() {
		x := recover()
		if _, told := x.(*failure); x != nil && !told {
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
	w.mu.Lock()
	w.goroutine = Goroutine()
	w.mu.Unlock()
	w.report, w.err = run(ctx, in, opt)
	returned = true
}

// wait waits until the search ends, or has to be left behind: why is it then.
func (w *watchdog) wait(ctx context.Context, progress func(Snapshot)) (why string) {
	tick := time.NewTicker(watchEvery)
	defer tick.Stop()
	stop := ctx.Done()
	var at standing
	for {
		select {
		case <-w.ended:
			return ""
		case <-stop:
			stop, at.asked = nil, time.Now()
		case now := <-tick.C:
			w.look(&at, now)
			if at.inModel(now) >= w.waits() {
				why := w.where(&at, now)
				if why != "" && w.leavable.CompareAndSwap(at.leavable, leftBehind) {
					return endedBy(ctx) + ": " + why
				}
			}
			if progress != nil && at.call != 0 && now.Sub(at.called) >= w.tellAfter {
				s := w.snapshot()
				s.Waiting = w.where(&at, now)
				progress(s)
			}
		}
	}
}

// waits is for how long one waits for a search that is to stop: not long for one that has nothing yet.
func (w *watchdog) waits() time.Duration {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.stands.States == 0 {
		return min(w.patience, leaveAfter)
	}
	return w.patience
}

// A standing is where a search stands, as far as one can see from outside.
type standing struct {
	asked    time.Time // when it was to stop; zero: it need not
	leavable int64
	since    time.Time // when it was first seen there
	call     uint64    // of a handler; 0: none
	called   time.Time // when it was first seen there
}

// look looks where the search stands.
func (w *watchdog) look(at *standing, now time.Time) {
	if n := w.leavable.Load(); n != at.leavable {
		at.leavable, at.since = n, now
	}
	w.mu.Lock()
	underway := w.underway
	w.mu.Unlock()
	call := uint64(0)
	if underway != nil {
		call = underway.Call()
	}
	if call != at.call {
		at.call, at.called = call, now
	}
}

// inModel is for how long a search that is to stop has been doing what can be left behind.
func (at *standing) inModel(now time.Time) time.Duration {
	if at.asked.IsZero() || at.leavable&1 == 0 {
		return 0
	}
	return min(now.Sub(at.asked), now.Sub(at.since))
}

// where says which function of the model has not returned, and for how long; "": it is in none.
func (w *watchdog) where(at *standing, now time.Time) string {
	w.mu.Lock()
	goroutine, underway := w.goroutine, w.underway
	w.mu.Unlock()
	line := Running(goroutine)
	if line == "" {
		return ""
	}
	subject, since := "a function of the model", at.since
	if at.call != 0 {
		if handler := underway.Subject(at.call); handler != "" {
			subject, since = handler, at.called
		}
	}
	return fmt.Sprintf("%s has not returned for %s (%s)", subject, now.Sub(since).Round(100*time.Millisecond),
		line)
}

// snapshot is the progress when the search stood between two expansions.
func (w *watchdog) snapshot() Snapshot {
	w.mu.Lock()
	defer w.mu.Unlock()
	r := &w.stands
	return Snapshot{
		States: r.States, Generated: r.Generated, Level: r.Depth, Levels: r.Levels, Frontier: w.frontier,
		Memory: r.Memory, Elapsed: time.Since(w.begun),
	}
}

// leave leaves the search behind, and returns the report of it. What was found is found once more, by
// another search, if that can be done at once.
func (w *watchdog) leave(in model.Instance, opt Options, why string) *Report {
	w.telling.Lock()
	w.left = true
	w.telling.Unlock()
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
	asked, again := opt.asked(properties), w.retold(in, opt, r.States, found)
	for i, p := range properties {
		switch of, known := again[p.Name]; {
		case asked>>i&1 == 0:
		case known:
			r.Properties = append(r.Properties, of)
			if of.Verdict == Violated {
				r.Verdict = Violated
			}
		default:
			r.Properties = append(r.Properties, Result{PropertyInfo: p, Verdict: Unknown, Length: -1})
		}
	}
	return &r
}

// retold returns the results, with runs, of what was found of some properties in so many states.
func (w *watchdog) retold(in model.Instance, opt Options, states int64, found uint64) map[string]Result {
	if found == 0 {
		return nil
	}
	again := Options{KeepGoing: true, Workers: opt.Workers, Reduce: opt.Reduce, MaxStates: states,
		Memory: opt.Memory}
	for left := found; left != 0; left &= left - 1 {
		again.Properties = append(again.Properties, bits.TrailingZeros64(left))
	}
	ctx, cancel := context.WithTimeout(context.Background(), w.retellFor)
	defer cancel()
	r, err := watched(ctx, in, again, w.retellFor)
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

// mayBeLeft says from now on whether the search does what can be left behind. One that was left behind ends
// here, if the function of the model has returned after all: it writes nothing that its report does not know.
func (o *Options) mayBeLeft(so bool) {
	w := o.watchdog
	if w == nil {
		return
	}
	n := w.leavable.Load()
	if n == leftBehind || (n&1 == 1) != so && !w.leavable.CompareAndSwap(n, n+1) {
		runtime.Goexit()
	}
}

// tellUnderway tells whoever waits what tells of handlers under way.
func (o *Options) tellUnderway(u lts.Underway) {
	if w := o.watchdog; w != nil {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.underway = u
	}
}

// stand tells whoever waits how the search stands between two expansions.
func (s *search) stand() {
	w := s.opt.watchdog
	if w == nil {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	fired := w.stands.Fired[:0]
	fired = append(fired, s.report.Fired...)
	w.stands = s.report
	w.stands.Fired, w.stands.Properties = fired, nil
	w.frontier, w.next, w.found = s.now.Count, s.next.Count, 0
	for i := range s.finds {
		if s.finds[i].known {
			w.found |= 1 << i
		}
	}
}
