package model

import (
	"math/bits"
	"slices"

	"github.com/atmostk/atmostk/model/lts"
)

// A stageView shows the state of a stage to properties, in place.
type stageView[L, M, H any] struct{ s *composedStage[L, M, H] }

func (v stageView[L, M, H]) local(p Proc) *L { return &v.s.local[p] }
func (v stageView[L, M, H]) history() *H     { return &v.s.history }

func (v stageView[L, M, H]) inbox(p Proc) []Envelope[M] {
	return v.s.envelopeList(nil, p)
}

func (v stageView[L, M, H]) inUse(dead Set) int {
	if dead == v.s.gone {
		return v.s.inUse
	}
	return (&snapshot[L, M, H]{s: v.s, locals: v.s.local}).inUse(dead)
}

// envelopeList appends the envelopes under way to p, as Global.Inbox has them.
func (s *composedStage[L, M, H]) envelopeList(to []Envelope[M], p Proc) []Envelope[M] {
	first := len(to)
	for _, m := range s.inbox[p] {
		to = append(to, s.envelope[m])
	}
	if s.c.Network.Channel == FIFO {
		slices.SortStableFunc(to[first:], func(a, b Envelope[M]) int { return int(a.From) - int(b.From) })
	}
	return to
}

// A snapshot is the state before a step, where a property of steps looks at it.
type snapshot[L, M, H any] struct {
	s         *composedStage[L, M, H]
	locals    []L
	envelopes [][]Envelope[M]
	past      H
}

func (v *snapshot[L, M, H]) local(p Proc) *L            { return &v.locals[p] }
func (v *snapshot[L, M, H]) inbox(p Proc) []Envelope[M] { return v.envelopes[p] }
func (v *snapshot[L, M, H]) history() *H                { return &v.past }

func (v *snapshot[L, M, H]) inUse(dead Set) (n int) {
	for p := range v.locals {
		if !dead.Has(Proc(p)) {
			n += v.s.c.units(&v.locals[p])
		}
	}
	return n
}

// remembered keeps what a property of steps has to know of the state before.
func (s *composedStage[L, M, H]) remembered() {
	// A timed run may crash processes of models that know of no crashes.
	if s.light || s.action >= len(s.judges.steps) || s.judges.steps[s.action] == 0 {
		return
	}
	s.was.locals, s.was.past = append(s.was.locals[:0], s.local...), s.history
	s.was.envelopes = slices.Grow(s.was.envelopes[:0], s.c.N)[:s.c.N]
	for p := range Proc(s.c.N) {
		s.was.envelopes[p] = s.envelopeList(s.was.envelopes[p][:0], p)
	}
	s.before.Dead = s.gone
}

func (s *composedStage[L, M, H]) Judge(which uint64, anew bool) (found uint64) {
	defer named(s.asking)
	s.now.Dead = s.gone
	anew = anew || s.wide
	for which &= s.judges.ofStates; which != 0; which &= which - 1 {
		s.judging = bits.TrailingZeros64(which)
		if s.reports(&s.judges.props[s.judging], anew) {
			found |= 1 << s.judging
		}
	}
	return found
}

// reports tells whether the property that is being asked has to be reported. What looks at one process at a
// time is asked about those that the last step changed, since it held of the others before.
func (s *composedStage[L, M, H]) reports(p *Property[Global[L, M, H]], anew bool) bool {
	switch {
	case p.OfUse != nil:
		return p.OfUse(s.inUse, s.c.N-s.gone.Len()) == (p.Kind == Reachable)
	case p.Clear != nil:
		if s.clear(p.Clear, s.unclear[s.judging], anew) {
			return false
		}
	case anew || p.Kind == Reachable:
	case p.OfLocal != nil:
		return !s.dead[s.p] && !p.OfLocal(&s.now, s.p)
	case p.OfInbox != nil:
		return s.ofInboxFails(p.OfInbox)
	}
	return p.Holds(&s.now) == (p.Kind == Reachable)
}

// clear brings up to date of which processes clear does not hold, and returns whether it is none.
func (s *composedStage[L, M, H]) clear(
	clear func(*Global[L, M, H], Proc) bool,
	unclear []bool,
	anew bool,
) bool {
	if anew {
		for p := range unclear {
			unclear[p] = !s.dead[p] && !clear(&s.now, Proc(p))
		}
	} else {
		unclear[s.p] = !s.dead[s.p] && !clear(&s.now, s.p)
	}
	return !slices.Contains(unclear, true)
}

// ofInboxFails asks of the inboxes that the last step changed.
func (s *composedStage[L, M, H]) ofInboxFails(of func(*Global[L, M, H], Proc) bool) bool {
	if !s.dead[s.p] && !of(&s.now, s.p) {
		return true
	}
	for _, d := range s.sent {
		if !of(&s.now, d.To) {
			return true
		}
	}
	return false
}

func (s *composedStage[L, M, H]) JudgeStep(which uint64) uint64 {
	if which&s.judges.steps[s.action] == 0 {
		return 0
	}
	s.now.Dead = s.gone
	defer named(part("a property of steps"))
	return s.judges.step(&s.before, s.action, s.p, &s.now, which)
}

func (s *composedStage[L, M, H]) JudgeQuiet(which uint64) uint64 {
	s.now.Dead = s.gone
	defer named(part("a property of quiet states"))
	return s.judges.quiet(&s.now, which)
}

func (s *composedStage[L, M, H]) Marks(i, k int) lts.Marks {
	s.now.Dead, s.judging = s.gone, i
	defer named(s.asking)
	return s.judges.marks(&s.now, i, k)
}
