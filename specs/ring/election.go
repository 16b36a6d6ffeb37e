package ring

import (
	"github.com/atmostk/atmostk/invariants"
	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/param"
	"github.com/atmostk/atmostk/model/protocol"
)

// electionState is the part of algorithm E.
type electionState struct {
	Participant bool // PARTICIPANT, or NON_PARTICIPANT
	Coordinator id
}

// startElection is E::OnStartElection. It is allowed in any state of the process.
func (r *ring) startElection(i model.Proc, l *record, out *output) {
	l.E = electionState{Participant: true}
	out.Send(message{kind: election, id: idOf(i)})
}

// receiveElection is OnReceiptOf election(j).
func (r *ring) receiveElection(i model.Proc, m message, l *record, out *output) {
	switch me := idOf(i); {
	case r.orphaned(l, m.id):
	case m.id > me:
		l.E = electionState{Participant: true}
		out.Send(m)
	case m.id < me && !l.E.Participant:
		l.E = electionState{Participant: true}
		out.Send(message{kind: election, id: me})
	case m.id == me:
		l.E = electionState{Coordinator: me}
		out.Send(message{kind: elected, id: me})
	}
}

// receiveElected is OnReceiptOf elected(j). Where j = i the state of E does not
// change: a later election may have begun, so that the coordinator is NULL again.
func (r *ring) receiveElected(i model.Proc, m message, l *record, out *output) {
	if r.orphaned(l, m.id) {
		return
	}
	if m.id != idOf(i) {
		l.E = electionState{Coordinator: m.id}
		out.Send(m)
	}
	r.afterElection(i, l, out) // {Distributed Mutual Exclusion Entry Point}
}

// coordinates reports whether the process takes itself for the coordinator.
func (r *ring) coordinates(i model.Proc, l *record) bool { return l.E.Coordinator == idOf(i) }

// Election is the model ring-election: algorithm E alone.
var Election = model.Spec{
	Name:    "ring-election",
	Picture: picture,
	Title:   "ring-based election, the layer E of the recovery schemes",
	Source:  paper,
	Doc: "Election of the largest id on a ring of reliable FIFO channels. Any process may start one at " +
		"any time, starts= times.",
	Params: []param.Param{
		size, param.Numbers("starts", "how often each process may start an election", "1", 0, 15), order,
		fairnessParam,
	},
	Build: func(a *model.Args) (model.Instance, error) {
		r := &ring{n: a.Int("n"), members: a.Int("n"), descending: a.Is("order", "descending")}
		return links(a, r.election(a.PerProcess("starts", r.n))), nil
	},
	Paper: heading,
}

// Parameters of several models. Up to 10 processes have fairness conditions each.
var (
	size     = param.Number("n", "number of processes, p1..pn", 3, 1, 10)
	requests = param.Numbers("rounds", "how often each process requests", "1", 0, 15)
	order    = param.Choice("order", "whether the ids ascend or descend round the ring", "ascending",
		"descending")
)

// election is algorithm E on a ring whose channels are open.
func (r *ring) election(starts []int) composition {
	r.afterElection = func(model.Proc, *record, *output) {}
	c := composition{
		N: r.n, Names: model.Names{First: 1},
		Init: func(i model.Proc) record {
			return record{Starts: uint8(starts[i]), Out: protocol.Link{State: protocol.OpenLink,
				To: r.successor(i)}}
		},
		Local: []handler{
			step(handler{Name: "start", Source: "E::OnStartElection", Kind: model.Spontaneous}, r.start),
		},
		Receive: []model.Receiver[record, message]{
			receives("receive election", "E::OnReceiptOf", election, r.receiveElection),
			receives("receive elected", "E::OnReceiptOf", elected, r.receiveElected),
		},
	}
	c.Network, c.Links = fifo(r.n), linked()
	c.Vars = func(l *record) []model.Var { return append(electionVars(l), startsVars(l)...) }
	c.Properties = append(r.electionProperties(), electionCosts(starts))
	return c
}

func (r *ring) start(i model.Proc, l *record, out *output) bool {
	if l.Starts == 0 {
		return false
	}
	l.Starts--
	r.startElection(i, l, out)
	return true
}

func (r *ring) electionProperties() []property {
	largest := id(r.n)
	return []property{
		claims.Locally("e1", "a process that names a coordinator names the largest id", func(l *record) bool {
			return l.E.Coordinator == 0 || l.E.Coordinator == largest
		}).From(paper + ", introduction"),
		claims.Always("e2", "when no message is under way and no start is left, all processes name the "+
			"largest id and none takes part in an election", func(g *global) bool {
			return !idle(g) || g.Count(func(l *record) bool { return l.Starts > 0 }) > 0 ||
				g.Count(func(l *record) bool { return l.E != electionState{Coordinator: largest} }) == 0
		}).From(paper + ", introduction"),
		invariants.EventuallyAlways(idle).As("quiescence", "from some point on no message is under way",
			paper+", introduction"),
	}
}

// electionCosts bounds the messages of whole runs in which a process was elected by the worst election of
// Chang and Roberts for each start: n(n+1)/2 messages to elect, and n to announce.
func electionCosts(starts []int) property {
	n, all := len(starts), 0
	for _, s := range starts {
		all += s
	}
	return invariants.MessagesTotal(0, max(1, all*(n*(n+1)/2+n)), func(g *global) int {
		return min(1, g.Count(func(l *record) bool { return l.E.Coordinator != 0 }))
	}).As("messages-total", "a whole run takes no more messages than the worst election for each start",
		"Chang and Roberts 1979")
}

// idle: no message is under way.
func idle(g *global) bool { return underWay(g, func(message) bool { return true }) == 0 }
