package cluster

import (
	"context"
	"slices"
	"time"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/interp"
	"github.com/atmostk/atmostk/model/protocol"
)

// A medium is the current state of a run: the channels with their envelopes, the crashed
// processes, and the local states as the processes reported them. It decides when a link breaks: at once
// when the process at its end crashes; when a timer fires: as soon as nothing that it
// waits for is in the channels; and which numbers no process uses.
type medium struct {
	nodes     *interp.Interp
	state     *interp.State
	envelopes map[uint32]*waiting // by the marks of their messages in state
	marked    uint32              // the last mark that was used
}

// A waiting envelope is in a channel.
type waiting struct {
	envelope
	ready time.Time // when it may be received
}

func newMedium(x *interp.Interp) medium {
	m := medium{nodes: x, state: x.Start().Own(), envelopes: map[uint32]*waiting{}}
	for p := range model.Proc(x.N()) {
		for i, e := range m.state.Inbox(p) { // messages of the initial state
			w := waiting{envelope{Message: x.Messages.Append(nil, e.M)}, time.Now()}
			m.state.Mark(p, i, m.enter(w))
		}
	}
	return m
}

// enter adds an envelope, and returns its new mark.
func (m *medium) enter(w waiting) uint32 {
	m.marked++
	m.envelopes[m.marked] = &w
	return m.marked
}

// events returns the enabled events of p: own steps, receipts, crash notices and, if dead, its recovery.
func (m *medium) events(p model.Proc) []interp.Event {
	dead := m.state.IsDead(p)
	all := m.state.Idle(nil, p)
	switch {
	case dead && !m.nodes.Medium.Recovers:
		return nil
	case !dead:
		all = m.state.Receipts(all, p)
	}
	in := m.state.Context(p)
	return slices.DeleteFunc(all, func(e interp.Event) bool {
		a := interp.Ask{Proc: p, Peer: e.Peer, Action: e.Action, Local: m.state.Local(p), Message: e.M}
		a.Context = in
		return m.nodes.Class(e.Action) >= interp.CrashStep || len(steps(m.nodes, a)) == 0
	})
}

// turn returns the turn for an event, and the mark of the message that it receives (0: none).
func (m *medium) turn(e interp.Event) (t turn, mark uint32) {
	local := m.nodes.Locals.Append(nil, m.state.Local(e.Proc))
	t = turn{Action: e.Action, Peer: e.Peer, Local: local, Context: m.state.Context(e.Proc)}
	if e.At >= 0 {
		mark = m.state.Inbox(e.Proc)[e.At].Mark
		t.Envelope = &m.envelopes[mark].envelope
	}
	return t, mark
}

// step applies a step of p to the state: its new local state, the message received (mark 0: none) and the
// messages sent. p is alive afterwards.
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

// crash crashes p, and breaks the links of others to it.
func (m *medium) crash(p model.Proc) {
	e := interp.Event{Proc: p, Action: m.nodes.FirstCrash, At: -1}
	m.state.Enabled(e, interp.How{Forced: true}, func(t *interp.Step) bool {
		m.state.Apply(t)
		return false
	})
}

// An offer is a turn that the supervisor may give to a process.
type offer struct {
	interp.Event
	at   time.Time // the earliest time of the turn
	mark uint32    // mark of the message received (0: none); set when the turn is given
}

// offers returns the turns to give now, at most one per process, and under Links one in all. next is the time
// of the next turn; zero if there is none.
func (s *supervisor) offers() (now []offer, next time.Time) {
	begun := time.Now()
	var first []offer // the earliest turn of each process
	for p := range model.Proc(s.Nodes.N()) {
		if all := s.offersOf(p); len(all) > 0 {
			first = append(first, slices.MinFunc(all, earlier))
		}
	}
	if s.Nodes.Medium.Links && len(first) > 0 {
		first = []offer{slices.MinFunc(first, earlier)}
	}
	for _, o := range first {
		if !o.at.After(begun) {
			now = append(now, o)
		} else if next.IsZero() || o.at.Before(next) {
			next = o.at
		}
	}
	return now, next
}

func earlier(a, b offer) int { return a.at.Compare(b.at) }

// offersOf returns the possible turns of a process: a step of its own, which may be its recovery, notices of
// crashes, and receipts. It returns none while the process has a turn.
func (s *supervisor) offersOf(p model.Proc) (all []offer) {
	c := &s.children[p]
	if c.doing != nil || c.outside {
		return nil
	}
	var own []interp.Event
	for _, e := range s.events(p) {
		switch s.Nodes.Class(e.Action) {
		case interp.OwnStep:
			own = append(own, e)
		case interp.Receipt:
			all = append(all, offer{Event: e, at: s.envelopes[s.state.Inbox(p)[e.At].Mark].ready})
		case interp.CrashNotice:
			if at, to := c.notices[e.Peer]; to {
				all = append(all, offer{Event: e, at: at})
			}
		}
	}
	if own == nil {
		return all
	}
	if c.due.IsZero() {
		mean := s.Pace.Think
		if s.state.Units(p) > 0 {
			mean = s.Pace.Stay
		}
		c.due = time.Now().Add(s.random(mean))
	}
	return append(all, offer{Event: own[s.rng.IntN(len(own))], at: c.due})
}

// random returns a random duration from 0 to twice the mean.
func (s *supervisor) random(mean time.Duration) time.Duration {
	return time.Duration(s.rng.Int64N(int64(2*mean) + 1))
}

// give gives a process its turn. It first starts a process that recovers.
func (s *supervisor) give(ctx context.Context, o offer) error {
	c := &s.children[o.Proc]
	if !c.up {
		if err := s.spawn(ctx, o.Proc); err != nil {
			return err
		}
	}
	var t turn
	t, o.mark = s.turn(o.Event)
	t.Crash, c.doing = c.doomed, &o
	c.order(t)
	return nil
}

// turned processes the result of a turn: it applies the step and puts the messages into channels.
func (s *supervisor) turned(p model.Proc, done *result) error {
	c := &s.children[p]
	o := c.doing
	c.doing, c.due = nil, time.Time{}
	if c.outside = done.Outside; c.outside {
		return nil
	}
	sent := make([]interp.Sent, len(done.Sent))
	for i, e := range done.Sent {
		m, err := s.Nodes.Messages.Read(e.Envelope.Message, s.Nodes.N())
		if err != nil {
			return err
		}
		ready := time.Now().Add(s.random(s.Pace.Delay + s.Pace.Slow[p]))
		sent[i] = interp.Sent{To: e.To, Mark: s.enter(waiting{e.Envelope, ready}), M: m}
	}
	if s.Nodes.Class(o.Action) == interp.CrashNotice {
		delete(c.notices, o.Peer)
	}
	before := s.Nodes.Units(p, s.state.Local(p))
	if err := s.step(p, done.Local, o.mark, sent); err != nil {
		return err
	}
	s.result.Steps++
	if before == 0 && s.state.Units(p) > 0 {
		s.result.Entries++
	}
	return nil
}
