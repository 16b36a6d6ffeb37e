package ring

import (
	"slices"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/protocol"
	"github.com/atmostk/atmostk/model/values"
)

// recovery composes the chain of a recovery scheme: CEH, RUP, E, MrkME, Mx1ME.
func (r *ring) recovery() composition {
	r.afterElection = r.afterElectionMrk
	c := composition{
		N: r.n, Names: model.Names{First: 1},
		Init: r.initRecovery, UnderWay: r.underWay,
		Network: fifo(r.n), Links: r.channels(), Recover: r.comesUp(),
		Local: []handler{
			step(handler{Name: "enter", Source: "Mx1ME::Enter", Kind: model.Spontaneous}, r.enterMx1),
			step(handler{Name: "release", Source: "Mx1ME::OnRelease"}, r.releaseMx1),
		},
		Receive: []model.Receiver[record, message]{
			receives("receive rup", "RUP::OnReceiptOf", rupToken, r.receivesRUP),
			receives("receive election", "E::OnReceiptOf", election, r.receiveElection),
			receives("receive elected", "E::OnReceiptOf", elected, r.receiveElected),
			receives("receive clear", "MrkME::OnReceiptOf", clearing, r.receiveClear),
			receives("receive token", "MrkME::OnReceiptOf", token, r.receiveToken),
		},
		Capacity: 1,
		Units:    values.One(inCS),
		Vars: func(l *record) []model.Var {
			return slices.Concat(r.recoveryVars(l), electionVars(l), r.mrkVars(l), meVars(l))
		},
		Crash: r.crash,
	}
	c.Network.Dead = model.All(r.n) &^ model.All(r.members)
	if r.scheme > 0 {
		c.Network.Crashes, c.Network.Crashable = r.crashes, r.crashable
		c.Network.Faults.Breaks, c.Network.Faults.Lasting = r.breaks, r.lasting
	}
	if r.scheme == 3 {
		c.Receive = append(c.Receive, receives("receive inj", "INJ::OnReceiptOf", inject, r.receiveInject))
	}
	if r.degrades() { // the last live process stays
		c.Network.Limits = []model.Limit{{Among: model.All(r.n), Crashes: r.n - 1}}
	}
	c.Properties = r.recoveryProperties()
	return c
}

// channels are the links with the events that the scheme has.
func (r *ring) channels() *model.Links[record, message] {
	k := linked()
	k.Connect = event(handler{Name: "connect", Source: "CEH::OnOutputConnect"}, r.outputConnect)
	k.Timers = []model.Timer[record, message]{
		{Handler: step(handler{Name: "rup-timeout", Source: "RUP::OnTimer"}, r.rupTimer), Awaits: awaitsRUP},
	}
	k.Numbers, k.Carries = r.times, carries
	if r.scheme > 0 {
		k.Disconnect = event(handler{Name: "detect", Source: "CEH::OnOutputDisconnect"}, r.outputDisconnect)
	}
	if r.scheme == 3 {
		k.Timers = append(k.Timers, model.Timer[record, message]{
			Handler: step(handler{Name: "inj-timeout", Source: "INJ::OnTimer"}, r.injTimer),
			Awaits:  awaitsInject,
		})
	}
	if r.maxErr > 0 {
		source := "CEH.GD::OnOutputError"
		if !r.degrades() {
			source = "CEH::OnOutputError"
		}
		k.OpenError = event(handler{Name: "open-error", Source: source}, r.openError)
	}
	return k
}

// comesUp is the step by which a dead process comes up; nil: none does.
func (r *ring) comesUp() *handler {
	switch r.scheme {
	case 1:
		return event(handler{Name: "recover"}, recoverAsNew)
	case 3:
		return event(handler{Name: "join", Source: "INJ"}, r.join)
	}
	return nil
}

// initRecovery is OnInit of all layers, or with start=warm the state after the first
// two passes: the ring is up and the coordinator has sent the token on.
func (r *ring) initRecovery(i model.Proc) record {
	l := r.onInit(i)
	l.ME.Budget = uint8(r.rounds[i])
	if !r.warm || int(i) >= r.members {
		return l
	}
	coordinator := id(r.members)
	l.Out.State = protocol.OpenLink
	l.RUP = up
	l.E.Coordinator = coordinator
	l.Mrk = mrkState{On: r.staysOn && idOf(i) == coordinator, Time: first}
	if r.repairs.epoch {
		l.Mrk.LastClear = first
	}
	l.ME.State = released
	if all := r.round(i); r.degrades() {
		switch r.list {
		case "auto":
			l.CEH.List = all
		case "auto-no-self":
			l.CEH.List = all[:len(all)-1]
		case "literal":
			l.CEH.List = all[len(all)-1:]
		}
	}
	return l
}

// first is the time of the token with start=warm.
const first stamp = 1

// underWay are the messages that a process has sent at the start: with start=warm the token.
func (r *ring) underWay(i model.Proc) []model.Sent[message] {
	if !r.warm || int(i) != r.members-1 {
		return nil
	}
	return []model.Sent[message]{{To: r.successor(i), M: message{kind: token, time: first}}}
}

// onInit is OnInit of all layers.
func (r *ring) onInit(i model.Proc) (l record) {
	l.CEH, l.Out = r.initCEH(i)
	l.RUP = initRUP()
	return l
}

// crash leaves OnInit values, and the requests still to be made where processes recover.
func (r *ring) crash(i model.Proc, l *record) {
	budget, cut := l.ME.Budget, l.Out.Cut
	*l = r.onInit(i)
	l.Out.Cut = cut
	if r.scheme == 1 || r.scheme == 3 && r.recovered {
		l.ME.Budget = budget
	}
	l.INJ.Retired = r.scheme == 3 && !r.recovered
}

// recoverAsNew: the process has its OnInit values since the crash.
func recoverAsNew(model.Proc, *record, *output) bool { return true }

// times returns the token times that a process uses.
func (r *ring) times(l *record) uint64 {
	return 1<<l.Mrk.Time | 1<<l.Mrk.Pending.Time | 1<<l.Mrk.LastClear | 1<<l.ME.Entered
}

// carries returns the token time of a message.
func carries(m *message) uint64 { return 1 << m.time }
