package explore_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/atmostk/atmostk/explore"
	"github.com/atmostk/atmostk/explore/naive"
	"github.com/atmostk/atmostk/invariants"
	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/protocol"
)

// TestAgreesWithNaive compares the search, with one and with three workers, with
// the naive explorer on random systems and random compositions: once with all
// properties, for which all steps have to be expanded, and once with those of states
// only, for which steps that commute are left out; and once with those that are judged
// by table, for which most states need not be.
func TestAgreesWithNaive(t *testing.T) {
	compared, all := 0, withRare(30, 500, 61, 83, 136, 193)
	for _, seed := range all {
		compare(t, fmt.Sprintf("system %d", seed), func() model.Instance {
			return randomSystem(rand.New(rand.NewPCG(seed, 1)))
		})
		if compare(t, fmt.Sprintf("composition %d", seed), func() model.Instance {
			return randomComposition(rand.New(rand.NewPCG(seed, 1)))
		}) {
			compared++
		}
	}
	for _, seed := range withRare(20, 1000, 689) { // a crash inside the recovery
		compare(t, fmt.Sprintf("recovery %d", seed), func() model.Instance {
			return randomRecovery(rand.New(rand.NewPCG(seed, 3)))
		})
	}
	if !testing.Short() && compared < len(all)/2 {
		t.Errorf("only %d of %d random compositions were small enough to be compared", compared, len(all))
	}
	for seed := range seeds(20, 166) {
		compare(t, fmt.Sprintf("senders %d", seed), func() model.Instance {
			return randomSenders(rand.New(rand.NewPCG(seed, 13)), model.Channel(seed%2))
		})
	}
}

// TestLargeAgreesWithNaive compares on a random graph of which the levels take several chunks
// of the queue, and the states so much room that the visited set grows.
func TestLargeAgreesWithNaive(t *testing.T) {
	in := randomGraph(rand.New(rand.NewPCG(1, 11)), 30_000)
	want, _ := naive.Explore(in.Plain, in.Space.Actions(), in.Space.Properties(), 30_000)
	if want.States < 15_000 {
		t.Fatalf("only %d states", want.States)
	}
	for _, workers := range []int{1, 3} {
		agree(t, fmt.Sprintf("%d workers", workers), in, want,
			explore.Options{KeepGoing: true, Workers: workers, Properties: []int{0, 1, 2, 3, 4}})
	}
}

// compare returns false if the instances that are made, all the same, are too large for
// the naive explorer.
func compare(t *testing.T, name string, instance func() model.Instance) bool {
	t.Helper()
	in := instance()
	props := in.Space.Properties()
	want, ok := naive.Explore(in.Plain, in.Space.Actions(), props, 1000)
	if !ok {
		return false
	}
	var all, ofStates, tabled []int
	for i, p := range props {
		if p.OnRequest {
			continue
		}
		all = append(all, i)
		if p.Kind != model.StepInvariant && p.Kind != model.Costs {
			ofStates = append(ofStates, i)
		}
		if p.ByTable {
			tabled = append(tabled, i)
		}
	}
	for k, asked := range [][]int{all, ofStates, tabled} {
		for _, workers := range []int{1, 3} {
			if workers > 1 && k > 0 && !sweep {
				continue // the same steps are left out, whoever takes them
			}
			agree(t, fmt.Sprintf("%s, %d properties, %d workers", name, len(asked), workers), instance(),
				want,
				explore.Options{KeepGoing: true, Workers: workers, Properties: asked})
		}
	}
	return true
}

// agree compares a search with what is wanted.
func agree(t *testing.T, name string, in model.Instance, want naive.Counts, opt explore.Options) {
	t.Helper()
	opt.MaxStates = 100_000 // more than it has: a mistake should not take all memory
	if opt.Workers > 1 {
		opt.MaxStates = int64(want.States) + 1 // the last states are looked up one by one
	}
	r, err := explore.Run(context.Background(), in, opt)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	sameFigures(t, name, &want, r)
	if !r.Complete {
		t.Fatalf("%s: not complete", name)
	}
	for k, i := range opt.Properties {
		p := r.Properties[k]
		steps, found := want.Found[i]
		if !found {
			steps = -1
		}
		if p.Length != steps {
			t.Fatalf("%s: %s: found after %d steps, naively after %d", name, p.Name, p.Length, steps)
		}
		if p.Count != want.Count[i] {
			t.Fatalf("%s: %s: found %d times, naively %d", name, p.Name, p.Count, want.Count[i])
		}
		if wantVerdict := verdict(p.Kind, found); p.Verdict != wantVerdict {
			t.Fatalf("%s: %s: %s, want %s", name, p.Name, p.Verdict, wantVerdict)
		}
	}
}

func verdict(k model.PropertyKind, found bool) explore.Verdict {
	if found == (k == model.Reachable) {
		return explore.Holds
	}
	return explore.Violated
}

// five has an odd size, so that vectors do not end with the state.
type five struct{ A, B, C, D, E uint8 }

// randomSystem is a random graph over up to 300 states, with picks, several
// initial states, a constraint and a property of each kind.
func randomSystem(r *rand.Rand) model.Instance { return randomGraph(r, 1+r.IntN(300)) }

func randomGraph(r *rand.Rand, n int) model.Instance {
	out := make([][][]int, 4) // per action and state: successors to pick from
	for a := range out {
		out[a] = make([][]int, n)
		for s := range out[a] {
			for range max(0, r.IntN(4)-1) {
				out[a][s] = append(out[a][s], r.IntN(n))
			}
		}
	}
	enc := func(s int) five { return five{A: uint8(s), C: uint8(s >> 8), E: uint8(s % 7)} }
	dec := func(f *five) int { return int(f.A) | int(f.C)<<8 }
	sys := model.System[five]{
		Constraint: func(f *five) bool { return dec(f)%11 != 10 },
		Properties: randomProperties(r, func(f *five, salt int) bool { return (dec(f)*31+salt)%97 != 5 },
			"a0"),
	}
	for range 1 + r.IntN(3) {
		sys.Init = append(sys.Init, enc(r.IntN(n)))
	}
	if !slices.ContainsFunc(sys.Init, func(f five) bool { return sys.Constraint(&f) }) {
		sys.Init = append(sys.Init, enc(0))
	}
	for a := range out {
		sys.Actions = append(sys.Actions, model.SystemAction[five]{
			Name: fmt.Sprintf("a%d", a), Kind: protocol.ActionKind(a % 3), Instances: 2,
			Do: func(f *five, i int, c *model.Choice) bool {
				next := out[a][dec(f)]
				if len(next) == 0 || i == 1 && dec(f)%2 == 0 {
					return false
				}
				*f = enc(next[c.Pick(len(next))])
				return true
			},
		})
	}
	return model.NewSystem(sys)
}

// randomProperties makes one property of each kind out of an arbitrary predicate.
func randomProperties[S any](r *rand.Rand, holds func(*S, int) bool, step string) []model.Property[S] {
	salt := r.IntN(1000)
	state := func(s *S) bool { return holds(s, salt) }
	return []model.Property[S]{
		{Name: "invariant", Kind: model.Invariant, Holds: state},
		{Name: "reachable", Kind: model.Reachable, Holds: func(s *S) bool { return !holds(s, salt+1) }},
		{Name: "quiet", Kind: model.Quiet, Holds: func(s *S) bool {
			return holds(s, salt+2) &&
				holds(s, salt+3)
		}},
		{Name: "deadlock", Kind: model.DeadlockFree},
		{Name: "step", Kind: model.StepInvariant, Steps: []string{step}, HoldsStep: func(from *S,
			by model.Proc, to *S) bool {
			return holds(from, salt+int(by)) && holds(to, salt)
		}},
	}
}

// someOf returns at least one of n processes, at most 3.
func someOf(r *rand.Rand, n int) model.Set {
	return max(1, model.Set(r.IntN(8))&model.All(n))
}

// worker is the local state of a random automaton. Fuel bounds what it does.
type worker struct {
	Mode, Fuel uint8
	Knows      model.Set
}

// tally is a history that counts notes and excludes some sequences.
type tally struct{ N uint8 }

// randomComposition is two or three random automata under a random adversary.
func randomComposition(r *rand.Rand) model.Instance {
	return randomAutomata(r, func(*model.Composition[worker, uint8, tally]) {})
}

// randomAutomata is a random composition that more changes in the end.
func randomAutomata(r *rand.Rand, more func(*model.Composition[worker, uint8, tally])) model.Instance {
	type global = model.Global[worker, uint8, tally]
	n := 2 + r.IntN(2)
	fuel := uint8(1 + r.IntN(2)*(3-n))
	table := make([]int, 256)
	for i := range table {
		table[i] = r.IntN(1 << 16)
	}
	// act changes the local state and sends by the random table; x is what it reacts to.
	act := func(p model.Proc, l *worker, x int, out *model.Outbox[uint8]) bool {
		e := table[(int(l.Mode)*7+x*13+int(p))%len(table)]
		if l.Fuel == 0 || e%5 == 0 {
			return false
		}
		l.Fuel--
		l.Mode = uint8((e>>3 + out.Pick(1+e>>5%2)) % 4)
		for q := range model.Proc(n) {
			if e>>(6+q)&1 == 1 {
				out.Send(q, uint8(e>>9%3))
			}
		}
		if e>>12&1 == 1 {
			out.Send(model.Proc(e>>13%n), uint8(e>>10%3))
		}
		if e>>14 != 0 {
			out.Note(uint32(e >> 14))
		}
		return true
	}
	c := model.Composition[worker, uint8, tally]{
		N:    n,
		Init: func(p model.Proc) worker { return worker{Mode: uint8(p), Fuel: fuel} },
		Local: []model.Handler[worker, uint8]{
			{Name: "a", Do: func(p model.Proc, l *worker, out *model.Outbox[uint8]) bool {
				return act(p, l, 1,
					out)
			}},
			{Name: "b", Kind: model.Spontaneous, Do: func(p model.Proc, l *worker,
				out *model.Outbox[uint8]) bool {
				return act(p, l, 2, out)
			}},
		},
		Receive: []model.Receiver[worker, uint8]{
			{Name: "zero", Accepts: func(m uint8) bool { return m == 0 }, Do: func(p, from model.Proc,
				_ uint8, l *worker, out *model.Outbox[uint8]) bool {
				return act(p, l, 3+int(from), out) || l.Mode != 1 // else it cannot be received now
			}},
			{Name: "other", Accepts: func(uint8) bool { return true }, Do: func(p, _ model.Proc, m uint8,
				l *worker, out *model.Outbox[uint8]) bool {
				act(p, l, int(m)+5, out)
				return true
			}},
		},
		Network: model.Network{
			Channel: model.Channel(r.IntN(2)), Crashes: r.IntN(3), Crashable: someOf(r, n),
			CrashSends: model.CrashSends(r.IntN(3)),
		},
		Properties: randomProperties(r, func(g *global, salt int) bool {
			x := int(g.History().N) + int(g.Dead) + salt
			for p := range model.Proc(g.N) {
				x = x*31 + int(g.Local(p).Mode) + len(g.Inbox(p))
			}
			return uint(x)%61 != 3
		}, "a"),
	}
	c.Units = func(l *worker) int { return int(l.Mode) }
	most, salt := 1+r.IntN(9), r.IntN(40)
	c.Properties = append(c.Properties,
		model.Property[global]{Name: "use", Kind: model.Invariant, OfUse: func(used, live int) bool {
			return used+3*(n-live) != most
		}},
		model.Property[global]{Name: "local", Kind: model.Invariant, OfLocal: func(g *global,
			p model.Proc) bool {
			l := g.Local(p)
			return int(l.Mode)+int(l.Fuel)*4+int(p) != salt
		}},
		model.Property[global]{
			Name: "clear", Kind: model.Invariant,
			Holds: func(g *global) bool {
				return g.Dead == 0 ||
					g.Count(func(l *worker) bool { return l.Mode == 3 }) < 2
			},
			Clear: func(g *global, p model.Proc) bool { return g.Local(p).Mode != 3 },
		},
		model.Property[global]{Name: "inbox", Kind: model.Invariant, OfInbox: func(g *global,
			p model.Proc) bool {
			return len(g.Inbox(p)) != salt-int(p)
		}})
	c.Charge = func(from, to model.Proc, m uint8) model.Proc {
		if m == 1 {
			return to
		}
		return from
	}
	c.Properties = append(c.Properties,
		invariants.Of[worker, uint8, tally]{}.Messages("a", "other", 1, 3),
		invariants.MessagesTotal(1, 5, func(g *global) int { return int(g.Local(0).Mode) }))
	if r.IntN(2) == 0 {
		c.Notice = &model.Notice[worker, uint8]{Name: "notice", Do: func(p, dead model.Proc, l *worker,
			out *model.Outbox[uint8]) bool {
			if l.Knows.Has(dead) {
				return false
			}
			l.Knows = l.Knows.With(dead)
			act(p, l, 9, out)
			return true
		}}
	}
	if r.IntN(2) == 0 {
		c.History = model.History[tally]{Step: func(h *tally, e model.Event) bool {
			h.N = (h.N + uint8(e.Note) + uint8(e.Dead)) % 5
			return h.N != 4 || e.Crash
		}}
	}
	if r.IntN(3) == 0 {
		c.Constraint = func(p model.Proc, l *worker) bool { return l.Mode != 3 || p != 0 }
	}
	if c.Network.Crashes > 0 && r.IntN(3) == 0 {
		c.Network.Dead = model.SetOf(0)
	}
	if r.IntN(3) == 0 {
		c.Network.Faults = randomFaults(r, n)
	}
	more(&c)
	return model.Compose(c)
}

// randomRecovery is a random composition whose dead processes come up again. It keeps its fuel and its mode,
// or loses all. The recovery is ordinary, spontaneous or a fault, and may fail.
func randomRecovery(r *rand.Rand) model.Instance {
	return randomAutomata(r, func(c *model.Composition[worker, uint8, tally]) {
		c.Network.Crashes, c.Network.Crashable = 1+r.IntN(3), someOf(r, c.N)|1
		if r.IntN(3) > 0 {
			c.Crash = func(_ model.Proc, l *worker) { *l = worker{Mode: l.Mode, Fuel: l.Fuel} }
		}
		sends, mode := r.IntN(2) == 0, uint8(r.IntN(5))
		kinds := []protocol.ActionKind{protocol.Ordinary, model.Spontaneous, model.Fault}
		c.Recover = &model.Handler[worker, uint8]{
			Name: "recover", Kind: kinds[r.IntN(3)],
			Do: func(p model.Proc, l *worker, out *model.Outbox[uint8]) bool {
				if l.Mode == mode {
					return false
				}
				if l.Mode = (l.Mode + uint8(out.Pick(1+int(l.Mode&1)))) % 4; sends {
					out.Send((p+1)%model.Proc(c.N), 1)
					out.Send((p+1)%model.Proc(c.N), 2) // a crash may come between
					out.Note(1)
				}
				return true
			}}
	})
}

// TestUseIsJudgedAgainAfterRecovery: the process that comes up is the second one that lives and uses units.
func TestUseIsJudgedAgainAfterRecovery(t *testing.T) {
	var c model.Composition[worker, uint8, tally]
	c.N, c.Units = 2, func(l *worker) int { return int(l.Mode) }
	c.Init = func(model.Proc) worker { return worker{} }
	c.Network = model.Network{Crashes: 1, Crashable: model.SetOf(0)}
	c.Recover = &model.Handler[worker, uint8]{
		Name: "recover", Do: func(_ model.Proc, _ *worker, _ *model.Outbox[uint8]) bool { return true },
	}
	c.Local = []model.Handler[worker, uint8]{{
		Name: "use", Do: func(p model.Proc, l *worker, _ *model.Outbox[uint8]) bool {
			l.Mode++
			return p == 1 && l.Mode == 1
		}}}
	c.Properties = []model.Property[model.Global[worker, uint8, tally]]{{
		Name: "use", Kind: model.Invariant, OfUse: func(used, live int) bool { return used == 0 || live < 2 },
	}}
	c.Network.Dead = model.SetOf(0)
	compare(t, "recovery", func() model.Instance { return model.Compose(c) })
}

// randomSenders is two or three processes that send one message after the other, in all four,
// with a choice between two now and then, and remember what they receive in which order: several
// messages of one process are under way, sent in different steps.
func randomSenders(r *rand.Rand, channel model.Channel) model.Instance {
	type global = model.Global[worker, uint8, model.None]
	type choice struct {
		to   model.Proc
		kind uint8
	}
	n := 2 + r.IntN(2)
	var steps [3]uint8
	for range 4 {
		steps[r.IntN(n)]++
	}
	var program [3][4][]choice
	for p := range program {
		for i := range program[p] {
			for range 1 + r.IntN(2) {
				program[p][i] = append(program[p][i], choice{model.Proc(r.IntN(n)), uint8(r.IntN(3))})
			}
		}
	}
	return model.Compose(model.Composition[worker, uint8, model.None]{
		N: n, Init: func(p model.Proc) worker { return worker{Fuel: steps[p]} },
		Local: []model.Handler[worker, uint8]{{Name: "send", Do: func(p model.Proc, l *worker,
			out *model.Outbox[uint8]) bool {
			if l.Fuel == 0 {
				return false
			}
			l.Fuel--
			x := program[p][l.Fuel]
			next := x[out.Pick(len(x))]
			out.Send(next.to, next.kind)
			return true
		}}},
		Receive: []model.Receiver[worker, uint8]{{Name: "receive", Accepts: func(uint8) bool { return true },
			Do: func(_, _ model.Proc, m uint8, l *worker, _ *model.Outbox[uint8]) bool {
				l.Mode = l.Mode*3 + m + 1
				return true
			}}},
		Network: model.Network{Channel: channel},
		Properties: randomProperties(r, func(g *global, salt int) bool {
			return (int(g.Local(0).Mode)*41+int(g.Local(1).Mode)+salt)%61 != 3
		}, "send"),
	})
}

// randomFaults is a random channel adversary for n processes.
func randomFaults(r *rand.Rand, n int) (f protocol.Faults) {
	f.Losses, f.Copies = r.IntN(3), r.IntN(2)
	if r.IntN(2) == 0 {
		for range n {
			f.On = append(f.On, model.Set(r.IntN(1<<n)))
		}
	}
	if r.IntN(3) == 0 {
		f.Split, f.Heals = model.Set(1+r.IntN(1<<n-2)), r.IntN(2) == 0
	}
	return f
}
