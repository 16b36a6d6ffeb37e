package raymond

import (
	"context"
	"slices"
	"testing"

	"github.com/atmostk/atmostk/explore"
	"github.com/atmostk/atmostk/model"
)

// TestEachMutantOfBASIsCaught changes one guard of the algorithm at a time; a property must catch it.
func TestEachMutantOfBASIsCaught(t *testing.T) {
	type composition = model.Composition[basLocal, message, model.None]
	mutants := map[string]struct {
		property string
		mutate   func(a *bas, c *composition)
	}{
		"a permission is not taken back":             {"at-most-k", keepPermissions},
		"a permission is not taken back, as counted": {"permissions-exact", keepPermissions},
		"the threshold does not fall": {"no-starvation", func(a *bas, c *composition) {
			c.Local[1].Do = func(_ model.Proc, l *basLocal, _ *outbox) bool {
				if l.State != requesting || int(l.PermCount.Value()) < a.n-a.k {
					return false
				}
				l.State = cs
				return true
			}
		}},
		"a late reply of a crashed process counts": {"at-most-k", func(a *bas, c *composition) {
			c.Notice.Do = func(i, j model.Proc, l *basLocal, out *outbox) bool {
				miss := l.Miss.At(j)
				known := !a.notify(i, j, l, out)
				l.Miss.Put(j, miss)
				return !known
			}
			c.Receive[1].Do = func(i, j model.Proc, m message, l *basLocal, out *outbox) bool {
				crashed := l.Crashed
				l.Crashed = l.Crashed.Without(j)
				ok := a.receiveReply(i, j, m, l, out)
				l.Crashed = crashed
				return ok
			}
		}},
		"one permission too many":                {"can-reach-k", demandMore},
		"one permission too many, after crashes": {"can-reach-min", demandMore},
	}
	for name, m := range mutants {
		t.Run(name, func(t *testing.T) {
			alg := bas{algorithm: algorithm{n: 3, k: 1, advanceH: true, rounds: []int{1, 1, 0}}}
			c := alg.composition(model.Network{Crashes: 1, Crashable: model.All(3), CrashSends: model.Subset})
			if v := basVerdict(t, c, m.property); v != explore.Holds {
				t.Fatalf("%s of the algorithm itself: %s", m.property, v)
			}
			m.mutate(&alg, &c)
			if v := basVerdict(t, c, m.property); v != explore.Violated {
				t.Errorf("%s: %s, want violated", m.property, v)
			}
		})
	}
}

// keepPermissions: the threshold falls, but the permission of the crashed counts on.
func keepPermissions(a *bas, c *model.Composition[basLocal, message, model.None]) {
	c.Notice.Do = func(i, j model.Proc, l *basLocal, out *outbox) bool {
		permissions := l.PermCount
		known := !a.notify(i, j, l, out)
		l.PermCount = permissions
		return !known
	}
}

// demandMore: a process enters with n-k+1 permissions.
func demandMore(a *bas, c *model.Composition[basLocal, message, model.None]) {
	strict := *a
	strict.k--
	c.Local[1].Do = strict.enter
}

func basVerdict(t *testing.T, c model.Composition[basLocal, message, model.None],
	property string) explore.Verdict {
	t.Helper()
	in := model.Compose(c)
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
