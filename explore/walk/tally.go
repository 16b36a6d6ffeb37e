package walk

import (
	"github.com/atmostk/atmostk/explore"
	"github.com/atmostk/atmostk/model"
)

// A tally puts runs together, in their order.
type tally struct {
	Report
	opt   *Options
	done  bool
	index map[int]int      // of the result of each property
	seen  map[uint64]uint8 // per state: in how many runs, up to 3
	local map[uint64]struct{}
	pairs []bool
	fresh []int64 // per run: how many states it was the first to see
}

func newTally(in model.Instance, opt *Options) *tally {
	t := &tally{opt: opt, index: map[int]int{}, seen: map[uint64]uint8{}, local: map[uint64]struct{}{}}
	t.Verdict, t.Actions = explore.Unknown, in.Space.Actions()
	t.Fired, t.pairs = make([]int64, len(t.Actions)), make([]bool, len(t.Actions)*len(t.Actions))
	info := in.Space.Properties()
	for _, i := range opt.Properties {
		p := info[i]
		if p.Kind == model.Costs || p.Kind == model.Liveness && opt.Within == 0 {
			t.Unasked = append(t.Unasked, p)
			continue
		}
		t.index[i] = len(t.Properties)
		t.Properties = append(t.Properties, Result{PropertyInfo: p, Verdict: explore.Unknown, Run: -1})
	}
	return t
}

// add adds the run that comes next.
func (t *tally) add(r *run) {
	t.Runs++
	t.Steps += int64(r.length)
	t.Longest = max(t.Longest, r.length)
	t.Threads = max(t.Threads, r.threads)
	t.Ends[r.end]++
	for i, n := range r.fired {
		t.Fired[i] += n
	}
	t.cover(r)
	for _, f := range r.found {
		t.find(f.property, r.number, f.length, false)
	}
	for _, f := range r.late[:min(len(r.late), 1)] {
		t.find(f.property, r.number, f.length, true)
	}
	if r.mistake != nil {
		t.Mistake, t.MistakeRun, t.MistakeAt = r.mistake, r.number, r.length
		t.Verdict = explore.ModelError
	}
	t.done = t.Mistake != nil || t.Verdict == explore.Violated && !t.opt.KeepGoing
}

// find enters that a run has something to report of a property.
func (t *tally) find(property int, number int64, length int, late bool) {
	p := &t.Properties[t.index[property]]
	p.Runs++
	if p.Run >= 0 {
		return
	}
	p.Run, p.Length, p.Late, p.Verdict = number, length, late, explore.Violated
	if p.Kind == model.Reachable {
		p.Verdict = explore.Holds
	} else {
		t.Verdict = explore.Violated
	}
}

// cover enters what a run has seen.
func (t *tally) cover(r *run) {
	if t.opt.NoCoverage {
		return
	}
	fresh := int64(0)
	for _, h := range r.states {
		switch t.seen[h] {
		case 0:
			fresh++
			t.seen[h] = 1
		case 1:
			t.seen[h] = 2
		case 2:
			t.seen[h] = 3
		}
	}
	t.fresh = append(t.fresh, fresh)
	for _, h := range r.locals {
		t.local[h] = struct{}{}
	}
	for i, seen := range r.pairs {
		t.pairs[i] = t.pairs[i] || seen
	}
}

// finish works out what there is to say of all runs.
func (t *tally) finish() {
	if t.opt.NoCoverage {
		return
	}
	c := &Coverage{States: int64(len(t.seen)), Locals: int64(len(t.local))}
	for _, n := range t.seen {
		switch n {
		case 1:
			c.Once++
		case 2:
			c.Twice++
		}
	}
	for _, seen := range t.pairs {
		if seen {
			c.Pairs++
		}
	}
	c.LastRuns = (t.Runs + 9) / 10
	for _, fresh := range t.fresh[t.Runs-c.LastRuns:] {
		c.Last += fresh
	}
	t.Coverage = c
}
