package explain

import (
	"cmp"
	"context"
	"slices"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/traces/logs/order"
	"github.com/atmostk/atmostk/traces/printable"
)

// Options limit the missing lines of a log and the cost of the search. The zero value means a complete log
// and no limits; the context limits the time.
type Options struct {
	// Hidden is the largest number of missing lines in all.
	Hidden int
	// Tail is the number of steps that each process may have taken after its last line; they do not count
	// as Hidden.
	Tail int
	// Repair is the largest number of additional missing lines that are tried if a log has no explanation.
	Repair int
	// Ignore has the names of events that are no steps of the model; "*": all names that it does not have.
	Ignore []string
	// PartialSent: lines may omit messages that they sent. Otherwise, if any line of the log has a list of
	// messages sent, each line names all of its own.
	PartialSent bool
	Cover       bool  // compute Report.Cover
	States      int64 // limit on the states of the search, and again on the states of repairs; 0: none
	Memory      int64 // limit on the memory of the search, in bytes; 0: none
}

// Run looks for a run of the model that explains the log. It returns an error, without a search, if the log
// and the model do not fit together.
func Run(ctx context.Context, in model.Instance, h *order.History, opt Options) (*Report, error) {
	s, err := newMatcher(in, h, &opt)
	if err != nil {
		return nil, err
	}
	r := &Report{Lines: s.total}
	d := decider{matcher: s, opt: &opt, far: &furthest{most: -1}}
	end, verdict, reason := d.decide(ctx)
	r.Verdict, r.Reason, r.States = verdict, reason, d.states
	if verdict == Accepted {
		r.Explained = s.total
		if err := r.judge(s, end); err != nil || !opt.Cover {
			return r, err
		}
		r.Cover, err = d.cover(ctx)
		return r, err
	}
	r.Explained = d.far.most
	r.Furthest = printable.Each(d.far.list, s.furthestCut)
	if err := r.judge(s, d.far.list[0].via); err != nil {
		return nil, err
	}
	if opt.Repair > 0 {
		r.Repair, err = d.repair(ctx)
	}
	return r, err
}

// A decider makes passes over one log until one of them decides.
type decider struct {
	*matcher
	opt    *Options
	far    *furthest
	states int64
}

// search makes one pass. It returns the last step of an explanation, if there is one, or the limit reached.
func (d *decider) search(ctx context.Context, p pass, far *furthest) (*pathStep, bool, string) {
	n := len(d.names)
	s := search{matcher: d.matcher, pass: p, memory: d.opt.Memory, seen: map[string]int32{}, far: far}
	end, found, stopped := s.run(ctx, cut{point: d.track.start, explained: make([]int32, n),
		gap: make([]int32, n)})
	d.states += s.states
	return end, found, stopped
}

// decide makes passes until one of them gives a verdict.
func (d *decider) decide(ctx context.Context) (*pathStep, Verdict, string) {
	end, found, stopped := d.search(ctx, pass{limit: d.opt.States}, d.far)
	if !found && d.opt.Hidden+d.opt.Tail > 0 {
		end, found, stopped = d.withHidden(ctx, d.opt.Hidden, d.opt.States, d.far)
	}
	switch {
	case found:
		return end, Accepted, ""
	case stopped != "":
		return nil, Undecided, stopped
	}
	return nil, Rejected, ""
}

// withHidden looks for explanations with hidden steps: in guided passes, first with few hidden steps, and
// then in an exhaustive pass.
func (d *decider) withHidden(
	ctx context.Context, hidden int, states int64, far *furthest,
) (*pathStep, bool, string) {
	tail, limit := d.opt.Tail, int64(20_000+4*d.total)
	if states > 0 {
		limit = min(limit, states/4+1)
	}
	missing := 0 // lines, according to the nodes' own counts
	for p := range d.lines {
		for i := range d.lines[p] {
			missing += max(0, d.lines[p][i].gap)
		}
	}
	for few := max(1, missing); few < hidden; few *= 2 {
		if end, found, _ := d.search(ctx, pass{few, tail, true, limit}, far); found {
			return end, true, ""
		}
	}
	half := min(states, max(1, states/2)) // 0: no limit
	if end, found, _ := d.search(ctx, pass{hidden, tail, true, half}, far); found {
		return end, true, ""
	}
	return d.search(ctx, pass{hidden, tail, false, half}, far)
}

// repairStates is the limit of states for all attempts at a repair if the options have none.
const repairStates = 200_000

// repair looks for the least number of additional missing lines with which the log has an explanation.
func (d *decider) repair(ctx context.Context) (*Repair, error) {
	r := &Repair{Tried: d.opt.Repair, Exhausted: true}
	states := cmp.Or(d.opt.States, repairStates)
	for more := 1; more <= d.opt.Repair; more++ {
		end, found, stopped := d.withHidden(ctx, d.opt.Hidden+more, states/int64(d.opt.Repair),
			&furthest{most: -1})
		if found {
			r.Found = true
			repaired := &Report{}
			err := repaired.judge(d.matcher, end)
			r.Missing = slices.DeleteFunc(repaired.Steps, func(s Step) bool { return s.Event != nil })
			return r, err
		}
		r.Exhausted = r.Exhausted && stopped == ""
	}
	return r, nil
}
