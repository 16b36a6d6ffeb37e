package model

import (
	"github.com/atmostk/atmostk/model/interp"
	"github.com/atmostk/atmostk/model/protocol"
)

// ofLocal returns what a local state contributes.
func (k *links) ofLocal(l value) (t protocol.Trace) {
	if k.Numbers != nil {
		t.Numbers = k.Numbers(l)
	}
	return t
}

// ofMessage returns what a message under way contributes, where there are n processes.
func (k *links) ofMessage(m value, n int) (t protocol.Trace) {
	if k.Carries != nil {
		t.Numbers = k.Carries(m)
	}
	for i := range k.Timers {
		for p := range Proc(n) {
			if k.Timers[i].Awaits(p, m) {
				t.Awaited[i] = t.Awaited[i].With(p)
			}
		}
	}
	return t
}

// A linkEvent is a handler with the condition of its event.
type linkEvent struct {
	*handler
	revives bool // it is a step of the dead
	occurs  func(l protocol.Link, dead Set, s protocol.LinkView) bool
	changes bool               // the event itself changes the state of the link,
	after   protocol.LinkState // to this one
}

// events lists the events that there are, in the order of their actions.
func (k *links) events() []linkEvent {
	if k == nil {
		return nil
	}
	return k.list
}

// listed makes the list of events.
func (k *links) listed() (es []linkEvent) {
	add := func(e linkEvent) {
		if e.handler != nil {
			es = append(es, e)
		}
	}
	add(linkEvent{handler: k.Disconnect, after: protocol.ClosedLink, changes: true,
		occurs: func(l protocol.Link, _ Set, _ protocol.LinkView) bool {
			return l.State == protocol.BrokenLink
		}})
	add(linkEvent{handler: k.Connect, after: protocol.OpenLink, changes: true,
		occurs: func(l protocol.Link, dead Set, _ protocol.LinkView) bool {
			return l.State == protocol.ClosedLink &&
				l.Reaches(dead)
		}})
	add(linkEvent{handler: k.OpenError,
		occurs: func(l protocol.Link, dead Set, _ protocol.LinkView) bool {
			return l.State == protocol.ClosedLink &&
				!l.Reaches(dead)
		}})
	for i := range k.Timers {
		add(linkEvent{handler: &k.Timers[i].handler,
			occurs: func(l protocol.Link, _ Set, s protocol.LinkView) bool {
				return l.State == protocol.OpenLink &&
					!s.Awaited(i)
			}})
	}
	add(linkEvent{handler: k.Recover, revives: true,
		occurs: func(protocol.Link, Set, protocol.LinkView) bool { return true }})
	return es
}

// carry decides what becomes of messages that a handler has sent, by the link before and
// after it: they go to where the link then leads, if it is open. What was under way is cut
// off if the link was open and is another one, or is not open, afterwards.
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

// breaks changes the local state of a live process when another one, gone, crashes, and
// reports whether it does.
func (k *links) breaks(l value, gone Proc) bool {
	output := k.Of(l)
	if output.State != protocol.OpenLink || output.To != gone {
		return false
	}
	output.State = protocol.BrokenLink
	return true
}
