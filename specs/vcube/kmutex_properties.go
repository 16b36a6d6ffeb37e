package vcube

import (
	"fmt"
	"slices"

	"github.com/atmostk/atmostk/invariants"
	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/values"
)

// mutexProperties lists the claims about Algorithm 7.1 in any composition that contains it: of returns its
// part of a local state, and a request costs from least to most messages.
func mutexProperties[L, H any](x *mutex, of func(*L) *mutexState, least,
	most int) []model.Property[model.Global[L, message, H]] {
	type global = model.Global[L, message, H]
	var claims invariants.Of[L, message, H]
	all := invariants.Exclusion[L, message, H]{K: x.k, Rounds: x.rounds,
		Network: model.Network{Dead: x.dead.Set()},
		Waits:   func(l *L) bool { return of(l).State == requesting },
		Made:    func(_ model.Proc, l *L) int { return int(of(l).Made) }}
	main := all.Main("Lemma 7.2") // at-most-k, no-starvation, requests-served
	main[0].Source = "Lemma 7.1"
	// passed are the live processes whose smaller requests wait when i enters.
	passed := func(from *global, i model.Proc) (who model.Set) {
		mine := of(from.Local(i)).Last.Value()
		for j := range model.Proc(from.N) {
			l := of(from.Local(j))
			if from.Live(j) && l.State == requesting && values.Before(l.Last.Value(), j, mine, i) {
				who = who.With(j)
			}
		}
		return who
	}
	return slices.Concat(main, []model.Property[global]{
		claims.Step("fair-order", "no process enters while the smaller request of a live process waits",
			func(from *global, i model.Proc, _ *global) bool { return passed(from, i) == 0 }, "enter").
			From("Lemma 7.3").
			Blaming(func(name func(model.Proc) string, from *global, i model.Proc, _ *global) (model.Set,
				string) {
				return passed(from, i), name(i) + " enters, and a smaller request waits"
			}),
		{
			Name: "permissions-exact", Kind: model.Invariant, Source: "section 7.2",
			Doc:     "at line 15 perm_count is the number of other correct processes that owe no reply",
			OfLocal: func(g *global, i model.Proc) bool { return of(g.Local(i)).exact(i) },
			Blame: claims.Accuse(func(_ func(model.Proc) string, g *global, i model.Proc) string {
				l := of(g.Local(i))
				if l.exact(i) {
					return ""
				}
				return fmt.Sprintf("perm_count is %d; the number of processes that owe no reply is %d",
					l.PermCount, l.owing(i))
			}),
		},
		claims.Locally("reply-count-natural", "no process gets more replies than it expects",
			func(l *L) bool {
				for _, count := range of(l).ReplyCount.Each() {
					if count < 0 {
						return false
					}
				}
				return true
			}).From("section 7.1").Blaming(claims.Accuse(
			func(name func(model.Proc) string, g *global, i model.Proc) string {
				for j := range model.Proc(g.N) {
					if of(g.Local(i)).ReplyCount.At(j) < 0 {
						return "it expects no reply of " + name(j) + " and gets one"
					}
				}
				return ""
			})),
		all.MessagesTotal(least, most).From("sections 1 and 8"),
	})
}

// exact reports whether perm_count of i is right where line 15 reads it.
func (l *mutexState) exact(i model.Proc) bool {
	return l.State != requesting || l.Part > 0 || l.Half > 0 || l.PermCount == l.owing(i)
}

// owing returns the number of other correct processes of which i expects no reply.
func (l *mutexState) owing(i model.Proc) int32 {
	permissions := int32(0)
	for j := range l.Correct.Without(i).Each() {
		if l.ReplyCount.At(j) == 0 {
			permissions++
		}
	}
	return permissions
}
