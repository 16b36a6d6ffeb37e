package occupancy

import (
	"fmt"
	"time"

	"github.com/atmostk/atmostk/traces/logs/formats"
	"github.com/atmostk/atmostk/traces/logs/order"
)

// This file judges the events of a node by the Rules of a lock: an acquisition by the holder, and a release,
// a renewal or a use by a node that does not hold, or whose lease is over. Requests and answers are in
// requests.go.

// newLease returns the lease of a new holding; nil: the event gives none.
func (n *nodeHoldings) newLease(h *nodeResource, i *point, x *formats.Grant) *lease {
	if x.Lasts == formats.Ever && x.Last == formats.Ever {
		return nil
	}
	h.leases = true
	l := new(noLease)
	l.renew(i, x)
	l.ends = l.known && n.judge.Leases
	h.state.byLeases, h.lapses = h.state.byLeases || l.ends, h.lapses || l.ends
	n.judge.doubtful = n.judge.doubtful || l.ends // its begin is not exactly known
	return l
}

func (n *nodeHoldings) renew(h *nodeResource, i *point, x *formats.Grant) {
	switch s := n.latest(h, false, false, i); {
	case s == nil:
	case s.lease == nil:
		s.lease = n.newLease(h, i, x)
	default:
		s.lease.renew(i, x)
	}
}

func (n *nodeHoldings) expire(h *nodeResource, i *point) {
	s := n.latest(h, false, false, i)
	if s == nil {
		return
	}
	if s.lease == nil {
		s.lease = new(noLease)
	}
	h.leases = true
	if l := s.lease; !l.over(i) {
		l.known, l.lapsed, l.earliest, l.last = true, true, min(l.earliest, i.begin), min(l.last, i.end)
	}
	if n.judge.Leases {
		h.least, h.most = 0, 0
		h.expired++
		n.leave(h, i, 0)
	}
}

// checkLease reports a release after the end of the lease.
func (n *nodeHoldings) checkLease(h *nodeResource, i *point) {
	s := n.latest(h, false, false, i)
	if s != nil && s.lease != nil {
		h.state.released(s, i)
	}
	switch {
	case n.judge.Held && i.role == formats.Leaves: // uses judges it
	case s != nil && s.lease.over(i):
		by := ""
		if !s.lease.lapsed {
			by = fmt.Sprintf(", by at least %s", time.Duration(i.begin-s.lease.last))
		}
		n.judge.outlasted(n, by, &s.enter, i)
	case s == nil && h.expired > 0:
		n.judge.outlasted(n, "", i)
	}
}

// outlasted adds the finding about a release after the end of the lease.
func (j *judge) outlasted(n *nodeHoldings, by string, at ...*point) {
	j.found.Add(formats.Outlasts, allPlaced(j.files, at...),
		"%s releases after its lease has ended%s: only fencing tokens protect its work after that",
		n.name, by)
}

// whole reports whether no line of the node is missing between an earlier event and the present one.
func (n *nodeHoldings) whole(since int32) bool { return n.missable.at <= since }

// uses takes an event of a node about units that only a holder can have. It returns false if the node
// certainly holds nothing.
func (n *nodeHoldings) uses(h *nodeResource, i *point, units int32, does string) bool {
	if !n.judge.Held || i.is(order.Maybe) {
		return true
	}
	s := n.latest(h, false, false, i)
	if s == nil {
		kind, text := formats.NotHolder, " without holding"
		if h.expired > 0 {
			kind, text = formats.AfterLease, " after its lease has ended"
		}
		// a missing line may have acquired several units, of which a release gave back some
		sure := n.whole(h.out.at) && (n.missable.at == formats.None || h.state.K == 1)
		h.state.breach(n.judge.files, kind, unlessLost(sure), n.name+" "+does+text, i)
		if !sure {
			n.proves(h, i, units)
		}
		return !sure
	}
	switch {
	case s.lease.mayBeOver(i):
		if sure := n.afterLease(h, s, i, does); !sure && s.lease.over(i) {
			n.proves(h, i, units)
		}
	case !s.goesOn:
		n.proves(h, i, units)
	}
	return true
}

// afterLease adds the breach of an event after the end of the lease of a holding, and reports whether it is
// certain. Of several holdings of a node another one may have been meant.
func (n *nodeHoldings) afterLease(h *nodeResource, s *holding, i *point, does string) (sure bool) {
	over := s.lease.over(i)
	sure = over && s.certain && h.possible == 1 && n.whole(s.lease.at)
	by, doubt := "", unlessLost(sure)
	switch {
	case !over && n.whole(s.lease.at):
		doubt = timesOpen
	case over && !s.lease.lapsed:
		by = fmt.Sprintf(", by at least %s", time.Duration(i.begin-s.lease.last))
	}
	h.state.breach(n.judge.files, formats.AfterLease, doubt, n.name+" "+does+" after its lease has ended"+by,
		&s.enter, i)
	return sure
}

// proves begins a certain holding at an event that only a holder can have, as the acquisition or the renewal
// is missing. If acquisitions add up, it is unknown which of them goes on.
func (n *nodeHoldings) proves(h *nodeResource, i *point, units int32) {
	if n.nested {
		return
	}
	early, most, may := &h.out, int32(0), n.latest(h, true, false, i)
	for _, p := range h.open {
		h.doubt(p, i)
		if p.mayGoOn && (may == nil || may == p) { // the node may have the others as well
			early = i
			most += p.units
			h.close(n, p, i)
		}
	}
	h.settle(i)
	if units = max(units, 1); h.state.Shared && i.role == formats.Leaves && !i.is(order.Reads) {
		units = int32(min(h.state.K, AnyNumber))
		if may != nil { // a reader's release need not say so
			units = may.units
		}
	}
	s := &holding{enter: *i, early: early.at, units: units, certain: true, waited: formats.Ever}
	if i.role != formats.Leaves && (may == nil || may.missing || may.enter.is(order.Reads)) {
		s.enter.mark |= order.Reads // a reader can have logged it
	}
	h.begin(n, s, early, false)
	if i.role != formats.Leaves && most > units { // it may have more than the one unit that it needs
		h.begin(n, &holding{enter: *i, early: n.prev.at, units: most - units, waited: formats.Ever}, i, true)
	}
}

// elected takes an election of the holder, and reports whether its holding goes on.
func (n *nodeHoldings) elected(h *nodeResource, i *point, x *formats.Grant) bool {
	p := h.current()
	if p == nil || !p.goesOn || p.lease.over(i) || !n.whole(p.enter.at) {
		return false
	}
	n.renew(h, i, x)
	return true
}

func (n *nodeHoldings) ask(h *nodeResource, i *point) {
	x := &request{name: n.name, at: *i}
	h.asks, h.asked = append(h.asks, x), *i
	h.anyAsked = true
	h.state.beginRequest(x, i.begin, i.end, i.tie())
}

// answer takes an answer: units, or a refusal.
func (n *nodeHoldings) answer(h *nodeResource, i *point, r *order.Record) {
	if !n.judge.Answers || i.is(order.Maybe) {
		return
	}
	x := &request{name: n.name, at: nothing}
	switch {
	case len(h.asks) > 0:
		x, h.asks = h.asks[0], h.asks[1:]
	case h.anyAsked:
		h.state.breach(n.judge.files, formats.AnsweredTwice, unlessLost(n.whole(h.asked.at)),
			n.name+" gets two answers to one request", &h.asked, &h.answered, i)
		h.answered = *i
		return
	}
	h.answered = *i
	x.units, x.doubted = max(int(r.Units), 1), x.at.at != formats.None && n.gap.at > x.at.at
	if i.role == formats.Denied {
		x.refused, x.files = new(*i), n.judge.files
	}
	h.state.endRequest(x, i)
}
