package interp

import (
	"slices"

	"github.com/atmostk/atmostk/model/protocol"
)

// An Interp interprets one composition.
type Interp struct {
	Processes
	*Declared
	// Light leaves out inboxes and histories: for simulations that carry the messages themselves, and judge
	// no property. It is for media other than Links.
	Light bool
	// Forgetful leaves out histories that guard no steps: no handler reads them.
	Forgetful bool

	faults []protocol.ChannelFault // in the order of their actions
}

// New returns the interpreter of a composition.
func New(p Processes) *Interp {
	d := p.Declared()
	return &Interp{Processes: p, Declared: d, faults: d.Medium.Faults.List()}
}

// N is the number of processes.
func (x *Interp) N() int { return len(x.Names) }

// A State is a global state of a composition.
type State struct {
	x        *Interp
	Dead     protocol.Set // among the first MaxProcs
	far      []bool       // dead among the others; nil: none
	locals   []Value
	inboxes  [][]Envelope
	history  Value
	record   protocol.Record
	depleted bool            // a fresh number was asked for, and all were in use
	around   *protocol.Trace // the contributions of all parts to link views; nil: not known
	own      bool            // local states and inboxes share no memory with other states
	spare    Value           // of an own state: memory for the next local state
	trying   *trial          // that ran the last event; nil: none
	copies   []place         // memory of CloneTo, to be used again
}

type place struct {
	local Value
	inbox []Envelope
}

// An Envelope is a message in the channel to some process.
type Envelope struct {
	From protocol.Proc
	// Mark distinguishes equal messages for programs that follow a run. The interpreter ignores it.
	Mark  uint32
	M     Value
	trace *protocol.Trace // under Links
}

// Start returns the initial state.
func (x *Interp) Start() *State {
	n := len(x.Names)
	s := x.StateOf(x.Dead, make([]Value, n), make([][]Envelope, n), x.History, protocol.Record{})
	for p := range protocol.Proc(n) {
		s.locals[p] = x.Begin(p)
		if s.IsDead(p) && !x.Medium.Recovers { // with recovery it keeps its first state, to come up with
			s.locals[p] = x.Reset(p, s.locals[p])
		}
	}
	for p := range protocol.Proc(n) {
		if !s.IsDead(p) {
			for _, m := range x.UnderWay(p) {
				s.deliver(p, &m)
			}
		}
	}
	if x.Medium.Order {
		return s.Settled()
	}
	return s
}

// StateOf returns the state that has these parts. It keeps the slices.
func (x *Interp) StateOf(dead protocol.Set, locals []Value, inboxes [][]Envelope, history Value,
	r protocol.Record) *State {
	return &State{x: x, Dead: dead, locals: locals, inboxes: inboxes, history: history, record: r}
}

// Clone returns a copy. Both share values that Apply does not change in place: see Own.
func (s *State) Clone() *State { return s.CloneTo(&State{}) }

// CloneTo is Clone into the memory of t, which is new or an earlier copy of s.
func (s *State) CloneTo(t *State) *State {
	locals, inboxes := t.locals[:0], t.inboxes[:0]
	locals, inboxes = append(locals, s.locals...), append(inboxes, s.inboxes...)
	for p := 0; s.own && p < len(locals); p++ {
		var old Value
		var room []Envelope
		if p < len(t.copies) {
			old, room = t.copies[p].local, t.copies[p].inbox
		} else {
			t.copies = append(t.copies, place{})
		}
		locals[p], inboxes[p] = s.x.Locals.CopyTo(old, locals[p]), append(room[:0], inboxes[p]...)
		t.copies[p] = place{locals[p], inboxes[p]}
	}
	copies := t.copies
	*t = *s
	t.locals, t.inboxes, t.copies, t.far = locals, inboxes, copies, slices.Clone(s.far)
	t.own, t.spare, t.trying = false, nil, nil
	return t
}

// Own makes Apply change local states and inboxes in place, for a run whose states are not kept, and whose
// steps are drawn: only the last step that Enabled yielded can be taken.
func (s *State) Own() *State {
	for p := range s.inboxes {
		s.locals[p], s.inboxes[p] = s.x.Locals.CopyTo(nil, s.locals[p]), slices.Clone(s.inboxes[p])
	}
	s.own, s.spare = true, s.x.Locals.CopyTo(nil, s.locals[0])
	return s
}

// IsDead reports whether p is dead.
func (s *State) IsDead(p protocol.Proc) bool {
	if p < protocol.MaxProcs {
		return s.Dead.Has(p)
	}
	return s.far != nil && s.far[p]
}

func (s *State) setDead(p protocol.Proc, dead bool) {
	switch {
	case p >= protocol.MaxProcs:
		if s.far == nil {
			s.far = make([]bool, len(s.locals))
		}
		s.far[p] = dead
	case dead:
		s.Dead = s.Dead.With(p)
	default:
		s.Dead = s.Dead.Without(p)
	}
}

// Local returns the local state of p, also of a dead one.
func (s *State) Local(p protocol.Proc) Value { return s.locals[p] }

// Inbox returns the messages under way to p: grouped by sender and each group in its order under FIFO
// channels, in the order of sending otherwise. It must not be changed.
func (s *State) Inbox(p protocol.Proc) []Envelope { return s.inboxes[p] }

// History returns the history.
func (s *State) History() Value { return s.history }

// Record returns the counts of crashes and faults so far.
func (s *State) Record() protocol.Record { return s.record }

// Units returns the number of units that p uses: 0, if it is dead.
func (s *State) Units(p protocol.Proc) int {
	if s.IsDead(p) {
		return 0
	}
	return s.x.Units(p, s.locals[p])
}

// Context returns the context of the steps of p.
func (s *State) Context(p protocol.Proc) protocol.Context {
	in := protocol.Context{Dead: s.Dead}
	if s.x.Medium.Order {
		in.Times = uint8(s.Times().Order.Count())
	}
	if !s.x.Medium.Links {
		return in
	}
	if s.around == nil {
		var all protocol.Trace
		for q := range s.locals {
			all.Merge(new(s.x.LocalTrace(s.locals[q])))
			for i := range s.inboxes[q] {
				m := &s.inboxes[q][i]
				if m.trace == nil {
					m.trace = new(s.x.MessageTrace(m.M))
				}
				all.Merge(m.trace)
			}
		}
		s.around = &all
	}
	in.View = s.around.Of(p, s.x.Medium.Rising)
	return in
}

// FIFO reports whether channels keep their order.
func (x *Interp) FIFO() bool { return x.Medium.Channel == protocol.FIFO }

func (s *State) deliver(from protocol.Proc, m *Sent) {
	if s.IsDead(m.To) || s.x.Light {
		return
	}
	at := len(s.inboxes[m.To])
	if s.x.FIFO() { // behind the last envelope of its sender or of a smaller one
		for at > 0 && s.inboxes[m.To][at-1].From > from {
			at--
		}
	}
	s.insert(m.To, at, Envelope{From: from, Mark: m.Mark, M: m.M})
}

func (s *State) insert(p protocol.Proc, at int, e Envelope) {
	if !s.own {
		s.inboxes[p] = slices.Clip(s.inboxes[p])
		if at < len(s.inboxes[p]) {
			s.inboxes[p] = slices.Clone(s.inboxes[p])
		}
	}
	s.inboxes[p] = slices.Insert(s.inboxes[p], at, e)
}

// Drop takes an envelope out of the inbox of p.
func (s *State) Drop(p protocol.Proc, at int) {
	if !s.own {
		s.inboxes[p] = slices.Clone(s.inboxes[p])
	}
	s.inboxes[p] = slices.Delete(s.inboxes[p], at, at+1)
}

// Deliverable reports whether p may receive an envelope of its inbox next, and it is not equal to an
// earlier one. It ignores partitions: see Enabled.
func (s *State) Deliverable(p protocol.Proc, at int) bool {
	inbox := s.inboxes[p]
	e := &inbox[at]
	for i := range inbox[:at] {
		f := &inbox[i]
		if f.From != e.From {
			continue
		}
		if s.x.FIFO() || f.Mark == e.Mark && s.x.Messages.Equal(f.M, e.M) {
			return false
		}
	}
	return true
}

// Lost is a message that was taken out of the channel to a process without a receipt.
type Lost struct {
	To protocol.Proc
	Envelope
}

// Apply carries out a step, and returns the messages lost with a link or a process.
func (s *State) Apply(t *Step) (lost []Lost) {
	p := t.Proc
	switch {
	case t.Fault == protocol.Copy: // the copy is next to it in its channel
		copied := s.inboxes[p][t.At]
		copied.Mark = t.Copied
		s.insert(p, t.At+1, copied)
	case t.At >= 0:
		s.Drop(p, t.At)
	}
	if t.Cut > 0 {
		lost = s.lose(lost, protocol.Proc(t.Cut-1), func(e *Envelope) bool { return e.From == p })
	}
	if t.Local == s.spare {
		s.spare = s.locals[p]
	}
	s.locals[p], s.history, s.record, s.around = t.Local, t.History, t.Record, nil
	s.depleted = t.Exhausted
	if t.Revives {
		s.setDead(p, false)
	}
	if t.Crash {
		s.setDead(p, true)
		lost = s.lose(lost, p, func(*Envelope) bool { return true })
		for q := range protocol.Proc(len(s.locals)) {
			if s.x.Medium.Links && !s.IsDead(q) {
				s.locals[q] = s.x.Break(s.locals[q], p)
			}
		}
	}
	for i := range t.Sent {
		s.deliver(p, &t.Sent[i])
	}
	if s.x.Medium.Order {
		settled := s.Settled()
		s.locals, s.inboxes = settled.locals, settled.inboxes
	}
	return lost
}

// lose removes the messages under way to p for which gone is true.
func (s *State) lose(lost []Lost, p protocol.Proc, gone func(*Envelope) bool) []Lost {
	var kept []Envelope
	for i := range s.inboxes[p] {
		if e := &s.inboxes[p][i]; gone(e) {
			lost = append(lost, Lost{p, *e})
		} else {
			kept = append(kept, *e)
		}
	}
	s.inboxes[p] = kept
	return lost
}

// Mark marks an envelope of the inbox of p.
func (s *State) Mark(p protocol.Proc, at int, mark uint32) { s.inboxes[p][at].Mark = mark }
