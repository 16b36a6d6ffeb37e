package vcube

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/atmostk/atmostk/explore"
	"github.com/atmostk/atmostk/model"
)

// TestEachMutantIsCaught leaves out or changes lines of the algorithms, one mutant at a time;
// a property that holds of the algorithm itself must catch it.
func TestEachMutantIsCaught(t *testing.T) {
	type (
		broadcastComposition = model.Composition[broadcastState, message, started]
		mutexComposition     = model.Composition[mutexState, message, model.None]
	)
	for _, property := range []string{"all-reached", "all-accepted"} {
		t.Run("5.1 without lines 11-12, "+property, func(t *testing.T) {
			nw := model.Network{Crashes: 1, Crashable: model.All(4), CrashSends: model.Subset, ToDead: true}
			alg := tree{cube: cube{4}}
			c := alg.composition(nw)
			catches(t, property, &c, func() {
				c.Notice.Do = func(_, j model.Proc, l *treeState, _ *outbox) bool {
					known := !l.Correct.Has(j)
					l.Correct = l.Correct.Without(j)
					return !known
				}
			})
		})
	}
	t.Run("5.1, line 7: cluster_i(j)", func(t *testing.T) {
		alg := tree{cube: cube{4}, track: true}
		c := alg.composition(model.Network{})
		catches(t, "tree-shape", &c, func() {
			c.Receive[0].Do = func(i, j model.Proc, _ message, l *treeState, out *outbox) bool {
				l.Parents = l.Parents.With(j)
				if l.Got != accepted { // once only, or it would go on for ever
					l.Got = accepted
					for _, k := range alg.neighborhood(i, alg.cluster(i, j), l.Correct) {
						alg.send(k, l, out)
					}
				}
				return true
			}
		})
	})
	t.Run("section 4: one faulty process in a cluster condemns the next", func(t *testing.T) {
		d := diagnosis{cube: cube{4}, network: model.Network{Crashes: 1, Crashable: model.All(4)}, bound: 4}
		sys := d.system()
		if v := verdict(t, model.NewSystem(sys), "accuracy"); v != explore.Holds {
			t.Fatalf("accuracy of the algorithm itself: %s", v)
		}
		sys.Actions[0].Do = func(s *roundsState, instance int, c *model.Choice) bool {
			enabled := d.round(s, instance, c)
			for i := range model.Proc(d.n) {
				s.Faulty[i] |= s.Faulty[i] << 1 & model.All(d.n)
			}
			return enabled
		}
		if v := verdict(t, model.NewSystem(sys), "accuracy"); v != explore.Violated {
			t.Errorf("accuracy: %s, want violated", v)
		}
	})
	t.Run("section 4 without what the tested processes know", func(t *testing.T) {
		d := diagnosis{cube: cube{4}, network: model.Network{Crashes: 1, Crashable: model.All(4)}, bound: 4}
		sys := d.system()
		for _, property := range []string{"latency", "latency-last"} {
			if v := verdict(t, model.NewSystem(sys), property); v != explore.Holds {
				t.Fatalf("%s of the algorithm itself: %s", property, v)
			}
		}
		sys.Actions[0].Do = func(s *roundsState, instance int, c *model.Choice) bool {
			before := *s
			enabled := d.round(s, instance, c)
			for i := range model.Proc(d.n) {
				tested := before.Faulty[i]
				for _, j := range d.tests(i, &before) {
					tested |= before.Dead & model.SetOf(j)
				}
				s.Faulty[i] &= tested
			}
			return enabled
		}
		for _, property := range []string{"latency", "latency-last"} {
			if v := verdict(t, model.NewSystem(sys), property); v != explore.Violated {
				t.Errorf("%s: %s, want violated", property, v)
			}
		}
	})
	t.Run("7.1 over 6.1 with two ACKs for one TREE", func(t *testing.T) {
		s := stack{broadcast: &broadcast{cube: cube{2}}, mutex: &mutex{n: 2, k: 1, rounds: []int{1, 1}},
			waiting: splits["blocked"]}
		c := s.composition(model.Network{})
		catches(t, "messages-total", &c, func() {
			c.Receive[0].Do = func(i, j model.Proc, m message, l *stackState, out *outbox) bool {
				s.broadcast.checkAcks(j, m.m, &l.Broadcast, out)
				return s.receiveTree(i, j, m, l, out)
			}
		})
	})
	t.Run("7.1 over 6.1 without line 21 of 6.1", func(t *testing.T) {
		s := stack{broadcast: &broadcast{cube: cube{2}}, mutex: &mutex{n: 2, k: 1, rounds: []int{1, 1}},
			waiting: splits["blocked"]}
		c := s.composition(model.Network{})
		catches(t, "no-starvation", &c, func() {
			c.Receive[0].Do = func(i, j model.Proc, m message, l *stackState, out *outbox) bool {
				s.broadcast.receiveTree(i, j, m.m, &l.Broadcast, ignore, out)
				return true
			}
		})
	})
	for name, m := range map[string]struct {
		property string
		args     string
		mutate   func(b broadcasting, c *broadcastComposition)
	}{
		"6.1 without line 16": {"no-leftover", "n=4 crashes=1",
			func(b broadcasting, c *broadcastComposition) {
				c.Receive[0].Do = func(i, j model.Proc, m message, l *broadcastState, out *outbox) bool {
					if last := l.Last.At(m.m.Source); last == 0 || m.m.T == last+1 {
						l.Last.Put(m.m.Source, m.m.T)
						b.deliver(m.m, l, ignore)
					}
					b.forward(i, j, m.m, l, out)
					b.checkAcks(j, m.m, l, out)
					return true
				}
			}},
		"6.1 without lines 18-19": {"no-duplication", "n=4 crashes=1",
			func(_ broadcasting, c *broadcastComposition) {
				receive := c.Receive[0].Do
				c.Receive[0].Do = func(i, j model.Proc, m message, l *broadcastState, out *outbox) bool {
					l.Last.Put(m.m.Source, 0)
					return receive(i, j, m, l, out)
				}
			}},
		"6.1, lines 20-21 with the next number": {"no-creation", "n=4",
			func(_ broadcasting, c *broadcastComposition) {
				receive := c.Receive[0].Do
				c.Receive[0].Do = func(i, j model.Proc, m message, l *broadcastState, out *outbox) bool {
					m.m.T = l.Last.At(m.m.Source) + 2
					l.Last.Put(m.m.Source, l.Last.At(m.m.Source)+1)
					return receive(i, j, m, l, out)
				}
			}},
		"6.1 without lines 36-37": {"no-leftover", "n=4 crashes=1",
			func(b broadcasting, c *broadcastComposition) {
				c.Notice.Do = func(i, j model.Proc, l *broadcastState, out *outbox) bool {
					return crashLoop(b, i, j, l, func(a ack, k model.Proc) {
						if a.To == j {
							b.replace(a, k, l, out)
						}
					})
				}
			}},
		"6.1 without lines 38-41": {"validity", "n=4 crashes=1",
			func(b broadcasting, c *broadcastComposition) {
				c.Notice.Do = func(i, j model.Proc, l *broadcastState, out *outbox) bool {
					return crashLoop(b, i, j, l, func(a ack, _ model.Proc) {
						if !l.Correct.Has(a.M.Source) || !b.correct(a.From, l) {
							l.AckSet = l.AckSet.without(a)
						} else if a.To == j {
							b.replace(a, bottom, l, out) // lines 42-43 are left
						}
					})
				}
			}},
	} {
		t.Run(name, func(t *testing.T) {
			alg, nw := algorithmOf(t, m.args)
			c := alg.composition(nw)
			catches(t, m.property, &c, func() { m.mutate(alg, &c) })
		})
	}
	for name, m := range map[string]struct {
		property string
		mutate   func(x exclusion, c *mutexComposition)
	}{
		"7.1 without lines 36-37": {"at-most-k", func(_ exclusion, c *mutexComposition) {
			c.Notice.Do = func(_, j model.Proc, l *mutexState, _ *outbox) bool {
				known := !l.Correct.Has(j)
				l.Correct = l.Correct.Without(j)
				return !known
			}
		}},
		"7.1, line 15: perm_count >= |correct| - k - 1": {"at-most-k",
			func(x exclusion, c *mutexComposition) {
				generous := *x.mutex
				generous.k++
				c.Local[1].Do = generous.enter
			}},
		"7.1, line 15: perm_count >= |correct| - k + 1": {"no-starvation",
			func(x exclusion, c *mutexComposition) {
				strict := *x.mutex
				strict.k--
				c.Local[1].Do = strict.enter
			}},
	} {
		t.Run(name, func(t *testing.T) {
			x := exclusion{&mutex{n: 3, k: 1, rounds: []int{1, 1, 0}}, splits["atomic"]}
			c := x.composition(model.Network{Crashes: 1, Crashable: model.All(3), CrashSends: model.Subset,
				ToDead: true})
			catches(t, m.property, &c, func() { m.mutate(x, &c) })
		})
	}
}

// crashLoop is lines 32-35 of Algorithm 6.1 around another body.
func crashLoop(b broadcasting, i, j model.Proc, l *broadcastState, body func(a ack, k model.Proc)) bool {
	if !l.Correct.Has(j) {
		return false
	}
	l.Correct = l.Correct.Without(j)
	k := b.ffNeighbor(i, b.cluster(i, j), l.Correct)
	for a := range l.AckSet.acks() {
		body(a, k)
	}
	return true
}

// algorithmOf is what the arguments of vcube-broadcast describe.
func algorithmOf(t *testing.T, args string) (broadcasting, model.Network) {
	t.Helper()
	a, err := Broadcast.ParseArgs(strings.Fields(args))
	if err != nil {
		t.Fatal(err)
	}
	b, nw := newBroadcasting(a)
	if a.Err() != nil {
		t.Fatal(a.Err())
	}
	return b, nw
}

// catches checks that the property holds of c, and not after mutate.
func catches[L, H any](t *testing.T, property string, c *model.Composition[L, message, H],
	mutate func()) {
	t.Helper()
	if v := verdict(t, model.Compose(*c), property); v != explore.Holds {
		t.Fatalf("%s of the algorithm itself: %s", property, v)
	}
	mutate()
	if v := verdict(t, model.Compose(*c), property); v != explore.Violated {
		t.Errorf("%s: %s, want violated", property, v)
	}
}

func verdict(t *testing.T, in model.Instance, property string) explore.Verdict {
	t.Helper()
	i := slices.IndexFunc(in.Space.Properties(), func(p model.PropertyInfo) bool {
		return p.Name == property
	})
	if i < 0 {
		t.Fatalf("no property %s", property)
	}
	r, err := explore.Run(context.Background(), in, explore.Options{Properties: []int{i}, KeepGoing: true})
	if err != nil {
		t.Fatal(err)
	}
	return r.Properties[0].Verdict
}
