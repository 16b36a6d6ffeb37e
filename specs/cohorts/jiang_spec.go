package cohorts

import (
	"fmt"
	"slices"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/param"
	"github.com/atmostk/atmostk/specs/references"
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
		alg := newJiang(a)
		return build(a, alg.composition(apart(a, len(alg.h), alg.nodes)))
	},
	References: references.Of("jiang2002"),
	Paper:      heading,
	Picture:    pictureOfAsked,
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
			"quorums",
			func(l *local) bool {
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
