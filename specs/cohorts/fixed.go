package cohorts

import (
	"fmt"
	"slices"

	"github.com/atmostk/atmostk/model"
)

// fixedState is the state of a process of the algorithm with fixed request sets, a
// requester or a node.
type fixedState struct {
	Node bool

	State region
	Round uint8 // requests made
	TS    uint8 // time of the latest request
	H     uint8 // units that the latest request asks for; 0 when idle
	G     model.Set
	F     model.Set // nodes that have others to serve first: they said so, or got the grant back
	I     model.Set // nodes whose inquire waits until a node is in F

	Holders  tickets // by priority
	Inquired tickets // the holders that were asked to give the grant back
	Queue    tickets // by priority or in the order of arrival
}

// Vars lists the variables that the process has.
func (l fixedState) Vars(names model.Names) []model.Var {
	if l.Node {
		return []model.Var{
			{Name: "holders", Value: l.Holders.show(names)},
			{Name: "inquired", Value: l.Inquired.show(names)},
			{Name: "queue", Value: l.Queue.show(names)},
		}
	}
	return []model.Var{
		{Name: "state", Value: l.State.String()},
		{Name: "round", Value: fmt.Sprint(l.Round)},
		{Name: "ts", Value: fmt.Sprint(l.TS)},
		{Name: "G", Value: l.G.Format(names.First)},
		{Name: "F", Value: l.F.Format(names.First)},
		{Name: "I", Value: l.I.Format(names.First)},
	}
}

// fixed holds the parameters.
type fixed struct {
	k      int
	sets   []model.Set // per requester
	h      []int
	rounds []int
	stay   bool

	byArrival   bool // policies fifo and skip
	skip        bool // policy=skip
	inquires    bool // policies inquire, failed85 and failed
	waitsFailed bool // policies failed85 and failed
	tellsNext   bool // policy=failed
}

func (a *fixed) init(p model.Proc) fixedState { return fixedState{Node: int(p) >= len(a.sets)} }

// start asks the whole set.
func (a *fixed) start(p model.Proc, l *fixedState, out *outbox) bool {
	if l.Node || l.State != idle || int(l.Round) >= a.rounds[p] {
		return false
	}
	l.State = waiting
	l.Round++
	l.TS = l.Round
	l.H = uint8(a.h[p])
	sendAll(a.sets[p], message{kind: request, ts: l.TS}, out)
	return true
}

// enter: all have granted.
func (a *fixed) enter(p model.Proc, l *fixedState, _ *outbox) bool {
	if l.State != waiting || l.G != a.sets[p] {
		return false
	}
	l.State = cs
	return true
}

// exit releases the whole set.
func (a *fixed) exit(p model.Proc, l *fixedState, out *outbox) bool {
	if l.State != cs || a.stays(p) {
		return false
	}
	sendAll(a.sets[p], message{kind: release, ts: l.TS}, out)
	*l = fixedState{Round: l.Round, TS: l.TS}
	return true
}

// stays reports whether p never leaves the critical section.
func (a *fixed) stays(p model.Proc) bool { return a.stay && p == 0 }

// concerns reports whether m belongs to the request for which the requester waits.
func (l *fixedState) concerns(m message) bool { return l.State == waiting && m.ts == l.TS }

func (a *fixed) receiveGrant(_, j model.Proc, m message, l *fixedState, _ *outbox) bool {
	if l.concerns(m) {
		l.G = l.G.With(j)
		l.F = l.F.Without(j)
	}
	return true
}

// receiveInquire gives the grant back; with FAILED only if the requester knows
// that it cannot enter now, or else when it gets to know.
func (a *fixed) receiveInquire(_, j model.Proc, m message, l *fixedState, out *outbox) bool {
	switch {
	case !l.concerns(m) || !l.G.Has(j):
	case a.waitsFailed && l.F == 0:
		l.I = l.I.With(j)
	default:
		a.relinquish(l, model.SetOf(j), out)
	}
	return true
}

// receiveFailed: j serves others first, so grants that are inquired are given back.
func (a *fixed) receiveFailed(_, j model.Proc, m message, l *fixedState, out *outbox) bool {
	if l.concerns(m) {
		l.F = l.F.With(j)
		a.relinquish(l, l.I, out)
	}
	return true
}

// relinquish gives the grants of nodes back.
func (a *fixed) relinquish(l *fixedState, nodes model.Set, out *outbox) {
	l.G &^= nodes
	l.I &^= nodes
	if a.waitsFailed {
		l.F |= nodes
	}
	sendAll(nodes, message{kind: relinquish, ts: l.TS}, out)
}

// receiveRequest: the node queues the request, serves the queue, and says FAILED to
// those that have to wait for others.
func (a *fixed) receiveRequest(_, j model.Proc, m message, l *fixedState, out *outbox) bool {
	t := ticket{m.ts, j}
	if a.byArrival {
		l.Queue = append(l.Queue, t)
	} else {
		l.Queue.add(t)
	}
	a.grant(l, out)
	if at := slices.Index(l.Queue, t); at >= 0 && a.waitsFailed {
		if at > 0 || len(l.Holders) > 0 && l.Holders[0].before(t) {
			out.Send(j, message{kind: failed, ts: t.TS})
		}
		if at == 0 && len(l.Queue) > 1 && a.tellsNext {
			next := l.Queue[1]
			out.Send(next.ID, message{kind: failed, ts: next.TS})
		}
	}
	a.inquire(l, out)
	return true
}

// receiveRelease: RELEASE from j. One that belongs to no request here has overtaken
// it in a bag, and is lost.
func (a *fixed) receiveRelease(_, j model.Proc, m message, l *fixedState, out *outbox) bool {
	t := ticket{m.ts, j}
	l.Inquired.remove(t)
	if l.Holders.remove(t) || l.Queue.remove(t) {
		a.grant(l, out)
		a.inquire(l, out)
	}
	return true
}

// receiveRelinquish puts a holder back into the queue.
func (a *fixed) receiveRelinquish(_, j model.Proc, m message, l *fixedState, out *outbox) bool {
	t := ticket{m.ts, j}
	l.Inquired.remove(t)
	if l.Holders.remove(t) {
		l.Queue.add(t)
		a.grant(l, out)
		a.inquire(l, out)
	}
	return true
}

// sum returns the units that some requests ask for.
func (a *fixed) sum(q tickets) (units int) {
	for _, t := range q {
		units += a.h[t.ID]
	}
	return units
}

// grant grants requests of the queue as long as they fit.
func (a *fixed) grant(l *fixedState, out *outbox) {
	for {
		at := a.fitting(l)
		if at < 0 {
			return
		}
		t := l.Queue.take(at)
		l.Holders.add(t)
		out.Send(t.ID, message{kind: grant, ts: t.TS})
	}
}

// fitting returns the place of the next request to be granted, or -1.
func (a *fixed) fitting(l *fixedState) int {
	free := a.k - a.sum(l.Holders)
	for at, t := range l.Queue {
		if a.h[t.ID] <= free {
			return at
		}
		if !a.skip {
			break // the head blocks
		}
	}
	return -1
}

// inquire asks holders for the units that the head of the queue lacks, those of
// the lowest priority first.
func (a *fixed) inquire(l *fixedState, out *outbox) {
	if !a.inquires || len(l.Queue) == 0 {
		return
	}
	head := l.Queue[0]
	promised := a.k - a.sum(l.Holders) + a.sum(l.Inquired)
	for i := len(l.Holders) - 1; i >= 0 && promised < a.h[head.ID]; i-- {
		t := l.Holders[i]
		if head.before(t) && !slices.Contains(l.Inquired, t) {
			l.Inquired.add(t)
			promised += a.h[t.ID]
			out.Send(t.ID, message{kind: inquire, ts: t.TS})
		}
	}
}
