package vcube

import (
	"fmt"
	"slices"

	"github.com/atmostk/atmostk/invariants"
	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/param"
	"github.com/atmostk/atmostk/model/values"
)

// Broadcast is the model vcube-broadcast.
var Broadcast = model.Spec{
	Name:   "vcube-broadcast",
	Title:  "best-effort broadcast over the virtual hypercube (Algorithm 6.1)",
	Source: paper + ", section 6",
	Doc: "A source sends along the tree of first correct neighbours; acknowledgements go back up it; the " +
		"next broadcast waits for them.",
	Params: slices.Concat([]param.Param{
		size,
		{Name: "sources", Doc: "the processes that broadcast", Default: "0", Type: param.Processes},
		param.Numbers("rounds", "how often each source broadcasts", "1", 0, 15),
	}, broadcastReadings, param.Network("subset")),
	Build: func(a *model.Args) (model.Instance, error) {
		b, nw := newBroadcasting(a)
		return model.Compose(b.composition(nw)), nil
	},
	Paper: heading,
}

// broadcastReadings declares the readings of Algorithm 6.1.
var broadcastReadings = []param.Param{
	variant,
	param.Choice("line36", "⊥ in line 36: literal, it is in no correct_i; bottom-ok, it counts as correct; "+
		"default: bottom-ok", "literal", "bottom-ok").Else(""),
	param.Choice("line28", "if several x fit line 28: any, it takes one of them; all, each of them; "+
		"default: any, repaired all", "any", "all").Else(""),
	param.Choice("forward", "lines 22-25: always, they stand outside the if of line 18; if-new, inside; "+
		"default: always", "always", "if-new").Else(""),
}

// newBroadcast reads the parameters of Algorithm 6.1.
func newBroadcast(a *model.Args, n int, dead model.Set) *broadcast {
	return &broadcast{
		cube: cube{n}, dead: values.GroupOf(dead),
		bottomOK: read(a, "line36", "bottom-ok", "bottom-ok") == "bottom-ok",
		all:      read(a, "line28", "any", "all") == "all",
		ifNew:    read(a, "forward", "always", "always") == "if-new",
	}
}

// started is the history of Algorithm 6.1: the number of broadcasts that each source
// has started. A source knows its own while it lives.
type started struct{ Started model.PerProc[uint32] }

const noteBroadcast = 1

func (h *started) step(e model.Event) bool {
	if e.Note == noteBroadcast {
		h.Started.Put(e.Proc, h.Started.At(e.Proc)+1)
	}
	return true
}

// broadcasting is Algorithm 6.1 by itself, with its sources.
type broadcasting struct {
	*broadcast
	rounds []int // how often each process broadcasts
}

func newBroadcasting(a *model.Args) (broadcasting, model.Network) {
	n := a.Int("n")
	nw := network(a, n)
	return broadcasting{newBroadcast(a, n, nw.Dead),
		only(a.Processes("sources", n, names.First), a.PerProcess("rounds", n))}, nw
}

// ignore stands for the layer above in this model, which has none.
func ignore(content) {}

func (b broadcasting) composition(nw model.Network) model.Composition[broadcastState, message, started] {
	return model.Composition[broadcastState, message, started]{
		N:     b.n,
		Names: names,
		Init:  b.init,
		Local: []model.Handler[broadcastState, message]{
			{Name: "broadcast", Source: "lines 4-10", Kind: model.Spontaneous, Do: b.start},
		},
		Receive: []model.Receiver[broadcastState, message]{
			{Name: "receive TREE", Source: "lines 15-26", Accepts: kindTree.is, Do: func(i, j model.Proc,
				m message, l *broadcastState, out *outbox) bool {
				b.receive(i, j, m.m, l, ignore, out)
				return true
			}},
			{Name: "receive ACK", Source: "lines 27-31", Accepts: kindAck.is, Do: func(_, j model.Proc,
				m message, l *broadcastState, out *outbox) bool {
				b.acknowledge(j, m.m, l, out)
				return true
			}},
		},
		Notice:  &model.Notice[broadcastState, message]{Name: "notify", Source: "lines 32-43", Do: b.notify},
		Network: nw,
		History: model.History[started]{Step: (*started).step},
		Properties: append(broadcastProperties(b.broadcast, nw.Channel,
			func(l *broadcastState) *broadcastState { return l },
			func(g *model.Global[broadcastState, message, started], s model.Proc) (uint32, bool) {
				return g.History().Started.At(s), true
			},
		), invariants.MessagesTotal(2*(b.n-1), 2*(b.n-1), concluded).
			From("sections 1 and 6")),
	}
}

// concluded counts the broadcasts of a run without crashes.
func concluded(g *model.Global[broadcastState, message, started]) (broadcasts int) {
	if g.Dead != 0 {
		return 0
	}
	for _, n := range g.History().Started.Each() {
		broadcasts += int(n)
	}
	return broadcasts
}

// start: one more broadcast, if line 5 lets it through.
func (b broadcasting) start(i model.Proc, l *broadcastState, out *outbox) bool {
	if int(l.Last.At(i)) >= b.rounds[i] || !b.free(i, l) { // line 5
		return false
	}
	b.broadcast.broadcast(i, 0, l, ignore, out)
	out.Note(noteBroadcast)
	return true
}

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
	early := func(g *global, s model.Proc) bool {
		return through(g, s) && !delivered(g, s, stamps(0).with(of(g.Local(s)).Last.At(s)))
	}
	acked := claims.Always("synchronous-ack", "when line 5 would let a live source through, all live "+
		"processes have delivered its last message",
		everyLive(func(g *global, s model.Proc) bool { return !early(g, s) })).From("section 6.2")
	acked.Blame = claims.Guilty("line 5 lets it through, and not all have delivered its last message", early)
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
			"broadcast", everyLive(func(g *global, p model.Proc) bool {
			for s, ts := range of(g.Local(p)).Delivered.Each() { // mostly few: others need not be counted
				if n, known := started(g, s); known && !upTo(n).contains(ts) {
					return false
				}
			}
			return true
		})).From("Lemma 6.2"),
		claims.AtRest("broadcast-terminates", "when nothing is left to do, line 5 would let every live "+
			"source through",
			everyLive(func(g *global, s model.Proc) bool { return b.free(s, of(g.Local(s))) })).
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
		return g.Every(func(p model.Proc) bool { return holds(g, p) })
	}
}
