package interp

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/atmostk/atmostk/model/lts"
	"github.com/atmostk/atmostk/model/protocol"
)

// Init returns the transition to the initial state.
func (x *Interp) Init() []lts.Transition {
	s := x.Start()
	t := lts.Transition{Next: s}
	for p := range protocol.Proc(x.N()) {
		t.Outside = t.Outside || !x.Keeps(p, s.locals[p])
	}
	return []lts.Transition{t}
}

// Steps returns all transitions from a state.
func (x *Interp) Steps(from lts.State) []lts.Transition {
	s := from.(*State)
	return s.transitions(s.all(nil), true, func(*Step) bool { return true })
}

// StepsOf returns the transitions of one process with one action. The handlers of others do not run.
func (x *Interp) StepsOf(from lts.State, p protocol.Proc, action int) []lts.Transition {
	s := from.(*State)
	broken := x.Mortal && x.Parts && action == x.FirstCrash+1 // any handler may be broken off
	var events []Event
	if !s.IsDead(p) || x.Medium.Recovers {
		events = s.Receipts(s.Idle(nil, p), p)
	}
	if action >= x.FirstFault {
		events = s.faultEvents(events)
	}
	events = slices.DeleteFunc(events, func(e Event) bool {
		return e.Proc != p || e.Action != action && !broken
	})
	return s.transitions(events, broken, func(t *Step) bool { return t.Action == action })
}

// transitions returns the transitions of some events whose steps are wanted.
func (s *State) transitions(events []Event, parts bool, wanted func(*Step) bool) (ts []lts.Transition) {
	for i := range events {
		s.Enabled(events[i], How{Parts: parts}, func(t *Step) bool {
			if wanted(t) {
				ts = append(ts, s.transition(*t))
			}
			return true
		})
	}
	return ts
}

// transition carries out a step, and describes it.
func (s *State) transition(taken Step) lts.Transition {
	t := &taken
	if t.Exhausted { // a search stops before it gets there
		panic(errors.New("a handler asks for an unused number, and all are in use"))
	}
	x, next := s.x, s.Clone()
	lost := next.Apply(t)
	tr := lts.Transition{
		Action: t.Action, Next: next, Proc: t.Proc, Peer: t.Peer, Pruned: t.Excluded, Crashed: t.Crash,
		Outside: next.Beyond(t.Proc),
	}
	if t.Fault != protocol.NoFault && t.Fault != protocol.BreakFault {
		s.faulty(t, &tr)
		return tr
	}
	tr.Owner, tr.Text = x.Names[t.Proc], func() string { return s.text(t) }
	for i := range t.Sent {
		if m := &t.Sent[i]; !next.IsDead(m.To) {
			tr.Charges.Add(x.Owner(t.Proc, m))
			tr.Sent = append(tr.Sent, x.message(t.Proc, m.To, m.M))
		}
	}
	for i := 0; x.Medium.Links && i < len(lost); i++ {
		tr.Lost = append(tr.Lost, x.message(lost[i].From, lost[i].To, lost[i].M))
	}
	if t.At >= 0 {
		e := &s.inboxes[t.Proc][t.At]
		m := x.message(e.From, t.Proc, e.M)
		tr.Received, tr.Envelope = &m, fmt.Sprintf("%s to %v", s.spell(e), t.Proc)
		times := x.MessageTimes(e.M)
		tr.Timed = x.Medium.Clocks && !x.Medium.Order && times != protocol.NoTimes()
		if x.Medium.Order { // it is the same message wherever its time comes to rank
			alike := Envelope{From: e.From, M: x.MessageBack(e.M, times.Order.Stamps)}
			tr.Envelope = fmt.Sprintf("%s to %v", s.spell(&alike), t.Proc)
		}
	} else if t.Handler == x.FirstNotice && x.FirstNotice < x.FirstEvent {
		tr.Noticed = x.Names[t.Peer]
	}
	return tr
}

func (x *Interp) message(from, to protocol.Proc, m Value) lts.Message {
	return lts.Message{From: x.Names[from], To: x.Names[to], Text: x.Messages.Text(m)}
}

func (s *State) text(t *Step) string {
	x := s.x
	if t.Fault == protocol.BreakFault {
		return "the link of " + x.Names[t.Proc] + " breaks"
	}
	var b strings.Builder
	if t.At >= 0 {
		m := s.inboxes[t.Proc][t.At].M
		fmt.Fprintf(&b, "%s receives %s from %s", x.Names[t.Proc], x.Messages.Text(m), x.Names[t.Peer])
	} else {
		fmt.Fprintf(&b, "%s %s", x.Names[t.Proc], x.Actions[t.Handler].Name)
	}
	if t.Handler == x.FirstNotice && x.FirstNotice < x.FirstEvent {
		fmt.Fprintf(&b, " of %s", x.Names[t.Peer])
	}
	if src := x.Actions[t.Handler].Source; src != "" {
		fmt.Fprintf(&b, " (%s)", src)
	}
	for i, m := range t.Sent {
		sep := "; "
		if i == 0 {
			sep = ", sends "
		}
		fmt.Fprintf(&b, "%s%s to %s", sep, x.Messages.Text(m.M), x.Names[m.To])
	}
	if t.Crash && t.Handler != t.Action {
		b.WriteString(", then crashes")
	}
	return b.String()
}

// faulty describes a fault of a channel or of the network.
func (s *State) faulty(t *Step, tr *lts.Transition) {
	x := s.x
	if t.At < 0 {
		tr.Text = func() string {
			if t.Fault == protocol.Heal {
				return "the network is whole again"
			}
			side := x.list(x.Medium.Faults.Split)
			return "the network splits: " + side + " and the others do not reach each other"
		}
		return
	}
	m := x.message(t.Peer, t.Proc, s.inboxes[t.Proc][t.At].M)
	verb := "copies"
	if t.Fault == protocol.Copy {
		tr.Sent = []lts.Message{m}
	} else {
		verb, tr.Lost = "loses", []lts.Message{m}
	}
	tr.Text = func() string {
		return fmt.Sprintf("the network %s %s from %s to %s", verb, m.Text, m.From, m.To)
	}
}
