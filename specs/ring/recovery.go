package ring

import "github.com/atmostk/atmostk/model"

// recovery composes the chain of a recovery scheme: CEH, RUP, E, MrkME, Mx1ME.
func (r *ring) recovery() linked {
	type handler = model.LinkHandler[record, message]
	r.afterElection = r.afterElectionMrk
	c := linked{
		N: r.n, Names: model.Names{First: 1},
		Init: r.initRecovery,
		Dead: model.All(r.n) &^ model.All(r.members),
		Local: []handler{
			{Name: "enter", Source: "Mx1ME::Enter", Kind: model.Spontaneous, Do: r.enterMx1},
			{Name: "release", Source: "Mx1ME::OnRelease", Do: r.releaseMx1},
		},
		Receive: []model.LinkReceiver[record, message]{
			receives("receive rup", "RUP::OnReceiptOf", rupToken, r.receiveRUP),
			receives("receive election", "E::OnReceiptOf", election, r.receiveElection),
			receives("receive elected", "E::OnReceiptOf", elected, r.receiveElected),
			receives("receive clear", "MrkME::OnReceiptOf", clearing, r.receiveClear),
			receives("receive token", "MrkME::OnReceiptOf", token, r.receiveToken),
		},
		Connect: &handler{Name: "connect", Source: "CEH::OnOutputConnect", Do: r.outputConnect},
		Timers: []model.LinkTimer[record, message]{
			{LinkHandler: handler{Name: "rup-timeout", Source: "RUP::OnTimer", Do: r.rupTimer}, Awaits: awaitsRUP},
		},
		Numbers: r.times,
		Units:   units,
		Vars:    shows(r.recoveryVars, electionVars, r.mrkVars, meVars),
	}
	if r.scheme > 0 {
		c.Disconnect = &handler{Name: "detect", Source: "CEH::OnOutputDisconnect", Do: r.outputDisconnect}
		c.Crashes, c.Crash = r.crashes, r.crash
	}
	if r.scheme == 1 {
		c.Recover = &handler{Name: "recover", Do: recoverAsNew}
	}
	if r.scheme == 3 {
		c.Receive = append(c.Receive, receives("receive inj", "INJ::OnReceiptOf", inject, r.receiveInject))
		c.Timers = append(c.Timers, model.LinkTimer[record, message]{
			LinkHandler: handler{Name: "inj-timeout", Source: "INJ::OnTimer", Do: r.injTimer}, Awaits: awaitsInject,
		})
		c.Recover = &handler{Name: "join", Source: "INJ", Do: r.join}
	}
	if r.degrades() {
		c.OpenError = &handler{Name: "open-error", Source: "CEH.GD::OnOutputError", Do: r.outputError}
		c.LastStays = true
	}
	c.Properties = r.recoveryProperties()
	return c
}

// initRecovery is OnInit of all layers, or with start=warm the state after the first
// two passes: the ring is up and the coordinator has sent the token on.
func (r *ring) initRecovery(i model.Proc) (record, model.Link, []message) {
	l, link := r.onInit(i)
	l.ME.Budget = uint8(r.rounds[i])
	if !r.warm || int(i) >= r.members {
		return l, link, nil
	}
	first := stamp(1)
	coordinator := id(r.members)
	link.State = model.LinkOpen
	l.RUP = up
	l.E.Coordinator = coordinator
	l.Mrk = mrkState{On: r.staysOn && idOf(i) == coordinator, Time: first}
	if r.repairs.epoch {
		l.Mrk.LastClear = first
	}
	l.ME.State = released
	if all := r.round(i); r.degrades() {
		switch r.list {
		case listAuto:
			l.CEH.List = all
		case listAutoNoSelf:
			l.CEH.List = all[:len(all)-1]
		case listLiteral:
			l.CEH.List = all[len(all)-1:]
		}
	}
	if idOf(i) != coordinator {
		return l, link, nil
	}
	return l, link, []message{{kind: token, time: first}}
}

// onInit is OnInit of all layers.
func (r *ring) onInit(i model.Proc) (l record, link model.Link) {
	l.CEH, link = r.initCEH(i)
	return l, link
}

// crash leaves OnInit values, and the requests still to be made where processes recover.
func (r *ring) crash(i model.Proc, l *record) model.Link {
	budget := l.ME.Budget
	fresh, link := r.onInit(i)
	*l = fresh
	if r.scheme == 1 || r.scheme == 3 && r.recovered {
		l.ME.Budget = budget
	}
	l.INJ.Retired = r.scheme == 3 && !r.recovered
	return link
}

// recoverAsNew: the process has its OnInit values since the crash.
func recoverAsNew(model.Proc, *record, *output) bool { return true }

// times returns the token times that a process and its messages use.
func (r *ring) times(l *record, queue []message) uint64 {
	used := uint64(1)<<l.Mrk.Time | 1<<l.Mrk.Pending.Time | 1<<l.Mrk.LastClear | 1<<l.ME.Entered
	for _, m := range queue {
		used |= 1 << m.time
	}
	return used
}

// units is what a process uses of the resource.
func units(l *record) int {
	if l.ME.InCS {
		return 1
	}
	return 0
}
