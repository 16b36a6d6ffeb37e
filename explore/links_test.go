package explore_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/atmostk/atmostk/explore"
	"github.com/atmostk/atmostk/model"
)

// TestLinkedAgreesWithNaive compares the search with the naive explorer on random
// processes with one output link each.
func TestLinkedAgreesWithNaive(t *testing.T) {
	compared, all := 0, seeds(80, 200)
	for seed := range all {
		if compare(t, fmt.Sprintf("links %d", seed), func() model.Instance {
			return randomLinked(rand.New(rand.NewPCG(seed, 4)))
		}) {
			compared++
		}
	}
	if compared < int(all)*3/5 {
		t.Errorf("only %d of %d were small enough to be compared", compared, all)
	}
}

// TestLinkedExhausted: a handler asks for a number, and all are in use.
func TestLinkedExhausted(t *testing.T) {
	in := model.Join(model.Linked[linker, parcel]{
		N:    1,
		Init: func(model.Proc) (linker, model.Link, []parcel) { return linker{}, model.Link{}, nil },
		Local: []model.LinkHandler[linker, parcel]{{Name: "take", Do: func(_ model.Proc, l *linker, out *model.Output[parcel]) bool {
			l.Number = out.Fresh()
			return true
		}}},
		Numbers: func(*linker, []parcel) uint64 { return 1<<64 - 2 },
	})
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
type linker struct{ Mode, Fuel, Number uint8 }

// randomLinked is two or three random automata with links, and a random choice of
// what befalls the links.
func randomLinked(r *rand.Rand) model.Instance {
	type global = model.LinkedGlobal[linker, parcel]
	type handler = model.LinkHandler[linker, parcel]
	n := 2 + r.IntN(2)
	fuel := uint8(1 + r.IntN(2)*(3-n))
	table := make([]int, 256)
	for i := range table {
		table[i] = r.IntN(1 << 16)
	}
	// act changes everything that a handler can change, by the random table.
	act := func(p model.Proc, l *linker, x int, out *model.Output[parcel]) bool {
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
			out.Send(parcel{1, l.Number})
			out.Link = model.Link{State: model.LinkClosed, To: model.Proc(e >> 9 % n)}
		}
		for k := range e >> 11 & 3 {
			out.Send(parcel{uint8(e >> 13 & 1), uint8(k) * l.Number})
		}
		if e>>14 == 3 {
			out.Link.State = model.LinkGivenUp
		}
		return true
	}
	event := func(name string, x int) *handler {
		if r.IntN(4) == 0 {
			return nil
		}
		return &handler{Name: name, Do: func(p model.Proc, l *linker, out *model.Output[parcel]) bool {
			return act(p, l, x, out) || x < 8
		}}
	}
	c := model.Linked[linker, parcel]{
		N: n,
		Init: func(p model.Proc) (linker, model.Link, []parcel) {
			link := model.Link{State: model.LinkOpen, To: model.Proc((int(p) + 1) % n)}
			return linker{Mode: uint8(p), Fuel: fuel}, link, []parcel{{0, uint8(p)}}
		},
		Local: []handler{
			{Name: "a", Do: func(p model.Proc, l *linker, out *model.Output[parcel]) bool { return act(p, l, 1, out) }},
			{Name: "b", Kind: model.Spontaneous, Do: func(p model.Proc, l *linker, out *model.Output[parcel]) bool { return act(p, l, 2, out) }},
		},
		Receive: []model.LinkReceiver[linker, parcel]{
			{Name: "zero", Accepts: func(m parcel) bool { return m.Kind == 0 }, Do: func(p model.Proc, m parcel, l *linker, out *model.Output[parcel]) {
				act(p, l, 3+int(m.Number), out)
			}},
			{Name: "other", Accepts: func(parcel) bool { return true }, Do: func(p model.Proc, _ parcel, l *linker, out *model.Output[parcel]) {
				act(p, l, 4, out)
			}},
		},
		Disconnect: event("disconnect", 5), Connect: event("connect", 6), OpenError: event("open-error", 10),
		Numbers: func(l *linker, queue []parcel) uint64 {
			used := uint64(1) << l.Number
			for _, m := range queue {
				used |= 1 << m.Number
			}
			return used
		},
		Rising:  r.IntN(4) == 0,
		Crashes: r.IntN(3), LastStays: r.IntN(2) == 0,
		Crash: func(p model.Proc, l *linker) model.Link {
			*l = linker{Mode: 3, Fuel: l.Fuel}
			return model.Link{To: p}
		},
		Recover: event("recover", 7),
		Properties: randomProperties(r, func(g *global, salt int) bool {
			x := int(g.Dead) + salt
			for p := range model.Proc(g.N) {
				x = x*31 + int(g.Local(p).Mode) + len(g.Queue(p)) + int(g.Link(p).State)
			}
			return uint(x)%61 != 3
		}, "a"),
	}
	for i := range r.IntN(model.MaxTimers + 1) {
		if h := event(fmt.Sprintf("timer%d", i), 9); h != nil {
			c.Timers = append(c.Timers, model.LinkTimer[linker, parcel]{LinkHandler: *h, Awaits: func(p model.Proc, m parcel) bool {
				return int(m.Kind) == i && m.Number == uint8(p)
			}})
		}
	}
	if r.IntN(3) == 0 {
		c.Dead = model.SetOf(0)
		init := c.Init
		c.Init = func(p model.Proc) (linker, model.Link, []parcel) {
			l, link, queue := init(p)
			if p == 0 {
				return l, model.Link{}, nil
			}
			if link.To == 0 {
				return l, model.Link{}, nil
			}
			return l, link, queue
		}
	}
	return model.Join(c)
}
