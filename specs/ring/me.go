package ring

import (
	"fmt"
	"slices"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/param"
	"github.com/atmostk/atmostk/model/protocol"
	"github.com/atmostk/atmostk/model/values"
)

// The basic algorithm ME: one token, which the coordinator sends after the election.

// afterElectionBasic: the coordinator sends the token.
func (r *ring) afterElectionBasic(i model.Proc, l *record, out *output) {
	r.released(l)
	if r.coordinates(i, l) {
		out.Send(message{kind: meToken})
	}
}

// released is the change that an election makes to the state of the basic algorithm and of Mx1ME.
func (r *ring) released(l *record) {
	if r.resets || l.ME.State == initial {
		l.ME.State = released
	}
}

// enterBasic: RELEASED -> WANTED.
func (r *ring) enterBasic(_ model.Proc, l *record, out *output) bool {
	if l.ME.State != released || l.ME.InCS || l.ME.Budget == 0 {
		return false
	}
	l.ME.State = wanted
	l.ME.Budget--
	if r.tickets {
		l.ME.Ticket = out.Fresh()
	}
	return true
}

// receiveTokenBasic is the receipt of the token.
func (r *ring) receiveTokenBasic(_ model.Proc, m message, l *record, out *output) {
	switch l.ME.State {
	case wanted:
		l.ME.State = held
		l.ME.InCS = true
	case released:
		out.Send(m)
	}
}

// releaseBasic leaves the critical section. After after-election=reset the process
// may be there and not be HELD any more; it only leaves then.
func (r *ring) releaseBasic(_ model.Proc, l *record, out *output) bool {
	if !l.ME.InCS {
		return false
	}
	l.ME.InCS, l.ME.Ticket = false, 0
	if l.ME.State == held {
		l.ME.State = released
		out.Send(message{kind: meToken})
	}
	return true
}

// Basic is the model ring-basic: the algorithm without recovery.
var Basic = model.Spec{
	Name:    "ring-basic",
	Picture: picture,
	Title:   "ring-based mutual exclusion on reliable channels",
	Source:  paper,
	Doc: "One token goes round; the coordinator that the election finds sends it. Neither processes nor " +
		"channels fail.",
	Params: []param.Param{
		size, requests,
		param.Choice("ring-up", "which processes start an election, once: p1 alone, or all, each at any "+
			"time", "one",
			"all"),
		param.Choice("after-election", "reset, as printed: every process is RELEASED after an election; "+
			"keep: only if it was in INIT", "reset", "keep"),
		order,
		param.Number("f", "the most processes that crash in a run, and stay so; the algorithm supposes none",
			0, 0, 15),
		param.Number("breaks",
			"the most channels that break in a run, and stay so; the algorithm supposes none", 0, 0, 15),
		param.Choice("tickets", "on: requests are numbered in the order in which they are made, for the "+
			"property me3 to judge", "off", "on"),
		fairnessParam,
	},
	Build: func(a *model.Args) (model.Instance, error) {
		r := &ring{
			n: a.Int("n"), members: a.Int("n"), descending: a.Is("order", "descending"),
			resets: a.Is("after-election", "reset"), tickets: a.Is("tickets", "on"),
			crashes: a.Int("f"), breaks: a.Int("breaks"), rounds: a.PerProcess("rounds", a.Int("n")),
		}
		if r.crashes > r.n {
			a.Reject("f", fmt.Sprintf("allowed: 0 to n=%d", r.n))
		}
		return links(a, r.basic(a.Is("ring-up", "all"))), nil
	},
	Paper: heading,
}

// basic composes ME over E.
func (r *ring) basic(all bool) composition {
	r.afterElection = r.afterElectionBasic
	c := composition{
		N: r.n, Names: model.Names{First: 1},
		Init: func(i model.Proc) record {
			l := record{ME: meState{Budget: uint8(r.rounds[i])}, Out: protocol.Link{State: protocol.OpenLink,
				To: r.successor(i)}}
			if all || i == 0 {
				l.Starts = 1
			}
			return l
		},
		Local: []handler{
			step(handler{Name: "ring-up", Source: "ME::OnRingUp"}, r.start),
			step(handler{Name: "enter", Source: "ME::Enter", Kind: model.Spontaneous}, r.enterBasic),
			step(handler{Name: "release", Source: "ME::OnRelease"}, r.releaseBasic),
		},
		Receive: []model.Receiver[record, message]{
			receives("receive election", "E::OnReceiptOf", election, r.receiveElection),
			receives("receive elected", "E::OnReceiptOf", elected, r.receiveElected),
			receives("receive token", "ME::OnReceiptOf", meToken, r.receiveTokenBasic),
		},
		Capacity: 1,
		Units:    values.One(inCS),
		Vars: func(l *record) []model.Var {
			return slices.Concat(electionVars(l), meVars(l), startsVars(l))
		},
		Properties: []property{
			r.mutualExclusion(), oneToken(), requestsServed(r.n), inOrder(r.tickets),
			requestCosts(!all && r.crashes == 0 && r.breaks == 0),
		},
		Network: fifo(r.n),
		Links:   linked(),
	}
	c.Links.Numbers = func(l *record) uint64 { return 1 << l.ME.Ticket }
	c.Links.Rising = true
	c.Network.Crashes, c.Network.Faults.Breaks = r.crashes, r.breaks
	c.Crash = func(_ model.Proc, l *record) { *l = record{} }
	return c
}
