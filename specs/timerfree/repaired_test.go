package timerfree

import (
	"slices"
	"testing"

	"github.com/atmostk/atmostk/explore"
	"github.com/atmostk/atmostk/model"
)

// TestEachPartOfTheRepairIsNeeded: each change of variant=repaired is needed, in instances in which it keeps
// every property itself, as the tables say.
func TestEachPartOfTheRepairIsNeeded(t *testing.T) {
	for name, m := range map[string]struct {
		args     string
		property string
		mutate   func(*algorithm, *composition)
	}{
		"replies have no timestamps": {
			"n=3 k=2 f=1 rounds=2,1,1 crashes=0 channel=fifo", "at-most-k",
			without(func(a *algorithm) { a.timed = false }),
		},
		"enters with permissions alone": {
			"n=3 k=3 f=1 rounds=2,1,0 crashes=0 channel=fifo rp=V", "no-false-suspicion",
			without(func(a *algorithm) { a.awaitMost = false }),
		},
		"line 37 in the middle of a request": {
			"n=3 k=2 f=1 rounds=2,1,0 crashes=0 channel=fifo rp=T", "no-false-suspicion",
			without(func(a *algorithm) { a.atEnd = false }),
		},
		"line 38 at answers only": {
			"n=2 k=2 f=1 dead=2 rounds=3,0", "all-detected",
			func(a *algorithm, c *composition) {
				c.Local[1].Do = func(i model.Proc, l *local, out *outbox) bool {
					before := l.Crashed
					done := a.enters(i, l, out)
					l.Crashed = before
					return done
				}
			},
		},
		"requests of equal time are not ordered": {
			"n=2 k=1 f=0 rounds=1", "at-most-k",
			without(func(a *algorithm) { a.footnote = true }),
		},
		"the last request deferred is answered": {
			"n=3 k=2 f=1 rounds=2,0,1 crashable=2", "no-starvation",
			without(func(a *algorithm) { a.newest = true }),
		},
	} {
		t.Run(name, func(t *testing.T) {
			r, err := explore.Run(t.Context(), mutant(t, m.args+" variant=repaired", m.mutate),
				explore.Options{})
			if err != nil {
				t.Fatal(err)
			}
			i := slices.IndexFunc(r.Properties, func(p explore.Result) bool { return p.Name == m.property })
			if got := r.Properties[i].Verdict; got != explore.Violated {
				t.Errorf("%s: %s", m.property, got)
			}
		})
	}
}

// without composes the algorithm anew, without a change or with another one.
func without(change func(*algorithm)) func(*algorithm, *composition) {
	return func(a *algorithm, c *composition) {
		change(a)
		*c = a.composition(c.Network)
	}
}
