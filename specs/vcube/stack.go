package vcube

import (
	"slices"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/param"
	"github.com/atmostk/atmostk/model/values"
)

// stackState is the state of one process in Algorithm 7.1 over Algorithm 6.1. Each
// layer has its own correct_i, as printed; they are always equal.
type stackState struct {
	Broadcast broadcastState
	Mutex     mutexState
}

// Vars lists the states of both layers: correct_i once, and last_i, a different
// variable in each, with the number of its algorithm.
func (l stackState) Vars(names model.Names) (vars []model.Var) {
	for _, v := range l.Broadcast.Vars(names) {
		if v.Name == "last" {
			v.Name = "last of 6.1"
		}
		vars = append(vars, v)
	}
	for _, v := range l.Mutex.Vars(names) {
		switch v.Name {
		case "correct":
			continue
		case "last":
			v.Name = "last of 7.1"
		}
		vars = append(vars, v)
	}
	return vars
}

// stack is Algorithm 7.1 over Algorithm 6.1. It has no handlers of its own: it
// hands events to the layers, REQUEST down from 7.1 and delivered messages up.
type stack struct {
	broadcast *broadcast
	mutex     *mutex
	waiting   []part // the parts of procedure Request when BROADCAST has to wait
}

func (s *stack) init(i model.Proc) stackState {
	return stackState{s.broadcast.init(i), s.mutex.init(i)}
}

// down is BROADCAST(m) of process i.
func (s *stack) down(i model.Proc, l *stackState, out *outbox) send {
	return func(m content) {
		s.broadcast.broadcast(i, m.C, &l.Broadcast, s.up(i, l, out), out)
	}
}

// up is DELIVER(m) at process i: Algorithm 7.1 receives the REQUEST, but not its own.
func (s *stack) up(i model.Proc, l *stackState, out *outbox) deliver {
	return func(m content) {
		if m.Source != i {
			s.mutex.receive(i, m, &l.Mutex, out)
		}
	}
}

// request: one step if line 5 of 6.1 lets it through, and otherwise a first part.
func (s *stack) request(i model.Proc, l *stackState, out *outbox) bool {
	parts := s.waiting
	if s.broadcast.free(i, &l.Broadcast) {
		parts = splits["atomic"]
	}
	return s.mutex.begin(i, &l.Mutex, parts, s.down(i, l, out))
}

// resume: the rest of the request, as soon as line 5 of 6.1 lets it through.
func (s *stack) resume(i model.Proc, l *stackState, out *outbox) bool {
	return s.broadcast.free(i, &l.Broadcast) && s.mutex.resume(i, &l.Mutex, s.waiting, s.down(i, l, out))
}

// inMutex is a step of Algorithm 7.1 alone.
func inMutex(do func(model.Proc, *mutexState, *outbox) bool) func(model.Proc, *stackState, *outbox) bool {
	return func(i model.Proc, l *stackState, out *outbox) bool { return do(i, &l.Mutex, out) }
}

// toMutex is a receipt by Algorithm 7.1 alone.
func toMutex(do receipt) func(i, j model.Proc, m message, l *stackState, out *outbox) bool {
	return func(i, j model.Proc, m message, l *stackState, out *outbox) bool {
		return do(i, j, m, &l.Mutex, out)
	}
}

func (s *stack) receiveTree(i, j model.Proc, m message, l *stackState, out *outbox) bool {
	s.broadcast.receive(i, j, m.m, &l.Broadcast, s.up(i, l, out), out)
	return true
}

func (s *stack) receiveAck(_, j model.Proc, m message, l *stackState, out *outbox) bool {
	s.broadcast.acknowledge(j, m.m, &l.Broadcast, out)
	return true
}

// notify reaches both layers in one step.
func (s *stack) notify(i, j model.Proc, l *stackState, out *outbox) bool {
	return s.broadcast.notify(i, j, &l.Broadcast, out) && s.mutex.notify(i, j, &l.Mutex, out)
}

// Stack is the model vcube-stack.
var Stack = model.Spec{
	Name:   "vcube-stack",
	Title:  "k-mutual exclusion (Algorithm 7.1) over best-effort broadcast (6.1)",
	Source: paper + ", sections 6 and 7",
	Doc: "Requests go by the broadcast along the tree; a request waits until the acknowledgements of the " +
		"one before have come in.",
	Params: slices.Concat([]param.Param{
		size,
		param.Choice("request", "the first of the two steps that a request takes if BROADCAST has to wait: "+
			"atomic, lines 9-12; count-first, lines 9-12 and 14; default: atomic, repaired count-first",
			"atomic", "count-first").Else(""),
		param.Choice("crash-order", "lines 36-38 of Algorithm 7.1 are one step", "atomic"),
	}, mutexParams, broadcastReadings, param.Network("subset"), []param.Param{param.Fairness}),
	Build: buildStack,
	Paper: heading,
}

type stackGlobal = model.Global[stackState, message, model.None]

func buildStack(a *model.Args) (model.Instance, error) {
	n := a.Int("n")
	nw := network(a, n)
	s := &stack{broadcast: newBroadcast(a, n, nw.Dead), mutex: newMutex(a, n, nw.Dead),
		waiting: splits["blocked"]}
	if a.Is("request", "count-first") {
		s.waiting = splits["count-first"]
	}
	c := s.composition(nw)
	if s.mutex.strict {
		c.Receive = append(c.Receive, model.Receiver[stackState, message]{Name: "receive INSIDE",
			Accepts: kindInside.is, Do: toMutex(s.mutex.receiveInside)})
	}
	c.Fair(a.String("fairness"))
	return model.Compose(c), nil
}

func (s *stack) composition(nw model.Network) model.Composition[stackState, message, model.None] {
	return model.Composition[stackState, message, model.None]{
		N:     s.mutex.n,
		Names: names,
		Init:  s.init,
		Local: []model.Handler[stackState, message]{
			{Name: "request", Source: "7.1, lines 8-14", Kind: model.Spontaneous, Request: true,
				Do: s.request},
			{Name: "request, second part", Source: "7.1, lines 13-14", Do: s.resume},
			{Name: "enter", Source: "7.1, lines 15-16", Do: inMutex(s.mutex.enters)},
			{Name: "release", Source: "7.1, lines 17-22", Do: inMutex(s.mutex.releases)},
		},
		Receive: []model.Receiver[stackState, message]{
			{Name: "receive TREE", Source: "6.1, lines 15-26", Accepts: kindTree.is, Do: s.receiveTree},
			{Name: "receive ACK", Source: "6.1, lines 27-31", Accepts: kindAck.is, Do: s.receiveAck},
			{Name: "receive REPLY", Source: "7.1, lines 30-34", Accepts: kindReply.is,
				Do: toMutex(s.mutex.receiveReply)},
		},
		Notice: &model.Notice[stackState, message]{Name: "notify",
			Source: "6.1, lines 32-43; 7.1, lines 35-38", Do: s.notify},
		Capacity: s.mutex.k,
		Forget:   func(i model.Proc, l *stackState) { s.mutex.forget(i, &l.Mutex) },
		Units:    values.One(func(l *stackState) bool { return l.Mutex.executes() }),
		Network:  nw,
		Properties: append(
			mutexProperties[stackState, model.None](s.mutex,
				func(l *stackState) *mutexState { return &l.Mutex },
				2*(s.mutex.n-1), s.mutex.most(3)), // TREEs and ACKs, and at most as many REPLYs
			broadcastProperties(s.broadcast, nw.Channel,
				func(l *stackState) *broadcastState { return &l.Broadcast },
				// last_s[s] of a live source; there is no history, so the broadcasts of the dead are unknown
				func(g *stackGlobal, s model.Proc) (n uint32, known bool) {
					return g.Local(s).Broadcast.Last.At(s), g.Live(s)
				})...),
	}
}
