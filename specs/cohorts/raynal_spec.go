package cohorts

import (
	"fmt"
	"slices"

	"github.com/atmostk/atmostk/invariants"
	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/param"
)

// Raynal is the model raynal.
var Raynal = model.Spec{
	Name:   "raynal",
	Title:  "Raynal's k-out of-M resource allocation of 1991",
	Source: paper + ", section 2",
	Doc: "A process asks all others how many units they do not use, and enters when the estimate leaves " +
		"enough. Not fault-tolerant.",
	Params: slices.Concat([]param.Param{
		param.Number("n", "number of processes, p1..pn", 2, 1, model.FewProcs),
		param.Number("m", "units", 1, 1, model.FewProcs),
		{Name: "h", Doc: "units per process, one number for all or one for each; 1+2 asks for 1 in the " +
			"first round and 2 from the second on", Default: "1", Type: param.Sums(1, model.FewProcs)},
		param.Numbers("rounds", "how often each process requests", "1", 0, 15),
		param.Choice("entry", "a process enters when the units left are at least h, or larger, as section "+
			"2 says", "at-least", "larger"),
		param.Choice("accounting", "a request adds M to what each other is thought to use (add), or sets "+
			"it to M, and a reply sets it (overwrite) or is subtracted (reset); addm: add, and a process "+
			"replies M to those to whom it owes", "add", "overwrite", "reset", "addm"),
	}, networkParams()),
	Build:      buildRaynal,
	References: raynalReferences,
	Paper:      heading,
}

type raynalGlobal = model.Global[raynalState, raynalMessage, model.None]

// raynalClaims are the properties that are the same for all algorithms.
var raynalClaims invariants.Of[raynalState, raynalMessage, model.None]

func buildRaynal(a *model.Args) (model.Instance, error) {
	n, m := a.Int("n"), a.Int("m")
	alg := &raynal{
		n: n, m: m, h: a.Sums("h", m), rounds: a.PerProcess("rounds", n),
		larger:     a.Is("entry", "larger"),
		accounting: a.String("accounting"),
	}
	if len(alg.h) == 1 {
		alg.h = slices.Repeat(alg.h, n)
	}
	if len(alg.h) != n {
		a.Reject("h", fmt.Sprintf("allowed: one element, or one for each of the %d processes", n))
		return model.Instance{}, nil
	}
	c := alg.composition(a.Network(n, 1, 0))
	c.Fair(a.String("fairness"))
	return model.Compose(c), nil
}

func (a *raynal) composition(nw model.Network) model.Composition[raynalState, raynalMessage, model.None] {
	return model.Composition[raynalState, raynalMessage, model.None]{
		N:     a.n,
		Names: model.Names{First: 1},
		Init:  func(model.Proc) raynalState { return raynalState{} },
		Local: []model.Handler[raynalState, raynalMessage]{
			{Name: "start", Request: true, Do: a.start},
			{Name: "enter", Do: a.enter},
			{Name: "exit", Do: a.exit},
		},
		Receive: []model.Receiver[raynalState, raynalMessage]{
			{Name: "receive request", Accepts: raynalRequest.is, Do: a.receiveRequest},
			{Name: "receive reply", Accepts: raynalReply.is, Do: a.receiveReply},
			{Name: "receive freed", Accepts: raynalFreed.is, Do: a.receiveFreed},
		},
		Capacity: a.m,
		Units: func(l *raynalState) int {
			if l.State != cs {
				return 0
			}
			return int(l.H)
		},
		Network: nw,
		Charge:  raynalCharge,
		Properties: []model.Property[raynalGlobal]{
			raynalClaims.AtMost(a.m).
				As("units", "live processes in the critical section use at most M units",
					paper+", section 2").TrivialIf(invariants.Enough(a.m, a.rounds, a.largest(), nw)),
			{
				Name: "deadlock-freedom", Kind: model.Quiet, Source: paper + ", section 2",
				Doc: "when nothing is left to do but crashes, no live process waits",
				Holds: func(g *raynalGlobal) bool {
					return g.Count(func(l *raynalState) bool { return l.State == waiting }) == 0
				},
			},
			raynalClaims.Messages("start", "exit", 2*(a.n-1),
				3*(a.n-1)).From(paper + ", section 2"),
			invariants.MessagesTotal(2*(a.n-1), 3*(a.n-1), raynalServed).From(paper + ", section 2"),
			raynalClaims.RequestsServed(a.n,
				func(l *raynalState) bool { return l.State == waiting }).
				From(paper + ", section 2").OnlyOnRequest(true),
		},
	}
}

// raynalCharge: a process is charged its requests, the replies to them and what it says
// to others when it frees its units.
func raynalCharge(from, to model.Proc, m raynalMessage) model.Proc {
	if m.kind == raynalReply {
		return to
	}
	return from
}

// raynalServed returns how many requests were made in a run without crashes that ends in
// a quiet state, if all are served.
func raynalServed(g *raynalGlobal) (requests int) {
	if g.Dead != 0 || g.Count(func(l *raynalState) bool { return l.State != idle }) > 0 {
		return 0
	}
	for p := range model.Proc(g.N) {
		requests += int(g.Local(p).Round)
	}
	return requests
}

var raynalReferences = []model.Reference{
	contract("n=2 m=1 h=1,1", 53, 12),
	contract("n=3 m=2 h=1,1,2", 6_832, 25),
	contract("n=2 m=2 h=1+2,1+1 rounds=2,2 accounting=addm", 398, 23),
}
