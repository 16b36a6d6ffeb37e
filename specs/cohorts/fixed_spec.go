package cohorts

import (
	"slices"

	"github.com/atmostk/atmostk/invariants"
	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/param"
	"github.com/atmostk/atmostk/specs/cohorts/coterie"
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
		param.Choice("policy", "whom a node serves next: the oldest (fifo), the oldest that fits (skip), "+
			"the first by priority (prio); it takes units back from holders behind that one (inquire), "+
			"which give them back only after FAILED (failed85), which requests overtaken later get too "+
			"(failed)", "fifo", "skip", "prio", "inquire", "failed85", "failed"),
	}, apartParams()),
	Build: func(a *model.Args) (model.Instance, error) {
		alg, n := newFixed(a)
		c := alg.composition(apart(a, len(alg.sets), n), n)
		c.Fair(a.String("fairness"))
		return model.Compose(c), nil
	},
	References: arbiterReferences,
	Paper:      heading,
	Picture:    pictureOfSets,
}

type fixedGlobal = model.Global[fixedState, message, model.None]

// fixedClaims are the properties that are the same for all algorithms.
var fixedClaims invariants.Of[fixedState, message, model.None]

// newFixed reads the parameters; n is the number of nodes.
func newFixed(a *model.Args) (alg *fixed, n int) {
	lists := a.Sums("sets", model.FewProcs)
	r := len(lists)
	for _, nodes := range lists {
		n = max(n, slices.Max(nodes))
	}
	fewEnough(a, "sets", r+n)
	policy := a.String("policy")
	alg = &fixed{
		sets:        nodeSets(lists, r),
		k:           a.Int("k"),
		stay:        a.Int("stay") == 1,
		byArrival:   policy == "fifo" || policy == "skip",
		skip:        policy == "skip",
		inquires:    policy == "inquire" || policy == "failed85" || policy == "failed",
		waitsFailed: policy == "failed85" || policy == "failed",
		tellsNext:   policy == "failed",
	}
	alg.h = unitsOf(a, r, alg.k)
	alg.rounds = a.PerProcess("rounds", r)
	return alg, n
}

func (a *fixed) composition(nw model.Network, n int) model.Composition[fixedState, message, model.None] {
	return model.Composition[fixedState, message, model.None]{
		N:     len(a.sets) + n,
		Names: apartNames(len(a.sets), n),
		Init:  a.init,
		Local: []model.Handler[fixedState, message]{
			{Name: "start", Request: true, Do: a.start},
			{Name: "enter", Do: a.enter},
			{Name: "exit", Do: a.exit},
		},
		Receive: []model.Receiver[fixedState, message]{
			{Name: "receive grant", Accepts: is(grant), Do: a.receiveGrant},
			{Name: "receive inquire", Accepts: is(inquire), Do: a.receiveInquire},
			{Name: "receive failed", Accepts: is(failed), Do: a.receiveFailed},
			{Name: "receive request", Accepts: is(request), Do: a.receiveRequest},
			{Name: "receive release", Accepts: is(release), Do: a.receiveRelease},
			{Name: "receive relinquish", Accepts: is(relinquish), Do: a.receiveRelinquish},
		},
		Capacity: a.k,
		Units: func(l *fixedState) int {
			if l.State != cs {
				return 0
			}
			return int(l.H)
		},
		Charge:     charge,
		Crash:      func(_ model.Proc, l *fixedState) { *l = fixedState{Node: l.Node} },
		Network:    nw,
		Properties: a.properties(),
	}
}

func (a *fixed) properties() []model.Property[fixedGlobal] {
	least, most := a.messages()
	return []model.Property[fixedGlobal]{
		fixedClaims.AtMost(a.k).
			As("units", "live requesters in the critical section use at most k units", paper+", section 2").
			TrivialIf(invariants.Enough(a.k, a.rounds, a.h, model.Network{})),
		{
			Name: "clean-end", Kind: model.Quiet, Source: paper + ", section 2",
			Doc: "after a run without crashes in which all are served and no message is left, no node has " +
				"granted anything",
			Holds: a.cleanEnd,
		},
		{
			Name: "deadlock-freedom", Kind: model.Quiet, Source: paper + ", section 2",
			Doc:   "when nothing is left to do but crashes, no live requester waits",
			Holds: nobodyWaits,
		},
		allServed(len(a.sets), func(g *fixedGlobal, i int) bool {
			return g.Live(model.Proc(i)) && g.Local(model.Proc(i)).State == waiting
		}),
		fixedClaims.Messages("start", "exit", 0, most).From(paper +
			", Table 1"),
		invariants.MessagesTotal(least, most, fixedServed).From(paper + ", Table 1"),
	}
}

// messages returns the bounds of Table 1: 3q and (3h+3)q, for the smallest and the largest
// set, and the largest h.
func (a *fixed) messages() (least, most int) {
	least, most = coterie.Family(a.sets).Sizes()
	return 3 * least, (3*slices.Max(a.h) + 3) * most
}

// fixedServed returns how many requests were made in a run without crashes that ends in
// a quiet state, if all are served.
func fixedServed(g *fixedGlobal) (requests int) {
	if g.Dead != 0 || g.Count(func(l *fixedState) bool { return l.State != idle }) > 0 {
		return 0
	}
	for p := range model.Proc(g.N) {
		requests += int(g.Local(p).Round)
	}
	return requests
}

func nobodyWaits(g *fixedGlobal) bool {
	return g.Count(func(l *fixedState) bool { return l.State == waiting }) == 0
}

// cleanEnd judges quiet states: nobody who is idle has a round left there.
func (a *fixed) cleanEnd(g *fixedGlobal) bool {
	if g.Dead != 0 || g.Count(func(l *fixedState) bool { return l.State != idle }) > 0 {
		return true
	}
	return g.Count(func(l *fixedState) bool { return len(l.Holders) > 0 }) == 0
}

var arbiterReferences = []model.Reference{
	contract("sets=1+2,2+3,1+3 k=1 h=1,1,1 policy=inquire", 4_092, 28),
	contract("sets=1+2,2+3,1+3 k=1 h=1,1,1 policy=failed", 6_644, 28),
	contract("sets=1+2,1+2,1+2 k=2 h=1,1,2 policy=inquire", 3_361, 28),
	contract("sets=1+2,1+2,1+2 k=2 h=1,1,2 policy=failed", 6_476, 28),
}
