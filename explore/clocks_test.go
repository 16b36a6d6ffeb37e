package explore_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/atmostk/atmostk/explore"
	"github.com/atmostk/atmostk/explore/naive"
	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/lts"
)

// clocked is the local state of a random automaton with a Lamport clock and one
// remembered time; 0 is none.
type clocked struct {
	Mode      uint8
	Clock, At uint32
}

// envelope is a message with a time, or without one.
type envelope struct {
	Kind uint8
	Time uint32
}

// randomClocked is two or three random automata that compare times and never
// stop, within random bounds.
func randomClocked(r *rand.Rand) model.Composition[clocked, envelope, model.None] {
	type global = model.Global[clocked, envelope, model.None]
	n := 2 + r.IntN(2)
	table := make([]int, 128)
	for i := range table {
		table[i] = r.IntN(1 << 16)
	}
	act := func(p model.Proc, l *clocked, x int, out *model.Outbox[envelope]) bool {
		e := table[(int(l.Mode)*7+x*13+int(p))%len(table)]
		if e%4 == 0 {
			return false
		}
		l.Mode = uint8(e >> 2 % 3)
		out.Note(uint32(e >> 13))
		if e>>4&1 == 1 {
			l.Clock++
		}
		switch e >> 5 & 3 {
		case 1:
			l.At = l.Clock
		case 2:
			l.At = 0
		}
		for q := range model.Proc(n) {
			m := envelope{Kind: uint8(e >> 7 % 2)}
			switch e >> (8 + 2*q) & 3 {
			case 1:
				out.Send(q, m)
			case 2:
				m.Time = l.Clock + 1
				out.Send(q, m)
			}
		}
		return true
	}
	c := model.Composition[clocked, envelope, model.None]{
		// 0 would be taken for never
		N: n, Init: func(p model.Proc) clocked { return clocked{Mode: uint8(p), Clock: 1} },
		Local: []model.Handler[clocked, envelope]{
			{Name: "a", Do: func(p model.Proc, l *clocked, out *model.Outbox[envelope]) bool {
				return act(p, l, 1, out)
			}},
		},
		Receive: []model.Receiver[clocked, envelope]{{
			Name: "receive", Accepts: func(envelope) bool { return true },
			Do: func(p, _ model.Proc, m envelope, l *clocked, out *model.Outbox[envelope]) bool {
				x := 3 + int(m.Kind)
				if m.Time > 0 {
					l.Clock = max(l.Clock, m.Time) + 1
				}
				if m.Time < l.At {
					x += 2
				} else if m.Time == l.At {
					x += 4
				}
				act(p, l, x, out)
				return true
			},
		}},
		Network: model.Network{
			Channel: model.Channel(r.IntN(2)), Crashes: r.IntN(2), Crashable: someOf(r, n),
			CrashSends: model.CrashSends(r.IntN(3)), MaxInFlight: 1 + r.IntN(3),
		},
		Clocks: &model.Clocks[clocked, envelope]{
			Local: func(l *clocked, visit func(*uint32)) {
				visit(&l.Clock)
				if l.At > 0 {
					visit(&l.At)
				}
			},
			Message: func(m *envelope, visit func(*uint32)) {
				if m.Time > 0 {
					visit(&m.Time)
				}
			},
			MaxSkew: 1 + r.IntN(3),
		},
	}
	c.Properties = []model.Property[global]{{
		Name: "invariant", Kind: model.Invariant, Holds: func(g *global) bool {
			return g.Count(func(l *clocked) bool { return l.Mode == 2 && l.At > 0 }) < n
		},
	}}
	return c
}

// TestClocksAgreeWithNaive compares searches that store states up to a shift of
// all times with the naive explorer, which knows of that only by the keys of states.
func TestClocksAgreeWithNaive(t *testing.T) {
	compared, large, all := 0, 0, int(seeds(24, 600))
	for seed := range uint64(all) {
		states := clocksAgree(t, fmt.Sprintf("seed %d", seed), rand.New(rand.NewPCG(seed, 5)))
		compared += min(1, states)
		large += min(1, states/51)
	}
	if !testing.Short() && (compared < all*5/6 || large < all/10) {
		t.Errorf("only %d compositions compared, %d of them large", compared, large)
	}
}

// clocksAgree compares on a random composition, which has a constraint or has not. It
// returns how many states that has; 0 if they are too many.
func clocksAgree(t *testing.T, name string, r *rand.Rand) (states int) {
	t.Helper()
	c := randomClocked(r)
	if r.IntN(4) == 0 {
		c.Constraint = func(p model.Proc, l *clocked) bool { return l.Mode != 2 || p != 0 }
	}
	if r.IntN(3) == 0 { // the clock outlives a crash
		c.Crash = func(_ model.Proc, l *clocked) { l.Mode = 0 }
		c.Recover = &model.Handler[clocked, envelope]{Name: "recover", Do: func(p model.Proc, l *clocked,
			out *model.Outbox[envelope]) bool {
			out.Send((p+1)%model.Proc(c.N), envelope{Time: l.Clock + 1})
			out.Send(p, envelope{Kind: 1, Time: l.Clock})
			return true
		}}
	}
	in := model.Compose(c)
	want, ok := naive.Explore(in.Plain, in.Space.Actions(), in.Space.Properties(), 3000)
	if !ok {
		return 0
	}
	for _, workers := range []int{1, 2} {
		r, err := explore.Run(context.Background(), in, explore.Options{KeepGoing: true, Workers: workers,
			MaxStates: 100_000})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		sameFigures(t, name, &want, r)
		if c.Constraint == nil && r.Beyond != r.Outside || r.Complete != (r.Beyond == 0) {
			t.Fatalf("%s: complete %v, %d successors outside, %d of them beyond the bounds", name, r.Complete,
				r.Outside, r.Beyond)
		}
		if p := r.Properties[0]; r.Beyond > 0 && (r.Verdict == explore.Holds || p.Verdict == explore.Holds) {
			t.Fatalf("%s: %s holds, %d successors are beyond the bounds", name, p.Name, r.Beyond)
		}
	}
	return want.States
}

// TestTimesOfTheDeadCount: while a process is dead, another one makes stamps: first below the stamp that the
// dead one keeps, then equal to it, then above it; where times count by their order only, at once.
func TestTimesOfTheDeadCount(t *testing.T) {
	type global = model.Global[clocked, envelope, model.None]
	handler := func(name string, do func(p model.Proc, l *clocked, out *model.Outbox[envelope]) bool,
	) model.Handler[clocked, envelope] {
		return model.Handler[clocked, envelope]{Name: name, Do: do}
	}
	comesUp := handler("recover", func(model.Proc, *clocked, *model.Outbox[envelope]) bool { return true })
	c := randomClocked(rand.New(rand.NewPCG(1, 5)))
	c.N, c.Recover, c.Receive, c.Network = 2, &comesUp, nil, model.Network{Dead: model.SetOf(1)}
	c.Local = []model.Handler[clocked, envelope]{
		handler("stamp", func(p model.Proc, l *clocked, out *model.Outbox[envelope]) bool {
			l.Mode++
			l.At = out.Later(l.Clock)
			l.Clock = l.At
			return p == 0 && l.Mode < 4
		}),
	}
	c.Properties = []model.Property[global]{{
		Name: "older", Kind: model.StepInvariant, Steps: []string{"recover"},
		HoldsStep: func(_ *global, _ model.Proc, s *global) bool { return s.Local(0).At <= s.Local(1).At },
	}}
	clocks := *c.Clocks
	for _, x := range []struct {
		byOrder   bool
		clock, at uint32 // of one, of the dead
		want      int
	}{{false, 1, 3, 4}, {true, 2, 2, 2}} {
		c.Clocks, clocks.MaxSkew, clocks.ByOrder = &clocks, 0, x.byOrder
		if clocks.ByOrder {
			clocks.Seen = func(l *clocked, visit func(*uint32)) { visit(&l.Clock) }
			clocks.Local = func(l *clocked, visit func(*uint32)) {
				if l.At > 0 {
					visit(&l.At)
				}
			}
		}
		c.Init = func(p model.Proc) clocked {
			return []clocked{{Clock: x.clock}, {Clock: x.at, At: x.at}}[p]
		}
		r, err := explore.Run(context.Background(), model.Compose(c), explore.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if p := r.Properties[0]; p.Verdict != explore.Violated || p.Length != x.want {
			t.Errorf("by order %v: %s after %d steps; want %d", x.byOrder, p.Verdict, p.Length, x.want)
		}
	}
}

// TestIdentification takes states of real runs, where times grow, and shifts of
// them, and wants two of them to have one key if and only if one is the other
// shifted: by a comparison of the variables that works out the shift by itself.
func TestIdentification(t *testing.T) {
	same, different := 0, 0
	for seed := range seeds(10, 40) {
		r := rand.New(rand.NewPCG(seed, 6))
		c := randomClocked(r)
		c.Clocks.MaxSkew, c.Network.MaxInFlight, c.Network.Channel = 0, 0, model.Bag
		in := model.Compose(c)
		var states []lts.State
		for range 10 { // random walks
			at := in.Plain.Init()[0].Next
			for range 12 {
				ts := in.Plain.Steps(at)
				if len(ts) == 0 {
					break
				}
				at = ts[r.IntN(len(ts))].Next
				states = append(states, at)
			}
		}
		var keys []string
		var vars [][]lts.Var
		for _, s := range states {
			keys, vars = append(keys, s.Key()), append(vars, s.Vars())
		}
		for i := range states {
			for j := range i {
				shifted := isShift(vars[i], vars[j])
				if (keys[i] == keys[j]) != shifted {
					t.Fatalf("seed %d: shifted is %v, keys\n%s\n%s", seed, shifted, keys[i], keys[j])
				}
				if shifted {
					same++
				} else {
					different++
				}
			}
		}
	}
	if !testing.Short() && (same < 1000 || different < 1000) {
		t.Errorf("%d pairs equal up to a shift, %d not: too few to tell", same, different)
	}
}

// isShift reads the variables of two states: all times differ by the same number,
// and the rest is equal. Times are the numbers in Clock and At and the second ones
// of messages, 0 in the last two being none.
func isShift(a, b []lts.Var) bool {
	if len(a) != len(b) {
		return false
	}
	dead := map[string]bool{}
	for _, v := range a {
		if v.Name == "crashed" {
			dead[v.Owner] = true
		}
	}
	var diffs []int
	for i := range a {
		if a[i].Owner != b[i].Owner || a[i].Name != b[i].Name {
			return false
		}
		x, y := packed(a[i].Value), packed(b[i].Value)
		if len(x) != len(y) {
			return false
		}
		if a[i].Name == "inbox" { // texts are not in the order of numbers
			x, y = sortTriples(x), sortTriples(y)
		}
		for k := range x {
			time := a[i].Name == "Clock" || a[i].Name == "At" && (x[k] > 0 || y[k] > 0) ||
				a[i].Name == "inbox" && k%3 == 1 && (x[k] > 0 || y[k] > 0)
			switch {
			case time && !dead[a[i].Owner]:
				if a[i].Name != "Clock" && (x[k] == 0 || y[k] == 0) {
					return false
				}
				diffs = append(diffs, x[k]-y[k])
			case x[k] != y[k]:
				return false
			}
		}
	}
	return len(slices.Compact(diffs)) <= 1
}

// sortTriples sorts messages: of each its kind, its time and its sender.
func sortTriples(xs []int) []int {
	return slices.Concat(slices.SortedFunc(slices.Chunk(xs, 3), slices.Compare)...)
}

// numbers returns the numbers in a text, in their order.
func packed(s string) (xs []int) {
	for _, f := range strings.FieldsFunc(s, func(c rune) bool { return c < '0' || c > '9' }) {
		var x int
		fmt.Sscan(f, &x)
		xs = append(xs, x)
	}
	return xs
}
