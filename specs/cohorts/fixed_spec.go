package cohorts

import (
	"slices"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/param"
	"github.com/atmostk/atmostk/specs/cohorts/coterie"
	"github.com/atmostk/atmostk/specs/references"
)

// Arbiter is the model arbiter.
var Arbiter = model.Spec{
	Name:   "arbiter",
	Title:  "h-out of-k mutual exclusion with fixed request sets of arbiters",
	Source: paper + ", section 2, on Baldoni's algorithm; Maekawa 1985",
	Doc: "A requester needs the grants of all nodes of its set; a node grants while units remain. With " +
		"k=1 it is Maekawa's algorithm.",
	Params: slices.Concat([]param.Param{
		{Name: "sets", Doc: "the set of nodes of each requester, such as 1+2,2+3,1+3", Default: "1,1",
			Type: param.Sums(1, model.FewProcs)},
		param.Number("k", "units", 1, 1, model.FewProcs),
		param.Numbers("h", "units per requester, one number for all or one for each", "1", 1, model.FewProcs),
		rounds,
		param.Choice("policy", "the request that a node serves next: the oldest (fifo), the oldest that "+
			"fits (skip), the first by priority (prio); it takes units back from holders behind that one "+
			"(inquire), which give them back only after FAILED (failed85), which requests overtaken later "+
			"get too (failed)", "fifo", "skip", "prio", "inquire", "failed85", "failed"),
	}, apartParams()),
	Build: func(a *model.Args) (model.Instance, error) {
		alg := newFixed(a)
		return build(a, alg.composition(apart(a, len(alg.h), alg.nodes)))
	},
	References: references.Of("arbiter"),
	Paper:      heading,
	Picture:    pictureOfSets,
}

func newFixed(a *model.Args) *fixed {
	lists, k, policy := a.Sums("sets", model.FewProcs), a.Int("k"), a.String("policy")
	r := len(lists)
	alg := &fixed{
		common: newCommon(a, "sets", r, slices.Max(slices.Concat(lists...)), k),
		sets:   nodeSets(lists, r),
		k:      k,
	}
	alg.arbiters = arbiters{
		capacity: k, need: alg.h,
		byArrival:   policy == "fifo" || policy == "skip",
		skip:        policy == "skip",
		inquires:    policy == "inquire" || policy == "failed85" || policy == "failed",
		waitsFailed: policy == "failed85" || policy == "failed",
		failsNext:   policy == "failed",
	}
	return alg
}

func (a *fixed) composition(nw model.Network) model.Composition[local, message, model.None] {
	c := a.common.composition(nw, a.k, a.receiveInquire)
	c.Local = []model.Handler[local, message]{
		{Name: "start", Request: true, Do: a.start},
		{Name: "enter", Do: a.enter},
		{Name: "exit", Do: a.exit},
	}
	c.Receive = slices.Insert(c.Receive, 2, model.Receiver[local, message]{Name: "receive failed",
		Accepts: failed.is, Do: a.receiveFailed})
	c.Vars = a.vars
	c.Properties = slices.Concat([]model.Property[global]{
		a.units(a.k, paper+", section 2"),
		cleanEnd("no node has granted anything", paper+", section 2"),
		claims.NoStarvation((*local).waits).As("deadlock-freedom",
			"when nothing is left to do but crashes, no live requester waits", paper+", section 2"),
		a.allServed(func(model.Set, *requester) bool { return true }),
	}, a.costs(a.messages()))
	return c
}

// messages returns the bounds of Table 1: 3q and (3h+3)q, for the smallest and the largest
// set, and the largest h.
func (a *fixed) messages() (least, most int, source string) {
	least, most = coterie.Family(a.sets).Sizes()
	return 3 * least, (3*slices.Max(a.h) + 3) * most, paper + ", Table 1"
}
