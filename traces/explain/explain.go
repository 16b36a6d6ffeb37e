package explain

import (
	"cmp"
	"context"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/traces/logs"
)

// Options say what may be missing from a log, and what the search may cost. The
// zero value takes the log to be complete, and has no limits; the time is limited
// by the context.
type Options struct {
	// Hidden is how many lines may be missing in all.
	Hidden int
	// Tail is how many steps each process may have taken after its last line, besides
	// those that count as Hidden.
	Tail int
	// Repair is how many more lines are tried to be added to a log that cannot be
	// explained.
	Repair int
	// Ignore are the names of events that are no steps of the model; "*": all that
	// it does not know.
	Ignore []string
	// PartialSent says that lines may leave out messages that they sent. Otherwise, if
	// any line of the log names messages sent, each line names all of its own.
	PartialSent bool
	States      int64 // states of the search; of that for repairs as many again
	Memory      int64 // bytes
}

// Run looks for a run of the model that explains the log. An error says that the
// log and the model do not fit together: nothing was searched.
func Run(ctx context.Context, in model.Instance, h *logs.History, opt Options) (*Report, error) {
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
		return r, r.judge(s, end)
	}
	r.Explained = d.far.most
	for i := range d.far.list {
		r.Furthest = append(r.Furthest, s.furthestCut(&d.far.list[i]))
	}
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

// search makes one pass.
func (d *decider) search(ctx context.Context, p pass, far *furthest) (*pathStep, bool, string) {
	n := len(d.names)
	s := search{matcher: d.matcher, pass: p, memory: d.opt.Memory, seen: map[string]int32{}, far: far}
	end, found, stopped := s.run(ctx, cut{point: d.track.start, explained: make([]int32, n),
		gap: make([]int32, n)})
	d.states += s.states
	return end, found, stopped
}

// decide makes the passes until one of them decides.
func (d *decider) decide(ctx context.Context) (*pathStep, Verdict, string) {
	end, found, stopped := d.search(ctx, pass{limit: d.opt.States}, d.far)
	switch {
	case found:
		return end, Accepted, ""
	case d.opt.Hidden+d.opt.Tail > 0:
		end, found, stopped = d.withHidden(ctx, d.opt.Hidden, d.opt.Tail, d.opt.States, d.far)
	}
	switch {
	case found:
		return end, Accepted, ""
	case stopped != "":
		return nil, Undecided, stopped
	}
	return nil, Rejected, ""
}

// withHidden looks for explanations with hidden steps: guided, with few of them first,
// and then by exhaustion.
func (d *decider) withHidden(
	ctx context.Context, hidden, tail int, states int64, far *furthest,
) (*pathStep, bool, string) {
	limit := int64(20_000 + 4*d.total)
	if states > 0 {
		limit = min(limit, states/4+1)
	}
	for few := max(1, d.counted()); few < hidden; few *= 2 {
		if end, found, _ := d.search(ctx, pass{few, tail, true, limit}, far); found {
			return end, true, ""
		}
	}
	half := max(1, states/2)
	if states == 0 {
		half = 0
	}
	if end, found, _ := d.search(ctx, pass{hidden, tail, true, half}, far); found {
		return end, true, ""
	}
	return d.search(ctx, pass{hidden, tail, false, half}, far)
}

// counted returns the number of lines that are missing by the nodes' own counts.
func (d *decider) counted() (n int) {
	for p := range d.lines {
		for i := range d.lines[p] {
			n += max(0, d.lines[p][i].gap)
		}
	}
	return n
}

// repairStates limits each attempt at a repair if the options have no limit.
const repairStates = 200_000

// repair looks for the least number of additional lines with which the log can be
// explained.
func (d *decider) repair(ctx context.Context) (*Repair, error) {
	r := &Repair{Tried: d.opt.Repair, Exhausted: true}
	states := cmp.Or(d.opt.States, repairStates)
	for more := 1; more <= d.opt.Repair; more++ {
		end, found, stopped := d.withHidden(ctx, d.opt.Hidden+more, d.opt.Tail, states/int64(d.opt.Repair),
			&furthest{most: -1})
		if found {
			r.Found = true
			repaired := &Report{}
			err := repaired.judge(d.matcher, end)
			for _, step := range repaired.Steps {
				if step.Event == nil {
					r.Missing = append(r.Missing, step)
				}
			}
			return r, err
		}
		r.Exhausted = r.Exhausted && stopped == ""
	}
	return r, nil
}
