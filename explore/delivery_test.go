package explore_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/atmostk/atmostk/explore"
	"github.com/atmostk/atmostk/explore/naive"
	"github.com/atmostk/atmostk/invariants"
	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/lts"
)

// TestDeliveryAgreesWithNaive compares liveness under fairness of processes and of
// messages, in compositions with clocks, with a checker that goes through all sets
// of states.
func TestDeliveryAgreesWithNaive(t *testing.T) {
	verdicts, all := map[string]int{}, seeds(250, 3000)
	for seed := range all {
		r := rand.New(rand.NewPCG(seed, 7))
		c := randomClocked(r)
		c.Clocks.MaxSkew = 1 + r.IntN(2)
		how := []string{"weak", "strong", "none"}[r.IntN(3)]
		c.Fair(how)
		if r.IntN(4) == 0 {
			c.History.Step = func(_ *model.None, e model.Event) bool { return e.Note < 6 || e.Crash }
		}
		deliveryAgrees(t, fmt.Sprintf("seed %d", seed), c, how, 10, verdicts)
	}
	t.Log(verdicts)
	for _, name := range []string{"weak true", "weak false", "strong true", "strong false", "none true",
		"none false"} {
		if !testing.Short() && verdicts[name] < int(all)/30 {
			t.Errorf("%s: %d: too few to tell", name, verdicts[name])
		}
	}
}

// TestWaitingAgreesWithNaive does the same where messages wait while others are passed round.
func TestWaitingAgreesWithNaive(t *testing.T) {
	verdicts, all := map[string]int{}, withRare(200, 2000, 200)
	for _, seed := range all {
		r := rand.New(rand.NewPCG(seed, 12))
		how := []string{"weak", "strong"}[r.IntN(2)]
		c := randomPassing(r)
		c.Fair(how)
		deliveryAgrees(t, fmt.Sprintf("seed %d", seed), c, how, 12, verdicts)
	}
	t.Log(verdicts)
	for _, name := range []string{"weak true", "weak false", "strong true", "strong false"} {
		if !testing.Short() && verdicts[name] < len(all)/10 {
			t.Errorf("%s: %d: too few to tell", name, verdicts[name])
		}
	}
}

// deliveryAgrees compares a composition under fairness of a strength, unless it has more than
// few states, and counts the verdicts.
func deliveryAgrees(t *testing.T, name string, c model.Composition[clocked, envelope, model.None], how string,
	few int, verdicts map[string]int) {
	t.Helper()
	mode := func(p model.Proc, m uint8) func(*model.Global[clocked, envelope, model.None]) bool {
		return func(g *model.Global[clocked, envelope, model.None]) bool { return g.Local(p).Mode == m }
	}
	c.Properties = []model.Property[model.Global[clocked, envelope, model.None]]{
		invariants.AlwaysEventually(mode(0, 2)),
		invariants.Of[clocked, envelope, model.None]{}.RequestsServed(c.N,
			func(l *clocked) bool { return l.Mode == 1 }),
		invariants.LeadsTo(mode(1, 1), mode(0, 0)),
	}
	in := model.Compose(c)
	if _, small := naive.Explore(in.Plain, in.Space.Actions(), nil, few); !small {
		return
	}
	rep, err := explore.Run(context.Background(), in, explore.Options{Workers: 2})
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	g := naiveGraph(in.Plain)
	delivers := func(set map[string]bool) bool { return naiveDelivers(in, set, g.states) }
	for i, p := range rep.Properties {
		violated := false
		for k := range p.Lassos {
			violated = violated || naiveLasso(in, &g, i, k, delivers)
		}
		got := p.Verdict == explore.Violated
		if strings.Contains(p.Undecided, "moves all times") {
			verdicts[how+" drifts"]++
			continue
		}
		if got != violated || p.Verdict == explore.Holds && rep.Beyond > 0 {
			t.Fatalf("%s: %s under %s fairness is %s, naively violated: %v", name, p.Name, how, p.Verdict,
				violated)
		}
		verdicts[fmt.Sprintf("%s %v", how, got)]++
	}
}

// randomPassing is two or three processes that pass a token round for ever, while a message
// waits at one of the first two. Whether that can be received depends on the mode of the process, which
// the token may change, to and fro; what is received may be sent again. A constraint may reject one mode.
func randomPassing(r *rand.Rand) model.Composition[clocked, envelope, model.None] {
	const token, waiting = 0, 1
	n := 2 + r.IntN(4)/3
	var next, open, taken [3]int // for each mode: those after it, whether messages are received, what then
	for m := range next {
		next[m], open[m], taken[m] = r.IntN(9), r.IntN(3), r.IntN(4)
	}
	lost, again, at := r.IntN(8) == 0, r.IntN(4) == 0, model.Proc(r.IntN(2))
	c := model.Composition[clocked, envelope, model.None]{
		N: n, Init: func(model.Proc) clocked { return clocked{} },
		Local: []model.Handler[clocked, envelope]{{Name: "start", Do: func(p model.Proc, l *clocked,
			out *model.Outbox[envelope]) bool {
			if p != 0 || l.At > 0 {
				return false
			}
			l.At = 1 // it has started
			out.Send(1, envelope{Kind: token})
			out.Send(at, envelope{Kind: waiting})
			return true
		}}},
		Receive: []model.Receiver[clocked, envelope]{
			{Name: "token", Accepts: func(m envelope) bool { return m.Kind == token },
				Do: func(p, _ model.Proc, _ envelope, l *clocked, out *model.Outbox[envelope]) bool {
					if p == at && l.Mode < 2 {
						l.Mode = uint8([]int{next[l.Mode] % 3, next[l.Mode] / 3}[out.Pick(2)])
					}
					if !lost || l.Mode == 0 {
						out.Send((p+1)%model.Proc(n), envelope{Kind: token})
					}
					return true
				}},
			{Name: "waiting", Accepts: func(m envelope) bool { return m.Kind == waiting },
				Do: func(_, _ model.Proc, _ envelope, l *clocked, out *model.Outbox[envelope]) bool {
					if open[l.Mode] == 0 {
						return false
					}
					l.Mode = uint8(min(taken[l.Mode], 2))
					if again {
						out.Send(at, envelope{Kind: waiting, Time: uint32(l.Mode)}) // sent by no other step
					}
					return true
				}},
		},
		Network: model.Network{Channel: model.Channel(r.IntN(2))},
	}
	if r.IntN(3) == 0 {
		c.Constraint = func(_ model.Proc, l *clocked) bool { return l.Mode < 2 }
	}
	return c
}

// naiveDelivers reports whether a run that goes through all states and steps inside
// a set puts off no message for ever, and, if it stays in one state, may stay there.
func naiveDelivers(in model.Instance, set map[string]bool, states map[string]lts.State) bool {
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
			x := packed(t.Received.Text) // kind and time
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
		owed := len(where) == len(set) || in.Space.Delivery() == lts.StrongDelivery
		if owed && !received[m] && in.Space.Delivery() != lts.AnyDelivery &&
			(!moves || !strings.Contains(m.text, "at")) {
			return false
		}
	}
	return true
}

// leastTime reads the least time from the variables of a state.
func leastTime(s lts.State) int {
	least, dead := 1<<30, map[string]bool{}
	for _, v := range s.Vars() {
		xs := packed(v.Value)
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
	c := model.Composition[clocked, envelope, model.None]{
		N: 2, Init: func(model.Proc) clocked { return clocked{Clock: 1} },
		Local: []model.Handler[clocked, envelope]{{Name: "start", Do: func(p model.Proc, l *clocked,
			out *model.Outbox[envelope]) bool {
			if p != 0 || l.Mode != 0 {
				return false
			}
			l.Mode = 1
			for range 3 {
				l.Clock++
				out.Send(1, envelope{Time: l.Clock})
			}
			return true
		}}},
		Receive: []model.Receiver[clocked, envelope]{
			{Name: "timed", Accepts: func(m envelope) bool { return m.Time > 0 }, Do: func(_, _ model.Proc,
				m envelope, l *clocked, out *model.Outbox[envelope]) bool {
				if m.Time != l.Clock+1 || l.Mode != 0 {
					l.Mode = 2 // overtaken, for ever
					return true
				}
				l.Clock, l.Mode = m.Time, 1
				out.Send(0, envelope{Kind: ack})
				return true
			}},
			{Name: "ack", Accepts: func(m envelope) bool { return m.Kind == ack }, Do: func(_, _ model.Proc,
				_ envelope, l *clocked, out *model.Outbox[envelope]) bool {
				l.Clock++
				out.Send(1, envelope{Time: l.Clock})
				out.Send(1, envelope{Kind: next})
				return true
			}},
			{Name: "next", Accepts: func(m envelope) bool { return m.Kind == next }, Do: func(_, _ model.Proc,
				_ envelope, l *clocked, _ *model.Outbox[envelope]) bool {
				if l.Mode == 1 {
					l.Mode = 0
				}
				return true
			}},
		},
		Clocks: randomClocked(rand.New(rand.NewPCG(0, 0))).Clocks,
	}
	c.Clocks.MaxSkew = 0
	c.Properties = []model.Property[model.Global[clocked, envelope, model.None]]{
		invariants.AlwaysEventually(func(g *model.Global[clocked, envelope, model.None]) bool {
			return g.Local(1).Mode == 2
		}),
	}
	for _, how := range []string{"weak", "strong"} {
		c.Fairness = nil
		c.Fair(how)
		r, err := explore.Run(context.Background(), model.Compose(c), explore.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if p := r.Properties[0]; p.Verdict != explore.Violated || p.CycleAt == len(p.Path)-1 || !r.Complete {
			t.Errorf("%s fairness: %s with a cycle of %d steps, %d states", how, p.Verdict,
				len(p.Path)-1-p.CycleAt, r.States)
		}
	}
}
