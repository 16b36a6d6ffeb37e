package interp

import (
	"slices"

	"github.com/atmostk/atmostk/model/protocol"
)

// An Event is a possible cause of the next step: a handler, a message, a crash notice, a
// change of a link, a crash, a fault of a channel.
type Event struct {
	Proc   protocol.Proc
	Peer   protocol.Proc // the sender of the message, or the process noticed dead
	Action int
	At     int   // index of its envelope in the inbox of Proc; -1: none
	M      Value // the message received; nil: none
}

// A Step is a way in which an event can take place.
type Step struct {
	Proc protocol.Proc
	At   int // index of the envelope in the inbox of Proc that it receives, loses or copies; -1: none
	Outcome
	Excluded bool   // an assumption on runs forbids it
	Copied   uint32 // the mark of the copy made by the channel

	History Value           // afterwards
	Record  protocol.Record // afterwards
}

// Label returns the label of the step.
func (t *Step) Label() protocol.Label {
	return protocol.Label{Action: uint16(t.Action), Proc: uint8(t.Proc), Peer: uint8(t.Peer)}
}

// Idle appends the events of p without a message, in the order of actions, enabled or not.
func (s *State) Idle(to []Event, p protocol.Proc) []Event {
	x, dead := s.x, s.IsDead(p)
	for a := 0; !dead && a < x.FirstReceipt; a++ {
		to = append(to, Event{Proc: p, Action: a, At: -1})
	}
	for q := range s.Dead.Each() {
		if !dead && x.FirstNotice < x.FirstEvent {
			to = append(to, Event{Proc: p, Peer: q, Action: x.FirstNotice, At: -1})
		}
	}
	for a := x.FirstEvent; a < x.FirstCrash; a++ {
		to = append(to, Event{Proc: p, Action: a, At: -1})
	}
	if i := slices.Index(x.faults, protocol.BreakFault); i >= 0 && !dead {
		to = append(to, Event{Proc: p, Action: x.FirstFault + i, At: -1})
	}
	if x.Mortal && !dead {
		to = append(to, Event{Proc: p, Action: x.FirstCrash, At: -1})
	}
	return to
}

// Receipts appends the receipts of the messages that p may receive next.
func (s *State) Receipts(to []Event, p protocol.Proc) []Event {
	for at := range s.inboxes[p] {
		if s.Deliverable(p, at) {
			to = append(to, s.Receipt(p, at))
		}
	}
	return to
}

// Receipt is the event that p receives an envelope of its inbox.
func (s *State) Receipt(p protocol.Proc, at int) Event {
	e := &s.inboxes[p][at]
	a := Ask{Proc: p, Peer: e.From, Local: s.locals[p], Message: e.M}
	return Event{Proc: p, Peer: e.From, Action: s.x.Receiver(a), At: at, M: e.M}
}

func (s *State) faultEvents(to []Event) []Event {
	for p := range protocol.Proc(len(s.locals)) {
		for at := 0; s.x.Medium.Faults.Moves() && at < len(s.inboxes[p]); at++ {
			for i, x := range s.x.faults {
				if (x == protocol.Loss || x == protocol.Copy) && s.Deliverable(p, at) {
					from := s.inboxes[p][at].From
					to = append(to, Event{Proc: p, Peer: from, Action: s.x.FirstFault + i, At: at})
				}
			}
		}
	}
	for i, x := range s.x.faults {
		if x == protocol.Split || x == protocol.Heal {
			to = append(to, Event{Action: s.x.FirstFault + i, At: -1})
		}
	}
	return to
}

// all returns all events, in the order of processes, faults of channels last.
func (s *State) all() (to []Event) {
	for p := range protocol.Proc(len(s.locals)) {
		if !s.IsDead(p) || s.x.Medium.Recovers {
			to = s.Receipts(s.Idle(to, p), p)
		}
	}
	return s.faultEvents(to)
}

// How selects outcomes of an event.
type How struct {
	Parts  bool // also crashes inside the handler
	Forced bool // a crash does not count against the limits of the adversary
	// Draw makes each choice, so that at most one outcome is yielded. Nil: all are yielded.
	Draw func(n int) int
}

// A trial runs one event.
type trial struct {
	s     *State
	at    int
	how   How
	yield func(*Step) bool
	step  Step
	take  func(*Outcome) bool // is trial.outcome
	under bool                // it is in use
}

func (t *trial) outcome(o *Outcome) (more bool) {
	t.step = Step{Proc: t.step.Proc, At: t.at, Outcome: *o}
	if t.s.complete(&t.step) || t.how.Forced {
		return t.yield(&t.step)
	}
	return t.how.Draw == nil || t.how.Parts
}

// Enabled yields the enabled steps of an event, until yield returns false. A step is valid
// until yield returns.
func (s *State) Enabled(e Event, how How, yield func(*Step) (more bool)) {
	x := s.x
	if i := e.Action - x.FirstFault; i >= 0 && i < len(x.faults) {
		if fault := x.faults[i]; fault != protocol.BreakFault {
			s.injectFault(e, fault, yield)
			return
		}
	}
	if e.M != nil && s.record.Partition == protocol.Parted && x.Medium.Faults.Crosses(e.Peer, e.Proc) {
		return // a partition blocks the message
	}
	t := s.trying
	if t == nil || t.under {
		t = &trial{s: s}
		s.trying, t.take = t, t.outcome
	}
	t.at, t.how, t.yield, t.step.Proc, t.under = e.At, how, yield, e.Proc, true
	x.Run(Ask{Proc: e.Proc, Peer: e.Peer, Action: e.Action, Local: s.locals[e.Proc], Message: e.M,
		Context: s.Context(e.Proc), How: how, Into: s.spare}, t.take)
	t.under = false
}

// injectFault yields the step by which a fault changes an envelope, or the network.
func (s *State) injectFault(e Event, fault protocol.ChannelFault, yield func(*Step) bool) {
	if e.At >= 0 && !s.x.Medium.Faults.Concerns(e.Peer, e.Proc) {
		return
	}
	t := Step{Proc: e.Proc, At: e.At, Outcome: Outcome{Action: e.Action, Handler: e.Action, Peer: e.Peer,
		Kind: fault.Kind(), Local: s.locals[e.Proc], Fault: fault}}
	if s.complete(&t) {
		yield(&t)
	}
}

// complete computes history and record after a step, and reports whether they leave it enabled.
func (s *State) complete(t *Step) (enabled bool) {
	x := s.x
	t.History, t.Record = s.history, s.record
	if !t.Record.Inject(t.Fault, &x.Medium.Faults) {
		return false
	}
	if enabled = true; t.Crash && x.Medium.Recovers {
		t.Record.Crashes++
		enabled = int(t.Record.Crashes) <= x.Medium.Crashes
	}
	if x.Light || x.Forgetful && !x.Medium.Guards || !x.Medium.History || t.Note == 0 && !t.Crash {
		return enabled
	}
	e := protocol.Event{Proc: t.Proc, Note: t.Note, Crash: t.Crash, Dead: s.Dead}
	switch {
	case t.Crash:
		e.Dead = e.Dead.With(t.Proc)
	case t.Revives:
		e.Dead = e.Dead.Without(t.Proc)
	}
	var kept bool
	if t.History, kept = x.Remember(s.history, e); kept {
		return enabled
	}
	t.Excluded = true
	return enabled && !x.Medium.Guards
}

// Class is the kind of event that starts the steps of an action.
type Class uint8

const (
	// OwnStep is a local handler, or an event of a link.
	OwnStep Class = iota
	// Receipt is the receipt of a message.
	Receipt
	// CrashNotice is the notice of a crash.
	CrashNotice
	// CrashStep is a crash between handlers.
	CrashStep
	// BrokenStep is a crash inside a handler.
	BrokenStep
	// ChannelFault is a fault of channels.
	ChannelFault
)

// Runnable reports whether real processes can execute the model: not a system (nil), and not if a history
// guards steps or the channels have faults.
func (x *Interp) Runnable() bool { return x != nil && !x.Medium.Guards && !x.Medium.Faults.Some() }

// Class returns the class of an action.
func (x *Interp) Class(action int) Class {
	switch {
	case action >= x.FirstFault:
		return ChannelFault
	case action > x.FirstCrash:
		return BrokenStep
	case action == x.FirstCrash:
		return CrashStep
	case action < x.FirstReceipt, action >= x.FirstEvent:
		return OwnStep
	case action < x.FirstNotice:
		return Receipt
	}
	return CrashNotice
}
