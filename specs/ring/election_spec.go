package ring

import (
	"github.com/atmostk/atmostk/invariants"
	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/param"
	"github.com/atmostk/atmostk/model/protocol"
)

// Election is the model ring-election: algorithm E alone.
var Election = model.Spec{
	Name:    "ring-election",
	Picture: picture,
	Title:   "ring-based election, the layer E of the recovery schemes",
	Source:  paper,
	Doc: "Election of the largest id on a ring of reliable FIFO channels. Any process may start one at " +
		"any time, starts= times.",
	Params: []param.Param{
		{Name: "n", Doc: "number of processes, p1..pn", Default: "3", Type: sizes},
		{Name: "starts", Doc: "how often each process may start an election", Default: "1",
			Type: param.PerProcess(0, 15)},
		{Name: "order", Doc: "whether the ids ascend or descend round the ring", Default: "ascending",
			Type: param.OneOf("ascending", "descending")},
		fairnessParam,
	},
	Build: func(a *model.Args) (model.Instance, error) {
		r := &ring{n: a.Int("n"), members: a.Int("n"), descending: a.Is("order", "descending")}
		starts, err := a.PerProcess("starts", r.n)
		if err != nil {
			return model.Instance{}, err
		}
		return links(a, r.election(starts)), nil
	},
	Paper: heading,
	References: []model.Reference{
		{Args: "n=2", States: 38, Depth: 10, From: contract},
		{Args: "n=3", States: 375, Depth: 19, From: contract},
		{Args: "n=4", States: 2_995, Depth: 27, From: contract},
	},
}

// contract is where the figures of the references come from.
const contract = "modelling contract, ring"

// sizes are the numbers of processes: at 10 every process still has its fairness conditions.
var sizes = param.IntRange(1, 10)

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
	c.Vars = shows(electionVars, startsVars)
	c.Properties = append(r.electionProperties(), electionCosts(starts))
	return c
}

// start starts an election, if the process has a start left.
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
		{
			Name: "e1", Kind: model.Invariant, Source: paper + ", introduction",
			Doc: "who names a coordinator names the largest id",
			Holds: func(g *global) bool {
				return g.Count(func(l *record) bool {
					return l.E.Coordinator != 0 &&
						l.E.Coordinator != largest
				}) == 0
			},
		},
		{
			Name: "e2", Kind: model.Invariant, Source: paper + ", introduction",
			Doc: "when no message is under way and no start is left, all processes name the largest id and " +
				"none takes part in an election",
			Holds: func(g *global) bool {
				return !idle(g) || g.Count(func(l *record) bool { return l.Starts > 0 }) > 0 ||
					g.Count(func(l *record) bool { return l.E != electionState{Coordinator: largest} }) == 0
			},
		},
		invariants.EventuallyAlways(idle).As("quiescence", "from some point on no message is under way",
			paper+", introduction"),
	}
}

// electionCosts bounds the messages of whole runs in which somebody was elected, by what the worst election
// of Chang and Roberts takes, n(n+1)/2 to elect and n to tell, for each start.
func electionCosts(starts []int) property {
	n, all := len(starts), 0
	for _, s := range starts {
		all += s
	}
	p := invariants.MessagesTotal(0, max(1, all*(n*(n+1)/2+n)), func(g *global) int {
		return min(1, g.Count(func(l *record) bool { return l.E.Coordinator != 0 }))
	})
	p.Doc = "a whole run takes no more messages than the worst election for each start"
	return p.From("Chang and Roberts 1979")
}

// idle: no message is under way.
func idle(g *global) bool { return underWay(g, func(message) bool { return true }) == 0 }
