package cohorts

import (
	"fmt"
	"slices"
	"strings"

	"github.com/atmostk/atmostk/invariants"
	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/specs/cohorts/coterie"
)

// local is the state of a process, a requester or a node.
type local struct {
	Node      bool
	Requester requester
	Arbiter   arbiter
	Down      model.Set // mode=repaired: the crashed processes of the other kind, as notified
}

// units: a requester in the critical section uses the units of its request.
func (l *local) units() int {
	if l.Requester.State == cs {
		return int(l.Requester.H)
	}
	return 0
}

func (l *local) waits() bool { return l.Requester.State == waiting }

// common are the parameters of all models of requesters and nodes.
type common struct {
	arbiters
	nodes  int
	h      []int // per requester
	rounds []int
	stay   bool // requester 0 never leaves
}

// newCommon reads the parameters of r requesters and n nodes, for k units. key is the parameter that names
// the nodes.
func newCommon(a *model.Args, key string, r, n, k int) common {
	if r+n > model.FewProcs {
		a.Reject(key, fmt.Sprintf("allowed: at most %d nodes and requesters together", model.FewProcs))
	}
	c := common{
		arbiters: arbiters{capacity: 1, need: slices.Repeat([]int{1}, r)},
		nodes:    n, h: a.PerProcess("h", r), rounds: a.PerProcess("rounds", r), stay: a.Int("stay") == 1,
	}
	if slices.Max(c.h) > k {
		a.Reject("h", fmt.Sprintf("allowed: 1 to k=%d for each requester", k))
	}
	return c
}

// composition composes requesters and nodes, with k units. The local steps and the properties are
// still to be added.
func (c *common) composition(nw model.Network, k int,
	inquired receipt) model.Composition[local, message, model.None] {
	r := len(c.h)
	return model.Composition[local, message, model.None]{
		N:     r + c.nodes,
		Names: apartNames(r, c.nodes),
		Init:  func(p model.Proc) local { return local{Node: int(p) >= r} },
		Receive: []model.Receiver[local, message]{
			{Name: "receive grant", Accepts: grant.is, Do: receiveGrant},
			{Name: "receive inquire", Accepts: inquire.is, Do: inquired},
			{Name: "receive request", Accepts: request.is, Do: c.receiveRequest},
			{Name: "receive release", Accepts: release.is, Do: c.receiveRelease},
			{Name: "receive relinquish", Accepts: relinquish.is, Do: c.receiveRelinquish},
		},
		Capacity: k,
		Units:    (*local).units,
		Crash:    func(_ model.Proc, l *local) { *l = local{Node: l.Node} },
		Charge:   charge,
		Network:  nw,
	}
}

type receipt = func(_, j model.Proc, m message, loc *local, out *outbox) bool

// build returns an instance of the composition, with the fairness of the arguments.
func build[L any](a *model.Args, c model.Composition[L, message, model.None]) (model.Instance, error) {
	c.Fair(a.String("fairness"))
	return model.Compose(c), nil
}

// begins makes an idle requester with rounds left wait. The time of its request is its round.
func (c *common) begins(p model.Proc, loc *local) bool {
	l := &loc.Requester
	if loc.Node || l.State != idle || int(l.Round) >= c.rounds[p] {
		return false
	}
	l.State = waiting
	l.Round++
	l.TS = l.Round
	l.H = uint8(c.h[p])
	return true
}

func (c *common) leaves(p model.Proc, l *requester) bool { return l.State == cs && !c.stays(p) }

// stays reports whether p never leaves the critical section.
func (c *common) stays(p model.Proc) bool { return c.stay && p == 0 }

func (c *common) exit(p model.Proc, loc *local, out *outbox) bool {
	l := &loc.Requester
	if !c.leaves(p, l) {
		return false
	}
	l.leave(l.P, out)
	return true
}

// leave ends a request with releases to the given nodes.
func (l *requester) leave(held model.Set, out *outbox) {
	sendAll(held, message{kind: release, ts: l.TS}, out)
	*l = requester{Round: l.Round, TS: l.TS, Clock: l.Clock}
}

// receiveGrant keeps a grant, also in the critical section, where it is surplus.
func receiveGrant(_, j model.Proc, m message, loc *local, _ *outbox) bool {
	l := &loc.Requester
	l.Clock = max(l.Clock, m.clock)
	if m.ts == l.TS && l.P.Has(j) {
		l.G = l.G.With(j)
		l.F = l.F.Without(j)
	}
	return true
}

// units is the claim that no more than k units are in use.
func (c *common) units(k int, source string) model.Property[global] {
	return claims.AtMost(k).As("units", "live requesters in the critical section use at most k units",
		source).TrivialIf(invariants.Enough(k, c.rounds, c.h, model.Network{}))
}

// costs bounds the messages of a request, and the messages of whole runs for each request.
func (c *common) costs(least, most int, source string) []model.Property[global] {
	x := invariants.Exclusion[local, message, model.None]{Waits: (*local).waits,
		Made: func(_ model.Proc, l *local) int { return int(l.Requester.Round) }}
	return []model.Property[global]{
		claims.Messages("start", "exit", 0, most).From(source), x.MessagesTotal(least, most).From(source),
	}
}

// cleanEnd is the property that all grants are given back. An idle requester in a quiet state has no rounds
// left.
func cleanEnd(what, source string) model.Property[global] {
	return claims.AtRest("clean-end", "after a run without crashes in which all are served and no message "+
		"is left, "+what, func(g *global) bool {
		return g.Dead != 0 || g.Count(func(l *local) bool { return l.Requester.State != idle }) > 0 ||
			g.Count(func(l *local) bool { return len(l.Arbiter.Holders) > 0 }) == 0
	}).From(source)
}

// allServed is the property that in fair runs no requester waits for ever, except for requesters that the
// nodes that are up cannot serve. It takes the graph of all states, and is checked on request.
func (c *common) allServed(can func(up model.Set, l *requester) bool) model.Property[global] {
	return invariants.Served(len(c.h), func(g *global, i int) bool {
		l := g.Local(model.Proc(i))
		return g.Live(model.Proc(i)) && l.waits() && can(^g.Dead, &l.Requester)
	}).As("all-served", "in fair runs every live requester is served in the end, or cannot be by the nodes "+
		"that are up", paper+", section 3").OnlyOnRequest(true)
}

// deadlockFree is the property that in quiet states no requester waits that can be served.
func (c *common) deadlockFree(can func(up model.Set, l *requester) bool,
	source string) model.Property[global] {
	stuck := func(g *global, p model.Proc) bool {
		l := &g.Local(p).Requester
		return int(p) < len(c.h) && (l.State == waiting || c.leaves(p, l)) && can(^g.Dead, l)
	}
	return claims.AtRest("deadlock-freedom", "when nothing is left to do but crashes, every live requester "+
		"is served, stays, or cannot be served by the nodes that are up", func(g *global) bool {
		return g.Every(func(p model.Proc) bool { return !stuck(g, p) })
	}).From(source).Blaming(claims.Guilty("", stuck))
}

// Vars lists the variables that the process has.
func (l local) Vars(names model.Names) []model.Var {
	r, a := l.Requester, l.Arbiter
	if l.Node {
		lock := "free"
		if len(a.Holders) > 0 {
			lock = a.Holders[0].show(names)
		}
		return []model.Var{
			{Name: "lock", Value: lock},
			{Name: "queue", Value: a.Queue.show(names)},
			{Name: "inquired", Value: fmt.Sprint(len(a.Inquired) > 0)},
			{Name: "clock", Value: fmt.Sprint(a.Clock)},
		}
	}
	return []model.Var{
		{Name: "state", Value: [...]string{"idle", "probe", "CS"}[r.State]},
		{Name: "round", Value: fmt.Sprint(r.Round)},
		{Name: "ts", Value: fmt.Sprint(r.TS)},
		{Name: "clock", Value: fmt.Sprint(r.Clock)},
		{Name: "i", Value: fmt.Sprint(r.Index)},
		{Name: "g", Value: fmt.Sprint(r.Left)},
		{Name: "G", Value: r.G.Format(names.First)},
		{Name: "R", Value: r.R.Format(names.First)},
		{Name: "P", Value: r.P.Format(names.First)},
	}
}

// nodeSets returns sets of nodes, which are counted from 1 and stand behind r
// requesters.
func nodeSets(lists [][]int, r int) (sets coterie.Family) {
	for _, nodes := range lists {
		var set model.Set
		for _, node := range nodes {
			set = set.With(model.Proc(r + node - 1))
		}
		sets = append(sets, set)
	}
	return sets
}

// kind is a type of message of Maekawa's algorithm.
type kind uint8

const (
	request kind = iota
	grant
	release
	inquire
	relinquish
	failed // only with fixed request sets
	busy   // only with mode=repaired
	reply  // only in Raynal's algorithm, like freed: ts is a number of units
	freed
)

func (k kind) String() string {
	return [...]string{"request", "grant", "release", "inquire", "relinquish", "failed", "busy", "reply",
		"freed"}[k]
}

func (k kind) is(m message) bool { return m.kind == k }

// message is a message between a requester and an arbiter. It carries the time of
// the request to which it belongs.
type message struct {
	kind  kind
	ts    uint8
	clock uint8 // clock=lamport: the clock of the arbiter that sends the message
}

func (m message) String() string {
	if m.clock > 0 {
		return fmt.Sprintf("%v(%d, clock %d)", m.kind, m.ts, m.clock)
	}
	return fmt.Sprintf("%v(%d)", m.kind, m.ts)
}

// charge: a message belongs to the request of the requester that sends or receives it. In Raynal's algorithm
// that is the process that asks, gets a reply, or frees its units.
func charge(from, to model.Proc, m message) model.Proc {
	switch m.kind {
	case request, release, relinquish, freed:
		return from
	}
	return to
}

type outbox = model.Outbox[message]

func sendAll(to model.Set, m message, out *outbox) {
	for j := range to.Each() {
		out.Send(j, m)
	}
}

// region is where a requester is with respect to the critical section.
type region uint8

const (
	idle region = iota
	waiting
	cs
)

func (r region) String() string { return [...]string{"idle", "waiting", "CS"}[r] }

// ticket is a request as an arbiter knows it.
type ticket struct {
	TS uint8
	ID model.Proc
}

// before reports whether t has priority over u.
func (t ticket) before(u ticket) bool { return t.TS < u.TS || t.TS == u.TS && t.ID < u.ID }

func (t ticket) show(names model.Names) string {
	return fmt.Sprintf("(%d, %s)", t.TS, names.Of(t.ID))
}

// tickets is a list of requests.
type tickets []ticket

// add puts t into a list sorted by priority.
func (q *tickets) add(t ticket) {
	at := 0
	for at < len(*q) && (*q)[at].before(t) {
		at++
	}
	*q = slices.Insert(*q, at, t)
}

// take removes and returns the request in place at.
func (q *tickets) take(at int) ticket {
	t := (*q)[at]
	*q = slices.Delete(*q, at, at+1)
	return t
}

// remove removes t and reports whether it was there.
func (q *tickets) remove(t ticket) bool {
	at := slices.Index(*q, t)
	if at >= 0 {
		q.take(at)
	}
	return at >= 0
}

func (q tickets) show(names model.Names) string {
	var shown []string
	for _, t := range q {
		shown = append(shown, t.show(names))
	}
	return "[" + strings.Join(shown, " ") + "]"
}
