package simulate

import (
	"context"
	"errors"
	"time"

	"github.com/atmostk/atmostk/explore"
	"github.com/atmostk/atmostk/model"
)

// A Tally puts runs together, in the order of their numbers.
type Tally struct {
	report Report
	in     model.Instance
	opt    Options
	index  map[int]int      // of the result of each property
	seen   map[uint64]uint8 // per state: in how many runs, up to 3
	local  map[uint64]struct{}
	pairs  []bool
	fresh  []int64 // per run: how many states it was the first to see
}

// NewTally returns one of no runs. It is an error if the model has a mistake that shows before it is run.
func NewTally(in model.Instance, opt Options) (*Tally, error) {
	if err := in.Check(); err != nil && (in.Searched() || in.Plain == nil) {
		return nil, err
	}
	t := &Tally{
		in: in, opt: opt, index: map[int]int{}, seen: map[uint64]uint8{}, local: map[uint64]struct{}{},
	}
	r := &t.report
	r.Verdict, r.Actions = explore.Unknown, in.Space.Actions()
	r.Fired, t.pairs = make([]int64, len(r.Actions)), make([]bool, len(r.Actions)*len(r.Actions))
	info := in.Space.Properties()
	for _, i := range opt.Properties {
		p := info[i]
		if p.Kind == model.Costs || p.Kind == model.Liveness && opt.Within == 0 {
			r.Unasked = append(r.Unasked, p)
			continue
		}
		t.index[i] = len(r.Properties)
		r.Properties = append(r.Properties, Result{PropertyInfo: p, Verdict: explore.Unknown, Run: -1})
	}
	return t, nil
}

// Add adds the run that comes next, and reports whether more are wanted.
func (t *Tally) Add(p *Played) (more bool) {
	r := &t.report
	r.Runs++
	r.Steps += int64(p.Length)
	r.Longest = max(r.Longest, p.Length)
	r.Threads = max(r.Threads, p.Threads)
	r.Ends[p.End]++
	for i, n := range p.Fired {
		r.Fired[i] += n
	}
	t.cover(p)
	for _, f := range p.Found {
		t.find(f, p.Number)
	}
	if p.Failed {
		r.Verdict, r.Mistake, r.MistakeRun, r.MistakeAt = explore.ModelError, p.mistake, p.Number, p.Length
		if r.Mistake == nil { // of a run from elsewhere it is found again
			w := newWalker(t.in, &t.opt)
			w.walk(context.Background(), p.Number)
			r.Mistake = w.mistake
		}
	}
	return !p.Failed && (r.Verdict != explore.Violated || t.opt.KeepGoing)
}

// find enters that a run has something to report of a property.
func (t *Tally) find(f Finding, number int64) {
	p := &t.report.Properties[t.index[f.Property]]
	p.Runs++
	if p.Run >= 0 {
		return
	}
	p.Run, p.Length, p.Late, p.Verdict = number, f.Length, p.Kind == model.Liveness, explore.Violated
	if p.Kind == model.Reachable {
		p.Verdict = explore.Holds
	} else {
		t.report.Verdict = explore.Violated
	}
}

// cover enters what a run has seen.
func (t *Tally) cover(r *Played) {
	if t.opt.NoCoverage {
		return
	}
	fresh := int64(0)
	for _, h := range r.States {
		n := t.seen[h]
		if n == 0 {
			fresh++
		}
		t.seen[h] = min(n+1, 3)
	}
	t.fresh = append(t.fresh, fresh)
	for _, h := range r.Locals {
		t.local[h] = struct{}{}
	}
	for i, seen := range r.Pairs {
		t.pairs[i] = t.pairs[i] || seen
	}
}

// Report returns what the runs have shown, which took so long. It says why there are fewer than wanted: that
// the context is over.
func (t *Tally) Report(ctx context.Context, elapsed time.Duration) *Report {
	r := t.report
	r.Elapsed, r.Coverage = elapsed, t.coverage()
	switch {
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		r.Stopped = "the time is over"
	case ctx.Err() != nil:
		r.Stopped = "interrupted"
	}
	return &r
}

// coverage works out how much the runs have seen.
func (t *Tally) coverage() *Coverage {
	if t.opt.NoCoverage {
		return nil
	}
	c := &Coverage{States: int64(len(t.seen)), Locals: int64(len(t.local))}
	var in [4]int64 // how many states are in one run, in two, in more
	for _, n := range t.seen {
		in[n]++
	}
	c.Once, c.Twice = in[1], in[2]
	for _, seen := range t.pairs {
		if seen {
			c.Pairs++
		}
	}
	c.LastRuns = (t.report.Runs + 9) / 10
	for _, fresh := range t.fresh[t.report.Runs-c.LastRuns:] {
		c.Last += fresh
	}
	return c
}
