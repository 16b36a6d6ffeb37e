package cohorts

import (
	"slices"

	"github.com/atmostk/atmostk/model"
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

// raynal holds the parameters.
type raynal struct {
	n, m       int
	h          [][]int // per process and round; the last goes on
	rounds     []int
	larger     bool   // entry=larger
	accounting string // add, overwrite, reset, addm
}

// others are all processes but i.
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

// free subtracts units from the estimate for j.
func (l *raynalState) free(j model.Proc, units uint8) { l.Used[j] -= min(l.Used[j], uint16(units)) }
