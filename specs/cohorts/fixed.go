package cohorts

import (
	"fmt"
	"slices"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/param"
	"github.com/atmostk/atmostk/specs/cohorts/coterie"
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

func (a *fixed) relinquish(l *requester, nodes model.Set, out *outbox) {
	l.G &^= nodes
	l.I &^= nodes
	if a.waitsFailed {
		l.F |= nodes
	}
	sendAll(nodes, message{kind: relinquish, ts: l.TS}, out)
}

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
	Paper:   heading,
	Picture: pictureOfSets,
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
