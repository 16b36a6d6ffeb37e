package ring

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/atmostk/atmostk/explore"
	"github.com/atmostk/atmostk/model"
)

// A mutant is an algorithm with one line changed, and the property that catches it.
type mutant struct {
	name, args, property string
	mutate               func(r *ring, c *composition)
}

// TestEachMutantIsCaught changes one line at a time: the property holds of the algorithm, at
// the instance named, and not of the mutant.
func TestEachMutantIsCaught(t *testing.T) {
	for spec, mutants := range map[string][]mutant{
		"ring-election": electionMutants, "ring-basic": basicMutants, "ring-recovery": recoveryMutants,
	} {
		itself := map[[2]string]explore.Verdict{} // of the algorithm, by arguments and property
		for _, m := range mutants {
			t.Run(spec+" "+m.property+" "+m.name, func(t *testing.T) {
				asked := [2]string{m.args, m.property}
				if itself[asked] == "" {
					itself[asked] = judged(t, compose(t, spec, m.args, func(*ring, *composition) {}),
						m.property)
				}
				if v := itself[asked]; v != explore.Holds {
					t.Fatalf("%s of the algorithm itself: %s", m.property, v)
				}
				if v := judged(t, compose(t, spec, m.args, m.mutate), m.property); v != explore.Violated {
					t.Errorf("%s: %s, want violated", m.property, v)
				}
			})
		}
	}
}

// TestEachPropertyCatchesAMutant wants a mutant for every property of every spec; but for me3 and halts,
// which do not hold of the algorithm itself.
func TestEachPropertyCatchesAMutant(t *testing.T) {
	for spec, mutants := range map[string][]mutant{
		"ring-election": electionMutants, "ring-basic": basicMutants, "ring-recovery": recoveryMutants,
	} {
		for _, p := range model.Compose(compose(t, spec, "n=2", func(*ring, *composition) {})).
			Space.Properties() {
			if p.Name != "me3" && p.Name != "halts" && !slices.ContainsFunc(mutants,
				func(m mutant) bool { return m.property == p.Name }) {
				t.Errorf("no mutant of %s is caught by %s", spec, p.Name)
			}
		}
	}
}

// compose builds an instance of a spec and changes it. The ring is shared by the
// handlers, so that its fields may be changed too.
func compose(t *testing.T, spec, args string, mutate func(*ring, *composition)) composition {
	t.Helper()
	var r *ring
	var c composition
	switch spec {
	case "ring-election":
		r = &ring{n: 3, members: 3}
		c = r.election([]int{1, 1, 1})
	case "ring-basic":
		r = &ring{n: 3, members: 3, rounds: []int{1, 1, 1}}
		c = r.basic(false)
	default:
		a, err := Recovery.ParseArgs(strings.Fields(args))
		if err != nil {
			t.Fatal(err)
		}
		r = newRecovery(a)
		c = r.recovery()
	}
	c.LinkFairness("weak")
	mutate(r, &c)
	return c
}

func judged(t *testing.T, c composition, property string) explore.Verdict {
	t.Helper()
	in := model.Compose(c)
	i := slices.IndexFunc(in.Space.Properties(), func(p model.PropertyInfo) bool {
		return p.Name == property
	})
	r, err := explore.Run(context.Background(), in, explore.Options{Properties: []int{i}})
	if err != nil {
		t.Fatal(err)
	}
	return r.Properties[0].Verdict
}

// on changes the receipt of a kind of message.
func on(name string, do func(r *ring, i model.Proc, m message, l *record, out *output)) func(*ring,
	*composition) {
	return func(r *ring, c *composition) {
		at := slices.IndexFunc(c.Receive, func(h model.Receiver[record, message]) bool {
			return h.Name == "receive "+name
		})
		old := c.Receive[at]
		c.Receive[at] = receives(old.Name, old.Source, 0, func(i model.Proc, m message, l *record,
			out *output) {
			do(r, i, m, l, out)
		})
		c.Receive[at].Accepts = old.Accepts
	}
}

var electionMutants = []mutant{
	{"smaller ids go on", "", "e1", on("election", func(r *ring, i model.Proc, m message, l *record,
		out *output) {
		if m.id < idOf(i) {
			out.Send(m)
			return
		}
		r.receiveElection(i, m, l, out)
	})},
	{"elected is not forwarded", "", "e2", notForwarded},
	{"elected goes round again", "", "quiescence", on("elected", func(_ *ring, _ model.Proc, m message,
		l *record, out *output) {
		l.E = electionState{Coordinator: m.id}
		out.Send(m)
	})},
	{"who is elected sends thirty more", "", "messages-total",
		on("elected", func(r *ring, i model.Proc, m message, l *record, out *output) {
			r.receiveElected(i, m, l, out)
			for range 30 {
				if m.id == idOf(i) && r.coordinates(i, l) {
					out.Send(message{kind: elected, id: idOf(out.Link.To)})
				}
			}
		})},
}

// sendsTwo makes the release of an algorithm, its local handler at a place, send one more token.
func sendsTwo(at int, token message) func(*ring, *composition) {
	return func(_ *ring, c *composition) {
		release := c.Local[at].Do
		c.Local[at] = step(c.Local[at], func(i model.Proc, l *record, out *output) bool {
			left := release(i, l, out.Outbox)
			out.Send(token)
			return left
		})
	}
}

// chatters makes a process whose channel opens send 252 messages without effect, besides its own.
func chatters(r *ring, c *composition) {
	const idle = 77
	c.Links.Connect = event(*c.Links.Connect, func(i model.Proc, l *record, out *output) bool {
		for range 252 {
			out.Send(message{kind: rupToken, id: idOf(i), count: idle})
		}
		return r.outputConnect(i, l, out)
	})
	on("rup", func(r *ring, i model.Proc, m message, l *record, out *output) {
		if m.count != idle {
			r.receivesRUP(i, m, l, out)
		}
	})(r, c)
}

var notForwarded = on("elected", func(r *ring, i model.Proc, m message, l *record, out *output) {
	if m.id != idOf(i) {
		l.E = electionState{Coordinator: m.id}
		return
	}
	r.receiveElected(i, m, l, out)
})

var basicMutants = []mutant{
	{"a release sends two tokens", "", "messages", sendsTwo(2, message{kind: meToken})},
	{"the token is kept and forwarded", "", "mutual-exclusion", basicForwards},
	{"the token is kept and forwarded", "", "one-token", basicForwards},
	{"a release keeps the token", "", "requests-served", func(_ *ring, c *composition) {
		c.Local[2] = step(c.Local[2], func(_ model.Proc, l *record, _ *output) bool {
			left := l.ME.InCS
			l.ME.InCS, l.ME.State = false, released
			return left
		})
	}},
}

var basicForwards = on("token", func(r *ring, i model.Proc, m message, l *record, out *output) {
	if l.ME.State == wanted {
		out.Send(m)
	}
	r.receiveTokenBasic(i, m, l, out)
})

const (
	repaired = "n=3 f=1 repair=full"
	calm     = "scheme=0 n=3"
)

var recoveryMutants = []mutant{
	{"a release sends two tokens", "n=3", "messages", sendsTwo(1, message{kind: token, time: first})},
	{"a process chatters", "n=2 f=1 repair=full", "recovery-messages", chatters},
	{"the token is kept and forwarded", repaired, "mutual-exclusion", forwards},
	{"the token is kept and forwarded", repaired, "one-token", forwards},
	{"the token is kept and forwarded", repaired, "one-usable-token", forwards},
	{"a release sends nothing", calm, "deadlock-freedom", keeps},
	{"a release sends nothing", repaired, "requests-served", keeps},
	{"a release sends nothing", repaired, "token-stable", keeps},
	{"a release sends nothing", repaired, "token-recurs", keeps},
	{"the ring has to be UP, static list or not", repaired, "recoverable", func(r *ring, c *composition) {
		guarded := *r
		guarded.list = "auto"
		c.Links.OpenError = event(*c.Links.OpenError, guarded.openError)
	}},
	{"OnInit leaves the list empty", "n=3 f=1 min-k=0", "no-pop-empty", func(_ *ring, c *composition) {
		init := c.Init
		c.Init = func(i model.Proc) record {
			l := init(i)
			l.CEH.List = ""
			return l
		}
	}},
	{"the size of the list does not matter", "n=3 f=2 min-k=2", "min-k", func(r *ring, c *composition) {
		careless := *r
		careless.minK = 0
		c.Links.OpenError = event(*c.Links.OpenError, careless.openError)
	}},
	{"a release forgets the time", calm, "no-lost-request", func(r *ring, c *composition) {
		c.Local[1] = step(c.Local[1], func(i model.Proc, l *record, out *output) bool {
			left := r.releaseMx1(i, l, out)
			l.Mrk.Time = 0
			return left
		})
	}},
	{"a request that comes early is ignored", "scheme=1 n=2 f=1 variant=repaired", "no-lost-request",
		func(r *ring, _ *composition) {
			r.repairs.remember = false
		}},
	{"a rup does not count", "n=4 f=2 min-k=3 rounds=0 variant=repaired", "min-k-stable",
		func(r *ring, _ *composition) {
			r.repairs.count = false
		}},
	{"an election makes everybody RELEASED", "scheme=1 n=2 f=1", "resumes", func(r *ring, _ *composition) {
		r.resets = true
	}},
	{"the list begins with the neighbour", "n=3 f=1", "turns-onward", func(_ *ring, c *composition) {
		init := c.Init
		c.Init = func(i model.Proc) record {
			l := init(i)
			l.CEH.List = ids([]byte{byte(idOf(l.Out.To))}) + l.CEH.List
			return l
		}
	}},
	{"the own rup is lost", "n=3 f=1", "can-recover", on("rup", func(r *ring, i model.Proc, m message,
		l *record, out *output) {
		if m.id != idOf(i) {
			r.receivesRUP(i, m, l, out)
		}
	})},
	{"elected is not forwarded", "n=4 f=1 rounds=0 repair=full", "election-stable", notForwarded},
	{"nobody absorbs", "n=4 f=2 rounds=0 repair=full", "no-orphan", func(r *ring, _ *composition) {
		r.repairs.orphan = false
	}},
	{"the timer does not fire", "scheme=0 n=2 start=cold", "rup-terminates", func(_ *ring, c *composition) {
		c.Links.Timers[0].Do = func(model.Proc, *record, *model.Outbox[message]) bool { return false }
	}},
}

// forwards: a process that enters lets the token go on.
var forwards = on("token", func(r *ring, i model.Proc, m message, l *record, out *output) {
	before := l.ME.State
	r.receiveToken(i, m, l, out)
	if before == wanted && l.ME.State == held {
		out.Send(m)
	}
})

// keeps: a release without a pending clear keeps the token.
func keeps(r *ring, c *composition) {
	c.Local[1] = step(c.Local[1], func(i model.Proc, l *record, out *output) bool {
		if l.Mrk.Pending.Present {
			return r.releaseMx1(i, l, out)
		}
		left := l.ME.InCS
		l.ME.InCS, l.ME.State = false, released
		return left
	})
}
