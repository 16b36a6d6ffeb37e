package cohorts

import (
	"fmt"

	"github.com/atmostk/atmostk/model"
)

// kind is a type of message of Maekawa's algorithm.
type kind uint8

const (
	request kind = iota
	grant
	release
	inquire
	relinquish
	failed // not used by cohorts
	busy   // only with mode=repaired
)

func (k kind) String() string {
	return [...]string{"request", "grant", "release", "inquire", "relinquish", "failed", "busy"}[k]
}

// is returns the test for messages of one type.
func is(k kind) func(message) bool { return func(m message) bool { return m.kind == k } }

// message is a message between a requester and an arbiter. It carries the time of
// the request to which it belongs.
type message struct {
	kind  kind
	ts    uint8
	clock uint8 // of the arbiter, in what it sends with clock=lamport
}

func (m message) String() string {
	if m.clock > 0 {
		return fmt.Sprintf("%v(%d, clock %d)", m.kind, m.ts, m.clock)
	}
	return fmt.Sprintf("%v(%d)", m.kind, m.ts)
}

// charge: a message belongs to the request of the requester that sends or gets it.
func charge(from, to model.Proc, m message) model.Proc {
	if m.kind == request || m.kind == release || m.kind == relinquish {
		return from
	}
	return to
}

type outbox = model.Outbox[message]

// sendAll sends m to all of a set.
func sendAll(to model.Set, m message, out *outbox) {
	for j := range to.Each() {
		out.Send(j, m)
	}
}

// region says where a requester is.
type region uint8

const (
	idle region = iota
	waiting
	cs
)

func (r region) String() string { return [...]string{"idle", "waiting", "CS"}[r] }

// ticket is a request as an arbiter knows it. A TS of 0 is no request.
type ticket struct {
	TS uint8
	ID model.Proc
}

// before reports whether t has priority over u.
func (t ticket) before(u ticket) bool { return t.TS < u.TS || t.TS == u.TS && t.ID < u.ID }

func (t ticket) show(names model.Names) string {
	if t.TS == 0 {
		return "free"
	}
	return fmt.Sprintf("(%d, %s)", t.TS, names.Of(t.ID))
}

// maxTickets is how many requests an arbiter can remember at once.
const maxTickets = 16

// tickets is a list of requests, the empty places behind.
type tickets [maxTickets]ticket

func (q *tickets) len() int {
	for n, t := range q {
		if t.TS == 0 {
			return n
		}
	}
	return maxTickets
}

// insert puts t into place at; the others move up.
func (q *tickets) insert(at int, t ticket) {
	copy(q[at+1:], q[at:])
	q[at] = t
}

// add puts t into a list sorted by priority.
func (q *tickets) add(t ticket) {
	at := 0
	for at < q.len() && q[at].before(t) {
		at++
	}
	q.insert(at, t)
}

// index returns the place of t, -1 if it is not there.
func (q *tickets) index(t ticket) int {
	for i, u := range q {
		if u == t {
			return i
		}
	}
	return -1
}

// take removes and returns the request in place at.
func (q *tickets) take(at int) ticket {
	t := q[at]
	copy(q[at:], q[at+1:])
	q[maxTickets-1] = ticket{}
	return t
}

// remove removes t and reports whether it was there.
func (q *tickets) remove(t ticket) bool {
	at := q.index(t)
	if at >= 0 {
		q.take(at)
	}
	return at >= 0
}

func (q *tickets) show(names model.Names) string {
	s := "["
	for i, t := range q[:q.len()] {
		if i > 0 {
			s += " "
		}
		s += t.show(names)
	}
	return s + "]"
}
