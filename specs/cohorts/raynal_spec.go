package cohorts

import (
	"fmt"
	"slices"

	"github.com/atmostk/atmostk/invariants"
	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/param"
	"github.com/atmostk/atmostk/specs/references"
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
			"replies M to the processes to which it owes", "add", "overwrite", "reset", "addm"),
	}, networkParams()),
	Build:      buildRaynal,
	References: references.Of("raynal"),
	Paper:      heading,
}

// raynalClaims are the properties that are the same for all algorithms.
var raynalClaims invariants.Of[raynalState, message, model.None]

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

func (a *raynal) composition(nw model.Network) model.Composition[raynalState, message, model.None] {
	const source = paper + ", section 2"
	least, most := 2*(a.n-1), 3*(a.n-1)
	x := invariants.Exclusion[raynalState, message, model.None]{
		Waits: func(l *raynalState) bool { return l.State == waiting },
		Made:  func(_ model.Proc, l *raynalState) int { return int(l.Round) },
	}
	return model.Composition[raynalState, message, model.None]{
		N:     a.n,
		Names: model.Names{First: 1},
		Init:  func(model.Proc) raynalState { return raynalState{} },
		Local: []model.Handler[raynalState, message]{
			{Name: "start", Request: true, Do: a.start},
			{Name: "enter", Do: a.enter},
			{Name: "exit", Do: a.exit},
		},
		Receive: []model.Receiver[raynalState, message]{
			{Name: "receive request", Accepts: request.is, Do: a.receiveRequest},
			{Name: "receive reply", Accepts: reply.is, Do: a.receiveReply},
			{Name: "receive freed", Accepts: freed.is, Do: a.receiveFreed},
		},
		Capacity: a.m,
		Units: func(l *raynalState) int {
			if l.State != cs {
				return 0
			}
			return int(l.H)
		},
		Network: nw,
		Charge:  charge,
		Properties: []model.Property[model.Global[raynalState, message, model.None]]{
			raynalClaims.AtMost(a.m).
				As("units", "live processes in the critical section use at most M units", source).
				TrivialIf(invariants.Enough(a.m, a.rounds, a.largest(), nw)),
			raynalClaims.NoStarvation(x.Waits).
				As("deadlock-freedom", "when nothing is left to do but crashes, no live process waits",
					source),
			raynalClaims.Messages("start", "exit", least, most).From(source),
			x.MessagesTotal(least, most).From(source),
			raynalClaims.RequestsServed(a.n, x.Waits).From(source).OnlyOnRequest(true),
		},
	}
}
