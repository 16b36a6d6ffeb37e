package raymond

import (
	"fmt"
	"slices"

	"github.com/atmostk/atmostk/invariants"
	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/param"
	"github.com/atmostk/atmostk/model/values"
)

// Spec is the model raymond.
var Spec = model.Spec{
	Name:   "raymond",
	Title:  "permission-based k-mutual exclusion",
	Source: heading + "; compared with the timer-free algorithm in INRIA report inria-00394918, 2009",
	Paper:  heading,
	Doc: "A process enters with the permission of n-k others; deferred permissions are paid with one " +
		"REPLY(count) at the release. Each crash costs a unit.",
	Params: slices.Concat([]param.Param{
		param.Procs(3), param.Units, param.Rounds, variant,
		param.Number("max-owed", "with rounds=inf or any: the most replies that one process owes to "+
			"another, other states are cut off; 0: no bound. The dead owe more and more", 0, 0, 255),
		param.Choice("last", "with rounds=inf or any, what becomes of the time of a request that is over "+
			"and that no step reads: kept, or forgotten, which makes fewer states", "kept", "forgotten"),
	}, param.Endless(), param.Network("subset")),
	Build: build,
}

const heading = "Raymond, A distributed algorithm for multiple entries to a critical section, 1989"

var variant = param.Choice("variant", "H: a request advances the process's own clock; 0: it does not",
	"H", "0")

// epochs is the history: for each process the number of dead processes when it issued
// its latest request; 0 before that and for the dead.
type epochs struct{ Epoch model.PerProc[uint8] }

func (h *epochs) step(e model.Event) bool {
	h.Epoch.Put(e.Proc, 0)
	if !e.Crash {
		h.Epoch.Put(e.Proc, uint8(e.Dead.Len()))
	}
	return true
}

type global = model.Global[local, message, epochs]

func build(a *model.Args) (model.Instance, error) {
	alg := newAlgorithm(a)
	for _, none := range [][2]string{{"max-owed", "0"}, {"last", "kept"}} {
		if key, none := none[0], none[1]; !slices.Contains(alg.rounds, model.Forever) && !a.Is(key, none) {
			a.Reject(key, "it is about rounds=inf; where all runs end, allowed is "+none)
		}
	}
	if a.AnyRounds() && alg.k > 1 && a.Is("max-owed", "0") {
		a.Reject("max-owed", fmt.Sprintf("with rounds=any and k=%d a process that answers nobody owes more "+
			"and more replies: Miss and Defer grow without end; allowed are 1 to 255", alg.k))
	}
	alg.forget = a.Is("last", "forgotten")
	c := alg.composition(a.Network(alg.n, 1, 0))
	c.Endless(a, alg.rounds, clocks(a.Int("max-owed")))
	return model.Compose(c), nil
}

// newAlgorithm reads the parameters of Raymond's algorithm, with or without a failure detector.
func newAlgorithm(a *model.Args) algorithm {
	n, k := a.Int("n"), a.Int("k")
	if k > n {
		a.Reject("k", fmt.Sprintf("allowed: 1 to n=%d", n))
	}
	return algorithm{n: n, k: k, rounds: a.Rounds(n), advanceH: a.Is("variant", "H")}
}

func (a *algorithm) composition(network model.Network) model.Composition[local, message, epochs] {
	release := a.release
	if a.forget {
		release = a.releaseForgetting
	}
	return model.Composition[local, message, epochs]{
		N:     a.n,
		Names: model.Names{First: 1},
		Init:  a.init,
		Local: []model.Handler[local, message]{
			{Name: "request", Request: true, Do: a.request},
			{Name: "enter", Do: a.enter},
			{Name: "release", Do: release},
		},
		Receive: []model.Receiver[local, message]{
			{Name: "receive REQUEST", Accepts: isRequest, Do: a.receiveRequest},
			{Name: "receive REPLY", Accepts: isReply, Do: a.receiveReply},
		},
		Capacity:   a.k,
		Forget:     a.dead,
		Symmetry:   []model.Set{model.All(a.n)},
		Named:      a.named,
		NamedBy:    a.namedBy,
		Units:      values.One((*local).inside),
		Network:    network,
		History:    model.History[epochs]{Step: (*epochs).step, Watches: true},
		Properties: a.properties(network),
	}
}

func (a *algorithm) properties(network model.Network) []model.Property[global] {
	const report = "INRIA report inria-00394918"
	x := invariants.Exclusion[local, message, epochs]{K: a.k, Rounds: a.rounds, Network: network,
		Waits: (*local).waits, Made: a.made}
	return slices.Concat(x.Main("Raymond 1989"), []model.Property[global]{
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
	}, x.Capacity("Raymond 1989", report+", section 1"),
		[]model.Property[global]{x.MessagesTotal(a.n-1, 2*(a.n-1)).From("Raymond 1989")})
}

func (a *algorithm) capacityEpoch(g *global) bool {
	n := 0
	for i := range model.Proc(g.N) {
		if g.Live(i) && g.Local(i).inside() && int(g.History().Epoch.At(i)) == g.Dead.Len() {
			n++
		}
	}
	return n <= a.k-g.Dead.Len()
}

// outside is Property.Clear of capacityEpoch: no unit is in use. Nil if more than k processes can be dead,
// as the property is violated then without any unit in use.
func (a *algorithm) outside(nw model.Network) func(*global, model.Proc) bool {
	if nw.Crashes+nw.Dead.Len() > a.k {
		return nil
	}
	return func(g *global, p model.Proc) bool { return !g.Local(p).inside() }
}
