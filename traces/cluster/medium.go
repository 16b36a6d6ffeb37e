package cluster

import (
	"context"
	"slices"
	"time"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/interp"
	"github.com/atmostk/atmostk/model/protocol"
)

// A medium is the state of the model that a run is in: the channels with their envelopes, the crashed
// processes, and the local states as the processes report them. Under Links no process can keep these by
// itself: a link breaks in the moment in which the process at its end crashes, a timer fires as soon as
// nothing that it waits for is under way, and a fresh number is one that no process uses.
type medium struct {
	nodes     *interp.Interp
	state     *interp.State
	envelopes map[uint32]*waiting // by the marks of their messages
	marked    uint32
}

// A waiting envelope is in a channel. The notice of a crash waits like one.
type waiting struct {
	envelope
	ready   time.Time // when it may be received
	refused bool      // its receiver has no step that receives it as things are
}

func newMedium(x *interp.Interp) medium {
	m := medium{nodes: x, state: x.Start().Own(), envelopes: map[uint32]*waiting{}}
	for p := range model.Proc(x.N()) {
		for i, e := range m.state.Inbox(p) { // under way at the start
			w := waiting{envelope: envelope{Message: x.Messages.Append(nil, e.M)}, ready: time.Now()}
			m.state.Mark(p, i, m.enter(w))
		}
	}
	return m
}

// enter takes an envelope in, and returns its mark.
func (m *medium) enter(w waiting) uint32 {
	m.marked++
	m.envelopes[m.marked] = &w
	return m.marked
}

// step takes a step of p, which is alive afterwards: to a local state, receiving the message with a mark
// (0: none).
func (m *medium) step(p model.Proc, local []byte, mark uint32, sent []interp.Sent) error {
	after, err := m.nodes.Locals.Read(local, protocol.MaxProcs)
	if err != nil {
		return err
	}
	t := interp.Step{Proc: p, At: -1, History: m.state.History(), Record: m.state.Record()}
	t.Local, t.Sent, t.Revives = after, sent, m.state.IsDead(p)
	if mark != 0 {
		t.At = slices.IndexFunc(m.state.Inbox(p), func(e interp.Envelope) bool { return e.Mark == mark })
		delete(m.envelopes, mark)
	}
	if m.nodes.Medium.Links {
		_, t.Cut = m.nodes.Carry(m.state.Local(p), after, nil)
	}
	m.state.Apply(&t)
	return nil
}

// mayCrash reports whether p is alive and the adversary may crash it.
func (m *medium) mayCrash(p model.Proc) bool {
	x := m.nodes
	left := !x.Medium.Recovers || int(m.state.Record().Crashes) < x.Medium.Crashes
	return left && !m.state.IsDead(p) && x.MayCrash(p, m.state.Dead)
}

// crash crashes p. The links of others that lead there break.
func (m *medium) crash(p model.Proc) {
	e := interp.Event{Proc: p, Action: m.nodes.FirstCrash, At: -1}
	m.state.Enabled(e, interp.How{Forced: true}, func(t *interp.Step) bool {
		m.state.Apply(t)
		return false
	})
}

// recovers reports whether p is dead and can recover.
func (m *medium) recovers(p model.Proc) (recovers bool) {
	if !m.nodes.Medium.Links || !m.state.IsDead(p) {
		return false
	}
	for _, e := range m.state.Idle(nil, p) {
		m.state.Enabled(e, interp.How{}, func(*interp.Step) bool {
			recovers = true
			return false
		})
	}
	return recovers
}

// An offer is a turn that a process can be given.
type offer struct {
	turn
	at   time.Time // from then on
	proc model.Proc
	mark uint32 // of the message to be received; 0: none
}

// offers returns the turns to be given now, at most one for each process, and under Links one in all; and
// the time of the next one, zero if nothing is to come.
func (s *supervisor) offers() (now []offer, next time.Time) {
	groups, begun := make([][]offer, s.Nodes.N()), time.Now()
	for p := range groups {
		g := p
		if s.Nodes.Medium.Links {
			g = 0
		}
		groups[g] = append(groups[g], s.offersOf(model.Proc(p))...)
	}
	for _, g := range groups {
		if len(g) == 0 {
			continue
		}
		switch first := slices.MinFunc(g, func(a, b offer) int { return a.at.Compare(b.at) }); {
		case !first.at.After(begun):
			now = append(now, first)
		case next.IsZero() || first.at.Before(next):
			next = first.at
		}
	}
	return now, next
}

// offersOf returns the turns of a process: a step by itself, also to recover, the notice of a crash, the
// receipt of an envelope.
func (s *supervisor) offersOf(p model.Proc) (all []offer) {
	c := &s.children[p]
	if c.doing != nil || c.Outside {
		return nil
	}
	if c.up && !c.idle || !c.up && s.recovers(p) {
		if c.due.IsZero() {
			mean := s.Pace.Think
			if c.units > 0 {
				mean = s.Pace.Stay
			}
			c.due = time.Now().Add(s.random(mean))
		}
		all = append(all, offer{at: c.due, proc: p})
	}
	if !c.up {
		return all
	}
	for q, w := range c.notices {
		if !w.refused {
			all = append(all, offer{at: w.ready, proc: p, turn: turn{Notice: &q}})
		}
	}
	for i, m := range s.state.Inbox(p) {
		w := s.envelopes[m.Mark]
		if s.state.Deliverable(p, i) && !w.refused {
			t := turn{From: m.From, Envelope: &w.envelope}
			all = append(all, offer{at: w.ready, proc: p, mark: m.Mark, turn: t})
		}
	}
	return all
}

// random returns a random duration with the given mean.
func (s *supervisor) random(mean time.Duration) time.Duration {
	return time.Duration(s.rng.Int64N(int64(2*mean) + 1))
}

// turn gives a process its turn.
func (s *supervisor) turn(ctx context.Context, t *offer) error {
	c := &s.children[t.proc]
	if !c.up {
		if err := s.spawn(ctx, t.proc, s.Nodes.Locals.Append(nil, s.state.Local(t.proc))); err != nil {
			return err
		}
	}
	t.Context, t.Gone = s.state.Context(t.proc), c.gone
	c.gone, c.doing = nil, t
	if t.Envelope == nil && t.Notice == nil {
		c.due = time.Time{}
	}
	c.order(order{Turn: &t.turn})
	return nil
}

// turned takes in the result of a turn.
func (s *supervisor) turned(p model.Proc, done *result) error {
	c := &s.children[p]
	t := c.doing
	c.doing = nil
	switch {
	case done.Stepped:
	case t.Envelope != nil:
		s.envelopes[t.mark].refused = true
		return nil
	case t.Notice != nil:
		c.notices[*t.Notice].refused = true
		return nil
	default:
		c.idle = true
		return nil
	}
	sent := make([]interp.Sent, len(done.Sent))
	for i, e := range done.Sent {
		m, err := s.Nodes.Messages.Read(e.Envelope.Message, s.Nodes.N())
		if err != nil {
			return err
		}
		ready := time.Now().Add(s.random(s.Pace.Delay + s.Pace.Slow[p]))
		sent[i] = interp.Sent{To: e.To, Mark: s.enter(waiting{envelope: e.Envelope, ready: ready}), M: m}
	}
	if t.Notice != nil {
		delete(c.notices, *t.Notice)
	}
	c.units, c.due = done.Units, time.Time{}
	s.changed(p)
	return s.step(p, done.Local, t.mark, sent)
}

// changed takes in that a step of p may enable others: its own, and under Links the steps of all processes.
func (s *supervisor) changed(p model.Proc) {
	for q := range s.children {
		if model.Proc(q) != p && !s.Nodes.Medium.Links {
			continue
		}
		s.children[q].idle = false
		for _, w := range s.children[q].notices {
			w.refused = false
		}
		for _, e := range s.state.Inbox(model.Proc(q)) {
			s.envelopes[e.Mark].refused = false
		}
	}
}
