package cohorts

import (
	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/specs/cohorts/coterie"
)

// jiang holds the parameters of Jiang's algorithm of 2002, which works with any
// k-coterie. Requesters have the state of Figure 1: P are the
// nodes asked; R and the other variables are not used.
type jiang struct {
	common
	coterie  coterie.Family
	most     coterie.Packing
	k        int
	timeouts bool
}

// selections are the unions of h disjoint quorums.
func (a *jiang) selections(l *requester) []model.Set { return a.coterie.Unions(int(l.H)) }

// suffices reports whether the nodes contain the h disjoint quorums that l needs.
func (a *jiang) suffices(nodes model.Set, l *requester) bool {
	return int(a.most[nodes&model.Set(len(a.most)-1)]) >= int(l.H)
}

// start selects h disjoint quorums at random and asks their members.
func (a *jiang) start(p model.Proc, loc *local, out *outbox) bool {
	if !a.begins(p, loc) {
		return false
	}
	l := &loc.Requester
	selections := a.selections(l)
	a.ask(l, selections[out.Pick(len(selections))], out)
	return true
}

// ask sends requests to the selected nodes that were not asked yet.
func (a *jiang) ask(l *requester, selected model.Set, out *outbox) {
	sendAll(selected&^l.P, message{kind: request, ts: l.TS}, out)
	l.P |= selected
}

// timeout selects anew, at any time while the permissions are not enough. A selection
// of nodes that were all asked already would change nothing.
func (a *jiang) timeout(_ model.Proc, loc *local, out *outbox) bool {
	l := &loc.Requester
	if !a.timeouts || l.State != waiting || a.suffices(l.G, l) {
		return false
	}
	var selections []model.Set
	for _, s := range a.selections(l) {
		if s&^l.P != 0 {
			selections = append(selections, s)
		}
	}
	if selections == nil {
		return false
	}
	a.ask(l, selections[out.Pick(len(selections))], out)
	return true
}

// enter: the permissions contain h disjoint quorums, whichever were selected.
func (a *jiang) enter(_ model.Proc, loc *local, _ *outbox) bool {
	l := &loc.Requester
	if l.State != waiting || !a.suffices(l.G, l) {
		return false
	}
	l.State = cs
	return true
}

// receiveInquire gives the permission back before the critical section.
func (a *jiang) receiveInquire(_, j model.Proc, m message, loc *local, out *outbox) bool {
	loc.Requester.relinquish(j, m, out)
	return true
}
