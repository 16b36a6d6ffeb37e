package cohorts

import (
	"fmt"
	"slices"
	"strings"

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
	failed // only with fixed request sets
	busy   // only with mode=repaired
	reply  // only in Raynal's algorithm, like freed: ts is a number of units
	freed
)

func (k kind) String() string {
	return [...]string{"request", "grant", "release", "inquire", "relinquish", "failed", "busy", "reply",
		"freed"}[k]
}

// is reports whether a message is of the type.
func (k kind) is(m message) bool { return m.kind == k }

// message is a message between a requester and an arbiter. It carries the time of
// the request to which it belongs.
type message struct {
	kind  kind
	ts    uint8
	clock uint8 // clock=lamport: the clock of the arbiter that sends the message
}

func (m message) String() string {
	if m.clock > 0 {
		return fmt.Sprintf("%v(%d, clock %d)", m.kind, m.ts, m.clock)
	}
	return fmt.Sprintf("%v(%d)", m.kind, m.ts)
}

// charge: a message belongs to the request of the requester that sends or receives it. In Raynal's algorithm
// that is the process that asks, gets a reply, or frees its units.
func charge(from, to model.Proc, m message) model.Proc {
	switch m.kind {
	case request, release, relinquish, freed:
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

// region is where a requester is with respect to the critical section.
type region uint8

const (
	idle region = iota
	waiting
	cs
)

func (r region) String() string { return [...]string{"idle", "waiting", "CS"}[r] }

// ticket is a request as an arbiter knows it.
type ticket struct {
	TS uint8
	ID model.Proc
}

// before reports whether t has priority over u.
func (t ticket) before(u ticket) bool { return t.TS < u.TS || t.TS == u.TS && t.ID < u.ID }

func (t ticket) show(names model.Names) string {
	return fmt.Sprintf("(%d, %s)", t.TS, names.Of(t.ID))
}

// tickets is a list of requests.
type tickets []ticket

// add puts t into a list sorted by priority.
func (q *tickets) add(t ticket) {
	at := 0
	for at < len(*q) && (*q)[at].before(t) {
		at++
	}
	*q = slices.Insert(*q, at, t)
}

// take removes and returns the request in place at.
func (q *tickets) take(at int) ticket {
	t := (*q)[at]
	*q = slices.Delete(*q, at, at+1)
	return t
}

// remove removes t and reports whether it was there.
func (q *tickets) remove(t ticket) bool {
	at := slices.Index(*q, t)
	if at >= 0 {
		q.take(at)
	}
	return at >= 0
}

func (q tickets) show(names model.Names) string {
	var shown []string
	for _, t := range q {
		shown = append(shown, t.show(names))
	}
	return "[" + strings.Join(shown, " ") + "]"
}
