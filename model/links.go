package model

import (
	"slices"

	"github.com/atmostk/atmostk/model/interp"
	"github.com/atmostk/atmostk/model/protocol"
)

// Links is the medium of algorithms on a ring: each process has one output, a link to
// some process, and sends into nothing else. A link is a FIFO channel that breaks when
// the process at its end crashes. Steps of its owner close it and open it again, to
// that process or to another. Messages in a link that is closed or redirected are
// lost, and so are messages sent into one that is not open.
//
// Handlers are as local as under other media. They learn in addition whether the process at the end of
// their link is alive, whether the message that a timer waits for is under way, and an unused number.
type Links[L, M any] struct {
	// Of returns the link of a process, a part of its local state.
	Of func(l *L) *protocol.Link

	// The events of links; nil: none of that kind.
	Disconnect *Handler[L, M] // of a broken link, which is then closed
	Connect    *Handler[L, M] // of a closed link to a live process, which is then open
	OpenError  *Handler[L, M] // of a closed link to a process that is dead or cut off
	Timers     []Timer[L, M]  // at most protocol.MaxTimers

	// Numbers returns the numbers from 1 to 63 that a process uses, as bits, and Carries
	// the numbers that a message uses. Outbox.Fresh returns an unused one: the smallest,
	// or with Rising the one above all used ones. Nil: none are used.
	Numbers func(l *L) uint64
	Carries func(m *M) uint64
	Rising  bool
}

// A Timer is a handler that runs on a timeout: while the link is open and no
// message that the process awaits is in any link. A slow message never causes a timeout.
type Timer[L, M any] struct {
	Handler[L, M]
	Awaits func(p Proc, m M) bool
}

// LinkFairness gives a composition whose medium is Links its fairness conditions: no enabled
// handler, and no message that is next in its link, is put off for ever. There is one condition
// for each process and each ordinary handler, and one for each link. how is weak, strong or none:
// see param.Fairness.
func (c *Composition[L, M, H]) LinkFairness(how string) {
	if how == "none" {
		return
	}
	actions := c.erased().actions
	condition := func(name string, has func(Label) bool) {
		c.Fairness = append(c.Fairness, Fairness{Name: name, Strong: how == "strong", Has: has})
	}
	for p := range Proc(c.N) {
		condition("messages of "+c.Names.Of(p)+" are received",
			func(l Label) bool { return actions[l.Action].Receipt && Proc(l.Peer) == p })
		for a, action := range actions {
			if action.Kind == protocol.Ordinary && !action.Receipt {
				condition(c.Names.Of(p)+" "+action.Name,
					func(l Label) bool { return int(l.Action) == a && Proc(l.Proc) == p })
			}
		}
	}
}

// An event is a handler with the condition of its event: of a link, or the recovery of a process.
type event struct {
	*handler
	revives bool // it is a step of dead processes, whatever the state of their links
	// The link is in one state before the event, and in another one or the same when the handler runs.
	before, after protocol.LinkState
	when          func(l protocol.Link, dead Set, s protocol.LinkView) bool // a further condition; nil: none
}

// occurs reports whether the event may happen to a process in a local state, in a context.
func (e *event) occurs(k *links, dead bool, local value, in protocol.Context) bool {
	if e.revives || dead {
		return e.revives && dead
	}
	l := *k.Of(local)
	return l.State == e.before && (e.when == nil || e.when(l, in.Dead, in.View))
}

// events makes the list of the events of links, in the order of their actions.
func (k *links) events() []event {
	const closed, open = protocol.ClosedLink, protocol.OpenLink
	reaches := func(l protocol.Link, dead Set, _ protocol.LinkView) bool { return l.Reaches(dead) }
	reachesNot := func(l protocol.Link, dead Set, _ protocol.LinkView) bool { return !l.Reaches(dead) }
	es := []event{
		{handler: k.Disconnect, before: protocol.BrokenLink, after: closed},
		{handler: k.Connect, before: closed, after: open, when: reaches},
		{handler: k.OpenError, before: closed, after: closed, when: reachesNot},
	}
	for i := range k.Timers {
		overdue := func(_ protocol.Link, _ Set, s protocol.LinkView) bool { return !s.Awaited(i) }
		es = append(es, event{handler: &k.Timers[i].handler, before: open, after: open, when: overdue})
	}
	return slices.DeleteFunc(es, func(e event) bool { return e.handler == nil })
}

// carry redirects the messages that a handler has sent, by the link before and
// after it: they go to the end of the link after it, if that is open. Messages under way are cut
// off if the link was open and has changed.
func (k *links) carry(before, after value, sent []interp.Sent) (carried []interp.Sent, cut protocol.Cut) {
	was, now := *k.Of(before), *k.Of(after)
	if was.State == protocol.OpenLink && now != was {
		cut = protocol.CutTo(was.To)
	}
	if now.State != protocol.OpenLink {
		return sent[:0], cut
	}
	for i := range sent {
		sent[i].To = now.To
	}
	return sent, cut
}
