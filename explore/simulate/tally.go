package simulate

import (
	"context"
	"errors"
	"maps"
	"time"

	"github.com/atmostk/atmostk/explore"
	"github.com/atmostk/atmostk/model"
)

// A tally combines runs, in the order of their numbers.
type tally struct {
	report Report
	opt    Options
	index  map[int]int      // of the result of each property
	seen   map[uint64]uint8 // per state: in how many runs, up to 3
	local  map[uint64]struct{}
	pairs  []bool
	fresh  []int64 // per run: how many states it was the first to see
}

// newTally returns a tally of no runs. The error is a mistake of the model that shows before any run.
func newTally(in model.Instance, opt Options) (*tally, error) {
	if err := in.Check(); err != nil && (in.Searched() || in.Plain == nil) {
		return nil, err
	}
	t := &tally{opt: opt, index: map[int]int{}, seen: map[uint64]uint8{}, local: map[uint64]struct{}{}}
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

// add adds the run that comes next, and reports whether more are wanted.
func (t *tally) add(p *played) (more bool) {
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
	if p.mistake != nil {
		r.Verdict, r.Mistake, r.MistakeRun, r.MistakeAt = explore.ModelError, p.mistake, p.Number, p.Length
	}
	return p.mistake == nil && (r.Verdict != explore.Violated || t.opt.KeepGoing)
}

func (t *tally) find(f finding, number int64) {
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

func (t *tally) cover(r *played) {
	if t.opt.NoCoverage {
		return
	}
	fresh := int64(0)
	for h := range r.visited {
		n := t.seen[h]
		if n == 0 {
			fresh++
		}
		t.seen[h] = min(n+1, 3)
	}
	t.fresh = append(t.fresh, fresh)
	maps.Copy(t.local, r.locals)
	for i, seen := range r.Pairs {
		t.pairs[i] = t.pairs[i] || seen
	}
}

// sum returns the report on the runs, which took the time elapsed. If the context has ended, the report has
// the reason.
func (t *tally) sum(ctx context.Context, elapsed time.Duration) *Report {
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

// coverage counts the parts of the model that the runs have seen.
func (t *tally) coverage() *Coverage {
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
