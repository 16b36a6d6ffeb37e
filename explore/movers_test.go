package explore_test

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/atmostk/atmostk/explore"
	"github.com/atmostk/atmostk/explore/naive"
	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/lts"
	atonce "github.com/atmostk/atmostk/model/movers"
	"github.com/atmostk/atmostk/model/protocol"
)

// tallying is the local state of a random automaton that counts messages.
type tallying struct {
	Mode, Fuel uint8
	Got        [2]uint8
}

// randomMovers is two or three random automata that mostly count and answer messages: receipts that commute
// with much, and some with everything.
func randomMovers(r *rand.Rand) model.Instance {
	type global = model.Global[tallying, uint8, model.None]
	n, kinds := 2+r.IntN(2), 2+r.IntN(3)
	table := make([]int, 64)
	for i := range table {
		table[i] = r.IntN(1 << 16)
	}
	act := func(p model.Proc, l *tallying, x int, out *model.Outbox[uint8]) {
		e := table[(int(l.Mode)*7+x*13+int(p))%len(table)]
		l.Mode = uint8(e>>3+out.Pick(1+e>>5%7/6)) % 4
		if e>>12%3 == 0 {
			l.Got[e>>4%2] = 0
		}
		for q := range model.Proc(n) {
			if e>>(6+q)&1 == 1 && q != p {
				out.Send(q, uint8(e>>9%kinds))
			}
		}
	}
	most, notes, threshold := uint8(1+r.IntN(3)), r.IntN(4) == 0, uint8(r.IntN(3))
	count := func(l *tallying, i int) { l.Got[i%2] = min(l.Got[i%2]+1, most) }
	receiver := func(m, role int) model.Receiver[tallying, uint8] {
		in, answer := uint8(r.IntN(4)), uint8(r.IntN(kinds))
		return model.Receiver[tallying, uint8]{
			Name: fmt.Sprint("receive ", m), Accepts: func(is uint8) bool { return int(is) == m },
			Do: func(p, from model.Proc, _ uint8, l *tallying, out *model.Outbox[uint8]) bool {
				switch {
				case role == 0:
				case role < 4, role == 4 && l.Mode != in:
					count(l, m)
				case role == 5 && m > 0:
					out.Send(from, uint8(m-1))
				case role == 6:
					count(l, m)
					return l.Mode != in
				case role == 7:
					out.Send(from, answer)
				case l.Fuel > 0:
					l.Fuel--
					act(p, l, 3+m, out)
				}
				return true
			},
		}
	}
	salt := r.IntN(40)
	c := model.Composition[tallying, uint8, model.None]{
		N: n, Init: func(p model.Proc) tallying {
			return tallying{Mode: uint8(p), Fuel: uint8(1 + table[p]%3)}
		},
		Local: []model.Handler[tallying, uint8]{{
			Name: "act", Do: func(p model.Proc, l *tallying, out *model.Outbox[uint8]) bool {
				e := table[int(l.Mode)+8*int(p)]
				if l.Fuel == 0 || e%3 == 0 && l.Got[e>>2%2] < min(most, threshold) {
					return false
				}
				l.Fuel--
				if notes {
					out.Note(1)
				}
				act(p, l, 1, out)
				return true
			},
		}},
		Units: func(l *tallying) int { return int(l.Mode) },
		Network: model.Network{
			Channel: model.Channel(r.IntN(2)), Crashes: r.IntN(3), Crashable: someOf(r, n),
			CrashSends: model.CrashSends(r.IntN(3)),
		},
		Properties: []model.Property[global]{
			{Name: "use", Kind: model.Invariant, OfUse: func(used, live int) bool {
				return used+salt%5 != 3*live
			}},
			{Name: "can", Kind: model.Reachable, OfUse: func(used, _ int) bool { return used > 1+salt%7 }},
			{Name: "local", Kind: model.Invariant, OfLocal: func(g *global, p model.Proc) bool {
				return int(g.Local(p).Mode)+4*int(g.Local(p).Fuel)+int(p) != salt%12
			}},
			{Name: "got", Kind: model.Invariant, OfLocal: func(g *global, p model.Proc) bool {
				return int(g.Local(p).Got[0]+g.Local(p).Mode) != salt%6
			}},
			{Name: "quiet", Kind: model.Quiet, Holds: func(g *global) bool {
				return int(g.Local(0).Mode)+g.Dead.Len() != salt%5 || g.Local(1).Got[1] == 1
			}},
			{Name: "deadlock", Kind: model.DeadlockFree},
		},
	}
	for m := range kinds {
		c.Receive = append(c.Receive, receiver(m, r.IntN(9)))
	}
	if r.IntN(3) == 0 {
		c.Notice = &model.Notice[tallying, uint8]{Name: "notice",
			Do: func(_, q model.Proc, l *tallying, _ *model.Outbox[uint8]) bool {
				old := l.Got[0]
				l.Got[0] = uint8(q) % (most + 1)
				return l.Got[0] != old
			}}
	}
	switch r.IntN(6) {
	case 0:
		c.Network.Faults = protocol.Faults{Losses: 1}
	case 1:
		c.Network.Faults = protocol.Faults{Copies: 1, On: []model.Set{1, 2, 3}[:n]}
	case 2:
		c.Network.Faults = protocol.Faults{Split: 1, Heals: salt%2 == 0}
	}
	return model.Compose(c)
}

// movers are the reductions with movers that random models are searched with.
var movers = []model.Reduction{{Movers: true}, {Movers: true, Crashes: true}}

// TestMoversChangeNoVerdict: on random models with crashes, on all media, receipts at once change no verdict
// and no length; and where each receipt is taken always or never, the naive explorer visits as many states.
func TestMoversChangeNoVerdict(t *testing.T) {
	saved, counted, compared := 0, 0, 0
	for _, seed := range withRare(30, 2000, 167, 174, 344) {
		in := randomMovers(rand.New(rand.NewPCG(seed, 20)))
		if err := in.Check(); err != nil {
			t.Fatal(err)
		}
		props := in.Space.Properties()
		want, ok := naive.Explore(in.Plain, in.Space.Actions(), props, 600)
		if !ok {
			continue
		}
		compared++
		for _, less := range movers {
			asked := []int{0, 1, 2, 3}
			if !less.Crashes {
				asked = []int{0, 1, 2, 3, 4, 5}[:2+seed%5]
			}
			report, err := explore.Run(context.Background(), in, explore.Options{
				KeepGoing: true, Workers: 1 + int(seed%2), Reduce: less, Properties: asked,
			})
			if err != nil || !report.Complete {
				t.Fatalf("seed %d, %v: %v, %+v", seed, less, err, report)
			}
			sameVerdicts(t, seed, props, &want, report)
			if int(report.States) < want.States {
				saved++
			}
			if !less.Crashes && agreesAtOnce(t, seed, in, report) {
				counted++
			}
		}
	}
	// Models with nothing to leave out show nothing. In the sweep 1,506 of 3,062 searches left out states.
	if !testing.Short() && (2*saved < compared || counted < 5) {
		t.Errorf("of %d models %d are reduced, and %d counted again", compared, saved, counted)
	}
}

// agreesAtOnce compares with a naive search that takes the same receipts at once; false: it cannot.
func agreesAtOnce(t *testing.T, seed uint64, in model.Instance, r *explore.Report) bool {
	t.Helper()
	level := map[string]atonce.Level{}
	for _, m := range r.Movers {
		level[m.Action] = m.Level
		if m.Level.Idle() {
			return false
		}
	}
	needsLife := len(r.Properties) > 4 // a property of quiet states is asked, or deadlock
	actions := in.Space.Actions()
	for _, a := range actions {
		if a.Kind == model.Fault && a.Name != "crash" && a.Name != "crash while sending" {
			return false
		}
	}
	plain := &atOncePlain{Plain: in.Plain, atOnce: func(all []lts.Transition, t *lts.Transition) bool {
		if !level[actions[t.Action].Name].Everywhere() {
			return false
		}
		for i := range all {
			if u := &all[i]; needsLife && len(t.Sent) > 0 && u.Crashed && u.Proc == t.Proc {
				return false
			}
		}
		return true
	}}
	got, _ := naive.Explore(plain, actions, in.Space.Properties(), 600)
	got.Generated += plain.taken
	if int64(got.States) != r.States || int64(got.Generated) != r.Generated || got.Depth != r.Depth {
		t.Errorf("seed %d: %d states, %d steps, depth %d; naively %d, %d, %d",
			seed, r.States, r.Generated, r.Depth, got.States, got.Generated, got.Depth)
	}
	return true
}

// An atOncePlain takes some steps at once, behind all others. atOnce reports whether a step of a state, given
// with all its steps, is one.
type atOncePlain struct {
	lts.Plain
	atOnce func(all []lts.Transition, t *lts.Transition) bool
	taken  int
}

func (p *atOncePlain) Steps(s lts.State) []lts.Transition {
	steps := p.Plain.Steps(s)
	for k := range steps {
		for t := &steps[k]; !t.Pruned && !t.Outside; p.taken++ {
			all := p.Plain.Steps(t.Next)
			i := slices.IndexFunc(all, func(u lts.Transition) bool { return p.atOnce(all, &u) })
			if i < 0 {
				break
			}
			t.Next = all[i].Next
		}
	}
	return steps
}

// TestReceiptsThatDoNotCommute: in each model the violation needs a message to be received after a step that
// its sender causes.
func TestReceiptsThatDoNotCommute(t *testing.T) {
	type (
		local  struct{ Units, Got uint8 }
		outbox = model.Outbox[byte]
		global = model.Global[local, byte, model.None]
	)
	for _, of := range []struct {
		name    string
		channel model.Channel
		start   func(out *outbox)
		receive map[byte]func(l *local, out *outbox)
		steps   int
	}{
		{"r takes back what m gives", model.Bag, func(out *outbox) {
			out.Send(1, 'm')
			out.Send(1, 'r')
		}, map[byte]func(l *local, out *outbox){
			'm': func(l *local, _ *outbox) { l.Got = 1 },
			'r': func(l *local, _ *outbox) { l.Got, l.Units = 0, 1 },
		}, 4},
		{"a and b keep their order", model.FIFO, func(out *outbox) {
			out.Send(1, 'm')
			out.Send(2, 'y')
		}, map[byte]func(l *local, out *outbox){
			'm': func(_ *local, out *outbox) { out.Send(2, 'a') },
			'y': func(_ *local, out *outbox) { out.Send(1, 'x') },
			'x': func(_ *local, out *outbox) { out.Send(2, 'b') },
			'a': func(l *local, _ *outbox) { l.Got = l.Units },
			'b': func(l *local, _ *outbox) { l.Units = 1 },
		}, 7},
	} {
		c := model.Composition[local, byte, model.None]{
			N: 3, Init: func(model.Proc) (l local) { return l },
			Local: []model.Handler[local, byte]{
				{Name: "start", Do: func(p model.Proc, l *local, out *outbox) bool {
					if p != 0 || l.Got != 0 {
						return false
					}
					l.Got = 1
					of.start(out)
					return true
				}},
				{Name: "enter", Do: func(_ model.Proc, l *local, _ *outbox) bool {
					if l.Units != 1 || l.Got != 1 {
						return false
					}
					l.Units = 2
					return true
				}},
			},
			Units:   func(l *local) int { return int(l.Units) },
			Network: model.Network{Channel: of.channel},
			Properties: []model.Property[global]{{
				Name: "use", Kind: model.Invariant, OfUse: func(used, _ int) bool { return used < 2 },
			}},
		}
		for _, m := range slices.Sorted(maps.Keys(of.receive)) {
			do := of.receive[m]
			c.Receive = append(c.Receive, model.Receiver[local, byte]{Name: "receive " + string(m),
				Accepts: func(is byte) bool { return is == m },
				Do: func(_, _ model.Proc, _ byte, l *local, out *outbox) bool {
					do(l, out)
					return true
				}})
		}
		report, err := explore.Run(t.Context(), model.Compose(c), explore.Options{
			Workers: 1, KeepGoing: true, Reduce: model.Reduction{Movers: true},
		})
		if err != nil || report.Verdict != explore.Violated || report.Properties[0].Length != of.steps {
			t.Errorf("%s: %v, %+v", of.name, err, report)
		}
	}
}
