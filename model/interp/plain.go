package interp

import (
	"cmp"
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
	return s.transitions(s.all(), true, func(*Step) bool { return true })
}

// Whole returns the transitions from a state in which no crash breaks off a step.
func (x *Interp) Whole(from lts.State) []lts.Transition {
	s := from.(*State)
	return s.transitions(s.all(), false, func(*Step) bool { return true })
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
	tr := lts.Transition{Action: t.Action, Next: next, Proc: t.Proc, Peer: t.Peer, Pruned: t.Excluded,
		Crashed: t.Crash, Outside: next.Beyond(t.Proc)}
	if t.Fault != protocol.NoFault && t.Fault != protocol.BreakFault {
		s.faulty(t, &tr)
		return tr
	}
	tr.Owner, tr.Text = x.Names[t.Proc], func() string { return s.text(t) }
	if !t.Crash {
		tr.Effect = func() string { return s.effect(t) }
	}
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

// effect compares the local state before a step with the one that its handler left; no time has moved yet.
func (s *State) effect(t *Step) string {
	var changed, sent, parts []string
	before, after := s.x.LocalVars(t.Proc, s.locals[t.Proc]), s.x.LocalVars(t.Proc, t.Local)
	for _, v := range slices.Concat(before, after) {
		if !slices.Contains(before, v) || !slices.Contains(after, v) {
			changed = append(changed, v.Name)
		}
	}
	for i := range t.Sent {
		kind, _, _ := strings.Cut(s.x.Messages.Text(t.Sent[i].M), "(")
		sent = append(sent, kind)
	}
	add := func(does string, names []string) {
		if slices.Sort(names); len(names) > 0 {
			parts = append(parts, does+strings.Join(slices.Compact(names), ", "))
		}
	}
	add("changes ", changed)
	add("sends ", sent)
	return cmp.Or(strings.Join(parts, "; "), "no effect")
}

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

// Key spells out all parts; the envelopes of a bag in the order of their spelling, and times shifted
// so that the least is 1.
func (s *State) Key() string {
	s = s.Settled()
	var b strings.Builder
	fmt.Fprintf(&b, "%v %s", uint64(s.Dead), s.x.Histories.Spell(s.history))
	if s.record != (protocol.Record{}) {
		fmt.Fprintf(&b, " %v", s.record)
	}
	for p := range s.locals {
		b.WriteString("\n" + s.x.Locals.Spell(s.locals[p]))
		envelopes := make([]string, len(s.inboxes[p]))
		for i, e := range s.inboxes[p] {
			envelopes[i] = s.spell(&e)
		}
		if !s.x.FIFO() {
			slices.Sort(envelopes)
		}
		b.WriteString(strings.Join(envelopes, " "))
	}
	return b.String()
}

// spell writes an envelope so that equal ones are written the same.
func (s *State) spell(e *Envelope) string {
	return fmt.Sprintf("{From:%#x, M:%s}", e.From, s.x.Messages.Spell(e.M))
}

// Code returns the code of the state that is stored for s.
func (s *State) Code() protocol.Code {
	s = s.Settled()
	n := len(s.locals)
	all := protocol.CodeOf(2*n, append(s.x.Histories.Append(nil, s.history), s.record.Bytes()...))
	for p := range s.locals {
		all = all.Plus(protocol.CodeOf(p, s.x.Locals.Append(nil, s.locals[p])))
		var bytes []byte
		if !s.IsDead(protocol.Proc(p)) {
			var inbox []protocol.Envelope
			for _, e := range s.inboxes[p] {
				inbox = append(inbox, protocol.Envelope{From: e.From, Message: s.x.Messages.Append(nil, e.M)})
			}
			bytes = protocol.InboxBytes(s.x.Medium.Channel, inbox)
		}
		all = all.Plus(protocol.CodeOf(n+p, bytes))
	}
	return all
}

// Exact is the code that also tells apart states that differ by a shift of all times.
func (s *State) Exact() protocol.Code {
	return s.Code().Plus(protocol.CodeOf(-1, fmt.Append(nil, s.Times().Least)))
}

// Vars lists the variables of the processes, the messages under way to each, the history and the record.
func (s *State) Vars() (vars []lts.Var) {
	for p := range protocol.Proc(len(s.locals)) {
		owner := s.x.Names[p]
		if s.IsDead(p) {
			vars = append(vars, lts.Var{Owner: owner, Name: "crashed", Value: "true"})
		}
		vars = append(vars, s.x.LocalVars(p, s.locals[p])...)
		if s.x.Medium.Links {
			vars = append(vars, lts.Var{Owner: owner, Name: "out", Value: s.output(p)})
			continue
		}
		envelopes := make([]string, len(s.inboxes[p]))
		for i, e := range s.inboxes[p] {
			envelopes[i] = fmt.Sprintf("%s from %s", s.x.Messages.Text(e.M), s.x.Names[e.From])
		}
		slices.Sort(envelopes)
		all := "[" + strings.Join(envelopes, ", ") + "]"
		vars = append(vars, lts.Var{Owner: owner, Name: "inbox", Value: all})
	}
	if s.x.Medium.History {
		vars = append(vars, s.x.HistoryVars(s.history)...)
	}
	f, r := &s.x.Medium.Faults, &s.record
	add := func(is bool, name string, value any) {
		if is {
			vars = append(vars, lts.Var{Owner: "network", Name: name, Value: fmt.Sprint(value)})
		}
	}
	add(f.Losses > 0, "lost", r.Losses)
	add(f.Copies > 0, "copied", r.Copies)
	add(f.Split != 0, "partition", r.Partition)
	add(f.Breaks > 0, "broken", r.Breaks)
	return vars
}

func (s *State) output(p protocol.Proc) string {
	output := *s.x.Link(s.locals[p])
	var texts []string
	for _, e := range s.inboxes[output.To] {
		if e.From == p {
			texts = append(texts, s.x.Messages.Text(e.M))
		}
	}
	text := fmt.Sprintf("%s to %s [%s]", output.State, s.x.Names[output.To], strings.Join(texts, ", "))
	if output.Cut != 0 {
		text += " cut off from " + s.x.list(output.Cut)
	}
	return text
}

func (x *Interp) list(set protocol.Set) string {
	return strings.Join(set.Texts(func(p protocol.Proc) string { return x.Names[p] }), ", ")
}

// timed reports whether the times of p count: it lives or may come up again.
func (s *State) timed(p protocol.Proc) bool { return !s.IsDead(p) || s.x.Medium.Recovers }

// Times returns the least and the greatest time of processes that count, and of messages to them.
func (s *State) Times() protocol.Times {
	all := protocol.NoTimes()
	for p := range protocol.Proc(len(s.locals)) {
		if !s.x.Medium.Clocks || !s.timed(p) {
			continue
		}
		times, _ := s.x.LocalTimes(s.locals[p])
		all.Merge(times)
		for i := range s.inboxes[p] {
			all.Merge(s.x.MessageTimes(s.inboxes[p][i].M))
		}
	}
	return all
}

// Settled returns the state that is stored for s: the same, with its least time 1, or with all times ranked.
func (s *State) Settled() *State {
	all := s.Times()
	switch {
	case s.x.Medium.Order:
		if all.Order.Count() <= protocol.MaxTimes && !all.Order.Canonical() {
			return s.moved(all.Order.Stamps)
		}
	case all != protocol.NoTimes() && all.Least != 1:
		return s.moved(all.Least - 1)
	}
	return s
}

// moved returns the state with all times that count, also of messages, moved back by an amount, modulo 2^32,
// or ranked: see Processes.LocalBack.
func (s *State) moved(by uint32) *State {
	t := s.Clone()
	for p := range protocol.Proc(len(t.locals)) {
		if !t.timed(p) {
			continue
		}
		t.locals[p] = t.x.LocalBack(t.locals[p], by)
		t.inboxes[p] = append([]Envelope(nil), t.inboxes[p]...)
		for i := range t.inboxes[p] {
			t.inboxes[p][i].M = t.x.MessageBack(t.inboxes[p][i].M, by)
		}
	}
	return t
}

// Beyond reports whether the state, to which a step of p led, is beyond the bounds of the model (times too
// far apart, too many messages under way), or the constraint rejects it. A run does not go on from there.
func (s *State) Beyond(p protocol.Proc) bool {
	x := s.x
	if s.depleted || !x.Keeps(p, s.locals[p]) {
		return true
	}
	if most := int(x.Medium.InFlight); most > 0 {
		envelopes := 0
		for q := range s.inboxes {
			envelopes += len(s.inboxes[q])
		}
		if envelopes > most {
			return true
		}
	}
	if !x.Medium.Clocks {
		return false
	}
	for q := range protocol.Proc(len(s.locals)) {
		if s.timed(q) {
			if _, beyond := x.LocalTimes(s.locals[q]); beyond {
				return true
			}
		}
	}
	all := s.Times()
	all.Order.Check(s.mostTimed(all.Order.Count()))
	return x.Medium.Skew > 0 && all != protocol.NoTimes() && all.Greatest-all.Least > x.Medium.Skew
}

// mostTimed names the part of a state in which most of its different stamps are, if there are too many.
func (s *State) mostTimed(count int) (where string) {
	most := 0
	for p := range protocol.Proc(len(s.locals)) {
		if count <= protocol.MaxTimes || !s.timed(p) {
			continue
		}
		times, _ := s.x.LocalTimes(s.locals[p])
		if n := times.Order.Count(); n > most {
			most, where = n, fmt.Sprintf(", %d in the local state of %s", n, s.x.Names[p])
		}
		times = protocol.NoTimes()
		for i := range s.inboxes[p] {
			times.Merge(s.x.MessageTimes(s.inboxes[p][i].M))
		}
		if n := times.Order.Count(); n > most {
			most, where = n, fmt.Sprintf(", %d in messages under way to %s", n, s.x.Names[p])
		}
	}
	return where
}
