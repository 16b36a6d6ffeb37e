package explore_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/atmostk/atmostk/explore"
	"github.com/atmostk/atmostk/invariants"
	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/specs/raymond"
	"github.com/atmostk/atmostk/specs/timerfree"
)

// clocked is the local state of a random automaton with a Lamport clock and one
// remembered time; 0 is none.
type clocked struct {
	Mode      uint8
	Clock, At uint32
}

// letter is a message with a time, or without one.
type letter struct {
	Kind uint8
	Time uint32
}

// randomClocked is two or three random automata that compare times and never
// stop, within random bounds.
func randomClocked(r *rand.Rand) model.Composition[clocked, letter, model.None] {
	type global = model.Global[clocked, letter, model.None]
	n := 2 + r.IntN(2)
	table := make([]int, 128)
	for i := range table {
		table[i] = r.IntN(1 << 16)
	}
	act := func(p model.Proc, l *clocked, x int, out *model.Outbox[letter]) bool {
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
			m := letter{Kind: uint8(e >> 7 % 2)}
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
	c := model.Composition[clocked, letter, model.None]{
		N: n, Init: func(p model.Proc) clocked { return clocked{Mode: uint8(p), Clock: 1} }, // 0 would be taken for never
		Local: []model.Handler[clocked, letter]{
			{Name: "a", Do: func(p model.Proc, l *clocked, out *model.Outbox[letter]) bool { return act(p, l, 1, out) }},
		},
		Receive: []model.Receiver[clocked, letter]{{
			Name: "receive", Accepts: func(letter) bool { return true },
			Do: func(p, _ model.Proc, m letter, l *clocked, out *model.Outbox[letter]) bool {
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
			Channel: model.Channel(r.IntN(2)), Crashes: r.IntN(2), Crashable: model.Set(r.IntN(8)),
			CrashSends: model.CrashSends(r.IntN(3)), MaxInFlight: 1 + r.IntN(3),
		},
		Clocks: &model.Clocks[clocked, letter]{
			Local: func(l *clocked, visit func(*uint32)) {
				visit(&l.Clock)
				if l.At > 0 {
					visit(&l.At)
				}
			},
			Message: func(m *letter, visit func(*uint32)) {
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
	compared, large := 0, 0
	for seed := range uint64(600) {
		c := randomClocked(rand.New(rand.NewPCG(seed, 5)))
		in := model.Compose(c)
		want, ok := naive(in.Plain, in.Space.Actions(), in.Space.Properties(), 3000)
		if !ok {
			continue
		}
		compared++
		if want.states > 50 {
			large++
		}
		for _, workers := range []int{1, 2} {
			r, err := explore.Run(context.Background(), in, explore.Options{KeepGoing: true, Workers: workers})
			if err != nil {
				t.Fatal(err)
			}
			if int(r.States) != want.states || int(r.Generated) != want.generated || r.Depth != want.depth {
				t.Fatalf("seed %d: %d states, %d generated, depth %d; naively %d, %d, %d", seed,
					r.States, r.Generated, r.Depth, want.states, want.generated, want.depth)
			}
			if r.Complete != (r.Beyond == 0) || r.Beyond > 0 && r.Verdict == explore.Holds {
				t.Fatalf("seed %d: %s, complete %v, with %d successors beyond the bounds", seed, r.Verdict, r.Complete, r.Beyond)
			}
		}
	}
	if compared < 500 || large < 80 {
		t.Errorf("only %d compositions compared, %d of them large", compared, large)
	}
}

// TestIdentification takes states of real runs, where times grow, and shifts of
// them, and wants two of them to have one key if and only if one is the other
// shifted: by a comparison of the variables that works out the shift by itself.
func TestIdentification(t *testing.T) {
	same, different := 0, 0
	for seed := range uint64(40) {
		r := rand.New(rand.NewPCG(seed, 6))
		c := randomClocked(r)
		c.Clocks.MaxSkew, c.Network.MaxInFlight, c.Network.Channel = 0, 0, model.Bag
		in := model.Compose(c)
		var states []model.State
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
		var vars [][]model.Var
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
	if same < 1000 || different < 1000 {
		t.Errorf("%d pairs equal up to a shift, %d not: too few to tell", same, different)
	}
}

// isShift reads the variables of two states: all times differ by the same number,
// and the rest is equal. Times are the numbers in Clock and At and the second ones
// of messages, 0 in the last two being none.
func isShift(a, b []model.Var) bool {
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
		x, y := numbers(a[i].Value), numbers(b[i].Value)
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
func numbers(s string) (xs []int) {
	for _, f := range strings.FieldsFunc(s, func(c rune) bool { return c < '0' || c > '9' }) {
		var x int
		fmt.Sscan(f, &x)
		xs = append(xs, x)
	}
	return xs
}

// TestEndlessLikeBounded compares rounds=inf with bounded rounds where both apply:
// what is violated with some number of rounds, or reached, is so without an end to them.
func TestEndlessLikeBounded(t *testing.T) {
	for _, row := range []struct {
		spec                      model.Spec
		args, rounds, bounds, not string
	}{
		{raymond.Spec, "n=2 k=1", "rounds=3", "", ""},
		{raymond.Spec, "n=2 k=2", "rounds=2", "max-in-flight=3 max-skew=3", ""},
		{raymond.Spec, "n=2 k=1 crashes=1", "rounds=2", "", ""},
		{timerfree.Spec, "n=2 k=1 f=0 variant=c", "rounds=2", "", ""},
		{timerfree.Spec, "n=2 k=1 f=0 variant=a channel=bag", "rounds=2", "", ""},
		{timerfree.Spec, "n=2 k=1 f=0 variant=c order=footnote", "rounds=2", "", ""},
	} {
		t.Run(row.spec.Name+" "+row.args, func(t *testing.T) {
			bounded := verdictsOf(t, row.spec, row.args+" "+row.rounds)
			bounds := row.bounds
			if bounds == "" {
				bounds = "max-in-flight=5 max-skew=5"
			}
			endless := verdictsOf(t, row.spec, row.args+" rounds=inf "+bounds)
			for name, p := range bounded {
				found := p.Path != nil
				e := endless[name]
				if p.Kind == model.Quiet || p.Kind == model.Liveness { // what is left to do is another thing
					continue
				}
				if found != (e.Path != nil) || found && e.Length != p.Length {
					t.Errorf("%s: %s after %d steps; rounds=inf: %s after %d", name, p.Verdict, p.Length, e.Verdict, e.Length)
				}
				if !found && e.Verdict == explore.Holds {
					t.Errorf("%s: holds, although states were cut off", name)
				}
			}
		})
	}
}

func verdictsOf(t *testing.T, spec model.Spec, args string) map[string]explore.Result {
	t.Helper()
	in, _, err := spec.Instantiate(strings.Fields(args))
	if err != nil {
		t.Fatal(err)
	}
	r, err := explore.Run(context.Background(), in, explore.Options{KeepGoing: true})
	if err != nil {
		t.Fatal(err)
	}
	results := map[string]explore.Result{}
	for _, p := range r.Properties {
		results[p.Name] = p
	}
	return results
}

// TestDeliveryAgreesWithNaive compares liveness under fairness of processes and of
// messages, in compositions with clocks, with a checker that goes through all sets
// of states.
func TestDeliveryAgreesWithNaive(t *testing.T) {
	verdicts := map[string]int{}
	for seed := range uint64(3000) {
		r := rand.New(rand.NewPCG(seed, 7))
		c := randomClocked(r)
		c.Clocks.MaxSkew = 1 + r.IntN(2)
		how := []string{"weak", "strong", "none"}[r.IntN(3)]
		c.Fair(how)
		if r.IntN(4) == 0 {
			c.History.Step = func(_ *model.None, e model.Event) bool { return e.Note < 6 || e.Crash }
		}
		mode := func(p model.Proc, m uint8) func(*model.Global[clocked, letter, model.None]) bool {
			return func(g *model.Global[clocked, letter, model.None]) bool { return g.Local(p).Mode == m }
		}
		c.Properties = []model.Property[model.Global[clocked, letter, model.None]]{
			invariants.AlwaysEventually(mode(0, 2)),
			invariants.RequestsServed[clocked, letter, model.None](c.N, func(l *clocked) bool { return l.Mode == 1 }),
			invariants.LeadsTo(mode(1, 1), mode(0, 0)),
		}
		in := model.Compose(c)
		if _, small := naive(in.Plain, in.Space.Actions(), nil, 10); !small {
			continue
		}
		rep, err := explore.Run(context.Background(), in, explore.Options{Workers: 1 + int(seed%2)})
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		for i, p := range rep.Properties {
			violated := false
			for k := range p.Lassos {
				violated = violated || naiveDelivery(in, i, k)
			}
			got := p.Verdict == explore.Violated
			if strings.Contains(p.Undecided, "moves all times") {
				verdicts[how+" drifts"]++
				continue
			}
			if got != violated || p.Verdict == explore.Holds && rep.Beyond > 0 {
				t.Fatalf("seed %d: %s under %s fairness is %s, naively violated: %v", seed, p.Name, how, p.Verdict, violated)
			}
			verdicts[fmt.Sprintf("%s %v", how, got)]++
		}
	}
	t.Log(verdicts)
	for _, name := range []string{"weak true", "weak false", "strong true", "strong false", "none true", "none false"} {
		if verdicts[name] < 100 {
			t.Errorf("%s: %d: too few to tell", name, verdicts[name])
		}
	}
}

// naiveDelivery looks for a set of states in which a run can go round for ever,
// fair also to messages, as lasso k of a property has it.
func naiveDelivery(in model.Instance, property, k int) bool {
	states, initial, edges := naiveGraph(in.Plain)
	info := in.Space.Properties()[property].Lassos[k]
	role := func(key string) model.Roles { return in.Plain.Roles(states[key], property, k) }
	var keys []string
	after := map[string]bool{}
	for key := range states {
		keys = append(keys, key)
		if (initial[key] || !info.Initially) && role(key)&model.Starts != 0 && role(key)&model.Fulfils == 0 {
			after[key] = true
		}
	}
	spread(after, edges, func(key string) bool { return role(key)&model.Fulfils == 0 })
	for chosen := 1; chosen < 1<<len(keys); chosen++ {
		set := map[string]bool{}
		ok := true
		for i, key := range keys {
			if chosen>>i&1 == 1 {
				set[key] = true
				ok = ok && after[key] && role(key)&model.OffCycle == 0
			}
		}
		if ok && connected(set, edges) && naiveFair(in, set, edges) && naiveDelivers(in, set, states) {
			return true
		}
	}
	return false
}

// naiveDelivers reports whether a run that goes through all states and steps inside
// a set puts off no message for ever, and, if it stays in one state, may stay there.
func naiveDelivers(in model.Instance, set map[string]bool, states map[string]model.State) bool {
	type mail struct{ from, to, text string }
	enabled, received := map[mail]map[string]bool{}, map[mail]bool{}
	moves, stuck := false, len(set) == 1
	for key := range set {
		base := leastTime(states[key])
		steps := in.Plain.Steps(states[key])
		stuck = stuck && len(steps) > 0
		for _, t := range steps {
			stuck = stuck && t.Pruned
			next := t.Next.Key()
			inside := set[next] && !t.Pruned && !t.Outside && next != key
			moves = moves || inside && leastTime(t.Next) != base
			if t.Received == nil || next == key {
				continue
			}
			x := numbers(t.Received.Text) // kind and time
			m := mail{t.Received.From, t.Received.To, fmt.Sprint(x[0], x[1])}
			if x[1] > 0 {
				m.text = fmt.Sprint(x[0], " at ", x[1]-base)
			}
			if enabled[m] == nil {
				enabled[m] = map[string]bool{}
			}
			enabled[m][key] = true
			received[m] = received[m] || inside
		}
	}
	if stuck {
		return false
	}
	for m, where := range enabled {
		owed := len(where) == len(set) || in.Space.Delivery() == model.StrongDelivery
		if owed && !received[m] && in.Space.Delivery() != model.AnyDelivery && (!moves || !strings.Contains(m.text, "at")) {
			return false
		}
	}
	return true
}

// leastTime reads the least time from the variables of a state.
func leastTime(s model.State) int {
	least, dead := 1<<30, map[string]bool{}
	for _, v := range s.Vars() {
		xs := numbers(v.Value)
		switch {
		case v.Name == "crashed":
			dead[v.Owner] = true
		case dead[v.Owner]:
		case v.Name == "Clock" || v.Name == "At" && xs[0] > 0:
			least = min(least, xs[0])
		case v.Name == "inbox":
			for i := 1; i < len(xs); i += 3 {
				if xs[i] > 0 {
					least = min(least, xs[i])
				}
			}
		}
	}
	return least
}

// TestMessagesThatMoveOn looks at a run in which at any time a message of the second
// least time is under way and none is received before it has become the one of the
// least: every message is received, though stored states look as if one were put off.
func TestMessagesThatMoveOn(t *testing.T) {
	const ack, next = 1, 2
	c := model.Composition[clocked, letter, model.None]{
		N: 2, Init: func(model.Proc) clocked { return clocked{Clock: 1} },
		Local: []model.Handler[clocked, letter]{{Name: "start", Do: func(p model.Proc, l *clocked, out *model.Outbox[letter]) bool {
			if p != 0 || l.Clock > 1 {
				return false
			}
			for range 3 {
				l.Clock++
				out.Send(1, letter{Time: l.Clock})
			}
			return true
		}}},
		Receive: []model.Receiver[clocked, letter]{
			{Name: "timed", Accepts: func(m letter) bool { return m.Time > 0 }, Do: func(_, _ model.Proc, m letter, l *clocked, out *model.Outbox[letter]) bool {
				if m.Time != l.Clock+1 || l.Mode != 0 {
					l.Mode = 2 // overtaken, for ever
					return true
				}
				l.Clock, l.Mode = m.Time, 1
				out.Send(0, letter{Kind: ack})
				return true
			}},
			{Name: "ack", Accepts: func(m letter) bool { return m.Kind == ack }, Do: func(_, _ model.Proc, _ letter, l *clocked, out *model.Outbox[letter]) bool {
				l.Clock++
				out.Send(1, letter{Time: l.Clock})
				out.Send(1, letter{Kind: next})
				return true
			}},
			{Name: "next", Accepts: func(m letter) bool { return m.Kind == next }, Do: func(_, _ model.Proc, _ letter, l *clocked, _ *model.Outbox[letter]) bool {
				if l.Mode == 1 {
					l.Mode = 0
				}
				return true
			}},
		},
		Clocks: randomClocked(rand.New(rand.NewPCG(0, 0))).Clocks,
	}
	c.Clocks.MaxSkew = 0
	c.Properties = []model.Property[model.Global[clocked, letter, model.None]]{
		invariants.AlwaysEventually(func(g *model.Global[clocked, letter, model.None]) bool { return g.Local(1).Mode == 2 }),
	}
	for _, how := range []string{"weak", "strong"} {
		c.Fairness = nil
		c.Fair(how)
		r, err := explore.Run(context.Background(), model.Compose(c), explore.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if p := r.Properties[0]; p.Verdict != explore.Violated || p.CycleAt == len(p.Path)-1 || !r.Complete {
			t.Errorf("%s fairness: %s with a cycle of %d steps, %d states", how, p.Verdict, len(p.Path)-1-p.CycleAt, r.States)
		}
	}
}
