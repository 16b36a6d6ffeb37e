package explore

import (
	"context"
	"fmt"
	"math/bits"
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
	attendEvery       = 50 * time.Millisecond
	leaveAfter        = 300 * time.Millisecond
	leaveWritingAfter = 5 * time.Second
	retellFor         = 100 * time.Millisecond
)

// tellAfter is after which time it is told that a handler has not returned.
const tellAfter = 5 * time.Second

// An attendance is what is known of a search to whoever waits for it.
type attendance struct {
	begun                          time.Time
	patience, tellAfter, retellFor time.Duration
	ended                          chan struct{}
	report                         *Report // of one that has ended
	err                            error
	panicked                       any // what it panicked with

	// leavable is odd while the search does what can be left behind. It changes when it begins to, and ends.
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

// attend runs a search, and does not wait for it longer than for functions of the model that return.
func attend(ctx context.Context, in model.Instance, opt Options, patience time.Duration) (*Report, error) {
	a := &attendance{
		begun: time.Now(), patience: patience, tellAfter: tellAfter, retellFor: retellFor,
		ended: make(chan struct{}),
	}
	if opt.patient {
		a.patience, a.tellAfter, a.retellFor = leaveAfter, leaveAfter, time.Hour
	}
	a.stands = Report{Store: opt.Store.Kind, Reduce: opt.Reduce, Actions: in.Space.Actions()}
	a.stands.Fired = make([]int64, len(a.stands.Actions))
	a.leavable.Store(1)
	tell := opt.Progress
	if tell != nil {
		opt.Progress = func(s Snapshot) { a.tell(tell, s) }
	}
	opt.attendance = a
	go a.search(ctx, in, opt)
	why := a.wait(ctx, opt.Progress)
	if why == "" {
		if a.panicked != nil {
			panic(a.panicked)
		}
		return a.report, a.err
	}
	return a.leave(in, opt, why), nil
}

// tell passes on how far the search is, unless that was left behind.
func (a *attendance) tell(progress func(Snapshot), s Snapshot) {
	a.telling.Lock()
	defer a.telling.Unlock()
	if !a.left {
		progress(s)
	}
}

// search runs the search, in a goroutine of its own, which a function of the model may end.
func (a *attendance) search(ctx context.Context, in model.Instance, opt Options) {
	var mistake *model.Error
	defer close(a.ended)
	defer func() {
		x := recover()
		if _, told := x.(*failure); x != nil && !told {
			x = &failure{x, debug.Stack()}
		}
		if mistake != nil {
			a.err = mistake
		} else if x != nil {
			a.panicked = x
		}
	}()
	returned := false
	defer model.Catch(&mistake, &returned) // here, where the stack says where it is
	a.mu.Lock()
	a.goroutine = Goroutine()
	a.mu.Unlock()
	a.report, a.err = run(ctx, in, opt)
	returned = true
}

// wait waits until the search ends, or has to be left behind: why is it then.
func (a *attendance) wait(ctx context.Context, progress func(Snapshot)) (why string) {
	tick := time.NewTicker(attendEvery)
	defer tick.Stop()
	stop := ctx.Done()
	var at standing
	for {
		select {
		case <-a.ended:
			return ""
		case <-stop:
			stop, at.asked = nil, time.Now()
		case now := <-tick.C:
			a.look(&at, now)
			if at.inModel(now) >= a.waits() {
				if why := a.where(&at, now); why != "" {
					return endedBy(ctx) + ": " + why
				}
			}
			if progress != nil && at.call != 0 && now.Sub(at.called) >= a.tellAfter {
				s := a.snapshot()
				s.Waiting = a.where(&at, now)
				progress(s)
			}
		}
	}
}

// waits is for how long one waits for a search that is to stop: not long for one that has nothing yet.
func (a *attendance) waits() time.Duration {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.stands.States == 0 {
		return min(a.patience, leaveAfter)
	}
	return a.patience
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
func (a *attendance) look(at *standing, now time.Time) {
	if n := a.leavable.Load(); n != at.leavable {
		at.leavable, at.since = n, now
	}
	a.mu.Lock()
	underway := a.underway
	a.mu.Unlock()
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
func (a *attendance) where(at *standing, now time.Time) string {
	a.mu.Lock()
	goroutine, underway := a.goroutine, a.underway
	a.mu.Unlock()
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
func (a *attendance) snapshot() Snapshot {
	a.mu.Lock()
	defer a.mu.Unlock()
	r := &a.stands
	return Snapshot{
		States: r.States, Generated: r.Generated, Level: r.Depth, Levels: r.Levels, Frontier: a.frontier,
		Memory: r.Memory, Elapsed: time.Since(a.begun),
	}
}

// leave leaves the search behind, and returns the report of it. What was found is found once more, by
// another search, if that can be done at once.
func (a *attendance) leave(in model.Instance, opt Options, why string) *Report {
	a.telling.Lock()
	a.left = true
	a.telling.Unlock()
	a.mu.Lock()
	r, n, found := a.stands, a.next, a.found
	r.Fired, r.Levels = slices.Clone(r.Fired), slices.Clone(r.Levels)
	a.mu.Unlock()
	if n > 0 {
		r.Levels = append(r.Levels, int64(n))
		r.Depth++
	}
	r.Verdict, r.Complete, r.Stopped, r.Elapsed = Unknown, false, why, time.Since(a.begun)
	properties := in.Space.Properties()
	asked, again := opt.asked(properties), a.retold(in, opt, r.States, found)
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
func (a *attendance) retold(in model.Instance, opt Options, states int64, found uint64) map[string]Result {
	if found == 0 {
		return nil
	}
	again := Options{KeepGoing: true, Workers: opt.Workers, Reduce: opt.Reduce, MaxStates: states,
		Memory: opt.Memory}
	for left := found; left != 0; left &= left - 1 {
		again.Properties = append(again.Properties, bits.TrailingZeros64(left))
	}
	ctx, cancel := context.WithTimeout(context.Background(), a.retellFor)
	defer cancel()
	r, err := attend(ctx, in, again, a.retellFor)
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

// mayBeLeft says from now on whether the search does what can be left behind.
func (o *Options) mayBeLeft(so bool) {
	a := o.attendance
	if a != nil && (a.leavable.Load()&1 == 1) != so {
		a.leavable.Add(1)
	}
}

// attended tells whoever waits what tells of handlers under way.
func (o *Options) attended(u lts.Underway) {
	if a := o.attendance; a != nil {
		a.mu.Lock()
		defer a.mu.Unlock()
		a.underway = u
	}
}

// stand tells whoever waits how the search stands between two expansions.
func (s *search) stand() {
	a := s.opt.attendance
	if a == nil {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	fired := a.stands.Fired[:0]
	fired = append(fired, s.report.Fired...)
	a.stands = s.report
	a.stands.Fired, a.stands.Properties = fired, nil
	a.frontier, a.next, a.found = s.now.count, s.next.count, 0
	for i := range s.finds {
		if s.finds[i].known {
			a.found |= 1 << i
		}
	}
}
