package cohorts

import (
	"slices"

	"github.com/atmostk/atmostk/model"
)

// arbiter is the state of a node, which gives units to requests.
type arbiter struct {
	Holders  tickets // by priority; with one unit the holder of the lock
	Inquired tickets // the holders that were asked to give the grant back
	Queue    tickets // by priority or in the order of arrival
	Clock    uint8   // clock=lamport: the largest time of a request received
	Early    tickets // mode=repaired: requests released before they have come in
}

// arbiters holds the parameters of the nodes. They are Maekawa's, for any number of units.
type arbiters struct {
	capacity int   // units of each node
	need     []int // units that a request takes of each node, by requester
	lamport  bool  // clock=lamport

	byArrival   bool // policies fifo and skip
	skip        bool // policy=skip
	inquires    bool // nodes ask for units back
	waitsFailed bool // policies failed85 and failed: a requester gives back only after FAILED
	failsNext   bool // policy=failed: also the request overtaken by the new head gets FAILED
}

// receiveRequest: the node queues the request, serves the queue, and sends FAILED to
// requests that have to wait for others.
func (a *arbiters) receiveRequest(_, j model.Proc, m message, loc *local, out *outbox) bool {
	l, t := &loc.Arbiter, ticket{m.ts, j}
	if a.lamport {
		l.Clock = max(l.Clock, m.ts)
	}
	if a.byArrival {
		l.Queue = append(l.Queue, t)
	} else {
		l.Queue.add(t)
	}
	a.grant(l, out)
	if at := slices.Index(l.Queue, t); at >= 0 && a.waitsFailed {
		if at > 0 || l.Holders[0].before(t) {
			out.Send(j, message{kind: failed, ts: t.TS})
		}
		if at == 0 && len(l.Queue) > 1 && a.failsNext {
			out.Send(l.Queue[1].ID, message{kind: failed, ts: l.Queue[1].TS})
		}
	}
	a.inquire(l, out)
	return true
}

// receiveRelease: RELEASE from j, also of a request that still waits. A release of an unknown request
// has overtaken it in a bag, and is lost.
func (a *arbiters) receiveRelease(_, j model.Proc, m message, loc *local, out *outbox) bool {
	l, t := &loc.Arbiter, ticket{m.ts, j}
	l.Inquired.remove(t)
	if l.Holders.remove(t) || l.Queue.remove(t) {
		a.serve(l, out)
	}
	return true
}

// receiveRelinquish puts a holder back into the queue; without effect if j holds nothing.
func (a *arbiters) receiveRelinquish(_, j model.Proc, m message, loc *local, out *outbox) bool {
	l, t := &loc.Arbiter, ticket{m.ts, j}
	l.Inquired.remove(t)
	if l.Holders.remove(t) {
		l.Queue.add(t)
		a.serve(l, out)
	}
	return true
}

// serve grants free units, and asks for units that the queue lacks.
func (a *arbiters) serve(l *arbiter, out *outbox) {
	a.grant(l, out)
	a.inquire(l, out)
}

// sum returns the units that some requests take.
func (a *arbiters) sum(q tickets) (units int) {
	for _, t := range q {
		units += a.need[t.ID]
	}
	return units
}

// grant grants requests of the queue as long as they fit.
func (a *arbiters) grant(l *arbiter, out *outbox) {
	for at := a.fitting(l); at >= 0; at = a.fitting(l) {
		l.grantTo(l.Queue.take(at), out)
	}
}

func (l *arbiter) grantTo(t ticket, out *outbox) {
	l.Holders.add(t)
	out.Send(t.ID, message{kind: grant, ts: t.TS, clock: l.Clock})
}

// fitting returns the place of the next request to be granted, or -1.
func (a *arbiters) fitting(l *arbiter) int {
	free := a.capacity - a.sum(l.Holders)
	at := slices.IndexFunc(l.Queue, func(t ticket) bool { return a.need[t.ID] <= free })
	if at > 0 && !a.skip {
		return -1 // the head blocks
	}
	return at
}

// inquire asks holders for the units that the head of the queue lacks, holders of
// the lowest priority first.
func (a *arbiters) inquire(l *arbiter, out *outbox) {
	if !a.inquires || len(l.Queue) == 0 {
		return
	}
	head := l.Queue[0]
	promised := a.capacity - a.sum(l.Holders) + a.sum(l.Inquired)
	for _, t := range slices.Backward(l.Holders) {
		if promised < a.need[head.ID] && head.before(t) && !slices.Contains(l.Inquired, t) {
			l.Inquired.add(t)
			promised += a.need[t.ID]
			out.Send(t.ID, message{kind: inquire, ts: t.TS, clock: l.Clock})
		}
	}
}
