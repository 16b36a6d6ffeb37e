package raymond

import (
	"fmt"
	"slices"

	"github.com/atmostk/atmostk/invariants"
	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/param"
)

// Spec is the model raymond.
var Spec = model.Spec{
	Name:  "raymond",
	Title: "Raymond's k-mutual exclusion of 1989",
	Source: "Raymond, A distributed algorithm for multiple entries to a critical section, 1989; as " +
		"compared with in INRIA report inria-00394918, 2009",
	Doc: "A process enters with the permission of n-k others; deferred permissions are paid with one " +
		"REPLY(count) at the release. Each crash costs a unit.",
	Params: slices.Concat([]param.Param{
		{Name: "n", Doc: "number of processes, p1..pn", Default: "3", Type: param.ProcCount(1)},
		{Name: "k", Doc: "units: how many may be in the critical section at once; at most n", Default: "2",
			Type: param.ProcCount(1)},
		param.Rounds,
		{Name: "variant", Doc: "H: a request advances the process's own clock; 0: it does not", Default: "H",
			Type: param.OneOf("H", "0")},
		{Name: "max-owed", Doc: "with rounds=inf: at most so many replies are owed by one process to " +
			"another, other states are cut off; 0: no bound. The dead owe more and more", Default: "0",
			Type: param.IntRange(0, 255)},
		{Name: "last", Doc: "with rounds=inf, what becomes of the time of a request that is over and that " +
			"nobody reads: kept, or forgotten, which makes fewer states", Default: "kept",
			Type: param.OneOf("kept", "forgotten")},
	}, param.Endless(), param.Network("subset")),
	Build:      build,
	References: references,
}

// epochs is the history: for each process how many were dead when it issued its
// latest request; 0 before that and for the dead.
type epochs struct{ Epoch model.PerProc[uint8] }

func (h *epochs) step(e model.Event) bool {
	h.Epoch.Put(e.Proc, 0)
	if !e.Crash {
		h.Epoch.Put(e.Proc, uint8(e.Dead.Len()))
	}
	return true
}

type global = model.Global[local, message, epochs]

// claims are the properties that are the same for all algorithms.
var claims invariants.Of[local, message, epochs]

func build(a *model.Args) (model.Instance, error) {
	alg := &algorithm{n: a.Int("n"), k: a.Int("k"), advanceH: a.Is("variant", "H")}
	if alg.k > alg.n {
		return model.Instance{}, a.Reject("k", a.String("k"), fmt.Sprintf("allowed: 1 to n=%d", alg.n))
	}
	var err error
	if alg.rounds, err = a.Rounds(alg.n); err != nil {
		return model.Instance{}, err
	}
	for key, none := range map[string]string{"max-owed": "0", "last": "kept"} {
		if !alg.endless() && !a.Is(key, none) {
			return model.Instance{}, a.Reject(key, a.String(key),
				"it is about rounds=inf; where all runs end, allowed is "+none)
		}
	}
	alg.forget = a.Is("last", "forgotten")
	network, err := a.Network(alg.n, 1, 0)
	if err != nil {
		return model.Instance{}, err
	}
	c := alg.composition(network)
	err = c.Endless(a, alg.rounds, clocks(a.Int("max-owed")))
	return model.Compose(c), err
}

func (a *algorithm) composition(network model.Network) model.Composition[local, message, epochs] {
	request, release := a.request, a.release
	if a.advanceH {
		request = a.requestAdvancing
	}
	if a.forget {
		release = a.releaseForgetting
	}
	return model.Composition[local, message, epochs]{
		N:     a.n,
		Names: model.Names{First: 1},
		Init:  a.init,
		Local: []model.Handler[local, message]{
			{Name: "request", Request: true, Do: request},
			{Name: "enter", Do: a.enter},
			{Name: "release", Do: release},
		},
		Receive: []model.Receiver[local, message]{
			{Name: "receive REQUEST", Accepts: isRequest, Do: a.receiveRequest},
			{Name: "receive REPLY", Accepts: isReply, Do: a.receiveReply},
		},
		Capacity:   a.k,
		Forget:     a.dead,
		Units:      units,
		Network:    network,
		History:    model.History[epochs]{Step: (*epochs).step, Watches: true},
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
	const report = "INRIA report inria-00394918"
	return []model.Property[global]{
		claims.AtMost(a.k).From("Raymond 1989").
			TrivialIf(invariants.Enough(a.k, a.rounds, nil, network)),
		claims.NoStarvation(func(l *local) bool { return l.State == requesting }).
			From("Raymond 1989"),
		claims.RequestsServed(a.n,
			func(l *local) bool { return l.State == requesting }).
			From("Raymond 1989").OnlyOnRequest(!a.endless()).ExcusedBy(invariants.Silent(a.rounds,
			network.Dead)),
		{
			Name: "capacity-naive", Kind: model.Invariant, Source: report + ", sections 1 and 5.3",
			Trivial: invariants.Enough(a.k-network.Crashes, a.rounds, nil, network),
			Doc:     "at most k minus the number of the dead are in the critical section",
			OfUse:   func(used, live int) bool { return used <= a.k-(a.n-live) },
		},
		{
			Name: "capacity-epoch", Kind: model.Invariant, Source: report + ", sections 1 and 5.3",
			Doc:   "the same, counting only requests issued after the last crash",
			Holds: a.capacityEpoch, Clear: a.outside(network),
		},
		claims.CanReach(a.k).From("Raymond 1989").
			MootIf(invariants.Few(a.k, a.rounds, network)),
		claims.CanReachMin(a.k, a.rounds,
			func(l *local) int { return int(l.Rounds) }).
			From(report + ", section 1").MootIf(invariants.FewMin(a.k, a.rounds, network)),
		invariants.MessagesTotal(a.n-1, 2*(a.n-1), a.served).From("Raymond 1989"),
	}
}

// endless reports whether some process requests for ever.
func (a *algorithm) endless() bool { return slices.Contains(a.rounds, model.Forever) }

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

func (a *algorithm) capacityEpoch(g *global) bool {
	n := 0
	for i := range model.Proc(g.N) {
		if g.Live(i) && int(g.History().Epoch.At(i)) == g.Dead.Len() {
			n += units(g.Local(i))
		}
	}
	return n <= a.k-g.Dead.Len()
}

// outside is where capacityEpoch need not be asked: where no unit is in use. Nil if more than k processes can
// be dead, as it is violated then without any.
func (a *algorithm) outside(nw model.Network) func(*global, model.Proc) bool {
	if nw.Crashes+nw.Dead.Len() > a.k {
		return nil
	}
	return func(g *global, p model.Proc) bool { return units(g.Local(p)) == 0 }
}

var references = []model.Reference{
	{Args: "n=2 k=1 rounds=2,2 channel=bag variant=H", States: 306, Depth: 21, From: "contract"},
	{Args: "n=3 k=1 rounds=1,1,1 channel=bag variant=H", States: 7_653, Depth: 22, From: "contract"},
	{Args: "n=3 k=2 rounds=1,1,1 channel=bag crashes=1 crash-sends=subset", States: 160_743, Depth: 22,
		From: "contract"},
	{Args: "n=3 k=2 rounds=2,1,0 channel=bag crashes=2 crash-sends=subset", States: 28_957,
		Generated: 138_923, Depth: 23, From: "contract"},
}
