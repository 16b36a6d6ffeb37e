package raymond

import (
	"slices"

	"github.com/atmostk/atmostk/invariants"
	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/param"
	"github.com/atmostk/atmostk/model/values"
)

// basLocal is the state of one process of BAS: the state of Raymond's algorithm, and Crashed.
type basLocal struct {
	local
	Crashed values.Group // the processes known to have crashed
}

// bas is Raymond's algorithm with a failure detector.
type bas struct {
	algorithm
	dead values.Group // from the start
}

func (b *bas) init(p model.Proc) basLocal { return basLocal{b.algorithm.init(p), b.dead} }

// others are the processes other than i that l does not know to have crashed.
func (b *bas) others(i model.Proc, l *basLocal) values.Group {
	return values.Everybody(b.n).Without(i).Minus(l.Crashed)
}

func (b *bas) request(i model.Proc, l *basLocal, out *outbox) bool {
	return b.ask(b.others(i, l), &l.local, out)
}

// enter: all processes but k and the crashed ones have given permission.
func (b *bas) enter(_ model.Proc, l *basLocal, _ *outbox) bool {
	if !l.waits() || int(l.PermCount.Value()) < b.n-b.k-l.Crashed.Len() {
		return false
	}
	l.State = cs
	return true
}

func (b *bas) release(i model.Proc, l *basLocal, out *outbox) bool {
	return b.algorithm.release(i, &l.local, out)
}

// receiveRequest: a request of a process known to have crashed only moves the clock.
func (b *bas) receiveRequest(i, j model.Proc, m message, l *basLocal, out *outbox) bool {
	if l.Crashed.Has(j) {
		l.H = l.H.Max(m.ts).Plus(1)
		return true
	}
	return b.algorithm.receiveRequest(i, j, m, &l.local, out)
}

func (b *bas) receiveReply(i, j model.Proc, m message, l *basLocal, out *outbox) bool {
	return l.Crashed.Has(j) || b.algorithm.receiveReply(i, j, m, &l.local, out)
}

// notify: j has crashed. Its permission does not count any more, and one less is needed; no reply is owed to
// it or by it.
func (b *bas) notify(_, j model.Proc, l *basLocal, _ *outbox) bool {
	if l.Crashed.Has(j) {
		return false
	}
	if l.State == requesting && l.Miss.At(j).Value() == 0 {
		l.PermCount = l.PermCount.Minus(1)
	}
	l.Crashed = l.Crashed.With(j)
	l.Miss.Put(j, model.Count(0))
	l.Defer.Put(j, 0)
	return true
}

// BAS is the model bas.
var BAS = model.Spec{
	Name:  "bas",
	Title: "Raymond's k-mutual exclusion with a failure detector, of 2008",
	Source: "Bouillaguet, Arantes, Sens, Fault tolerant k-mutual exclusion algorithm using failure " +
		"detector, ISPDC 2008; as described in " + basPaper,
	Doc: "A process enters with n-k permissions, less one for each process that it knows to have crashed; " +
		"the permission of such a process is taken back.",
	Params: slices.Concat([]param.Param{
		param.Procs(3), param.Units,
		{Name: "rounds", Doc: "how often each process requests", Default: "1", Type: param.PerProcess(0,
			15).Staged(param.OneOf("inf"))},
		variant,
	}, param.Network("subset"), []param.Param{param.Fairness}),
	Build: func(a *model.Args) (model.Instance, error) {
		b := &bas{algorithm: newAlgorithm(a)}
		network := a.Network(b.n, 1, 0)
		b.dead = values.GroupOf(network.Dead)
		c := b.composition(network)
		c.Fair(a.String("fairness"))
		return model.Compose(c), nil
	},
}

const basPaper = "Rodrigues, Duarte, Arantes, JPDC 2018"

type basGlobal = model.Global[basLocal, message, model.None]

func (b *bas) composition(network model.Network) model.Composition[basLocal, message, model.None] {
	return model.Composition[basLocal, message, model.None]{
		N:     b.n,
		Names: model.Names{First: 1},
		Init:  b.init,
		Local: []model.Handler[basLocal, message]{
			{Name: "request", Request: true, Do: b.request},
			{Name: "enter", Do: b.enter},
			{Name: "release", Do: b.release},
		},
		Receive: []model.Receiver[basLocal, message]{
			{Name: "receive REQUEST", Accepts: isRequest, Do: b.receiveRequest},
			{Name: "receive REPLY", Accepts: isReply, Do: b.receiveReply},
		},
		Notice:     &model.Notice[basLocal, message]{Name: "notify", Do: b.notify},
		Capacity:   b.k,
		Forget:     func(p model.Proc, l *basLocal) { b.algorithm.dead(p, &l.local) },
		Units:      values.One(func(l *basLocal) bool { return l.inside() }),
		Suspects:   func(l *basLocal) values.Group { return l.Crashed },
		Network:    network,
		Properties: b.properties(network),
	}
}

func (b *bas) properties(network model.Network) []model.Property[basGlobal] {
	x := invariants.Exclusion[basLocal, message, model.None]{K: b.k, Rounds: b.rounds, Network: network,
		Waits: func(l *basLocal) bool { return l.waits() },
		Made:  func(p model.Proc, l *basLocal) int { return b.made(p, &l.local) }}
	return slices.Concat(x.Main(basPaper+", section 2"), []model.Property[basGlobal]{
		{
			Name: "permissions-exact", Kind: model.Invariant, Source: basPaper +
				", section 7.2, of the algorithm that extends this one",
			Doc: "a live process that waits has counted as many permissions as there are others, not " +
				"known to have crashed, that owe it nothing",
			OfLocal: b.permissionsExact,
		},
	}, x.Capacity(basPaper+", section 8", basPaper+", section 8"),
		[]model.Property[basGlobal]{x.MessagesTotal(b.n-1, 2*(b.n-1)).From(basPaper + ", section 8")})
}

func (b *bas) permissionsExact(g *basGlobal, i model.Proc) bool {
	l := g.Local(i)
	if !l.waits() {
		return true
	}
	permissions := 0
	for j := range b.others(i, l).Each() {
		if l.Miss.At(j).Value() == 0 {
			permissions++
		}
	}
	return int(l.PermCount.Value()) == permissions
}
