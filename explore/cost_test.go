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
	"github.com/atmostk/atmostk/model/lts"
	"github.com/atmostk/atmostk/model/protocol"
)

// TestCosts compares the least and the most that is counted with an enumeration of all
// runs with their counts, on random compositions, with one and with three workers.
func TestCosts(t *testing.T) {
	compared, all := map[string]int{}, withRare(20, 400, 50)
	for _, seed := range all {
		costsAgree(t, fmt.Sprintf("seed %d", seed), rand.New(rand.NewPCG(seed, 4)), compared)
	}
	if least := len(all) / 10; !testing.Short() && (compared["messages"] < least ||
		compared["messages-total"] < least) {
		t.Errorf("few extremes differ: %v", compared)
	}
}

// costsAgree compares on a random composition, if that is small, and counts per property
// where least and most differ.
func costsAgree(t *testing.T, name string, r *rand.Rand, compared map[string]int) {
	t.Helper()
	const limit = 1500
	in := randomComposition(r)
	g, ok := number(in.Plain, limit)
	if !ok {
		return
	}
	for i, p := range in.Space.Properties() {
		if p.Kind != model.Costs {
			continue
		}
		want, ok := naiveCosts(in, g, i, limit)
		if !ok {
			continue
		}
		for _, workers := range []int{1, 3} {
			r, err := explore.Run(context.Background(), in, explore.Options{Properties: []int{i},
				Workers: workers})
			if err != nil {
				t.Fatalf("%s, %s: %v", name, p.Name, err)
			}
			got, wantVerdict := r.Properties[0], explore.Holds
			for _, r := range []*rate{want.least, want.most} {
				if r != nil && !p.Bound.Allows(r.count, r.requests) {
					wantVerdict = explore.Violated
				}
			}
			if shown(got.Least) != want.least.String() || shown(got.Most) != want.most.String() ||
				got.Verdict != wantVerdict {
				t.Fatalf("%s, %s: %s, %s to %s; naively %s, %v to %v", name, p.Name,
					got.Verdict, shown(got.Least), shown(got.Most), wantVerdict, want.least, want.most)
			}
		}
		if want.least != nil && want.least.String() != want.most.String() {
			compared[p.Name]++
		}
	}
}

// rate is a count for so many requests.
type rate struct{ count, requests int }

func (r *rate) String() string {
	if r == nil {
		return "nothing"
	}
	return fmt.Sprintf("%.4f", float64(r.count)/float64(r.requests))
}

func shown(e *explore.Extreme) string {
	if e == nil {
		return "nothing"
	}
	return (&rate{e.Count, e.Requests}).String()
}

type rates struct{ least, most *rate }

func (r *rates) add(x rate) {
	if r.least == nil || x.count*r.least.requests < r.least.count*x.requests {
		r.least = &x
	}
	if r.most == nil || x.count*r.most.requests > r.most.count*x.requests {
		r.most = &x
	}
}

// naiveCosts enumerates the states together with what was counted on the way: for whole
// runs, or for one process after the other. It gives up at a limit.
func naiveCosts(in model.Instance, g numbered, i, limit int) (found rates, ok bool) {
	b := in.Space.Properties()[i].Bound
	if b.Whole() {
		return found, naiveCount(in, g, i, -1, limit, &found)
	}
	for process := range 3 { // as many as there are at most
		if !naiveCount(in, g, i, process, limit, &found) {
			return found, false
		}
	}
	return found, true
}

func naiveCount(in model.Instance, g numbered, i, process, limit int, found *rates) bool {
	type node struct{ state, count int } // count is -1 if none is under way
	b, actions := in.Space.Properties()[i].Bound, in.Space.Actions()
	seen := map[node]bool{}
	var todo []node
	visit := func(state, count int) {
		if n := (node{state, count}); !seen[n] {
			seen[n] = true
			todo = append(todo, n)
		}
	}
	for _, s := range g.initial {
		visit(s, -min(1, process+1))
	}
	for len(todo) > 0 && len(seen) <= limit {
		n := todo[0]
		todo = todo[1:]
		quiet := true
		for _, t := range g.steps[n.state] {
			quiet = quiet && actions[t.Action].Kind != protocol.Ordinary
			if t.to < 0 {
				continue
			}
			name, its := actions[t.Action].Name, int(t.Label().Proc) == process
			switch {
			case process == -1:
				visit(t.to, n.count+t.Charges.All)
			case its && slices.Contains(b.Opens, name):
				visit(t.to, int(t.Charges.To[process]))
			case its && slices.Contains(b.Closes, name):
				if n.count >= 0 {
					found.add(rate{n.count + int(t.Charges.To[process]), 1})
				}
				visit(t.to, -1)
			case n.count >= 0:
				visit(t.to, n.count+int(t.Charges.To[process]))
			default:
				visit(t.to, -1)
			}
		}
		if process == -1 && quiet {
			state := g.states[n.state]
			if requests := in.Plain.(interface{ Served(lts.State, int) int }).Served(state,
				i); requests > 0 {
				found.add(rate{n.count, requests})
			}
		}
	}
	return len(seen) <= limit
}

// asker is the state of a process that asks another one and waits for the answer.
type asker struct{ Waiting, Done bool }

// circling is p0 asking p1, which answers, or says "later", upon which p0 asks again, for
// ever if p1 likes. These further messages are charged to the given process.
func circling(charged model.Proc) model.Instance {
	const ask, later, again, answer = 0, 1, 2, 3
	type outbox = model.Outbox[uint8]
	return model.Compose(model.Composition[asker, uint8, model.None]{
		N:    2,
		Init: func(model.Proc) asker { return asker{} },
		Local: []model.Handler[asker, uint8]{{Name: "ask", Do: func(p model.Proc, l *asker,
			out *outbox) bool {
			if p != 0 || l.Waiting || l.Done {
				return false
			}
			l.Waiting = true
			out.Send(1, ask)
			return true
		}}},
		Receive: []model.Receiver[asker, uint8]{
			{Name: "answer", Accepts: func(m uint8) bool { return m == answer }, Do: func(_, _ model.Proc,
				_ uint8, l *asker, _ *outbox) bool {
				*l = asker{Done: true}
				return true
			}},
			{Name: "later", Accepts: func(m uint8) bool { return m == later }, Do: func(_, _ model.Proc,
				_ uint8, _ *asker, out *outbox) bool {
				out.Send(1, again)
				return true
			}},
			{Name: "asked", Accepts: func(m uint8) bool { return m == ask || m == again },
				Do: func(_, _ model.Proc, _ uint8, _ *asker, out *outbox) bool {
					out.Send(0, [...]uint8{answer, later}[out.Pick(2)])
					return true
				}},
		},
		Charge: func(_, _ model.Proc, m uint8) model.Proc {
			if m == later || m == again {
				return charged
			}
			return 0
		},
		Properties: []model.Property[model.Global[asker, uint8, model.None]]{
			invariants.Of[asker, uint8, model.None]{}.Messages("ask", "answer", 2, 9),
			invariants.MessagesTotal(2, 9, func(*model.Global[asker, uint8, model.None]) int { return 1 }),
		},
	})
}

// TestEndless: a cycle that costs something has no most, and is repeated until the bound
// is broken; one that costs nothing does not matter.
func TestEndless(t *testing.T) {
	for _, c := range []struct {
		charged  model.Proc
		property int
		endless  bool
	}{{0, 0, true}, {1, 0, false}, {0, 1, true}, {1, 1, true}} {
		r, err := explore.Run(context.Background(), circling(c.charged),
			explore.Options{Properties: []int{c.property}})
		if err != nil {
			t.Fatal(err)
		}
		p := r.Properties[0]
		if p.Least.Count != 2 || p.Most.Endless != c.endless {
			t.Errorf("%+v: least %d, endless %v", c, p.Least.Count, p.Most.Endless)
		}
		if want := map[bool]explore.Verdict{true: explore.Violated,
			false: explore.Holds}[c.endless]; p.Verdict != want {
			t.Errorf("%+v: %s, want %s", c, p.Verdict, want)
		}
		if c.endless && (p.Most.Count <= 9 || len(p.Path) != len(p.Most.Path)) {
			t.Errorf("%+v: a run of %d steps with %d messages against a bound of 9", c, len(p.Path),
				p.Most.Count)
		}
		if !c.endless && p.Most.Count != 2 {
			t.Errorf("%+v: most %d, want 2", c, p.Most.Count)
		}
	}
}

// TestCostOfTheEnd: what a process sends in the step that closes its request belongs to that request.
func TestCostOfTheEnd(t *testing.T) {
	const ask, answer, thanks = 0, 1, 2
	type outbox = model.Outbox[uint8]
	receiver := func(name string, kind uint8, do func(l *asker, out *outbox)) model.Receiver[asker, uint8] {
		return model.Receiver[asker, uint8]{Name: name, Accepts: func(m uint8) bool { return m == kind },
			Do: func(_, _ model.Proc, _ uint8, l *asker, out *outbox) bool {
				do(l, out)
				return true
			}}
	}
	asks := func(p model.Proc, l *asker, out *outbox) bool {
		if p != 0 || l.Waiting || l.Done {
			return false
		}
		l.Waiting = true
		out.Send(1, ask)
		return true
	}
	in := model.Compose(model.Composition[asker, uint8, model.None]{
		N:     2,
		Init:  func(model.Proc) asker { return asker{} },
		Local: []model.Handler[asker, uint8]{{Name: "ask", Do: asks}},
		Receive: []model.Receiver[asker, uint8]{
			receiver("asked", ask, func(_ *asker, out *outbox) { out.Send(0, answer) }),
			receiver("answer", answer, func(l *asker, out *outbox) {
				*l = asker{Done: true}
				out.Send(1, thanks)
			}),
			receiver("thanked", thanks, func(*asker, *outbox) {}),
		},
		Charge: func(model.Proc, model.Proc, uint8) model.Proc { return 0 },
		Properties: []model.Property[model.Global[asker, uint8, model.None]]{
			invariants.Of[asker, uint8, model.None]{}.Messages("ask", "answer", 3, 3),
		},
	})
	r, err := explore.Run(context.Background(), in, explore.Options{Properties: []int{0}})
	if err != nil {
		t.Fatal(err)
	}
	if p := r.Properties[0]; r.Verdict != explore.Holds || p.Least.Count != 3 || p.Most.Count != 3 {
		t.Errorf("%s, %d to %d messages; want 3", r.Verdict, p.Least.Count, p.Most.Count)
	}
}

// TestCostsOfNothing: a run without a step is a whole run where the initial state is quiet, and may cost too
// little for what counts as served in it.
func TestCostsOfNothing(t *testing.T) {
	type state struct{ Served uint8 }
	type global = model.Global[state, uint8, model.None]
	never := func(model.Proc, *state, *model.Outbox[uint8]) bool { return false }
	in := model.Compose(model.Composition[state, uint8, model.None]{
		N: 1, Init: func(model.Proc) state { return state{1} },
		Local: []model.Handler[state, uint8]{{Name: "never", Do: never}},
		Properties: []model.Property[global]{
			invariants.MessagesTotal(1, 0, func(g *global) int {
				return int(g.Local(0).Served)
			}),
		},
	})
	r, err := explore.Run(context.Background(), in, explore.Options{Properties: []int{0}})
	if err != nil {
		t.Fatal(err)
	}
	if r.Verdict != explore.Violated || len(r.Properties[0].Path) != 1 {
		t.Errorf("%s, with a run of %d states", r.Verdict, len(r.Properties[0].Path))
	}
}

// TestCostsOfStepsThatChangeNothing: the steps that open and close a request may leave the state as it is,
// also where a cycle between them costs something.
func TestCostsOfStepsThatChangeNothing(t *testing.T) {
	type outbox = model.Outbox[uint8]
	stays := func(p model.Proc, _ *asker, _ *outbox) bool { return p == 0 }
	in := model.Compose(model.Composition[asker, uint8, model.None]{
		N: 2, Init: func(model.Proc) asker { return asker{} },
		Local: []model.Handler[asker, uint8]{
			{Name: "ask", Do: stays}, {Name: "answer", Do: stays},
			{Name: "try", Do: func(p model.Proc, l *asker, out *outbox) bool {
				can := p == 0 && !l.Waiting
				l.Waiting = true
				out.Send(0, 1)
				return can
			}},
		},
		Receive: []model.Receiver[asker, uint8]{{Name: "tried", Accepts: func(uint8) bool { return true },
			Do: func(_, _ model.Proc, _ uint8, l *asker, _ *outbox) bool {
				l.Waiting = false
				return true
			}}},
		Properties: []model.Property[model.Global[asker, uint8, model.None]]{
			invariants.Of[asker, uint8, model.None]{}.Messages("ask", "answer", 0, 3),
		},
	})
	r, err := explore.Run(context.Background(), in, explore.Options{Properties: []int{0}})
	if err != nil {
		t.Fatal(err)
	}
	if p := r.Properties[0]; p.Verdict != explore.Violated || p.Least.Count != 0 ||
		!p.Most.Endless || p.Most.Count != 4 {
		t.Errorf("%s, %+v to %+v", p.Verdict, p.Least, p.Most)
	}
}

// TestCostsOfSteps: of two steps to the same state the least takes the cheaper one and the most the other. A
// step that changes nothing, and costs something, can be repeated; then no other process costs more.
func TestCostsOfSteps(t *testing.T) {
	type outbox = model.Outbox[uint8]
	type global = model.Global[uint8, uint8, model.None]
	ended := func(g *global) int { return g.Count(func(l *uint8) bool { return *l == 4 }) }
	local := func(name string, kind protocol.ActionKind, from uint8, sends bool) model.Handler[uint8, uint8] {
		return model.Handler[uint8, uint8]{Name: name, Kind: kind, Do: func(p model.Proc, l *uint8,
			out *outbox) bool {
			can := *l == from
			if *l++; sends {
				out.Send(p, 0)
			}
			return can
		}}
	}
	for spins, want := range map[bool]string{
		false: "1.0000 to 2.0000 holds, 1.0000 to 2.6667 holds, 0.3333 to 8.0000 violated",
		true: "1.0000 without end violated, 1.0000 without end violated, " + // p0 receives again and again
			"0.3333 without end violated",
	} {
		in := model.Compose(model.Composition[uint8, uint8, model.None]{
			N: 3, Init: func(p model.Proc) uint8 { return uint8(2-p) / 2 },
			Local: []model.Handler[uint8, uint8]{local("ask", model.Spontaneous, 0, true),
				local("ask again", 0, 1, true), local("go", 0, 2, false), local("end", 0, 3, false)},
			Receive: []model.Receiver[uint8, uint8]{{Name: "get", Accepts: func(uint8) bool { return true },
				Do: func(p, _ model.Proc, _ uint8, l *uint8, out *outbox) bool {
					can := *l == 2 || *l == 4 || spins && p == 0
					if *l == 2 {
						*l = 3
					}
					if *l == 3 || spins && p == 0 && out.Pick(2) == 0 {
						out.Send(p, 0)
					}
					return can
				}}},
			Properties: []model.Property[global]{
				invariants.For[global]{}.Messages("ask again", "end", 1, 3),
				invariants.MessagesTotal(1, 3, ended),
				invariants.MessagesTotal(1, 9, func(g *global) int {
					return 4 - ended(g)
				}).As("fewer", "", ""),
			},
		})
		r, err := explore.Run(t.Context(), in, explore.Options{Properties: []int{0, 1, 2}, KeepGoing: true})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, p := range r.Properties {
			most := "to " + shown(p.Most)
			if p.Most.Endless {
				most = "without end"
			}
			got = append(got, fmt.Sprintf("%s %s %s", shown(p.Least), most, p.Verdict))
		}
		if got := strings.Join(got, ", "); got != want {
			t.Errorf("%s; want %s", got, want)
		}
	}
}
