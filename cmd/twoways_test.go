package cmd_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/atmostk/atmostk/explore"
	"github.com/atmostk/atmostk/explore/naive"
	"github.com/atmostk/atmostk/invariants"
	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/modeltest"
	"github.com/atmostk/atmostk/model/param"
)

// One algorithm is written twice: with slices, maps and strings, and with arrays, sets and numbers. A
// coordinator, the first process, keeps a queue of requests and lends k permissions; a grant lists the
// waiting processes and the holders, and its receiver keeps the list.

// most is the room for processes of the second way.
const most = 4

var (
	ofSlices = coordinated("slices", "written with slices, maps and strings", buildSlices)
	ofArrays = coordinated("arrays", "written with arrays, sets and numbers", buildArrays)
)

func coordinated(name, title string, build func(*model.Args) (model.Instance, error)) model.Spec {
	return model.Spec{
		Name: name, Title: "a coordinator with a queue, " + title, Source: "folklore", Build: build,
		Params: append([]param.Param{
			{Name: "n", Doc: "number of processes", Default: "3", Type: param.IntRange(2, most)},
			{Name: "k", Doc: "permissions", Default: "1", Type: param.IntRange(1, most)},
			{Name: "rounds", Doc: "how often each of the others requests", Default: "1",
				Type: param.IntRange(1, 20)},
			{Name: "careless", Doc: "yes: one permission too many is lent", Default: "no",
				Type: param.OneOf("no", "yes")},
		}, param.Network("subset")...),
		References: []model.Reference{{Args: "n=3 k=2 rounds=2", States: 787, Generated: 2083, Depth: 21}},
	}
}

// setup is what both ways have in common.
type setup struct {
	n, k, lent int
	rounds     uint8
	network    model.Network
}

func setupOf(a *model.Args) (s setup) {
	s = setup{n: a.Int("n"), k: a.Int("k"), rounds: uint8(a.Int("rounds"))}
	s.lent = s.k
	if a.Is("careless", "yes") {
		s.lent++
	}
	s.network = a.Network(s.n, 1, 0)
	return s
}

// The first way.
type (
	sliceLocal struct {
		Queue []model.Proc
		Lent  map[model.Proc]string // to whom, and by which message it was asked for
		Seen  struct {
			Waiting []model.Proc
			Holding map[model.Proc]string
		}
		Phase  string
		Rounds uint8
	}
	sliceMessage struct {
		Kind    string
		Waiting []model.Proc
		Holding map[model.Proc]string
	}
	sliceOutbox = model.Outbox[sliceMessage]
)

func (m sliceMessage) String() string { return strings.ToUpper(m.Kind) }

func buildSlices(a *model.Args) (model.Instance, error) {
	s := setupOf(a)
	// The message is sent by reference, and changed in place afterwards.
	serve := func(l *sliceLocal, out *sliceOutbox) {
		for len(l.Queue) > 0 && len(l.Lent) < s.lent {
			p := l.Queue[0]
			l.Lent[p] = "ask"
			out.Send(p, sliceMessage{"grant", l.Queue, l.Lent})
			l.Queue = append(l.Queue[:0], l.Queue[1:]...)
		}
	}
	is := func(kind string) func(m sliceMessage) bool {
		return func(m sliceMessage) bool {
			clear(m.Holding) // it may change m
			return m.Kind == kind
		}
	}
	type global = model.Global[sliceLocal, sliceMessage, model.None]
	return model.Compose(model.Composition[sliceLocal, sliceMessage, model.None]{
		N: s.n, Names: model.Names{First: 1}, Network: s.network, Capacity: s.k,
		Init: func(p model.Proc) sliceLocal {
			if p == 0 {
				return sliceLocal{Phase: "idle"}
			}
			return sliceLocal{Phase: "idle", Rounds: s.rounds}
		},
		Units: func(l *sliceLocal) int { return strings.Count(l.Phase, "inside") },
		Local: []model.Handler[sliceLocal, sliceMessage]{
			{Name: "ask", Do: func(_ model.Proc, l *sliceLocal, out *sliceOutbox) bool {
				if l.Phase != "idle" || l.Rounds == 0 {
					return false
				}
				l.Phase, l.Rounds = "waiting", l.Rounds-1
				out.Send(0, sliceMessage{Kind: "ask"})
				return true
			}},
			{Name: "leave", Do: func(_ model.Proc, l *sliceLocal, out *sliceOutbox) bool {
				if l.Phase != "inside" {
					return false
				}
				*l = sliceLocal{Phase: "idle", Rounds: l.Rounds}
				out.Send(0, sliceMessage{Kind: "return", Waiting: []model.Proc{}})
				return true
			}},
		},
		Receive: []model.Receiver[sliceLocal, sliceMessage]{
			{Name: "receive ASK", Accepts: is("ask"),
				Do: func(_, from model.Proc, _ sliceMessage, l *sliceLocal, out *sliceOutbox) bool {
					l.Queue = append(l.Queue, from)
					serve(l, out)
					return true
				}},
			{Name: "receive GRANT", Accepts: is("grant"),
				Do: func(p, _ model.Proc, m sliceMessage, l *sliceLocal, out *sliceOutbox) bool {
					if out.Pick(2) == 1 {
						delete(m.Holding, p)
						m.Waiting[0] = p
					}
					l.Phase, l.Seen.Waiting, l.Seen.Holding = "inside", m.Waiting[1:], m.Holding
					return true
				}},
			{Name: "receive RETURN", Accepts: is("return"),
				Do: func(_, from model.Proc, _ sliceMessage, l *sliceLocal, out *sliceOutbox) bool {
					delete(l.Lent, from)
					serve(l, out)
					return true
				}},
		},
		Properties: []model.Property[global]{
			invariants.Of[sliceLocal, sliceMessage, model.None]{}.AtMost(s.k),
			{Name: "no-duplicates", Doc: "nobody waits twice", OfLocal: func(g *global, p model.Proc) bool {
				queue := g.Local(p).Queue
				return len(slices.Compact(slices.Sorted(slices.Values(queue)))) == len(queue)
			}},
			{Name: "seen-by-two", Kind: model.Reachable, Doc: "one sees two", Holds: func(g *global) bool {
				return g.N > 2 && len(g.Local(1).Seen.Holding) > 0 && g.Local(2).Seen.Holding[1] == "ask"
			}},
		},
	}), nil
}

// The second way.
type (
	arrayLocal struct {
		Queue   [most]model.Proc
		Length  uint8
		Lent    model.Set
		Waiting [most]model.Proc
		Long    uint8
		Holding model.Set
		Phase   uint8 // 0 idle, 1 waiting, 2 inside
		Rounds  uint8
	}
	arrayMessage struct {
		Kind    uint8 // 0 ask, 1 grant, 2 return
		Waiting [most]model.Proc
		Long    uint8
		Holding model.Set
	}
	arrayOutbox = model.Outbox[arrayMessage]
)

func (m arrayMessage) String() string { return [...]string{"ASK", "GRANT", "RETURN"}[m.Kind] }

// shifted returns a queue without its head.
func shifted(queue [most]model.Proc) (rest [most]model.Proc) {
	copy(rest[:], queue[1:])
	return rest
}

func buildArrays(a *model.Args) (model.Instance, error) {
	s := setupOf(a)
	serve := func(l *arrayLocal, out *arrayOutbox) {
		for l.Length > 0 && l.Lent.Len() < s.lent {
			p := l.Queue[0]
			l.Lent = l.Lent.With(p)
			out.Send(p, arrayMessage{1, l.Queue, l.Length, l.Lent})
			l.Queue, l.Length = shifted(l.Queue), l.Length-1
		}
	}
	is := func(kind uint8) func(m arrayMessage) bool {
		return func(m arrayMessage) bool { return m.Kind == kind }
	}
	type global = model.Global[arrayLocal, arrayMessage, model.None]
	return model.Compose(model.Composition[arrayLocal, arrayMessage, model.None]{
		N: s.n, Names: model.Names{First: 1}, Network: s.network, Capacity: s.k,
		Init: func(p model.Proc) arrayLocal {
			if p == 0 {
				return arrayLocal{}
			}
			return arrayLocal{Rounds: s.rounds}
		},
		Units: func(l *arrayLocal) int { return int(l.Phase / 2) },
		Local: []model.Handler[arrayLocal, arrayMessage]{
			{Name: "ask", Do: func(_ model.Proc, l *arrayLocal, out *arrayOutbox) bool {
				if l.Phase != 0 || l.Rounds == 0 {
					return false
				}
				l.Phase, l.Rounds = 1, l.Rounds-1
				out.Send(0, arrayMessage{})
				return true
			}},
			{Name: "leave", Do: func(_ model.Proc, l *arrayLocal, out *arrayOutbox) bool {
				if l.Phase != 2 {
					return false
				}
				*l = arrayLocal{Rounds: l.Rounds}
				out.Send(0, arrayMessage{Kind: 2})
				return true
			}},
		},
		Receive: []model.Receiver[arrayLocal, arrayMessage]{
			{Name: "receive ASK", Accepts: is(0),
				Do: func(_, from model.Proc, _ arrayMessage, l *arrayLocal, out *arrayOutbox) bool {
					l.Queue[l.Length] = from
					l.Length++
					serve(l, out)
					return true
				}},
			{Name: "receive GRANT", Accepts: is(1),
				Do: func(p, _ model.Proc, m arrayMessage, l *arrayLocal, out *arrayOutbox) bool {
					if out.Pick(2) == 1 {
						m.Holding = m.Holding.Without(p)
					}
					l.Phase, l.Waiting, l.Long, l.Holding = 2, shifted(m.Waiting), m.Long-1, m.Holding
					return true
				}},
			{Name: "receive RETURN", Accepts: is(2),
				Do: func(_, from model.Proc, _ arrayMessage, l *arrayLocal, out *arrayOutbox) bool {
					l.Lent = l.Lent.Without(from)
					serve(l, out)
					return true
				}},
		},
		Properties: []model.Property[global]{
			invariants.Of[arrayLocal, arrayMessage, model.None]{}.AtMost(s.k),
			{Name: "no-duplicates", Doc: "nobody waits twice", OfLocal: func(g *global, p model.Proc) bool {
				queue := g.Local(p).Queue[:g.Local(p).Length]
				return len(slices.Compact(slices.Sorted(slices.Values(queue)))) == len(queue)
			}},
			{Name: "seen-by-two", Kind: model.Reachable, Doc: "one sees two", Holds: func(g *global) bool {
				return g.N > 2 && g.Local(1).Holding != 0 && g.Local(2).Holding.Has(1)
			}},
		},
	}), nil
}

// TestTwoWays: both ways have the same states, steps, verdicts and shortest runs, in the search and in the
// plain semantics, whatever the medium; and nothing that is shared between values tells in either.
func TestTwoWays(t *testing.T) {
	for _, args := range []string{
		"n=3 k=1", "n=3 k=2 rounds=2", "n=4 k=2", "n=3 k=1 careless=yes", "n=3 k=1 channel=fifo",
		"n=3 k=1 crashes=1", "n=3 k=1 crashes=1 channel=fifo", "n=3 k=1 losses=1",
		"n=3 k=1 copies=1 channel=fifo",
	} {
		var reports [2]*explore.Report
		for i, spec := range []model.Spec{ofSlices, ofArrays} {
			in, _, err := spec.Instantiate(strings.Fields(args))
			if err != nil {
				t.Fatal(err)
			}
			opt := explore.Options{KeepGoing: true, Workers: 2, Properties: []int{0, 1, 2}}
			r, err := explore.Run(context.Background(), in, opt)
			if err != nil || r.Mistake != nil || !r.Complete {
				t.Fatalf("%s %s: %v, %v", spec.Name, args, err, r.Mistake)
			}
			plain, ok := naive.Explore(in.Plain, in.Space.Actions(), in.Space.Properties(), 20_000)
			if !ok {
				t.Fatalf("%s %s: too many states", spec.Name, args)
			}
			if how := plain.Differs(r); how != "" {
				t.Errorf("%s %s: the plain semantics: %s", spec.Name, args, how)
			}
			reports[i] = r
		}
		a, b := reports[0], reports[1]
		if a.States != b.States || a.Generated != b.Generated || a.Depth != b.Depth ||
			!slices.Equal(a.Fired, b.Fired) || !slices.Equal(a.Levels, b.Levels) || a.Quiet != b.Quiet {
			t.Errorf("%s: %d, %d, %d by slices, %d, %d, %d by arrays", args,
				a.States, a.Generated, a.Depth, b.States, b.Generated, b.Depth)
		}
		for i, p := range a.Properties {
			if q := b.Properties[i]; p.Verdict != q.Verdict || p.Length != q.Length {
				t.Errorf("%s %s: %s after %d by slices, %s after %d by arrays", args, p.Name,
					p.Verdict, p.Length, q.Verdict, q.Length)
			}
		}
		t.Logf("%s: %d states", args, a.States)
	}
}

// TestSlicesModel: all that a user's test checks, it checks of a model with slices and maps.
func TestSlicesModel(t *testing.T) { modeltest.Check(t, ofSlices) }
