package explore_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/atmostk/atmostk/model"
)

// TestManyProcesses: up to as many processes as a set of them has room for are searched like few.
// Three of them, anywhere among the others, do what random processes do.
func TestManyProcesses(t *testing.T) {
	compared := 0
	for seed := range seeds(12, 200) {
		n := []int{16, 17, 33, 63, 64}[seed%5]
		if compare(t, fmt.Sprintf("%d processes, %d", n, seed), func() model.Instance {
			return randomAmongMany(rand.New(rand.NewPCG(seed, 17)), n)
		}) {
			compared++
		}
	}
	if !testing.Short() && compared < 10 {
		t.Errorf("only %d instances were small enough to be compared", compared)
	}
}

// randomAmongMany has three processes among n that send to each other, notice crashes, use units, and
// remember what they are told; the last of all is one of them.
func randomAmongMany(r *rand.Rand, n int) model.Instance {
	type global = model.Global[worker, uint8, tally]
	busy := []model.Proc{model.Proc(n - 1), model.Proc(r.IntN(n / 2)), model.Proc(n/2 + r.IntN(n/2-1))}
	kind, to := uint8(r.IntN(3)), r.Perm(3)
	held := 13 * r.IntN(2) // by each of the others: of 64, modulo 256, it would look like few
	act := func(p model.Proc, l *worker, out *model.Outbox[uint8]) bool {
		if l.Fuel == 0 {
			return false
		}
		l.Fuel--
		out.Send(busy[(to[0]+int(p))%3], kind)
		if p == busy[0] && out.Pick(2) == 1 {
			out.Send(busy[to[1]], kind)
		}
		out.Note(uint32(p) + 1)
		return true
	}
	c := model.Composition[worker, uint8, tally]{
		N: n,
		Init: func(p model.Proc) (l worker) {
			if slices.Contains(busy, p) {
				l.Fuel = 1
			} else {
				l.Knows = model.All(n)
			}
			return l
		},
		Local: []model.Handler[worker, uint8]{{Name: "a", Do: act}},
		Receive: []model.Receiver[worker, uint8]{{Name: "receive", Accepts: func(uint8) bool { return true },
			Do: func(_, from model.Proc, m uint8, l *worker, _ *model.Outbox[uint8]) bool {
				l.Mode, l.Knows = (l.Mode+m+1)%4, l.Knows.With(from)
				return true
			}}},
		Notice: &model.Notice[worker, uint8]{Name: "notice",
			Do: func(_, dead model.Proc, l *worker, _ *model.Outbox[uint8]) bool {
				if l.Mode == 0 || l.Knows.Has(dead) {
					return false
				}
				l.Knows = l.Knows.With(dead)
				return true
			}},
		Network: model.Network{
			Channel: model.Channel(r.IntN(2)), Crashes: r.IntN(2), Crashable: model.SetOf(busy[:2]...),
		},
		Units: func(l *worker) int {
			if l.Knows == model.All(n) {
				return held
			}
			return 2 * int(l.Mode)
		},
		Properties: randomProperties(r, func(g *global, salt int) bool {
			x := int(g.History().N) + g.Dead.Len() + salt
			for _, p := range busy {
				x = x*31 + int(g.Local(p).Mode) + len(g.Inbox(p))
			}
			return uint(x)%61 != 3
		}, "a"),
	}
	most := 1 + 2*r.IntN(9) + held*(n-3)
	c.Properties = append(c.Properties, model.Property[global]{
		Name: "use", Kind: model.Invariant, OfUse: func(used, _ int) bool { return used+1 != most }})
	if r.IntN(2) == 0 {
		c.History = model.History[tally]{Step: func(h *tally, e model.Event) bool {
			h.N = (h.N + uint8(e.Note) + uint8(e.Dead.Len())) % 5
			return h.N != 4 || e.Crash
		}}
	}
	return model.Compose(c)
}
