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

// TestOrderAgreesWithBruteForce compares searches where times count by their order only with the naive
// explorer, and with a brute force that has real numbers for times. What a search of states with numbers
// violates is violated there, too, by a run that is not longer.
func TestOrderAgreesWithBruteForce(t *testing.T) {
	large, numbers, all := 0, 0, seeds(12, 2000)
	for seed := range all {
		o, name := randomOrderly(rand.New(rand.NewPCG(seed, 40))), fmt.Sprintf("seed %d", seed)
		states, generated, depth, violated, ok := o.explore(600)
		if !ok {
			continue
		}
		in := model.Compose(o.compose())
		want, _ := naive.Explore(in.Plain, in.Space.Actions(), in.Space.Properties(), 1<<20)
		naively := fmt.Sprint(want.States, want.Generated, want.Depth, want.Count[0] > 0)
		if forced := fmt.Sprint(states, generated, depth, violated); naively != forced {
			t.Fatalf("%s: states, generated, depth, violated: naively %s, else %s", name, naively, forced)
		}
		for _, workers := range []int{1, 2} {
			r := runOrderly(t, name, in, explore.Options{KeepGoing: true, Workers: workers})
			sameFigures(t, name, &want, r)
			if p := &r.Properties[0]; (p.Count > 0) != violated {
				t.Fatalf("%s: %d violations", name, p.Count)
			}
		}
		numbered := o.compose()
		numbered.Clocks.ByOrder = false
		n := runOrderly(t, name, model.Compose(numbered), explore.Options{MaxStates: 1000})
		if p := &n.Properties[0]; p.Verdict == explore.Violated {
			r := runOrderly(t, name, in, explore.Options{})
			if q := &r.Properties[0]; q.Verdict != explore.Violated || want.Found[0] > p.Length {
				t.Fatalf("%s: with numbers violated after %d steps, by order %s after %d", name, p.Length,
					q.Verdict, want.Found[0])
			}
			numbers++
		}
		large += min(1, states/51)
	}
	t.Logf("%d of %d large, %d violated with numbers", large, all, numbers)
	if !testing.Short() && (large < int(all)/10 || numbers < int(all)/12) {
		t.Errorf("%d large, %d violated with numbers: too few to tell", large, numbers)
	}
}

func runOrderly(t *testing.T, name string, in model.Instance, opt explore.Options) *explore.Report {
	t.Helper()
	r, err := explore.Run(context.Background(), in, opt)
	if err != nil || r.Mistake != nil {
		t.Fatalf("%s: %v %v", name, err, r.Mistake)
	}
	return r
}

// TestOrderlyLivenessAgreesWithNaive compares liveness where times count by their order only with a checker
// that goes through all sets of states. A violation that no run with numbers shows is unknown.
func TestOrderlyLivenessAgreesWithNaive(t *testing.T) {
	verdicts, all := map[string]int{}, seeds(40, 2000)
	for seed := range all {
		r := rand.New(rand.NewPCG(seed, 41))
		o := randomOrderly(r)
		c := o.compose()
		c.Fair([]string{"weak", "strong"}[r.IntN(2)])
		mode := func(p model.Proc, m uint8) func(*model.Global[clocked, envelope, model.None]) bool {
			return func(g *model.Global[clocked, envelope, model.None]) bool { return g.Local(p).Mode == m }
		}
		c.Properties = []model.Property[model.Global[clocked, envelope, model.None]]{
			invariants.AlwaysEventually(mode(0, 2)), invariants.LeadsTo(mode(1, 1), mode(0, 0)),
		}
		in := model.Compose(c)
		if _, small := naive.Explore(in.Plain, in.Space.Actions(), nil, 10); !small {
			continue
		}
		rep := runOrderly(t, fmt.Sprintf("seed %d", seed), in, explore.Options{})
		g := naiveGraph(in.Plain)
		delivers := func(set map[string]bool) bool { return naiveReceives(in, set, g.states) }
		for i, p := range rep.Properties {
			violated := false
			for k := range p.Lassos {
				violated = violated || naiveLasso(in, &g, i, k, delivers)
			}
			met := p.Verdict == explore.Violated || strings.Contains(p.Undecided, "no run with numbers")
			if met != violated && !strings.Contains(p.Undecided, "moves all times") {
				t.Fatalf("seed %d: %s is %s (%s), naively violated: %v", seed, p.Name, p.Verdict, p.Undecided,
					violated)
			}
			verdicts[string(p.Verdict)]++
		}
	}
	t.Log(verdicts)
	if !testing.Short() && (verdicts["violated"] < int(all)/10 || verdicts["holds"] < int(all)/60) {
		t.Errorf("%v: too few to tell", verdicts)
	}
}

// naiveReceives is naiveDelivers where times count by their order only: messages that differ in their time
// alone are one.
func naiveReceives(in model.Instance, set map[string]bool, states map[string]lts.State) bool {
	enabled, received, stuck := map[string]map[string]bool{}, map[string]bool{}, len(set) == 1
	for key := range set {
		steps := in.Plain.Steps(states[key])
		stuck = stuck && len(steps) > 0
		for _, t := range steps {
			stuck = stuck && t.Pruned
			next := t.Next.Key()
			if t.Received == nil || next == key {
				continue
			}
			x := packed(t.Received.Text)
			m := fmt.Sprint(t.Received.From, t.Received.To, x[0], x[1] > 0)
			if enabled[m] == nil {
				enabled[m] = map[string]bool{}
			}
			enabled[m][key] = true
			received[m] = received[m] || set[next] && !t.Pruned && !t.Outside
		}
	}
	for m, where := range enabled {
		if (len(where) == len(set) || in.Space.Delivery() == lts.StrongDelivery) && !received[m] {
			return false
		}
	}
	return !stuck
}

// TestOrderRefusesWhatReadsMore: a model that reads more of times than their order, or makes them by itself,
// is at fault where times count by their order only.
func TestOrderRefusesWhatReadsMore(t *testing.T) {
	type composition = model.Composition[clocked, envelope, model.None]
	type outbox = *model.Outbox[envelope]
	type global = model.Global[clocked, envelope, model.None]
	base := func() composition {
		o := &orderly{n: 2, inFlight: 2, table: make([]int, 128)}
		c := o.compose()
		c.Local[0].Do = func(p model.Proc, l *clocked, out outbox) bool {
			if l.Mode > 1 {
				return false
			}
			l.Mode++
			l.At = out.Later(l.Clock)
			out.Send(1-p, envelope{Time: l.At})
			return true
		}
		c.Receive[0].Do = func(_, _ model.Proc, m envelope, l *clocked, out outbox) bool {
			l.Clock = max(l.Clock, m.Time) + out.Tick()
			return true
		}
		c.Properties = nil
		return c
	}
	receive := func(do func(m envelope, l *clocked, out outbox)) func(
		c *composition) {
		return func(c *composition) {
			c.Receive[0].Do = func(_, _ model.Proc, m envelope, l *clocked, out outbox) bool {
				do(m, l, out)
				return true
			}
		}
	}
	judged := func(holds func(l *clocked) bool) func(c *composition) {
		return func(c *composition) {
			c.Properties = []model.Property[global]{{
				Name: "p", Kind: model.Invariant, Holds: func(g *global) bool {
					return holds(g.Local(0))
				},
			}}
		}
	}
	for name, row := range map[string]struct {
		change func(c *composition)
		want   string
	}{
		"right": {func(*composition) {}, ""},
		"adds": {receive(func(m envelope, l *clocked, _ outbox) { l.At = m.Time + 1 }),
			"makes a time by itself"},
		"constant": {receive(func(m envelope, l *clocked, _ outbox) {
			if m.Time > 3 {
				l.Mode = 2
			}
		}), "more of times than their order"},
		"clock": {receive(func(m envelope, l *clocked, _ outbox) {
			if l.Clock < m.Time {
				l.At = m.Time
			}
			l.Clock = max(l.Clock, m.Time)
		}), "reads a clock"},
		"clock that falls": {receive(func(m envelope, l *clocked, _ outbox) {
			if l.Clock == 0 {
				l.Clock = m.Time
			} else {
				l.Clock = 0
			}
		}), "more of times than their order"},
		"twice": {receive(func(_ envelope, l *clocked, out outbox) {
			l.At = out.Later(out.Later(l.Clock))
		}), "calls Outbox.Later twice"},
		"property of a number": {judged(func(l *clocked) bool { return l.At < 4 }),
			"more of times than their order"},
		"property of a clock": {judged(func(l *clocked) bool { return l.Clock == 0 }),
			"more of times than their order"},
		"constraint": {func(c *composition) {
			c.Constraint = func(_ model.Proc, l *clocked) bool { return l.Clock < 3 }
		}, "more of times than their order"},
		"too many": {func(c *composition) {
			c.Network.MaxInFlight = 0
			do := c.Local[0].Do
			c.Local[0].Do = func(p model.Proc, l *clocked, out outbox) bool {
				l.Mode, l.Clock = 0, max(l.Clock, l.At) // each time is above all
				return p == 0 && do(p, l, out)
			}
			receive(func(_ envelope, l *clocked, _ outbox) { l.Mode = 3 })(c)
			c.Constraint = func(_ model.Proc, l *clocked) bool { return l.Mode < 3 }
		}, "in messages under way to p1"},
	} {
		c := base()
		row.change(&c)
		r, err := explore.Run(context.Background(), model.Compose(c), explore.Options{KeepGoing: true,
			MaxStates: 50_000})
		if err != nil {
			t.Fatal(err)
		}
		switch got := r.Mistake; {
		case got == nil && row.want != "":
			t.Errorf("%s: no mistake in %d states", name, r.States)
		case got != nil && (row.want == "" || !strings.Contains(got.Error.Error(), row.want)):
			t.Errorf("%s: %v", name, got.Error)
		}
	}
}

// TestOrderDemandsNoMoreFairnessThanNumbers: where a run with numbers is fair and violates a property, that
// does not hold where times count by their order only, although stored states do not show why it is fair:
// a step raises a clock only, or of two messages alike one can be received at a time, or a new time decides
// whether a step is enabled.
func TestOrderDemandsNoMoreFairnessThanNumbers(t *testing.T) {
	type composition = model.Composition[clocked, envelope, model.None]
	type outbox = *model.Outbox[envelope]
	type global = model.Global[clocked, envelope, model.None]
	stamp := func(l *clocked, out outbox) {
		l.At = out.Later(l.Clock)
		l.Clock = l.At
	}
	local := func(c *composition, of model.Proc, name string, do func(l *clocked, out outbox) bool) {
		c.Local = append(c.Local, model.Handler[clocked, envelope]{Name: name,
			Do: func(p model.Proc, l *clocked, out outbox) bool { return p == of && do(l, out) }})
	}
	receive := func(c *composition, kind uint8, do func(m envelope, l *clocked) bool) {
		c.Receive = append(c.Receive, model.Receiver[clocked, envelope]{Name: fmt.Sprint("receive ", kind),
			Accepts: func(m envelope) bool { return m.Kind == kind },
			Do:      func(_, _ model.Proc, m envelope, l *clocked, _ outbox) bool { return do(m, l) }})
	}
	for name, build := range map[string]func(c *composition){
		"clock alone": func(c *composition) {
			c.N = 1
			local(c, 0, "raise", func(l *clocked, out outbox) bool {
				if l.Mode == 0 {
					l.Clock = max(l.Clock, l.At) + out.Tick()
				} else {
					l.Mode = 2
				}
				return l.At > 0
			})
			local(c, 0, "turn", func(l *clocked, out outbox) bool {
				if l.Mode != 1 {
					stamp(l, out)
				}
				l.Mode = 1 - l.Mode
				return l.Mode < 2
			})
		},
		"one of two messages": func(c *composition) {
			local(c, 0, "send", func(l *clocked, out outbox) bool {
				stamp(l, out)
				out.Send(1, envelope{Kind: l.Mode % 2, Time: l.At}) // the second is compared with the others
				l.Mode++
				return l.Mode < 4
			})
			receive(c, 0, func(m envelope, l *clocked) bool {
				if l.At == 0 || (m.Time < l.At) != (l.Mode == 0) {
					return false
				}
				l.Mode = 2
				return true
			})
			receive(c, 1, func(m envelope, l *clocked) bool {
				l.At = m.Time
				return true
			})
			local(c, 1, "turn", func(l *clocked, _ outbox) bool {
				l.Mode = 1 - l.Mode
				return l.Mode < 2
			})
		},
		"new time": func(c *composition) {
			local(c, 0, "send", func(l *clocked, out outbox) bool {
				stamp(l, out)
				out.Send(1, envelope{Time: l.At})
				l.Mode++
				return l.Mode < 2
			})
			receive(c, 0, func(m envelope, l *clocked) bool {
				l.At = m.Time
				return true
			})
			local(c, 1, "precede", func(l *clocked, out outbox) bool {
				if l.At == 0 || l.Mode > 0 {
					return false
				}
				l.Mode = 2
				return out.Later(l.Clock) < l.At
			})
		},
	} {
		for _, how := range []string{"weak", "strong"} {
			var verdicts []explore.Verdict
			for _, order := range []bool{false, true} {
				c := (&orderly{n: 2, table: make([]int, 128)}).compose()
				c.Local, c.Receive, c.Network = nil, nil, model.Network{}
				c.Clocks.ByOrder, c.Init = order, func(model.Proc) clocked { return clocked{Clock: 1} }
				if !order {
					c.Clocks.MaxSkew = 4
				}
				build(&c)
				c.Properties = []model.Property[global]{invariants.Eventually(nil, func(g *global) bool {
					return g.Local(model.Proc(g.N-1)).Mode == 2
				})}
				c.Fair(how)
				r, err := explore.Run(context.Background(), model.Compose(c), explore.Options{})
				if err != nil {
					t.Fatal(err)
				}
				verdicts = append(verdicts, r.Properties[0].Verdict)
			}
			violated := verdicts[0] == explore.Violated
			if violated == (name == "one of two messages" && how == "strong") ||
				violated && verdicts[1] == explore.Holds {
				t.Errorf("%s, %s fairness: %s with numbers, %s by order", name, how, verdicts[0], verdicts[1])
			}
		}
	}
}
