package occupancy

import (
	"fmt"
	"time"

	"github.com/atmostk/atmostk/traces/logs/formats"
	"github.com/atmostk/atmostk/traces/logs/order"
)

// Rules are promises of a lock besides its number of units. The zero value promises nothing.
type Rules struct {
	Held    bool // only a holder releases, renews its lease or uses the lock, and not after its lease
	Once    bool // the only unit is not granted to its holder again
	Elects  bool // a holder may be elected again, and each use carries the latest token handed out
	Answers bool // each request has one answer, and what is refused is not free
	Shared  bool // the lock is one of readers and writers, even if nobody reads
}

// regards reports whether events of a role are about a resource.
func (r *Reading) regards(role formats.Role) bool {
	return role.OfLock() || r.Answers && role == formats.Requests
}

// Reasons for which a breach is not certain; the empty one: it is certain.
const (
	lineMissing = "unless a line is missing"
	timesOpen   = "unless the order was another one, as the times allow"
)

// unless returns a reason, or none if something is sure.
func unless(sure bool, reason string) string {
	if sure {
		return ""
	}
	return reason
}

// breach adds a breach of the rules to the findings of a resource.
func (u *resourceState) breach(j *judge, kind formats.Kind, doubt, text string, at ...*point) {
	var places []formats.Place
	for _, m := range at {
		places = append(places, placed(j.files, m))
	}
	if u.Resource != "" {
		text = u.Resource + ": " + text
	}
	if doubt != "" {
		kind = formats.Possibly + kind
		text += ", " + doubt
	}
	u.Breaches.Add(kind, places, "%s", text)
}

// whole reports whether no line of the node is missing between an earlier event and the present one.
func (n *nodeHoldings) whole(since int32) bool { return n.missable.at <= since }

// surelyOut reports whether a node without a holding certainly has none. A missing line may have acquired
// several units, of which a release gave back some.
func (n *nodeHoldings) surelyOut(h *nodeResource) bool {
	return n.whole(h.out.at) && (n.missable.at == formats.None || h.state.Shared || h.state.K == 1)
}

// uses takes an event of a node about units that only a holder can have. It returns false if the node
// certainly holds nothing.
func (n *nodeHoldings) uses(h *nodeResource, i *point, units int32, does string) bool {
	if !n.judge.Held || i.is(order.Maybe) {
		return true
	}
	k := n.latest(h, false, false, i)
	if k < 0 {
		kind, text := formats.NotHolder, " without holding"
		if h.expired > 0 {
			kind, text = formats.AfterLease, " after its lease has ended"
		}
		sure := n.surelyOut(h)
		h.state.breach(n.judge, kind, unless(sure, lineMissing), n.name+" "+does+text, i)
		if !sure {
			n.proves(h, i, units)
		}
		return !sure
	}
	switch s := h.open[k]; {
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
	by, doubt := "", unless(sure, lineMissing)
	switch {
	case !over:
		doubt = timesOpen
	case !s.lease.lapsed:
		by = fmt.Sprintf(", by at least %s", time.Duration(i.begin-s.lease.last))
	}
	h.state.breach(n.judge, formats.AfterLease, doubt, n.name+" "+does+" after its lease has ended"+by,
		&s.enter, i)
	return sure
}

// proves begins a certain holding at an event that only a holder can have, as the acquisition or the renewal
// is missing. If acquisitions add up, it is unknown which of them goes on.
func (n *nodeHoldings) proves(h *nodeResource, i *point, units int32) {
	if n.nested {
		return
	}
	early := &h.out
	for _, p := range h.open {
		if p.mayGoOn {
			early = i
		}
		h.doubt(p, i)
		h.close(n, p, i)
	}
	h.settle(i)
	if units = max(units, 1); h.state.Shared && i.role == formats.Leaves && !i.is(order.Reads) {
		units = int32(min(h.state.K, AnyNumber))
	}
	s := &holding{enter: *i, early: early.at, units: units, certain: true, waited: formats.Ever}
	h.begin(n, s, early, false)
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

// A request is a request in the sweep, until its answer.
type request struct {
	judge *judge
	name  string // of its node
	at    point  // its line; nothing: not in the log
	units int
	// refused is the answer; nil: none, or the units. doubted: a line is missing between.
	refused *point
	doubted bool
	// most is the most units that may be in use at a moment between the request and its answer. counts: the
	// sweep is certainly between them, and least and busy are the fewest and the most units certainly in use.
	most, least, busy int
	counts            bool
}

// ask takes a request.
func (n *nodeHoldings) ask(h *nodeResource, i *point) {
	x := &request{judge: n.judge, name: n.name, at: *i}
	h.asks, h.asked = append(h.asks, x), *i
	h.anyAsked = true
	h.state.beginRequest(x, i.begin, i.end, i.tie())
}

// answer takes an answer: units, or a refusal.
func (n *nodeHoldings) answer(h *nodeResource, i *point, r *order.Record) {
	if !n.judge.Answers || i.is(order.Maybe) {
		return
	}
	x := &request{judge: n.judge, name: n.name, at: nothing}
	switch {
	case len(h.asks) > 0:
		x, h.asks = h.asks[0], h.asks[1:]
	case h.anyAsked:
		h.state.breach(n.judge, formats.AnsweredTwice, unless(n.whole(h.asked.at), lineMissing),
			n.name+" gets two answers to one request", &h.asked, &h.answered, i)
		h.answered = *i
		return
	}
	h.answered = *i
	x.units, x.doubted = max(int(r.Units), 1), x.at.at != formats.None && n.gap.at > x.at.at
	if i.role == formats.Denied {
		at := *i
		x.refused = &at
	}
	h.state.endRequest(x, i)
}

// beginRequest lets a request into the sweep: its moment lies between two.
func (u *resourceState) beginRequest(x *request, from, to, tie int64) {
	if u.sweeps {
		u.late = u.late || from < u.passed
		u.put(edge{from, int64(possibleBegin) | tie, x})
		u.put(edge{to, int64(passFrom) | tie, x})
	}
}

// endRequest ends a request with its answer. A refusal without a request is one moment, which may be any
// between its bounds.
func (u *resourceState) endRequest(x *request, i *point) {
	if !u.sweeps {
		if x.refused != nil {
			u.refuse(x, false, false)
		}
		return
	}
	sure := i.begin
	if x.at.at == formats.None {
		u.beginRequest(x, i.begin, i.begin, i.tie())
		sure = i.end
	}
	u.put(edge{sure, int64(passTo) | i.tie(), x})
	u.put(edge{i.end, int64(possibleEnd) | i.tie(), x})
}

// requestEdge sweeps over the next end of a request.
func (u *resourceState) requestEdge(e *edge, x *request) {
	switch e.kind() {
	case possibleBegin:
		x.most = u.possibleLevels.total
		u.requests = append(u.requests, x)
	case passFrom:
		x.counts, x.least, x.busy = true, u.certainParts.units, u.certainParts.units
	case passTo:
		x.doubted = x.doubted || !x.counts // the two may have happened at one moment
		x.counts = false
	case possibleEnd:
		for k, other := range u.requests {
			if other == x {
				u.requests[k] = u.requests[len(u.requests)-1]
				u.requests = u.requests[:len(u.requests)-1]
				break
			}
		}
		if x.refused == nil {
			return
		}
		certainly := x.busy
		if x.at.at == formats.None {
			certainly = x.least
		}
		u.refuse(x, x.most+x.units <= u.K, !x.doubted && certainly+x.units > u.K)
	}
}

// during counts the units in use for the requests in the sweep.
func (u *resourceState) during() {
	for _, x := range u.requests {
		x.most = max(x.most, u.possibleLevels.total)
		if c := u.certainParts.units; x.counts {
			x.least, x.busy = min(x.least, c), max(x.busy, c)
		}
	}
}

// refuse judges a refusal: free or busy in every order.
func (u *resourceState) refuse(x *request, free, busy bool) {
	if busy {
		return
	}
	at := []*point{&x.at, x.refused}
	if x.at.at == formats.None {
		at = at[1:]
	}
	doubt, what := timesOpen, "though the lock is free"
	if free {
		doubt = unless(x.judge.complete, lineMissing)
	}
	if u.K > 1 {
		what = fmt.Sprintf("though %d units are free", x.units)
	}
	u.breach(x.judge, formats.FreeRefused, doubt, x.name+" is refused, "+what, at...)
}
