package cohorts

import (
	"fmt"
	"slices"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/param"
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
	selections := slices.DeleteFunc(a.selections(l), func(s model.Set) bool { return s&^l.P == 0 })
	if len(selections) == 0 {
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

// Jiang2002 is the model jiang2002.
var Jiang2002 = model.Spec{
	Name:   "jiang2002",
	Title:  "h-out of-k mutual exclusion with any k-coterie, and time-outs",
	Source: paper + ", sections 1, 2 and 4, on Jiang 2002",
	Doc: "A requester asks the members of h disjoint quorums, selects again after a time-out, and enters " +
		"when its permissions contain h disjoint quorums.",
	Params: slices.Concat([]param.Param{
		{Name: "quorums", Doc: "the quorums of a k-coterie", Default: "1+2,2+3,1+3",
			Type: param.Sums(1, model.FewProcs)},
		param.Number("k", "units", 1, 1, model.FewProcs), units, rounds,
		param.Choice("timeout", "a requester that waits selects again at any time, as long as that brings "+
			"new nodes; or never", "any", "never"),
		param.Choice("relinquish", "grants given back when inquired, before the critical section: all; "+
			"none: nodes do not inquire", "all", "none"),
	}, apartParams()),
	Build: func(a *model.Args) (model.Instance, error) {
		alg := newJiang(a)
		return build(a, alg.composition(apart(a, len(alg.h), alg.nodes)))
	},
	Paper:   heading,
	Picture: pictureOfAsked,
}

func newJiang(a *model.Args) *jiang {
	lists, r := a.Sums("quorums", model.FewProcs), count(a.String("h"))
	alg := &jiang{
		coterie:  nodeSets(lists, r),
		k:        a.Int("k"),
		timeouts: a.Is("timeout", "any"),
	}
	alg.common = newCommon(a, "quorums", r, slices.Max(slices.Concat(lists...)), alg.k)
	alg.inquires = !a.Is("relinquish", "none")
	if err := nodeSets(lists, 0).Check(alg.k); err != nil {
		a.Reject("quorums", fmt.Sprintf("with k=%d %v", alg.k, err))
	}
	alg.most = alg.coterie.Pack()
	return alg
}

func (a *jiang) composition(nw model.Network) model.Composition[local, message, model.None] {
	c := a.common.composition(nw, a.k, a.receiveInquire)
	c.Local = []model.Handler[local, message]{
		{Name: "start", Request: true, Do: a.start},
		{Name: "time-out", Do: a.timeout},
		{Name: "enter", Do: a.enter},
		{Name: "exit", Do: a.exit},
	}
	c.Properties = slices.Concat([]model.Property[global]{
		a.units(a.k, paper+", section 2"),
		oneGrant(),
		claims.Locally("has-quorums", "in the critical section a requester holds the grants of h disjoint "+
			"quorums", func(l *local) bool {
			return l.Requester.State != cs || a.suffices(l.Requester.G, &l.Requester)
		}).From(paper + ", section 2"),
		cleanEnd("no node is locked", paper+", section 4"),
		a.deadlockFree(a.suffices, paper+", sections 1 and 2"),
		a.allServed(a.suffices),
	}, a.costs(a.messages()))
	return c
}

// messages returns the bounds of Table 1: 3hq, for the smallest h and quorum, and 6n.
func (a *jiang) messages() (least, most int, source string) {
	q, _ := a.coterie.Sizes()
	return 3 * slices.Min(a.h) * q, 6 * a.coterie.Nodes().Len(), paper + ", Table 1"
}
