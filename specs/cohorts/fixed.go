package cohorts

import (
	"fmt"

	"github.com/atmostk/atmostk/model"
)

// fixed is the algorithm with fixed request sets. Its requesters have the state of Figure 1: P is the
// set of nodes; R and the other variables are not used.
type fixed struct {
	common
	k    int
	sets []model.Set // per requester
}

// start asks the whole set.
func (a *fixed) start(p model.Proc, loc *local, out *outbox) bool {
	if !a.begins(p, loc) {
		return false
	}
	l := &loc.Requester
	l.P = a.sets[p]
	sendAll(l.P, message{kind: request, ts: l.TS}, out)
	return true
}

// enter: all have granted.
func (a *fixed) enter(_ model.Proc, loc *local, _ *outbox) bool {
	l := &loc.Requester
	if l.State != waiting || l.G != l.P {
		return false
	}
	l.State = cs
	return true
}

// concerns reports whether m belongs to the request for which the requester waits.
func (l *requester) concerns(m message) bool { return l.State == waiting && m.ts == l.TS }

// receiveInquire gives the grant back. With FAILED the requester does so only when it knows
// that it cannot enter now.
func (a *fixed) receiveInquire(_, j model.Proc, m message, loc *local, out *outbox) bool {
	switch l := &loc.Requester; {
	case !l.concerns(m) || !l.G.Has(j):
	case a.waitsFailed && l.F == 0:
		l.I = l.I.With(j)
	default:
		a.relinquish(l, model.SetOf(j), out)
	}
	return true
}

// receiveFailed: j serves others first, so grants that are inquired are given back.
func (a *fixed) receiveFailed(_, j model.Proc, m message, loc *local, out *outbox) bool {
	if l := &loc.Requester; l.concerns(m) {
		l.F = l.F.With(j)
		a.relinquish(l, l.I, out)
	}
	return true
}

// relinquish gives the grants of nodes back.
func (a *fixed) relinquish(l *requester, nodes model.Set, out *outbox) {
	l.G &^= nodes
	l.I &^= nodes
	if a.waitsFailed {
		l.F |= nodes
	}
	sendAll(nodes, message{kind: relinquish, ts: l.TS}, out)
}

// vars lists the variables that the process has.
func (a *fixed) vars(l *local) []model.Var {
	names := apartNames(len(a.h), a.nodes)
	if l.Node {
		return []model.Var{
			{Name: "holders", Value: l.Arbiter.Holders.show(names)},
			{Name: "inquired", Value: l.Arbiter.Inquired.show(names)},
			{Name: "queue", Value: l.Arbiter.Queue.show(names)},
		}
	}
	r := l.Requester
	return []model.Var{
		{Name: "state", Value: r.State.String()},
		{Name: "round", Value: fmt.Sprint(r.Round)},
		{Name: "ts", Value: fmt.Sprint(r.TS)},
		{Name: "G", Value: r.G.Format(names.First)},
		{Name: "F", Value: r.F.Format(names.First)},
		{Name: "I", Value: r.I.Format(names.First)},
	}
}
