package model

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/atmostk/atmostk/model/lts"
	"github.com/atmostk/atmostk/model/protocol"
	"github.com/atmostk/atmostk/model/stage"
	"github.com/atmostk/atmostk/model/values"
)

// nothing is the Mail that is received where no message is.
const nothing = ^stage.Envelope(0)

// composedStage is the Stage of a composition.
type composedStage[L, M, H any] struct {
	c      *Composition[L, M, H]
	judges judges[Global[L, M, H]]
	light  bool // it keeps neither inboxes, nor hashes, nor the history

	r         *rand.Rand
	local     []L
	dead      []bool
	gone      Set // those of dead that sets have room for
	inUse     int
	units     []int
	history   H
	envelope  []Envelope[M]
	free      []stage.Envelope
	inbox     [][]stage.Envelope
	envelopes int // under way
	record    protocol.Record
	links     stageLinks[L, M]
	faults    stageFaults

	// The step at hand.
	p        Proc
	peer     Proc
	action   int
	received stage.Envelope
	after    L
	past     H
	dies     bool
	revives  bool
	fault    protocol.ChannelFault
	copied   stage.Envelope
	befell   protocol.Record // the record after it
	out      Outbox[M]
	sent     []stage.Dispatch
	lost     []stage.Envelope // with their channel
	wide     bool             // the last step changed more than its process and the inboxes that it sent to
	depleted bool             // it asked for a number that nobody uses, and there was none

	now, before Global[L, M, H]
	was         snapshot[L, M, H]
	unclear     [][]bool // per property with Clear, whether it does not hold of a process
	judging     int      // the property that is being asked
	hash        stageHash[L, M, H]
	running     func() Error // the contexts of what may fail
	asking      func() Error
}

// newStage returns a stage of a composition.
func newStage[L, M, H any](c *Composition[L, M, H], j judges[Global[L, M, H]], light bool) stage.Stage {
	// A light stage does not know what is lost with a link.
	s := &composedStage[L, M, H]{c: c, judges: j, light: light && c.Links == nil}
	s.links.events = c.Links.events()
	s.faults.init(c.Network.Faults.List())
	s.out.procs, s.out.of = c.N, &c.of.message
	s.out.choice.draw = func(n int) int { return s.r.IntN(n) }
	s.now = Global[L, M, H]{N: c.N, view: stageView[L, M, H]{s}}
	s.before = Global[L, M, H]{N: c.N, view: &s.was}
	s.was.s = s
	s.running, s.asking = s.whatRuns, s.whatIsAsked
	s.unclear = make([][]bool, len(j.props))
	for i := range j.props {
		if j.props[i].Clear != nil {
			s.unclear[i] = make([]bool, c.N)
		}
	}
	s.hash.s = s
	return s
}

func (s *composedStage[L, M, H]) whatRuns() Error {
	e := Error{Process: s.c.Names.Of(s.p), State: spelled(s.local[s.p], s.c.Names), action: s.action,
		proc: s.p, peer: s.peer}
	e.Action = s.c.actions()[s.action].Name
	e.Part = "handler " + e.Action
	if s.received != nothing {
		envelope := s.envelope[s.received]
		e.receives = lts.Message{
			From: s.c.Names.Of(envelope.From),
			To:   e.Process,
			Text: fmt.Sprint(envelope.M),
		}
		e.Message = e.receives.Text + " from " + e.receives.From
	}
	return e
}

func (s *composedStage[L, M, H]) whatIsAsked() Error {
	return Error{Part: "property " + s.judges.props[s.judging].Name}
}

func (s *composedStage[L, M, H]) N() int           { return s.c.N }
func (s *composedStage[L, M, H]) Live(p Proc) bool { return !s.dead[p] }
func (s *composedStage[L, M, H]) Handlers() int    { return len(s.c.Local) }
func (s *composedStage[L, M, H]) Noticed() bool    { return s.c.Notice != nil }
func (s *composedStage[L, M, H]) Action() int      { return s.action }
func (s *composedStage[L, M, H]) Label() Label {
	return Label{Action: uint16(s.action), Proc: uint8(s.p), Peer: uint8(s.peer)}
}
func (s *composedStage[L, M, H]) FIFO() bool        { return s.c.Network.Channel == FIFO }
func (s *composedStage[L, M, H]) NoticeAction() int { return s.c.noticeAction() }
func (s *composedStage[L, M, H]) CrashAction() int  { return s.c.crashAction() }
func (s *composedStage[L, M, H]) Units(p Proc) int  { return s.units[p] }
func (s *composedStage[L, M, H]) InUse() int        { return s.inUse }

func (s *composedStage[L, M, H]) Inbox(p Proc) []stage.Envelope { return s.inbox[p] }
func (s *composedStage[L, M, H]) From(m stage.Envelope) Proc    { return s.envelope[m].From }
func (s *composedStage[L, M, H]) Receipt(m stage.Envelope) int {
	return len(s.c.Local) + s.c.receiver(s.envelope[m].M)
}

func (s *composedStage[L, M, H]) Start(r *rand.Rand) {
	n := s.c.N
	s.r = r
	s.local, s.dead, s.gone = slices.Grow(s.local[:0], n)[:n], make([]bool, n), s.c.Network.Dead
	s.units, s.inUse, s.history = make([]int, n), 0, s.c.of.history.copied(&s.c.History.Init)
	s.envelope, s.free, s.envelopes, s.sent, s.lost = s.envelope[:0], s.free[:0], 0, s.sent[:0], s.lost[:0]
	s.record, s.links.known, s.wide, s.depleted = protocol.Record{}, false, false, false
	s.inbox = slices.Grow(s.inbox[:0], n)[:n]
	for p := range Proc(n) {
		s.local[p], s.inbox[p] = s.c.init(p), s.inbox[p][:0]
		// Who recovers is to come up for the first time.
		if s.dead[p] = int(p) < protocol.MaxProcs && s.gone.Has(p); s.dead[p] && !s.c.recovers() {
			s.c.reset(p, &s.local[p])
		}
		s.count(p)
	}
	s.hash.begin()
	for p := range Proc(n) {
		if !s.dead[p] {
			for _, m := range s.c.underWay(p) {
				s.put(p, Sent[M]{m.To, s.c.of.message.copied(&m.M)})
			}
		}
	}
}

// count brings the units in use up to date after a change of p.
func (s *composedStage[L, M, H]) count(p Proc) {
	s.inUse -= s.units[p]
	s.units[p] = 0
	if !s.dead[p] {
		s.units[p] = s.c.units(&s.local[p])
	}
	s.inUse += s.units[p]
}

func (s *composedStage[L, M, H]) Names() (names []string) {
	for _, h := range s.c.Local {
		names = append(names, h.Name)
	}
	return names
}

func (s *composedStage[L, M, H]) Requests() (is []bool) {
	for _, h := range s.c.Local {
		is = append(is, h.Request)
	}
	return is
}

func (s *composedStage[L, M, H]) Suspects(p Proc) (g values.Group, ok bool) {
	if s.c.Suspects == nil {
		return g, false
	}
	return s.c.Suspects(&s.local[p]), true
}

// put puts a message into the channel to a process, if that lives. If the stage is light it is up to others
// what becomes of those to the dead: they take time, too.
func (s *composedStage[L, M, H]) put(from Proc, m Sent[M]) {
	if s.dead[m.To] && !s.light {
		return
	}
	slot := s.slot(from, m.M)
	s.sent = append(s.sent, stage.Dispatch{To: m.To, Envelope: slot})
	if s.light {
		return
	}
	s.hash.add(m.To, slot)
	s.inbox[m.To] = append(s.inbox[m.To], slot)
}

// slot returns where a message is kept that is now under way.
func (s *composedStage[L, M, H]) slot(from Proc, m M) (slot stage.Envelope) {
	s.envelopes++
	if n := len(s.free); n > 0 {
		slot, s.free = s.free[n-1], s.free[:n-1]
		s.envelope[slot] = Envelope[M]{from, m}
	} else {
		slot = stage.Envelope(len(s.envelope))
		s.envelope = append(s.envelope, Envelope[M]{from, m})
	}
	if k := s.c.Links; k != nil {
		for len(s.links.traces) < len(s.envelope) {
			s.links.traces = append(s.links.traces, protocol.Trace{})
		}
		s.links.traces[slot] = k.ofMessage(&s.envelope[slot].M, s.c.N)
	}
	return slot
}

func (s *composedStage[L, M, H]) Drop(to Proc, m stage.Envelope) {
	s.envelopes--
	s.free = append(s.free, m)
	if s.light {
		return
	}
	s.hash.remove(to, m)
	i := slices.Index(s.inbox[to], m)
	s.inbox[to] = slices.Delete(s.inbox[to], i, i+1)
}

// prepare makes ready for a handler of p.
func (s *composedStage[L, M, H]) prepare(p, peer Proc, action int, received stage.Envelope) {
	s.p, s.peer, s.action, s.received, s.dies = p, peer, action, received, false
	s.revives, s.fault, s.copied, s.links.cut = false, protocol.NoFault, nothing, 0
	s.c.of.local.copyTo(&s.after, &s.local[p])
	s.out.sent, s.out.note, s.out.fresh, s.out.exhausted = s.out.sent[:0], 0, s.learns(p).Fresh(), false
	s.out.choice.at = 0
}

// answer completes the answer to whether the step at hand can be taken.
func (s *composedStage[L, M, H]) answer(enabled bool) stage.Answer {
	if !enabled {
		return stage.NotEnabled
	}
	s.c.of.history.copyTo(&s.past, &s.history)
	s.befell = s.record
	if !s.befell.Befall(s.fault, &s.c.Network.Faults) {
		return stage.NotEnabled
	}
	if s.dies && s.c.recovers() {
		s.befell.Crashes++
		if int(s.befell.Crashes) > s.c.Network.Crashes {
			return stage.NotEnabled
		}
	}
	if s.light || s.c.History.Step == nil || s.out.note == 0 && !s.dies {
		return stage.Enabled
	}
	e := Event{Proc: s.p, Note: s.out.note, Crash: s.dies, Dead: s.gone}
	if s.dies {
		e.Dead = e.Dead.With(s.p)
	}
	switch {
	case s.c.remember(&s.past, e):
		return stage.Enabled
	case s.c.History.Guards:
		return stage.NotEnabled
	}
	return stage.Excluded
}

func (s *composedStage[L, M, H]) Own(p Proc, handler int) stage.Answer {
	defer named(s.running)
	s.prepare(p, 0, handler, nothing)
	return s.handled(s.c.Local[handler].Do(p, &s.after, &s.out))
}

func (s *composedStage[L, M, H]) Receive(p Proc, m stage.Envelope) stage.Answer {
	defer named(s.running)
	if s.apart(p, m) {
		return stage.NotEnabled
	}
	envelope := &s.envelope[m]
	i := s.c.receiver(envelope.M)
	s.prepare(p, envelope.From, len(s.c.Local)+i, m)
	do := s.c.Receive[i].Do
	return s.handled(do(p, envelope.From, s.c.of.message.copied(&envelope.M), &s.after, &s.out))
}

func (s *composedStage[L, M, H]) Notice(p, dead Proc) stage.Answer {
	if s.c.Notice == nil {
		return stage.NotEnabled
	}
	defer named(s.running)
	s.prepare(p, dead, s.c.noticeAction(), nothing)
	return s.handled(s.c.Notice.Do(p, dead, &s.after, &s.out))
}

func (s *composedStage[L, M, H]) Idle() bool {
	return len(s.out.sent) == 0 && s.c.of.local.equal(&s.local[s.p], &s.after)
}

func (s *composedStage[L, M, H]) Commit() []stage.Dispatch {
	s.remembered()
	s.lost, s.wide = s.lost[:0], s.links.cut > 0 || s.dies && s.c.Links != nil
	if s.received != nothing {
		s.Drop(s.p, s.received)
	}
	if s.links.cut > 0 {
		s.lose(s.p, Proc(s.links.cut-1))
	}
	s.hash.changeLocal(s.p, &s.after)
	s.c.of.local.copyTo(&s.local[s.p], &s.after)
	s.history, s.record = s.past, s.befell
	if s.revives {
		s.rise(s.p)
	}
	if s.dies {
		s.markCrashed()
	}
	s.count(s.p)
	s.sent = s.sent[:0]
	if s.copied != nothing {
		s.double(s.p, s.copied)
	}
	for _, m := range s.out.sent {
		s.put(s.p, m)
	}
	s.links.known, s.depleted = false, s.out.exhausted
	return s.sent
}

func (s *composedStage[L, M, H]) Beyond() bool {
	if s.depleted || !s.c.keeps(s.p, &s.local[s.p]) {
		return true
	}
	nw, c := &s.c.Network, s.c.Clocks
	if nw.MaxInFlight > 0 && s.envelopes > nw.MaxInFlight {
		return true
	}
	return c != nil && (c.MaxSkew > 0 || c.Within != nil) && s.world().beyondBounds()
}

// world spells the state out.
func (s *composedStage[L, M, H]) world() *world[L, M, H] {
	w := &world[L, M, H]{
		c: s.c, dead: s.gone, history: s.history, record: s.record,
		local: slices.Clone(s.local), inbox: make([][]Envelope[M], s.c.N),
	}
	for p := range Proc(s.c.N) {
		for _, m := range s.inbox[p] {
			w.deliver(s.envelope[m].From, Sent[M]{p, s.envelope[m].M})
		}
	}
	return w
}

func (s *composedStage[L, M, H]) State() State { return s.world() }
