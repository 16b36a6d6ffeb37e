package ring

import (
	"fmt"
	"slices"
	"strings"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/param"
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

func (r *ring) times(l *record) uint64 {
	return 1<<l.Mrk.Time | 1<<l.Mrk.Pending.Time | 1<<l.Mrk.LastClear | 1<<l.ME.Entered
}

func carries(m *message) uint64 { return 1 << m.time }

// Recovery is the model ring-recovery: the chain CEH, RUP, E, MrkME, Mx1ME.
var Recovery = model.Spec{
	Name:    "ring-recovery",
	Picture: picture,
	Title:   "ring-based mutual exclusion with failure recovery",
	Source:  paper,
	Doc: "The chain of algorithms that opens the ring's channels, checks it, elects a coordinator and " +
		"replaces the token: without failures (scheme=0), waiting for crashed processes (1), going on " +
		"without them (2), and taking processes in (3).",
	Params: recoveryParams,
	Build: func(a *model.Args) (model.Instance, error) {
		return links(a, newRecovery(a).recovery()), nil
	},
	Paper: heading,
}

var recoveryParams = []param.Param{
	size,
	param.Choice("scheme", "0: no crashes; 1: crashed processes recover, the ring waits; 2: the ring "+
		"closes without them; 3: and takes in spare and recovered ones", "0", "1", "2", "3").Else("2"),
	param.Number("f", "the most crashes in a run; none in scheme 0", 0, 0, 15),
	{Name: "crashable", Doc: "the processes that may crash; default: all", Type: param.Processes},
	param.Number("breaks", "the most channels that break in a run without a crash; none in scheme 0",
		0, 0, 255),
	param.Choice("lasting", "yes: a channel that breaks, see breaks, never opens again to the process that "+
		"it led to", "no", "yes"),
	requests,
	param.Choice("start", "warm: the ring is up and the token under way; cold: all channels are closed",
		"warm", "cold"),
	param.Choice("release", "messages of a release when a clear is pending. rectified, as printed: the "+
		"clear alone; code: the token, then the clear; prose: the coordinator the clear alone, others both",
		"rectified", "code", "prose"),
	param.Choice("coordinator-off",
		"whether the coordinator's MrkME goes OFF when its new token returns; no is as printed", "yes", "no"),
	param.Choice("after-election", "keep: a process is RELEASED after an election only if it was in INIT; "+
		"reset, as printed: every process", "keep", "reset"),
	param.Choice("token-time",
		"whether a release sends the process's own time, or the time of the token with which it entered",
		"own", "token"),
	param.Choice("list", "how a process knows the next neighbour to try, in scheme 2: static: from the "+
		"start; auto: collected by RUP, as printed; auto-no-self: the same, but the initiator does not add "+
		"itself; literal: static, but set by the assignment that is printed for AutoList",
		"static", "auto", "auto-no-self", "literal"),
	param.Choice("guard", "whether, with AutoList, the ring has to be UP for a neighbour to be replaced "+
		"(printed)", "printed", "none"),
	param.Number("min-k", "ids that the list must have for a neighbour to be replaced: MIN_K", 1, 0, 16),
	param.Number("max-err", "MAX_CEH_ERR: how often the channel cannot be opened before the neighbour is "+
		"replaced, or in scheme 1 given up; 0: once, and in scheme 1 there is no limit", 0, 0, 15),
	param.Number("spare", "scheme 3: processes besides the ring's n that may come up and join it, behind pn",
		0, 0, 4),
	param.Choice("recovered", "scheme 3: whether crashed processes may come up again and join the ring",
		"on", "off"),
	param.Choice("insert", "scheme 3: where a newcomer goes in the list of the process whose neighbour it "+
		"comes before, which is not in that list", "front", "back"),
	param.Choice("head", "scheme 3: whether the head of the list that becomes the neighbour is popped "+
		"(PopFront) or stays there (Front)", "pop", "front"),
	param.Choice("rup-start", "scheme 3: which processes start RUP, by an event OnStart that is defined "+
		"nowhere, when an inj passes: all processes, or none. The one that turns to the newcomer does in "+
		"any case, when its channel opens", "all", "none"),
	{Name: "repair", Doc: "repairs of ours, joined by +: none, participant, orphan, drop, drop2, epoch, " +
		"remember, count, or full for participant+orphan+drop+epoch; in scheme 3 also requeue; see the " +
		"package's comment", Default: "none", Type: param.SumOf("none", "participant", "orphan", "drop",
		"drop2", "epoch", "remember", "count", "requeue", "full")},
	param.Choice("variant", "repaired: with every repair but drop2, which is a part of drop, and guard=none",
		"printed", "repaired"),
	fairnessParam,
}

// maxElastic is the largest number of processes in scheme 3 with which each has its fairness conditions.
const maxElastic = 7

// full are the repairs that repair=full stands for.
const full = "participant+orphan+drop+epoch"

// all are the repairs of variant=repaired.
const all = full + "+remember+count+requeue"

func newRecovery(a *model.Args) *ring {
	r := &ring{
		members: a.Int("n"), n: a.Int("n"), scheme: a.Int("scheme"), crashes: a.Int("f"),
		breaks: a.Int("breaks"), lasting: a.Is("lasting", "yes"),
		warm:         a.Is("start", "warm"),
		release:      a.String("release"),
		staysOn:      a.Is("coordinator-off", "no"),
		resets:       a.Is("after-election", "reset"),
		sendsEntered: a.Is("token-time", "token"),
		list:         a.String("list"),
		unguarded:    a.Is("guard", "none") || a.Is("variant", "repaired"),
		minK:         a.Int("min-k"),
		maxErr:       a.Int("max-err"),
		recovered:    a.Is("recovered", "on"),
		insertsBack:  a.Is("insert", "back"),
		headStays:    a.Is("head", "front"),
		startsRUP:    a.Is("rup-start", "all"),
		repairs:      chosenRepairs(a),
	}
	if r.scheme == 3 {
		r.n += a.Int("spare")
	}
	if r.maxErr == 0 && r.scheme != 1 {
		r.maxErr = 1
	}
	switch {
	case r.scheme == 3 && r.n > maxElastic:
		a.Reject("spare", fmt.Sprintf(
			"in scheme 3 there are at most %d processes, in the ring and spare", maxElastic))
	case r.scheme == 2 && r.crashes > r.n:
		a.Reject("f", fmt.Sprintf("in scheme 2 nobody comes up again, so allowed are 0 to n=%d", r.n))
	case r.breaks > 0 && r.scheme == 0:
		a.Reject("breaks", "in scheme 0 nothing fails, so allowed is 0")
	case r.lasting && r.breaks == 0:
		a.Reject("lasting", "no channel breaks without breaks=1 or more")
	}
	if r.crashable = a.Processes("crashable", r.n, 1); !a.Given("crashable") {
		r.crashable = model.All(r.n)
	}
	r.rounds = a.PerProcess("rounds", r.n)
	return r
}

// chosenRepairs reads repair and variant.
func chosenRepairs(a *model.Args) repairs {
	chosen := a.String("repair")
	if a.Is("variant", "repaired") {
		for _, printed := range [][2]string{{"coordinator-off", "no"}, {"after-election", "reset"}} {
			if key := printed[0]; a.Is(key, printed[1]) {
				a.Reject(key, "variant=repaired has the other reading")
			}
		}
		if chosen != "none" {
			a.Reject("repair", "variant=repaired has all repairs, so allowed is none")
		}
		chosen = all
	}
	names := strings.Split(strings.ReplaceAll(chosen, "full", full), "+")
	has := func(name string) bool { return slices.Contains(names, name) }
	if has("none") && len(names) > 1 {
		a.Reject("repair", "allowed: none alone, or repairs joined by +")
	}
	return repairs{
		participant: has("participant"), orphan: has("orphan"), drop: has("drop"), drop2: has("drop2"),
		epoch: has("epoch"), remember: has("remember"), count: has("count"), requeue: has("requeue"),
	}
}
