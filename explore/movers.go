package explore

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/protocol"
)

// The reduction by movers: see movers in package kernel. A search assumes that all receipts commute with
// everything, and begins again without the receipts for which it meets something else. Its runs leave out
// what is received at once, and are not the shortest. So another search, without the reduction, looks for the
// shortest run to everything that was found.

// A Mover is a receipt, and where the search took it at once.
type Mover struct {
	Action string
	Level  protocol.MoverLevel
	// Obstacle is the reason that its level is not the highest; "": it is.
	Obstacle string
}

// String is a line of a report.
func (m Mover) String() string {
	s := fmt.Sprintf("received at once %s: %s", m.Level, m.Action)
	if m.Obstacle != "" {
		s += " (" + m.Obstacle + ")"
	}
	return s
}

// runMovers explores an instance whose messages are received at once; whole is the same without reductions.
func runMovers(ctx context.Context, whole, in model.Instance, opt Options) (*Report, error) {
	s, err := searchMovers(ctx, in, opt)
	if err != nil {
		return nil, err
	}
	defer func() { s.free() }()
	mistake, err := s.end()
	if mistake != nil {
		err = mistake
	}
	if err != nil {
		return nil, err
	}
	r := &s.report
	r.Movers = moversOf(in)
	s.free() // before the other search takes memory
	if err := r.addRuns(ctx, whole, opt); err != nil {
		return nil, err
	}
	r.Elapsed = time.Since(s.begun)
	r.unanswered()
	return r, nil
}

// searchMovers explores until all receipts at once commute. A mistake of the model stops it only if it shows
// without any receipt at once: it may be in a local state that is not reachable.
func searchMovers(ctx context.Context, in model.Instance, opt Options) (*search, error) {
	movers := in.Space.Open().Protocol.Declaration().Movers
	for begun := time.Now(); ; {
		s, err := newSearch(ctx, in, opt)
		if err != nil {
			return nil, err
		}
		if err = s.unfit(); err == nil {
			s.recordProgress()
			s.opt.setAbandonable(false)
			err = s.explore()
		}
		if err != nil {
			s.free()
			return nil, err
		}
		s.begun = begun
		switch {
		case s.disproved:
		case s.mistake != nil && movers.Any():
			movers.GiveUp("the model is at fault, and the run that shows it is looked for without reduction")
		default:
			return s, nil
		}
		s.free()
	}
}

// moversOf lists the receipts of an instance.
func moversOf(in model.Instance) (list []Mover) {
	of := in.Space.Open().Protocol.Declaration().Movers
	for i, a := range in.Space.Actions() {
		if a.Receipt {
			list = append(list, Mover{a.Name, of.Levels[i], of.Obstacles[i]})
		}
	}
	return list
}

// checkMovers checks what is new about the receipts at once.
func (s *search) checkMovers() error {
	if s.disproved = s.space.CheckMovers(); s.disproved {
		return nil
	}
	return s.outgrown()
}

// allFound reports whether each property that is asked for has a find.
func (s *search) allFound() bool {
	for i := range s.finds {
		if s.asked>>i&1 == 1 && !s.finds[i].known {
			return false
		}
	}
	return true
}

// addRuns adds the shortest runs to what was found.
func (r *Report) addRuns(ctx context.Context, whole model.Instance, opt Options) error {
	again := opt
	again.Properties, again.KeepGoing, again.untilFound, again.Reduce.Movers = nil, true, true, false
	properties := whole.Space.Properties()
	for i := range r.Properties {
		p := &r.Properties[i]
		if p.Count > 0 {
			again.Properties = append(again.Properties, slices.IndexFunc(properties,
				func(q model.PropertyInfo) bool { return q.Name == p.Name }))
		}
	}
	if again.Properties == nil {
		return nil
	}
	found, err := run(ctx, whole, again)
	if err != nil {
		return err
	}
	for i := range r.Properties {
		p := &r.Properties[i]
		k := slices.IndexFunc(found.Properties, func(q Result) bool { return q.Name == p.Name })
		switch {
		case p.Count == 0:
		case k >= 0 && found.Properties[k].Path != nil:
			q := &found.Properties[k]
			p.Path, p.Length, p.Part, p.Verdict = q.Path, q.Length, q.Part, q.Verdict
		case found.Complete:
			return fmt.Errorf("%w: %s is found with movers, and in no state without them", ErrInternal, p.Name)
		default:
			p.Verdict, p.Undecided = Unknown, "met, and not confirmed: the search for its shortest run, "+
				"without movers, "+cmp.Or(found.Stopped, "has ended")
		}
	}
	if r.Mistake = found.Mistake; r.Mistake != nil {
		r.Verdict = ModelError
		return nil
	}
	r.sumUp()
	return nil
}
