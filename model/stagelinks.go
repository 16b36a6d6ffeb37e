package model

import (
	"fmt"

	"github.com/atmostk/atmostk/model/link"
	"github.com/atmostk/atmostk/model/protocol"
	"github.com/atmostk/atmostk/model/stage"
)

// What happens on a stage beside handlers, receipts, notices and crashes: the events of links, and what the
// channel adversary does.

// stageLinks is what a stage keeps of its links.
type stageLinks[L, M any] struct {
	events []linkEvent[L, M]
	traces []protocol.Trace // per message under way: what it leaves in the surroundings
	around protocol.Trace   // what all parts of the state leave in them,
	known  bool             // if that is up to date
	cut    protocol.Cut     // what the step at hand cuts off
}

// stageFaults are the faults that befall a process or the network, and those that befall a message.
type stageFaults struct {
	ofNetwork, ofMessages []protocol.ChannelFault
}

func (f *stageFaults) init(all []protocol.ChannelFault) {
	for _, x := range all {
		if x == protocol.Loss || x == protocol.Copy {
			f.ofMessages = append(f.ofMessages, x)
		} else {
			f.ofNetwork = append(f.ofNetwork, x)
		}
	}
}

// learns returns what p can learn of its surroundings: under Links only.
func (s *composedStage[L, M, H]) learns(p Proc) protocol.Surrounding {
	k := s.c.Links
	if k == nil {
		return 0
	}
	if x := &s.links; !x.known {
		x.known, x.around = true, protocol.Trace{}
		for q := range s.local {
			t := k.ofLocal(&s.local[q])
			x.around.Merge(&t)
			for _, m := range s.inbox[q] {
				x.around.Merge(&x.traces[m])
			}
		}
	}
	return s.links.around.Of(p, k.Rising)
}

// handled completes the answer of a handler: its link says what becomes of what it has sent.
func (s *composedStage[L, M, H]) handled(enabled bool) stage.Answer {
	if k := s.c.Links; enabled && k != nil {
		if to := k.Of(&s.after).To; int(to) >= s.c.N {
			what := fmt.Sprintf("the link leads to process %d; there are %d, counted from 0", to, s.c.N)
			panic(mistaken(what))
		}
		s.out.sent, s.links.cut = k.carry(&s.local[s.p], &s.after, s.out.sent)
	}
	return s.answer(enabled)
}

func (s *composedStage[L, M, H]) Events() int { return len(s.links.events) + len(s.faults.ofNetwork) }

func (s *composedStage[L, M, H]) EventAction(i int) int {
	if events := len(s.links.events); i >= events {
		return s.c.indexOfFault(s.faults.ofNetwork[i-events])
	}
	return s.c.eventAction() + i
}

func (s *composedStage[L, M, H]) Event(p Proc, i int) stage.Answer {
	if events := len(s.links.events); i >= events {
		return s.strike(p, s.faults.ofNetwork[i-events])
	}
	k, e := s.c.Links, &s.links.events[i]
	if e.revives != s.dead[p] || !e.occurs(*k.Of(&s.local[p]), s.gone, s.learns(p)) {
		return stage.NotEnabled
	}
	defer named(s.running)
	s.prepare(p, 0, s.c.eventAction()+i, nothing)
	s.revives = e.revives
	if e.changes {
		k.Of(&s.after).State = e.after
	}
	return s.handled(e.Do(p, &s.after, &s.out))
}

// strike prepares a fault of the link of p, or, as if it were a step of the first process, of the network.
func (s *composedStage[L, M, H]) strike(p Proc, x protocol.ChannelFault) stage.Answer {
	if x != protocol.BreakFault {
		s.prepare(p, 0, s.c.indexOfFault(x), nothing)
		s.fault = x
		return s.answer(p == 0)
	}
	k := s.c.Links
	if s.dead[p] || k.Of(&s.local[p]).State != link.Open {
		return stage.NotEnabled
	}
	s.prepare(p, 0, s.c.indexOfFault(x), nothing)
	s.fault = x
	output := k.Of(&s.after)
	s.links.cut = protocol.CutTo(output.To)
	output.State = link.Broken
	if s.c.Network.Faults.Lasting {
		output.Cut = output.Cut.With(output.To)
	}
	return s.answer(true)
}

func (s *composedStage[L, M, H]) Hazards() int { return len(s.faults.ofMessages) }

func (s *composedStage[L, M, H]) HazardAction(i int) int {
	return s.c.indexOfFault(s.faults.ofMessages[i])
}

func (s *composedStage[L, M, H]) Befall(p Proc, m stage.Envelope, i int) stage.Answer {
	from, x := s.envelope[m].From, s.faults.ofMessages[i]
	if !s.c.Network.Faults.Concerns(from, p) {
		return stage.NotEnabled
	}
	s.prepare(p, from, s.HazardAction(i), nothing)
	if s.fault = x; x == protocol.Loss {
		s.received = m
	} else {
		s.copied = m
	}
	return s.answer(true)
}

// apart reports whether a partition keeps p from receiving a message.
func (s *composedStage[L, M, H]) apart(p Proc, m stage.Envelope) bool {
	return s.record.Partition == protocol.Parted && s.c.Network.Faults.Crosses(s.envelope[m].From, p)
}

// double delivers a message to p once more: the copy is next to it in its channel.
func (s *composedStage[L, M, H]) double(p Proc, m stage.Envelope) {
	envelope := s.envelope[m]
	twin := s.slot(envelope.From, envelope.M)
	s.sent = append(s.sent, stage.Dispatch{To: p, Envelope: twin})
	s.hash.addFirst(p, twin)
	for i, other := range s.inbox[p] {
		if other == m {
			s.inbox[p] = append(s.inbox[p], 0)
			copy(s.inbox[p][i+1:], s.inbox[p][i:])
			s.inbox[p][i+1] = twin
			return
		}
	}
}

// lose takes what is under way from one process to another out of the state.
func (s *composedStage[L, M, H]) lose(from, to Proc) {
	for i := 0; i < len(s.inbox[to]); {
		m := s.inbox[to][i]
		if s.envelope[m].From != from {
			i++
			continue
		}
		s.Drop(to, m)
		s.lost = append(s.lost, m)
	}
}

// breakLinks breaks the links that lead to a process that has crashed.
func (s *composedStage[L, M, H]) breakLinks(to Proc) {
	for q := range Proc(s.c.N) {
		if s.dead[q] {
			continue
		}
		after := s.c.of.local.copied(&s.local[q])
		if s.c.Links.breaks(&after, to) {
			s.hash.changeLocal(q, &after)
			s.local[q] = after
			s.count(q)
		}
	}
}

// rise makes a process live that was dead.
func (s *composedStage[L, M, H]) rise(p Proc) {
	s.dead[p] = false
	s.gone = s.gone.Without(p)
	s.hash.rise(p)
}

func (s *composedStage[L, M, H]) Lost() []stage.Envelope { return s.lost }

func (s *composedStage[L, M, H]) Faulty() bool { return s.c.Network.Faults.Some() }
