package cohorts

import (
	"strings"
	"testing"

	"github.com/atmostk/atmostk/explore"
	"github.com/atmostk/atmostk/model"
)

// TestEachMutantOfCohortsIsCaught breaks one step of Figure 1 or of the nodes at a time; a
// property that holds of the algorithm itself must catch it.
func TestEachMutantOfCohortsIsCaught(t *testing.T) {
	type composition = model.Composition[local, message, model.None]
	for name, m := range map[string]struct {
		property string
		mutate   func(a *algorithm, c *composition)
	}{
		"case 2 makes a primary cohort": {"has-quorums", func(a *algorithm, c *composition) {
			c.Local[2].Do = func(_ model.Proc, loc *local, out *outbox) bool {
				l := &loc.Requester
				if l.State != waiting || a.within(l.G, int(l.Index)).Len() < int(l.Left) {
					return false
				}
				a.leaveProbe(loc, result{int(l.Left), true}, out)
				return true
			}
		}},
		"a node grants all": {"one-grant", func(_ *algorithm, c *composition) {
			c.Receive[2].Do = func(_, j model.Proc, m message, loc *local, out *outbox) bool {
				loc.Arbiter.grantTo(ticket{m.ts, j}, out)
				return true
			}
		}},
		"a release serves nobody": {"deadlock-freedom", func(_ *algorithm, c *composition) {
			c.Receive[3].Do = func(_, j model.Proc, m message, loc *local, _ *outbox) bool {
				l := &loc.Arbiter
				l.Holders.remove(ticket{m.ts, j})
				l.Queue.remove(ticket{m.ts, j})
				return true
			}
		}},
		"the exit cancels no requests": {"clean-end", func(a *algorithm, c *composition) {
			c.Local[1].Do = func(p model.Proc, loc *local, out *outbox) bool {
				loc.Requester.P = loc.Requester.G
				return a.exit(p, loc, out)
			}
		}},
		"a relinquish loses the request": {"all-served", func(a *algorithm, c *composition) {
			c.Receive[4].Do = func(_, j model.Proc, m message, loc *local, out *outbox) bool {
				if l := &loc.Arbiter; l.Holders.remove(ticket{m.ts, j}) {
					l.Inquired = nil
					a.grant(l, out)
				}
				return true
			}
		}},
		"relinquishes what Probe has returned": {"units", func(a *algorithm, _ *composition) {
			a.yield = "naive"
		}},
	} {
		t.Run(name, func(t *testing.T) {
			args, err := Cohorts.ParseArgs([]string{"cohorts=1,2", "h=1,1"})
			if err != nil {
				t.Fatal(err)
			}
			alg := newAlgorithm(args)
			c := alg.composition(model.Network{Channel: model.FIFO})
			catches(t, m.property, &c, func() { m.mutate(alg, &c) })
		})
	}
}

// TestEachMutantOfJiang2002IsCaught: the same for Jiang's algorithm of 2002.
func TestEachMutantOfJiang2002IsCaught(t *testing.T) {
	type composition = model.Composition[local, message, model.None]
	enterEarly := func(a *jiang, c *composition) {
		c.Local[2].Do = func(_ model.Proc, loc *local, _ *outbox) bool {
			l := &loc.Requester
			if l.State != waiting || a.most[l.G] == 0 {
				return false
			}
			l.State = cs
			return true
		}
	}
	for name, m := range map[string]struct {
		args     string
		property string
		mutate   func(a *jiang, c *composition)
	}{
		"enters with one quorum":  {"quorums=1,2 k=2 h=2,2", "units", enterEarly},
		"one quorum stands for h": {"quorums=1,2 k=2 h=2,2", "has-quorums", enterEarly},
		"a node grants all": {"", "one-grant", func(_ *jiang, c *composition) {
			c.Receive[2].Do = func(_, j model.Proc, m message, loc *local, out *outbox) bool {
				loc.Arbiter.grantTo(ticket{m.ts, j}, out)
				return true
			}
		}},
		"the exit cancels no requests": {"", "clean-end", func(a *jiang, c *composition) {
			c.Local[3].Do = func(p model.Proc, loc *local, out *outbox) bool {
				loc.Requester.P = loc.Requester.G
				return a.exit(p, loc, out)
			}
		}},
		"nodes do not inquire": {"quorums=1+2,1+3,2+3 timeout=never h=1,1,1", "all-served",
			func(a *jiang, _ *composition) {
				a.inquires = false
			}},
		"time-outs are not heard": {"h=1 crashes-arbiters=1", "deadlock-freedom",
			func(a *jiang, _ *composition) {
				a.timeouts = false
			}},
	} {
		t.Run(name, func(t *testing.T) {
			args, err := Jiang2002.ParseArgs(strings.Fields(m.args))
			if err != nil {
				t.Fatal(err)
			}
			alg := newJiang(args)
			c := alg.composition(apart(args, len(alg.h), alg.nodes))
			catches(t, m.property, &c, func() { m.mutate(alg, &c) })
		})
	}
}

// TestEachMutantOfRaynalIsCaught: the same for Raynal's algorithm.
func TestEachMutantOfRaynalIsCaught(t *testing.T) {
	type composition = model.Composition[raynalState, message, model.None]
	repliesTwice := func(a *raynal, c *composition) {
		c.Receive[0].Do = func(i, j model.Proc, m message, l *raynalState, out *outbox) bool {
			out.Send(j, message{kind: reply})
			return a.receiveRequest(i, j, m, l, out)
		}
	}
	for name, m := range map[string]struct {
		property string
		mutate   func(a *raynal, c *composition)
	}{
		"replies M always": {"units", func(a *raynal, c *composition) {
			c.Receive[0].Do = func(_, j model.Proc, _ message, _ *raynalState, out *outbox) bool {
				out.Send(j, message{kind: reply, ts: uint8(a.m)})
				return true
			}
		}},
		"replies twice":         {"messages", repliesTwice},
		"all replies are twice": {"messages-total", repliesTwice},
		"the exit tells nobody": {"deadlock-freedom", func(a *raynal, c *composition) {
			c.Local[2].Do = func(i model.Proc, l *raynalState, out *outbox) bool {
				l.Owed = 0
				return a.exit(i, l, out)
			}
		}},
		"all who wait go first": {"deadlock-freedom", func(a *raynal, c *composition) {
			c.Receive[0].Do = func(i, j model.Proc, m message, l *raynalState, out *outbox) bool {
				m.ts = l.TS + 1
				return a.receiveRequest(i, j, m, l, out)
			}
		}},
	} {
		t.Run(name, func(t *testing.T) {
			alg := &raynal{n: 3, m: 2, h: [][]int{{1}, {1}, {2}}, rounds: []int{1, 1, 1}, accounting: "add"}
			c := alg.composition(model.Network{Channel: model.FIFO})
			catches(t, m.property, &c, func() { m.mutate(alg, &c) })
		})
	}
}

// TestEachMutantOfFixedSetsIsCaught: the same for fixed request sets.
func TestEachMutantOfFixedSetsIsCaught(t *testing.T) {
	type composition = model.Composition[local, message, model.None]
	for name, m := range map[string]struct {
		policy   string
		property string
		mutate   func(a *fixed, c *composition)
	}{
		"a node has a unit too many": {"inquire", "units", func(a *fixed, _ *composition) { a.capacity++ }},
		"nodes do not inquire": {"inquire", "deadlock-freedom", func(a *fixed, _ *composition) {
			a.inquires = false
		}},
		"a release serves nobody": {"inquire", "deadlock-freedom", func(_ *fixed, c *composition) {
			c.Receive[4].Do = func(_, j model.Proc, m message, l *local, _ *outbox) bool {
				l.Arbiter.Holders.remove(ticket{m.ts, j})
				return true
			}
		}},
		"a node keeps what is released": {"inquire", "all-served", func(_ *fixed, c *composition) {
			c.Receive[4].Do = func(_, _ model.Proc, _ message, _ *local, _ *outbox) bool { return true }
		}},
		"FAILED is not heard": {"failed85", "deadlock-freedom", func(_ *fixed, c *composition) {
			c.Receive[2].Do = func(_, _ model.Proc, _ message, _ *local, _ *outbox) bool { return true }
		}},
		"FAILED leaves inquires waiting": {"failed85", "deadlock-freedom", func(_ *fixed, c *composition) {
			c.Receive[2].Do = func(_, j model.Proc, _ message, l *local, _ *outbox) bool {
				l.Requester.F = l.Requester.F.With(j)
				return true
			}
		}},
	} {
		t.Run(name, func(t *testing.T) {
			args, err := Arbiter.ParseArgs([]string{"sets=1+2,2+3,1+3", "policy=" + m.policy})
			if err != nil {
				t.Fatal(err)
			}
			alg := newFixed(args)
			c := alg.composition(model.Network{Channel: model.FIFO})
			catches(t, m.property, &c, func() { m.mutate(alg, &c) })
		})
	}
}

// catches reports an error unless the property holds of c and is violated after mutate.
func catches[L, M, H any](t *testing.T, property string, c *model.Composition[L, M, H],
	mutate func()) {
	t.Helper()
	c.Fair("weak")
	if v := verdict(t, *c, property); v != explore.Holds {
		t.Fatalf("%s of the algorithm itself: %s", property, v)
	}
	mutate()
	if v := verdict(t, *c, property); v != explore.Violated {
		t.Errorf("%s: %s, want violated", property, v)
	}
}

func verdict[L, M, H any](t *testing.T, c model.Composition[L, M, H],
	property string) explore.Verdict {
	t.Helper()
	for _, p := range explored(t, model.Compose(c), property).Properties {
		return p.Verdict
	}
	t.Fatalf("no property %s", property)
	return ""
}
