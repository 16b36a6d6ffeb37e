package explore_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/atmostk/atmostk/explore"
	"github.com/atmostk/atmostk/invariants"
	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/protocol"
)

// TestLinkedAgreesWithNaive compares the search with the naive explorer on random
// processes with one output link each.
func TestLinkedAgreesWithNaive(t *testing.T) {
	compared, all := 0, withRare(18, 200, 67)
	for _, seed := range all {
		if compare(t, fmt.Sprintf("links %d", seed), func() model.Instance {
			return randomLinked(rand.New(rand.NewPCG(seed, 4)))
		}) {
			compared++
		}
	}
	if !testing.Short() && compared < len(all)*3/5 {
		t.Errorf("only %d of %d were small enough to be compared", compared, len(all))
	}
}

// TestLinkedExhausted: a handler asks for a number, and all are in use.
func TestLinkedExhausted(t *testing.T) {
	type handler = model.Handler[linker, parcel]
	c := model.Composition[linker, parcel, model.None]{
		N: 1, Init: func(model.Proc) linker { return linker{} },
		Local: []handler{{Name: "take", Do: func(_ model.Proc, l *linker, out *model.Outbox[parcel]) bool {
			l.Number = out.Fresh()
			return true
		}}},
		Network: model.Network{Channel: model.FIFO},
		Links: &model.Links[linker, parcel]{
			Of: linkOf, Numbers: func(*linker) uint64 { return 1<<64 - 2 },
		},
	}
	in := model.Compose(c)
	r, err := explore.Run(context.Background(), in, explore.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if r.Complete || !strings.Contains(r.Stopped, "1 to 63 are in use") {
		t.Errorf("complete %v, %s; want it stopped because of the numbers", r.Complete, r.Stopped)
	}
}

// parcel is a message of a random automaton: a number that may be fresh.
type parcel struct{ Kind, Number uint8 }

// linker is the local state of a random automaton. Fuel bounds what it does.
type linker struct {
	Mode, Fuel, Number uint8
	Out                protocol.Link
}

func linkOf(l *linker) *protocol.Link { return &l.Out }

// randomLinked is two or three random automata with links, and a random choice of
// what befalls the links.
func randomLinked(r *rand.Rand) model.Instance {
	type global = model.Global[linker, parcel, tally]
	type handler = model.Handler[linker, parcel]
	type outbox = model.Outbox[parcel]
	n := 2 + r.IntN(2)
	fuel := uint8(1 + r.IntN(2)*(3-n))
	table := make([]int, 256)
	for i := range table {
		table[i] = r.IntN(1 << 16)
	}
	// act changes everything that a handler can change, by the random table.
	act := func(p model.Proc, l *linker, x int, out *outbox) bool {
		e := table[(int(l.Mode)*7+x*13+int(p))%len(table)]
		if l.Fuel == 0 || e%5 == 0 {
			return false
		}
		l.Fuel--
		l.Mode = uint8(e >> 3 % 4)
		if e>>5&3 == 0 {
			l.Number = out.Fresh()
		}
		if e>>7&3 == 0 {
			out.Send(0, parcel{1, l.Number})
			l.Out = protocol.Link{State: protocol.LinkState(e >> 12 & 1), To: model.Proc(e >> 9 % n)}
		}
		for k := range e >> 11 & 3 {
			out.Send(0, parcel{uint8(e >> 13 & 1), uint8(k) * l.Number})
		}
		if e>>14 == 3 {
			l.Out.State = protocol.GivenUpLink
		}
		if e>>10&3 == 0 {
			out.Note(uint32(1 + e>>14))
		}
		return true
	}
	event := func(name string, x int) *handler {
		if r.IntN(4) == 0 {
			return nil
		}
		return &handler{Name: name, Do: func(p model.Proc, l *linker, out *outbox) bool {
			return act(p, l, x, out) || x < 8
		}}
	}
	comesUp := event("recover", 7)
	used := func(number uint8) uint64 { return 1 << number }
	links := &model.Links[linker, parcel]{
		Of:         linkOf,
		Disconnect: event("disconnect", 5), Connect: event("connect", 6), OpenError: event("open-error", 10),
		Numbers: func(l *linker) uint64 { return used(l.Number) },
		Carries: func(m *parcel) uint64 { return used(m.Number) },
		Rising:  r.IntN(4) == 0,
	}
	for i := range r.IntN(protocol.MaxTimers + 1) {
		if h := event(fmt.Sprintf("timer%d", i), 9); h != nil {
			links.Timers = append(links.Timers, model.Timer[linker, parcel]{Handler: *h,
				Awaits: func(p model.Proc, m parcel) bool {
					return int(m.Kind) == i && m.Number == uint8(p)
				}})
		}
	}
	c := model.Composition[linker, parcel, tally]{
		N: n,
		Init: func(p model.Proc) linker {
			return linker{Mode: uint8(p), Fuel: fuel, Out: protocol.Link{State: protocol.OpenLink,
				To: model.Proc((int(p) + 1) % n)}}
		},
		UnderWay: func(p model.Proc) []model.Sent[parcel] {
			return []model.Sent[parcel]{{To: model.Proc((int(p) + 1) % n), M: parcel{0, uint8(p)}}}
		},
		Local: []handler{
			{Name: "a", Do: func(p model.Proc, l *linker, out *outbox) bool { return act(p, l, 1, out) }},
			{Name: "b", Kind: model.Spontaneous, Do: func(p model.Proc, l *linker, out *outbox) bool {
				return act(p, l, 2, out)
			}},
		},
		Receive: []model.Receiver[linker, parcel]{
			{Name: "zero", Accepts: func(m parcel) bool { return m.Kind == 0 }, Do: func(p, _ model.Proc,
				m parcel, l *linker, out *outbox) bool {
				act(p, l, 3+int(m.Number), out)
				return true
			}},
			{Name: "other", Accepts: func(parcel) bool { return true }, Do: func(p, from model.Proc, _ parcel,
				l *linker, out *outbox) bool {
				return act(p, l, 4, out) || from != 0 // else it cannot be received now
			}},
		},
		Network: model.Network{
			Channel: model.FIFO, Crashes: r.IntN(3), Crashable: someOf(r, n),
		},
		Links: links, Recover: comesUp,
		Crash: func(p model.Proc, l *linker) {
			*l = linker{Mode: 3, Fuel: l.Fuel, Out: protocol.Link{To: p}}
		},
		Units: func(l *linker) int { return int(l.Mode) },
		Properties: append(randomProperties(r, func(g *global, salt int) bool {
			x := int(g.Dead) + salt + int(g.History().N)
			for p := range model.Proc(g.N) {
				x = x*31 + int(g.Local(p).Mode) + len(g.Inbox(p)) + int(g.Local(p).Out.State)
			}
			return uint(x)%61 != 3
		}, "a"), invariants.Of[linker, parcel, tally]{}.Messages("a", "other", 1, 3)),
	}
	if r.IntN(3) == 0 {
		c.Network.Faults.Breaks = 1 + r.IntN(2)
		c.Network.Faults.Lasting = c.Network.Faults.Breaks == 1
	}
	if r.IntN(2) == 0 { // the last live process stays
		c.Network.Limits = []model.Limit{{Among: model.All(n), Crashes: n - 1}}
	}
	if r.IntN(3) == 0 {
		c.History = model.History[tally]{Guards: r.IntN(2) == 0, Step: func(h *tally, e model.Event) bool {
			h.N = (h.N + uint8(e.Note) + uint8(e.Dead)) % 5
			return h.N != 4 || e.Crash
		}}
	}
	if comesUp != nil && r.IntN(3) == 0 {
		c.Network.Dead = model.SetOf(0)
		init, way := c.Init, c.UnderWay
		c.Init = func(p model.Proc) linker {
			l := init(p)
			if p == 0 || l.Out.To == 0 {
				l.Out = protocol.Link{}
			}
			return l
		}
		c.UnderWay = func(p model.Proc) []model.Sent[parcel] {
			if init(p).Out.To == 0 {
				return nil
			}
			return way(p)
		}
	}
	return model.Compose(c)
}

// TestUnitsOfBrokenLinks: a crash breaks the link of another process, which uses more units then.
func TestUnitsOfBrokenLinks(t *testing.T) {
	type global = model.Global[linker, parcel, model.None]
	c := model.Composition[linker, parcel, model.None]{
		N: 3, Init: func(p model.Proc) linker {
			return linker{Out: protocol.Link{State: protocol.OpenLink, To: (p + 1) % 3}}
		},
		Local: []model.Handler[linker, parcel]{{Name: "take", Do: func(_ model.Proc, l *linker,
			_ *model.Outbox[parcel]) bool {
			if l.Mode > 2 || l.Mode == 2 && l.Out.State != protocol.BrokenLink {
				return false
			}
			l.Mode++
			return true
		}}},
		Receive: []model.Receiver[linker, parcel]{{Name: "receive",
			Accepts: func(parcel) bool { return true },
			Do: func(_, _ model.Proc, _ parcel, _ *linker, _ *model.Outbox[parcel]) bool {
				return true
			}}},
		Crash: func(_ model.Proc, l *linker) { *l = linker{} },
		Units: func(l *linker) int {
			if l.Out.State == protocol.BrokenLink {
				return int(l.Mode) + 2
			}
			return int(l.Mode)
		},
		Network: model.Network{Channel: model.FIFO, Crashes: 1, Crashable: 7},
		Links:   &model.Links[linker, parcel]{Of: linkOf},
		Properties: []model.Property[global]{
			{Name: "by-use", Doc: "at most 6 after a crash", Kind: model.Invariant,
				OfUse: func(used, live int) bool { return used <= 6 || live == 3 }},
			{Name: "whole", Doc: "the same", Kind: model.Invariant,
				Holds: func(g *global) bool { return g.InUse() <= 6 || g.Dead == 0 }},
		},
	}
	for i, name := range []string{"by-use", "whole"} {
		opt := explore.Options{Properties: []int{i}, KeepGoing: true}
		r, err := explore.Run(t.Context(), model.Compose(c), opt)
		if err != nil || r.Verdict != explore.Violated || r.Properties[0].Length != 6 ||
			r.Properties[0].Count != 3 {
			t.Errorf("%s: %v %+v", name, err, r)
		}
	}
}
