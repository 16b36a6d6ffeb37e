package raymond

import (
	"context"
	"slices"
	"testing"

	"github.com/atmostk/atmostk/explore"
	"github.com/atmostk/atmostk/model"
)

// TestEachMutantIsCaught changes one guard of the algorithm at a time; a property must catch it.
func TestEachMutantIsCaught(t *testing.T) {
	type composition = model.Composition[local, message, epochs]
	base := algorithm{n: 3, k: 1, advanceH: true, rounds: []int{2, 1, 1}}
	mutants := map[string]struct {
		property string
		mutate   func(a *algorithm, c *composition)
	}{
		"one permission too few": {"at-most-k", func(a *algorithm, c *composition) {
			c.Local[1].Do = func(p model.Proc, l *local, out *outbox) bool {
				l.PermCount = l.PermCount.Plus(1)
				return a.enter(p, l, out)
			}
		}},
		"never defers": {"at-most-k", func(_ *algorithm, c *composition) {
			c.Receive[0].Do = func(_, j model.Proc, m message, l *local, out *outbox) bool {
				l.H = l.H.Max(m.ts).Plus(1)
				out.Send(j, message{reply: true, count: 1})
				return true
			}
		}},
		"a release pays nobody": {"no-starvation", func(_ *algorithm, c *composition) {
			c.Local[2].Do = func(_ model.Proc, l *local, _ *outbox) bool {
				if l.State != cs {
					return false
				}
				l.State = notRequesting
				return true
			}
		}},
		"an empty reply beside each": {"messages-total", func(a *algorithm, c *composition) {
			c.Receive[0].Do = func(i, j model.Proc, m message, l *local, out *outbox) bool {
				out.Send(j, message{reply: true})
				return a.receiveRequest(i, j, m, l, out)
			}
		}},
		"all requests have one time": {"no-starvation", func(a *algorithm, c *composition) {
			c.Receive[0].Do = func(i, j model.Proc, m message, l *local, out *outbox) bool {
				m.ts = l.Last.Value() + 1 // each process takes itself for the first
				return a.receiveRequest(i, j, m, l, out)
			}
		}},
	}
	for name, m := range mutants {
		t.Run(name, func(t *testing.T) {
			alg := base
			if m.property == "messages-total" { // which takes the graph of all states
				alg.rounds = []int{1, 1, 0}
			}
			c := alg.composition(model.Network{Crashable: model.All(alg.n)})
			if v := verdict(t, c, m.property); v != explore.Holds {
				t.Fatalf("%s of the algorithm itself: %s", m.property, v)
			}
			m.mutate(&alg, &c)
			if v := verdict(t, c, m.property); v != explore.Violated {
				t.Errorf("%s: %s, want violated", m.property, v)
			}
		})
	}
}

func verdict(t *testing.T, c model.Composition[local, message, epochs], property string) explore.Verdict {
	t.Helper()
	in := model.Compose(c)
	i := slices.IndexFunc(in.Space.Properties(), func(p model.PropertyInfo) bool {
		return p.Name == property
	})
	if i < 0 {
		t.Fatalf("no property %s", property)
	}
	r, err := explore.Run(context.Background(), in, explore.Options{Properties: []int{i}})
	if err != nil {
		t.Fatal(err)
	}
	return r.Properties[0].Verdict
}
