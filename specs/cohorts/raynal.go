package cohorts

import (
	"fmt"
	"slices"

	"github.com/atmostk/atmostk/invariants"
	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/param"
)

// raynalState is the state of one process of Raynal's algorithm.
type raynalState struct {
	State   region
	Round   uint8                  // requests made
	TS      uint8                  // time of the latest request
	Clock   uint8                  // Lamport's
	H       uint8                  // units that the latest request asks for; 0 when idle
	Used    [model.FewProcs]uint16 // estimate of the units that each process uses
	Owed    model.Set              // the processes that get a freed at the exit
	Replied model.Set              // the processes that have replied to the latest request
}

type raynal struct {
	n, m       int
	h          [][]int // per process and round; the last goes on
	rounds     []int
	larger     bool   // entry=larger
	accounting string // add, overwrite, reset, addm
}

func (a *raynal) others(i model.Proc) model.Set { return model.All(a.n).Without(i) }

// largest returns, for each process, the largest number of units that it requests at a time.
func (a *raynal) largest() (units []int) {
	for _, h := range a.h {
		units = append(units, slices.Max(h))
	}
	return units
}

// start asks all others how many units they do not use. Until they answer, they
// count as using all.
func (a *raynal) start(i model.Proc, l *raynalState, out *outbox) bool {
	if l.State != idle || int(l.Round) >= a.rounds[i] {
		return false
	}
	l.H = uint8(a.h[i][min(int(l.Round), len(a.h[i])-1)])
	l.State = waiting
	l.Round++
	l.Clock++
	l.TS = l.Clock
	l.Replied = 0
	for j := range a.others(i).Each() {
		if a.accounting == "overwrite" || a.accounting == "reset" {
			l.Used[j] = 0
		}
		l.Used[j] += uint16(a.m)
		out.Send(j, message{kind: request, ts: l.TS})
	}
	return true
}

// enter: all have replied, and the units that are left by the estimate are enough.
func (a *raynal) enter(i model.Proc, l *raynalState, _ *outbox) bool {
	if l.State != waiting || l.Replied != a.others(i) {
		return false
	}
	left := a.m
	for _, used := range l.Used {
		left -= int(used)
	}
	if left < int(l.H) || a.larger && left == int(l.H) {
		return false
	}
	l.State = cs
	return true
}

// exit notifies the processes that got a smaller number: the units are free.
func (a *raynal) exit(_ model.Proc, l *raynalState, out *outbox) bool {
	if l.State != cs {
		return false
	}
	sendAll(l.Owed, message{kind: freed, ts: l.H}, out)
	l.State, l.H, l.Owed = idle, 0, 0
	return true
}

// receiveRequest: the units that the process has, or will have before j, are not
// available to j.
func (a *raynal) receiveRequest(i, j model.Proc, m message, l *raynalState, out *outbox) bool {
	l.Clock = max(l.Clock, m.ts)
	first := ticket{l.TS, i}.before(ticket{m.ts, j})
	keeps := l.State == cs || l.State == waiting && first
	if a.accounting == "addm" && l.Owed.Has(j) {
		keeps = false // j counts these units already
	}
	if !keeps {
		out.Send(j, message{kind: reply, ts: uint8(a.m)})
		return true
	}
	l.Owed = l.Owed.With(j)
	out.Send(j, message{kind: reply, ts: uint8(a.m) - l.H})
	return true
}

// receiveReply: j does not use the units that the reply names.
func (a *raynal) receiveReply(_, j model.Proc, m message, l *raynalState, _ *outbox) bool {
	l.Replied = l.Replied.With(j)
	if a.accounting == "overwrite" {
		l.Used[j] = uint16(a.m)
	}
	l.free(j, m.ts)
	return true
}

// receiveFreed: j has left the critical section.
func (a *raynal) receiveFreed(_, j model.Proc, m message, l *raynalState, _ *outbox) bool {
	l.free(j, m.ts)
	return true
}

func (l *raynalState) free(j model.Proc, units uint8) { l.Used[j] -= min(l.Used[j], uint16(units)) }

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
	Build: buildRaynal,
	Paper: heading,
}

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
	return build(a, alg.composition(a.Network(n, 1, 0)))
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
