package cohorts

import (
	"slices"

	"github.com/atmostk/atmostk/model"
)

// What mode=repaired adds to mode=gather, in which the loop of Figure 1 is done anew over
// all grants that are held:
//
//   - A node that cannot grant answers busy. A requester goes on to the next cohort only
//     when every node of the last one has granted, answered busy, or crashed. So it
//     does not go on without need, and it goes on when another requester stays.
//   - All processes are notified of crashes. Nodes take back the grants of a crashed requester.
//   - Grants that are not used are released at once, so that others can use them. A requester
//     that knows that it cannot be served any more gives all of them back, and its requests.
//   - In a bag an inquire can overtake its grant, and a release its request. Both are
//     remembered until then.

// repair puts the handlers of mode=repaired in the place of others.
func (a *algorithm) repair(rs []model.Receiver[local, message]) {
	for kind, do := range map[string]receipt{
		"receive grant": receiveGrantRepaired, "receive inquire": a.receiveInquireRepaired,
		"receive request": a.receiveRequestRepaired, "receive release": a.receiveReleaseRepaired,
	} {
		i := slices.IndexFunc(rs, func(r model.Receiver[local, message]) bool { return r.Name == kind })
		rs[i].Do = do
	}
}

// withdraw gives everything back for good: the grants held and the nodes not known to be down do not
// contain h disjoint quorums. The request stays, without nodes asked.
func (a *algorithm) withdraw(_ model.Proc, loc *local, out *outbox) bool {
	l := &loc.Requester
	if l.State != waiting || l.P == 0 || a.Contains(a.Nodes()&^loc.Down|l.G, int(l.H)) {
		return false
	}
	giveBack(loc, l.P, out)
	l.Answered, l.Asked = 0, 0
	return true
}

// awaits reports whether m belongs to the request that waits, and j was asked for it.
func (l *requester) awaits(j model.Proc, m message) bool {
	return m.ts == l.TS && l.State == waiting && l.P.Has(j)
}

// receiveGrantRepaired: GRANT from j, which gets it back if its inquire has come in already.
func receiveGrantRepaired(p, j model.Proc, m message, loc *local, out *outbox) bool {
	receiveGrant(p, j, m, loc, out)
	l := &loc.Requester
	if !l.awaits(j, m) {
		return true
	}
	l.Answered = l.Answered.With(j)
	if l.Asked.Has(j) {
		l.Asked = l.Asked.Without(j)
		l.relinquish(j, m, out)
	}
	return true
}

// receiveInquireRepaired: INQUIRE from j, whose grant may still be under way.
func (a *algorithm) receiveInquireRepaired(p, j model.Proc, m message, loc *local, out *outbox) bool {
	l := &loc.Requester
	if l.awaits(j, m) && !l.G.Has(j) {
		l.Asked = l.Asked.With(j)
	}
	return a.receiveInquire(p, j, m, loc, out)
}

// receiveBusy: j has put the request into its queue.
func receiveBusy(_, j model.Proc, m message, loc *local, _ *outbox) bool {
	l := &loc.Requester
	l.Clock = max(l.Clock, m.clock)
	if l.awaits(j, m) {
		l.Answered = l.Answered.With(j)
	}
	return true
}

// receiveRequestRepaired: REQUEST from j, unless it was released already or j has crashed.
func (a *algorithm) receiveRequestRepaired(p, j model.Proc, m message, loc *local, out *outbox) bool {
	l := &loc.Arbiter
	if loc.Down.Has(j) || l.Early.remove(ticket{m.ts, j}) {
		return true
	}
	if len(l.Holders) > 0 {
		out.Send(j, message{kind: busy, ts: m.ts, clock: l.Clock})
	}
	return a.receiveRequest(p, j, m, loc, out)
}

// receiveReleaseRepaired: RELEASE from j.
func (a *algorithm) receiveReleaseRepaired(p, j model.Proc, m message, loc *local, out *outbox) bool {
	l := &loc.Arbiter
	t := ticket{m.ts, j}
	if !slices.Contains(l.Holders, t) && !slices.Contains(l.Queue, t) && !loc.Down.Has(j) {
		l.Early.add(t)
		return true
	}
	return a.receiveRelease(p, j, m, loc, out)
}

// notify: a requester learns of the crash of a node, and a node of the crash of a requester,
// whose requests it forgets.
func (a *algorithm) notify(_, dead model.Proc, loc *local, out *outbox) bool {
	if requester := !a.Nodes().Has(dead); loc.Node != requester || loc.Down.Has(dead) {
		return false
	}
	loc.Down = loc.Down.With(dead)
	l := &loc.Arbiter
	ofDead := func(t ticket) bool { return t.ID == dead }
	for _, list := range []*tickets{&l.Holders, &l.Inquired, &l.Queue, &l.Early} {
		*list = slices.DeleteFunc(*list, ofDead)
	}
	a.grant(l, out)
	return true
}
