// Package lamport is Lamport's distributed mutual exclusion algorithm of "Time,
// Clocks, and the Ordering of Events in a Distributed System" (CACM 21(7), 1978),
// as specified in the TLA+ examples: FIFO channels, and a constraint on clocks to
// make the state space finite. It is a conformance model (case P2).
package lamport

import (
	"fmt"

	"github.com/atmostk/atmostk/invariants"
	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/param"
	"github.com/atmostk/atmostk/model/values"
)

// Spec is the model lamport-mutex.
var Spec = model.Spec{
	Name:  "lamport-mutex",
	Title: "Lamport's mutual exclusion of 1978",
	Source: "Lamport, Time, Clocks, and the Ordering of Events in a Distributed System, 1978; TLA+ " +
		"Examples, lamport_mutex",
	Doc: "Requests are broadcast, acknowledged and kept in a queue at each process. States in which a " +
		"clock exceeds max-clock are judged, but not part of the state space.",
	Params: []param.Param{
		param.Number("n", "number of processes", 3, 1, maxProcs),
		param.Number("max-clock", "largest clock within the constraint", 3, 1, 200),
		param.Choice("rounds", "inf: each process requests for ever, up to max-clock; any: for ever, and "+
			"times count by their order only, without a bound", "inf", "any"),
		param.Fairness,
	},
	Build: build,
}

const maxProcs = 8

// local is the state of one process. A time of 0 is no time.
type local struct {
	clock uint8
	req   [maxProcs]uint8 // the request of each process, as far as known
	ack   model.Set       // the processes that have acknowledged the own request
	crit  bool
}

// message is a request with its time, an acknowledgement or a release.
type message struct {
	kind uint8
	time uint8
}

const (
	req uint8 = iota
	ack
	rel
)

func (m message) String() string {
	switch m.kind {
	case req:
		return fmt.Sprintf("req(%d)", m.time)
	case ack:
		return "ack"
	}
	return "rel"
}

type (
	outbox = model.Outbox[message]
	global = model.Global[local, message, model.None]
)

var claims invariants.Of[local, message, model.None]

type algorithm struct{ n int }

func build(a *model.Args) (model.Instance, error) {
	alg := algorithm{a.Int("n")}
	maxClock := a.Int("max-clock")
	is := func(kind uint8) func(message) bool { return func(m message) bool { return m.kind == kind } }
	c := model.Composition[local, message, model.None]{
		N:     alg.n,
		Names: model.Names{First: 1},
		Init:  func(model.Proc) local { return local{clock: 1} },
		Local: []model.Handler[local, message]{
			{Name: "Request", Request: true, Do: alg.request},
			{Name: "Enter", Do: alg.enter},
			{Name: "Exit", Do: alg.exit},
		},
		Receive: []model.Receiver[local, message]{
			{Name: "RecvReq", Accepts: is(req), Do: alg.recvReq},
			{Name: "RecvAck", Accepts: is(ack), Do: alg.recvAck},
			{Name: "RecvRel", Accepts: is(rel), Do: alg.recvRel},
		},
		Capacity:   1,
		Units:      values.One(func(l *local) bool { return l.crit }),
		Network:    model.Network{Channel: model.FIFO},
		Constraint: func(_ model.Proc, l *local) bool { return int(l.clock) <= maxClock },
		Properties: []model.Property[global]{
			claims.AtMost(1).
				As("mutex", "at most one process is in the critical section", "Lamport 1978, condition I"),
			{
				Name: "bounded-network", Kind: model.Invariant, Source: "TLA+ Examples, BoundedNetwork",
				Doc: "no channel ever holds more than three messages",
				OfInbox: func(g *global, p model.Proc) bool {
					inbox := g.Inbox(p)
					for i := 3; i < len(inbox); i++ {
						if inbox[i].From == inbox[i-3].From { // it is grouped by sender
							return false
						}
					}
					return true
				},
			},
			claims.DeadlockFreedom("conformance case P2"),
			claims.RequestsServed(alg.n, func(l *local) bool { return l.ack != 0 && !l.crit }).
				From("Lamport 1978, condition III").OnlyOnRequest(true),
		},
	}
	if a.AnyRounds() {
		c.Constraint, c.Clocks = nil, &model.Clocks[local, message]{
			Local: (*local).eachStamp, Message: (*message).eachStamp, Seen: (*local).eachClock, ByOrder: true,
		}
	}
	c.Fair(a.String("fairness"))
	return model.Compose(c), nil
}

// visited changes a time by a visit.
func visited(time *uint8, visit func(*uint32)) {
	x := uint32(*time)
	visit(&x)
	*time = uint8(x)
}

// eachStamp and eachClock visit the times: see model.Clocks.
func (l *local) eachStamp(visit func(*uint32)) {
	for p := range l.req {
		if l.req[p] != 0 {
			visited(&l.req[p], visit)
		}
	}
}

func (l *local) eachClock(visit func(*uint32)) { visited(&l.clock, visit) }

func (m *message) eachStamp(visit func(*uint32)) {
	if m.kind == req {
		visited(&m.time, visit)
	}
}

func (alg algorithm) broadcast(p model.Proc, m message, out *outbox) {
	for q := range model.Proc(alg.n) {
		if q != p {
			out.Send(q, m)
		}
	}
}

func (alg algorithm) request(p model.Proc, l *local, out *outbox) bool {
	if l.req[p] != 0 {
		return false
	}
	l.req[p] = uint8(out.Later(uint32(l.clock) - out.Tick())) // with numbers the clock itself
	alg.broadcast(p, message{req, l.req[p]}, out)
	l.ack = model.SetOf(p)
	return true
}

// enter stays enabled while p is inside.
func (alg algorithm) enter(p model.Proc, l *local, _ *outbox) bool {
	if l.ack != model.All(alg.n) {
		return false
	}
	for q := range model.Proc(alg.n) {
		first := l.req[q] == 0 || l.req[p] < l.req[q] || l.req[p] == l.req[q] && p < q
		if q != p && !first {
			return false
		}
	}
	l.crit = true
	return true
}

func (alg algorithm) exit(p model.Proc, l *local, out *outbox) bool {
	if !l.crit {
		return false
	}
	l.crit = false
	alg.broadcast(p, message{kind: rel}, out)
	l.req[p] = 0
	l.ack = 0
	return true
}

func (alg algorithm) recvReq(_, q model.Proc, m message, l *local, out *outbox) bool {
	l.req[q] = m.time
	l.clock = max(l.clock, m.time) + uint8(out.Tick())
	out.Send(q, message{kind: ack})
	return true
}

func (alg algorithm) recvAck(_, q model.Proc, _ message, l *local, _ *outbox) bool {
	l.ack = l.ack.With(q)
	return true
}

func (alg algorithm) recvRel(_, q model.Proc, _ message, l *local, _ *outbox) bool {
	l.req[q] = 0
	return true
}
