package model

// How a process of a stage crashes: between two steps, or within one, with a part of what it sends.

import (
	"slices"

	"github.com/atmostk/atmostk/model/link"
	"github.com/atmostk/atmostk/model/protocol"
	"github.com/atmostk/atmostk/model/stage"
)

func (s *composedStage[L, M, H]) Crash(p Proc) stage.Answer {
	s.prepare(p, 0, s.c.crashAction(), nothing)
	if k := s.c.Links; k != nil {
		if output := k.Of(&s.after); output.State == link.Open {
			s.links.cut = protocol.CutTo(output.To)
		}
	}
	s.die()
	return s.answer(true)
}

func (s *composedStage[L, M, H]) MayCrash(p Proc) (between, inside bool) {
	between = !s.dead[p] && (s.light || s.c.mayCrash(p, s.gone))
	return between, between && s.c.Network.CrashSends != NoPart
}

func (s *composedStage[L, M, H]) Break() stage.Answer {
	part := s.drawPart()
	if part == nil {
		return stage.NotEnabled
	}
	s.action, s.out.sent = s.c.crashAction()+1, part
	s.die()
	return s.answer(true)
}

// die makes the step at hand end in a crash.
func (s *composedStage[L, M, H]) die() {
	s.dies = true
	s.c.reset(s.p, &s.after)
}

// markCrashed takes a process that has crashed, and what is under way to it, out of the state.
func (s *composedStage[L, M, H]) markCrashed() {
	s.dead[s.p] = true
	if int(s.p) < protocol.MaxProcs {
		s.gone = s.gone.With(s.p)
	}
	s.hash.die(s.p)
	s.envelopes -= len(s.inbox[s.p])
	s.free, s.lost = append(s.free, s.inbox[s.p]...), append(s.lost, s.inbox[s.p]...)
	s.inbox[s.p] = s.inbox[s.p][:0]
	if s.c.Links != nil {
		s.breakLinks(s.p)
	}
}

// drawPart draws a part of the messages that may get out; nil if there is none.
func (s *composedStage[L, M, H]) drawPart() (part []Sent[M]) {
	if s.c.Network.CrashSends == NoPart {
		return nil
	}
	var targets []Sent[M]
	for _, m := range s.out.sent {
		if (!s.dead[m.To] || s.c.Network.ToDead) && s.c.of.message.index(targets, &m) < 0 {
			targets = append(targets, m)
		}
	}
	if len(targets) < 2 {
		return nil
	}
	slices.SortStableFunc(targets, func(a, b Sent[M]) int { return int(a.To) - int(b.To) })
	keep := make([]bool, len(targets))
	if s.c.Network.CrashSends == Prefix {
		for i := range 1 + s.r.IntN(len(keep)-1) {
			keep[i] = true
		}
	}
	for !slices.Contains(keep, true) || !slices.Contains(keep, false) {
		for i := range keep {
			keep[i] = s.r.IntN(2) == 0
		}
	}
	for _, m := range s.out.sent {
		if i := s.c.of.message.index(targets, &m); i >= 0 && keep[i] {
			part = append(part, m)
		}
	}
	return part
}
