package vcube

import (
	"fmt"

	"github.com/atmostk/atmostk/invariants"
	"github.com/atmostk/atmostk/model"
)

// broadcastProperties lists the claims about Algorithm 6.1 in any composition that contains it: of returns
// its part of a local state, and started the number of broadcasts that a source has started, if known.
func broadcastProperties[L, H any](b *broadcast, ch model.Channel, of func(*L) *broadcastState,
	started func(*model.Global[L, message, H], model.Proc) (uint32, bool)) []model.Property[model.Global[L,
	message, H]] {
	type global = model.Global[L, message, H]
	var claims invariants.Of[L, message, H]
	// delivered: all live processes have delivered the messages ts of s.
	delivered := func(g *global, s model.Proc, ts stamps) bool {
		return g.Count(func(l *L) bool { return !of(l).Delivered.At(s).contains(ts) }) == 0
	}
	through := func(g *global, s model.Proc) bool {
		l := of(g.Local(s))
		return l.Last.At(s) > 0 && b.free(s, l)
	}
	acked := claims.Always("synchronous-ack", "when line 5 would let a live source through, all live "+
		"processes have delivered its last message", everyLive(func(g *global, s model.Proc) bool {
		return !through(g, s) || delivered(g, s, stamps(0).with(of(g.Local(s)).Last.At(s)))
	})).From("section 6.2")
	acked.Blame = claims.Guilty("line 5 lets it through, and not all have delivered its last message",
		func(g *global, s model.Proc) bool {
			return through(g, s) && !delivered(g, s, stamps(0).with(of(g.Local(s)).Last.At(s)))
		})
	acked.Clear = func(g *global, s model.Proc) bool { return !through(g, s) }
	return []model.Property[global]{
		claims.AtRest("validity", "when nothing is left to do, every live process has delivered every "+
			"message that a live source has broadcast", everyLive(func(g *global, s model.Proc) bool {
			n, _ := started(g, s)
			return delivered(g, s, upTo(n))
		})).From("Lemma 6.1"),
		claims.Locally("no-duplication", "no live process delivers a message twice",
			func(l *L) bool { return of(l).Twice.Empty() }).From("Lemma 6.2"),
		claims.Always("no-creation", "no live process has delivered a message that its source did not "+
			"broadcast",
			everyLive(func(g *global, p model.Proc) bool {
				delivered := &of(g.Local(p)).Delivered
				for s := range model.Proc(g.N) {
					ts := delivered.At(s)
					if ts == 0 { // as mostly: the broadcasts of s need not be counted
						continue
					}
					if n, known := started(g, s); known && !upTo(n).contains(ts) {
						return false
					}
				}
				return true
			})).From("Lemma 6.2"),
		claims.AtRest("broadcast-terminates", "when nothing is left to do, line 5 would let every live "+
			"source through", everyLive(func(g *global, s model.Proc) bool {
			return b.free(s,
				of(g.Local(s)))
		})).
			From("section 6.2"),
		claims.AtRest("no-leftover", "when nothing is left to do, no ack is pending anywhere",
			everyLive(func(g *global, p model.Proc) bool { return of(g.Local(p)).AckSet == "" })).
			From("section 6.2"),
		acked,
		claims.Always("no-gap", "line 19 refuses no TREE from a live sender of a live source because an "+
			"earlier message was missed", everyLive(func(g *global, i model.Proc) bool {
			return missed(g, i, ch, of).T == 0
		})).From("Algorithm 6.1, line 19").
			Blaming(func(name func(model.Proc) string, _ *global, _ model.Proc,
				g *global) (who model.Set, offence string) {
				for i := range model.Proc(g.N) {
					if m := missed(g, i, ch, of); g.Live(i) && m.T > 0 {
						return model.SetOf(i), fmt.Sprintf(
							"it gets message %d of %s and has missed message %d", m.T, name(m.Source), m.T-1)
					}
				}
				return 0, ""
			}),
	}
}

// missed returns the first TREE in the inbox of i that line 19 refuses because i missed the one before; T=0:
// none.
func missed[L, H any](g *model.Global[L, message, H], i model.Proc, ch model.Channel,
	of func(*L) *broadcastState) content {
	var before model.Set // the senders of earlier envelopes
	for _, envelope := range g.Inbox(i) {
		behind := ch == model.FIFO && before.Has(envelope.From)
		before = before.With(envelope.From)
		m := envelope.M.m
		// a first or second message, as most are, is never too far ahead
		if m.T <= 2 || behind || !kindTree.is(envelope.M) || !g.Live(envelope.From) || !g.Live(m.Source) {
			continue
		}
		if last := of(g.Local(i)).Last.At(m.Source); last != 0 && m.T > last+1 {
			return m
		}
	}
	return content{}
}

// everyLive is a property of states that each live process satisfies.
func everyLive[L, H any](holds func(g *model.Global[L, message, H], p model.Proc) bool) func(*model.Global[L,
	message, H]) bool {
	return func(g *model.Global[L, message, H]) bool {
		for p := range model.Proc(g.N) {
			if g.Live(p) && !holds(g, p) {
				return false
			}
		}
		return true
	}
}
