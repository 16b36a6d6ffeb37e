package cohorts

import (
	"fmt"
	"slices"

	"github.com/atmostk/atmostk/invariants"
	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/param"
)

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
		alg, n := newJiang(a)
		c := alg.composition(apart(a, len(alg.h), n), n)
		c.Fair(a.String("fairness"))
		return model.Compose(c), nil
	},
	References: jiangReferences,
	Paper:      heading,
	Picture:    pictureOfAsked,
}

// newJiang reads the parameters; n is the number of nodes.
func newJiang(a *model.Args) (alg *jiang, n int) {
	lists := a.Sums("quorums", model.FewProcs)
	for _, nodes := range lists {
		n = max(n, slices.Max(nodes))
	}
	r := count(a.String("h"))
	fewEnough(a, "quorums", r+n)
	alg = &jiang{
		arbiters: arbiters{inquires: !a.Is("relinquish", "none")},
		coterie:  nodeSets(lists, r),
		k:        a.Int("k"),
		stay:     a.Int("stay") == 1,
		timeouts: a.Is("timeout", "any"),
	}
	if err := nodeSets(lists, 0).Check(alg.k); err != nil {
		a.Reject("quorums", fmt.Sprintf("with k=%d %v", alg.k, err))
	}
	alg.most = alg.coterie.Pack()
	alg.h = unitsOf(a, r, alg.k)
	alg.rounds = a.PerProcess("rounds", r)
	return alg, n
}

func (a *jiang) composition(nw model.Network, n int) model.Composition[local, message, model.None] {
	return model.Composition[local, message, model.None]{
		N:     len(a.h) + n,
		Names: apartNames(len(a.h), n),
		Init:  begin(len(a.h)),
		Local: []model.Handler[local, message]{
			{Name: "start", Request: true, Do: a.start},
			{Name: "time-out", Do: a.timeout},
			{Name: "enter", Do: a.enter},
			{Name: "exit", Do: a.exit},
		},
		Receive: []model.Receiver[local, message]{
			{Name: "receive grant", Accepts: is(grant), Do: receiveGrant},
			{Name: "receive inquire", Accepts: is(inquire), Do: a.receiveInquire},
			{Name: "receive request", Accepts: is(request), Do: a.receiveRequest},
			{Name: "receive release", Accepts: is(release), Do: a.receiveRelease},
			{Name: "receive relinquish", Accepts: is(relinquish), Do: a.receiveRelinquish},
		},
		Capacity:   a.k,
		Units:      (*local).units,
		Crash:      crash,
		Charge:     charge,
		Network:    nw,
		Properties: a.properties(),
	}
}

func (a *jiang) properties() []model.Property[global] {
	least, most := a.messages()
	return []model.Property[global]{
		claims.AtMost(a.k).
			As("units", "live requesters in the critical section use at most k units", paper+", section 2").
			TrivialIf(invariants.Enough(a.k, a.rounds, a.h, model.Network{})),
		oneGrant(),
		{
			Name: "has-quorums", Kind: model.Invariant, Source: paper + ", section 2",
			Doc: "in the critical section a requester holds the grants of h disjoint quorums",
			OfLocal: every(func(l *requester) bool {
				return l.State != cs || a.suffices(l.G, l)
			}),
		},
		cleanEnded(),
		{
			Name: "deadlock-freedom", Kind: model.Quiet, Source: paper + ", sections 1 and 2",
			Doc: "when nothing is left to do but crashes, every live requester is served, stays, or " +
				"cannot be served by the nodes that are up",
			Holds: a.deadlockFree,
		},
		allServed(len(a.h), a.waits),
		claims.Messages("start", "exit", 0, most).From(paper + ", Table 1"),
		invariants.MessagesTotal(least, most, served).From(paper + ", Table 1"),
	}
}

// messages returns the bounds of Table 1: 3hq, for the smallest h and quorum, and 6n.
func (a *jiang) messages() (least, most int) {
	q, _ := a.coterie.Sizes()
	return 3 * slices.Min(a.h) * q, 6 * a.coterie.Nodes().Len()
}

// waits reports whether a live requester waits and is not excused.
func (a *jiang) waits(g *global, i int) bool {
	l := &g.Local(model.Proc(i)).Requester
	return g.Live(model.Proc(i)) && l.State == waiting && a.suffices(^g.Dead, l)
}

// deadlockFree judges quiet states.
func (a *jiang) deadlockFree(g *global) bool {
	for p := range model.Proc(len(a.h)) {
		l := &g.Local(p).Requester
		if g.Live(p) && l.State != idle && (l.State != cs || !a.stays(p)) && a.suffices(^g.Dead, l) {
			return false
		}
	}
	return true
}

var jiangReferences = []model.Reference{
	{Args: "quorums=1 k=1 h=1", States: 7, Depth: 7, From: "by hand"},
}
