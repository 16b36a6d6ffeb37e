package cohorts

import "github.com/atmostk/atmostk/model"

// arbiter is the state of a node: one lock, given to requests by priority.
type arbiter struct {
	Lock     ticket
	Queue    tickets // by priority
	Inquired bool    // the holder of the lock was asked to give it back
	Clock    uint8   // clock=lamport: the largest time of a request received
	Early    tickets // mode=repaired: requests released before they have come in
}

// arbiters holds the parameters of the nodes.
type arbiters struct {
	lamport  bool // clock=lamport
	inquires bool // they ask for the lock back
}

// receiveRequest: REQUEST from j.
func (a *arbiters) receiveRequest(_, j model.Proc, m message, loc *local, out *outbox) bool {
	l := &loc.Arbiter
	if a.lamport {
		l.Clock = max(l.Clock, m.ts)
	}
	t := ticket{m.ts, j}
	if l.Lock.TS == 0 {
		a.lock(l, t, out)
		return true
	}
	l.Queue.add(t)
	if t.before(l.Lock) && !l.Inquired && a.inquires {
		l.Inquired = true
		out.Send(l.Lock.ID, message{kind: inquire, ts: l.Lock.TS, clock: l.Clock})
	}
	return true
}

// lock gives the lock to t, which forgets that the holder before was asked.
func (a *arbiters) lock(l *arbiter, t ticket, out *outbox) {
	l.Lock = t
	l.Inquired = false
	out.Send(t.ID, message{kind: grant, ts: t.TS, clock: l.Clock})
}

// next gives the lock to the first of the queue.
func (a *arbiters) next(l *arbiter, out *outbox) {
	if len(l.Queue) == 0 {
		l.Lock, l.Inquired = ticket{}, false
		return
	}
	a.lock(l, l.Queue.take(0), out)
}

// receiveRelease: RELEASE from j, also of a request that still waits. One that
// belongs to no request here has overtaken it in a bag, and is lost.
func (a *arbiters) receiveRelease(_, j model.Proc, m message, loc *local, out *outbox) bool {
	l := &loc.Arbiter
	t := ticket{m.ts, j}
	if l.Lock == t {
		a.next(l, out)
	} else {
		l.Queue.remove(t)
	}
	return true
}

// receiveRelinquish: RELINQUISH from j; without effect if j does not hold the lock.
func (a *arbiters) receiveRelinquish(_, j model.Proc, m message, loc *local, out *outbox) bool {
	l := &loc.Arbiter
	if t := (ticket{m.ts, j}); l.Lock == t {
		l.Queue.add(t)
		a.next(l, out)
	}
	return true
}
