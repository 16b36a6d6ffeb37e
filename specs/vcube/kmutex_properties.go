package vcube

import (
	"github.com/atmostk/atmostk/invariants"
	"github.com/atmostk/atmostk/model"
)

// mutexJudge judges the claims about Algorithm 7.1 in any composition that it is a
// part of.
type mutexJudge[L, H any] struct {
	of func(l *L) *mutexState // its part of a local state
}

// mutexProperties lists the claims about Algorithm 7.1, of which a request costs from
// least to most messages.
func mutexProperties[L, H any](x *mutex, of func(*L) *mutexState, least,
	most int) []model.Property[model.Global[L, message, H]] {
	c := mutexJudge[L, H]{of}
	var claims invariants.Of[L, message, H]
	return []model.Property[model.Global[L, message, H]]{
		claims.AtMost(x.k).From("Lemma 7.1").
			TrivialIf(invariants.Enough(x.k, x.rounds, nil, model.Network{Dead: x.dead.Set()})),
		claims.NoStarvation(func(l *L) bool { return of(l).State == requesting }).
			From("Lemma 7.2"),
		claims.RequestsServed(x.n, func(l *L) bool { return of(l).State == requesting }).
			From("Lemma 7.2").OnlyOnRequest(true).
			ExcusedBy(invariants.Silent(x.rounds, 0)),
		{
			Name: "fair-order", Kind: model.StepInvariant, Source: "Lemma 7.3", Steps: []string{"enter"},
			Doc:       "no process enters while the smaller request of a live process waits",
			HoldsStep: c.fairOrder,
		},
		{
			Name: "permissions-exact", Kind: model.Invariant, Source: "section 7.2",
			Doc:     "at line 15 perm_count is the number of other correct processes that owe no reply",
			OfLocal: c.permissionsExact,
		},
		{
			Name: "reply-count-natural", Kind: model.Invariant, Source: "section 7.1",
			Doc:     "nobody gets more replies than it expects",
			OfLocal: c.replyCountNatural,
		},
		invariants.MessagesTotal(least, most, c.served).From("sections 1 and 8"),
	}
}

// served counts the requests of a run in which nobody crashed and all were served.
func (c mutexJudge[L, H]) served(g *model.Global[L, message, H]) (requests int) {
	for p := range model.Proc(g.N) {
		l := c.of(g.Local(p))
		if !g.Live(p) || l.State != notRequesting {
			return 0
		}
		requests += int(l.Made)
	}
	return requests
}

func (c mutexJudge[L, H]) fairOrder(from *model.Global[L, message, H], i model.Proc,
	_ *model.Global[L, message, H]) bool {
	mine := c.of(from.Local(i)).Last.Value()
	for j := range model.Proc(from.N) {
		l := c.of(from.Local(j))
		if from.Live(j) && l.State == requesting && before(l.Last.Value(), j, mine, i) {
			return false
		}
	}
	return true
}

func (c mutexJudge[L, H]) permissionsExact(g *model.Global[L, message, H], i model.Proc) bool {
	l := c.of(g.Local(i))
	if l.State != requesting || l.Part > 0 || l.Half > 0 {
		return true
	}
	permissions := 0
	for j := range l.Correct.Without(i).Each() {
		if l.ReplyCount.At(j) == 0 {
			permissions++
		}
	}
	return int(l.PermCount) == permissions
}

func (c mutexJudge[L, H]) replyCountNatural(g *model.Global[L, message, H], i model.Proc) bool {
	for _, count := range c.of(g.Local(i)).ReplyCount.Each() {
		if count < 0 {
			return false
		}
	}
	return true
}
