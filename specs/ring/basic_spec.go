package ring

import (
	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/param"
	"github.com/atmostk/atmostk/model/protocol"
	"github.com/atmostk/atmostk/model/values"
	"github.com/atmostk/atmostk/specs/references"
)

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
		return links(a, r.basic(a.Is("ring-up", "all"))), nil
	},
	Paper:      heading,
	References: references.Of("ring-basic"),
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
		Vars:     shows(electionVars, meVars, startsVars),
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
