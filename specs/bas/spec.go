package bas

import (
	"fmt"

	"github.com/atmostk/atmostk/invariants"
	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/param"
	"github.com/atmostk/atmostk/model/values"
)

// Spec is the model bas.
var Spec = model.Spec{
	Name:  "bas",
	Title: "Raymond's k-mutual exclusion with a failure detector, of 2008",
	Source: "Bouillaguet, Arantes, Sens, Fault tolerant k-mutual exclusion algorithm using failure " +
		"detector, ISPDC 2008; as described in " + paper,
	Doc: "A process enters with n-k permissions, less one for each process that it knows to have crashed; " +
		"the permission of such a process is taken back.",
	Params: append([]param.Param{
		{Name: "n", Doc: "number of processes, p1..pn", Default: "3", Type: param.ProcCount(1)},
		{Name: "k", Doc: "units: how many may be in the critical section at once; at most n", Default: "2",
			Type: param.ProcCount(1)},
		{Name: "rounds", Doc: "how often each process requests", Default: "1", Type: param.PerProcess(0,
			15).Staged(param.OneOf("inf"))},
		{Name: "variant", Doc: "H: a request advances the process's own clock; 0: it does not", Default: "H",
			Type: param.OneOf("H", "0")},
	}, append(param.Network("subset"), param.Fairness)...),
	Build:      build,
	References: references,
}

const paper = "Rodrigues, Duarte, Arantes, JPDC 2018"

type global = model.Global[local, message, model.None]

// claims are the properties that are the same for all algorithms.
var claims invariants.Of[local, message, model.None]

func build(a *model.Args) (model.Instance, error) {
	alg, network, err := newAlgorithm(a)
	if err != nil {
		return model.Instance{}, err
	}
	c := alg.composition(network)
	c.Fair(a.String("fairness"))
	return model.Compose(c), nil
}

func newAlgorithm(a *model.Args) (alg *algorithm, network model.Network, err error) {
	alg = &algorithm{n: a.Int("n"), k: a.Int("k"), advanceH: a.Is("variant", "H")}
	if alg.k > alg.n {
		return nil, network, a.Reject("k", a.String("k"), fmt.Sprintf("allowed: 1 to n=%d", alg.n))
	}
	if alg.rounds, err = a.PerProcess("rounds", alg.n); err != nil {
		return nil, network, err
	}
	network, err = a.Network(alg.n, 1, 0)
	alg.dead = values.GroupOf(network.Dead)
	return alg, network, err
}

func (a *algorithm) composition(network model.Network) model.Composition[local, message, model.None] {
	return model.Composition[local, message, model.None]{
		N:     a.n,
		Names: model.Names{First: 1},
		Init:  a.init,
		Local: []model.Handler[local, message]{
			{Name: "request", Request: true, Do: a.request},
			{Name: "enter", Do: a.enter},
			{Name: "release", Do: a.release},
		},
		Receive: []model.Receiver[local, message]{
			{Name: "receive REQUEST", Accepts: isRequest, Do: a.receiveRequest},
			{Name: "receive REPLY", Accepts: isReply, Do: a.receiveReply},
		},
		Notice:     &model.Notice[local, message]{Name: "notify", Do: a.notify},
		Capacity:   a.k,
		Forget:     a.forget,
		Units:      units,
		Suspects:   func(l *local) values.Group { return l.Crashed },
		Network:    network,
		Properties: a.properties(network),
	}
}

// units: the critical section takes one.
func units(l *local) int {
	if l.State == cs {
		return 1
	}
	return 0
}

func (a *algorithm) properties(network model.Network) []model.Property[global] {
	return []model.Property[global]{
		claims.AtMost(a.k).From(paper + ", section 2").
			TrivialIf(invariants.Enough(a.k, a.rounds, nil, network)),
		claims.NoStarvation(func(l *local) bool {
			return l.State == requesting
		}).
			From(paper + ", section 2"),
		claims.RequestsServed(a.n,
			func(l *local) bool { return l.State == requesting }).
			From(paper + ", section 2").OnlyOnRequest(true).ExcusedBy(invariants.Silent(a.rounds,
			network.Dead)),
		{
			Name: "permissions-exact", Kind: model.Invariant, Source: paper +
				", section 7.2, of the algorithm that extends this one",
			Doc: "a live process that waits has counted as many permissions as there are others, not " +
				"known to have crashed, that owe it nothing",
			OfLocal: a.permissionsExact,
		},
		claims.CanReach(a.k).From(paper + ", section 8").
			MootIf(invariants.Few(a.k, a.rounds, network)),
		claims.CanReachMin(a.k, a.rounds,
			func(l *local) int { return int(l.Rounds) }).
			From(paper + ", section 8").MootIf(invariants.FewMin(a.k, a.rounds, network)),
		invariants.MessagesTotal(a.n-1, 2*(a.n-1), a.served).From(paper + ", section 8"),
	}
}

// served counts the requests of a run in which nobody crashed and all were served.
func (a *algorithm) served(g *global) (requests int) {
	for p := range model.Proc(g.N) {
		l := g.Local(p)
		if !g.Live(p) || l.State != notRequesting {
			return 0
		}
		requests += a.rounds[p] - int(l.Rounds)
	}
	return requests
}

func (a *algorithm) permissionsExact(g *global, i model.Proc) bool {
	l := g.Local(i)
	if l.State != requesting {
		return true
	}
	permissions := 0
	for j := range a.others(i, l).Each() {
		if l.Miss.At(j).Value() == 0 {
			permissions++
		}
	}
	return int(l.PermCount.Value()) == permissions
}

// references: without crashes the algorithm is Raymond's, whose figures come from the
// contract; the others were counted by the enumeration in naive_test.go.
var references = []model.Reference{
	{Args: "n=2 k=1 rounds=2,2", States: 306, Depth: 21, From: "contract, of raymond"},
	{Args: "n=3 k=1 rounds=1,1,1", States: 7_653, Depth: 22, From: "contract, of raymond"},
	{Args: "n=2 k=1 rounds=1,1 crashes=1", States: 201, Depth: 13, From: "naive enumeration"},
	{Args: "n=3 k=1 rounds=1,1,0 crashes=1", States: 2_704, Depth: 18, From: "naive enumeration"},
	{Args: "n=3 k=1 rounds=2,1,0 crashes=2", States: 9_340, Depth: 26, From: "naive enumeration"},
}
