package cohorts

import (
	"slices"
	"strings"
	"testing"

	"github.com/atmostk/atmostk/model"
)

// TestEachPartOfTheRepairIsNeeded: each part of mode=repaired is needed.
func TestEachPartOfTheRepairIsNeeded(t *testing.T) {
	type composition = model.Composition[local, message, model.None]
	receiver := func(c *composition, name string) *model.Receiver[local, message] {
		i := slices.IndexFunc(c.Receive, func(r model.Receiver[local, message]) bool {
			return r.Name == name
		})
		return &c.Receive[i]
	}
	for name, m := range map[string]struct {
		args     string
		property string
		mutate   func(a *algorithm, c *composition)
	}{
		"an inquire before its grant is dropped": {"channel=bag dead=1", "deadlock-freedom",
			func(a *algorithm, c *composition) {
				receiver(c, "receive inquire").Do = a.receiveInquire
			}},
		"a release before its request is dropped": {"channel=bag", "clean-end",
			func(a *algorithm, c *composition) {
				receiver(c, "receive release").Do = a.receiveRelease
			}},
		"nobody takes back what the dead hold": {"crashes-requesters=1", "deadlock-freedom",
			func(_ *algorithm, c *composition) {
				c.Notice.Do = func(_, dead model.Proc, loc *local, _ *outbox) bool {
					known := loc.Down.Has(dead)
					loc.Down = loc.Down.With(dead)
					return !known
				}
			}},
		"nobody is notified": {"h=1 crashes-arbiters=1", "deadlock-freedom",
			func(_ *algorithm, c *composition) {
				c.Notice.Do = func(_, _ model.Proc, _ *local, _ *outbox) bool { return false }
			}},
		"goes on before all have answered": {"h=1", "best-primaries", func(a *algorithm, _ *composition) {
			a.repaired = false
		}},
		"who cannot be served keeps what it holds": {"cohorts=2,3 h=2,1 dead=3,4", "deadlock-freedom",
			func(_ *algorithm, c *composition) {
				c.Local[4].Do = func(_ model.Proc, _ *local, _ *outbox) bool { return false }
			}},
		"gives up though it can be served": {"cohorts=1,2 h=1,1", "deadlock-freedom",
			func(_ *algorithm, c *composition) {
				c.Local[4].Do = func(_ model.Proc, loc *local, out *outbox) bool {
					if loc.Requester.State != waiting || loc.Requester.P == 0 {
						return false
					}
					giveBack(loc, loc.Requester.P, out)
					return true
				}
			}},
		"nodes do not say that they are busy": {
			"cohorts=2,3 h=1,1 dead=1 stay=1", "deadlock-freedom",
			func(_ *algorithm, c *composition) {
				receiver(c, "receive busy").Do = func(_, _ model.Proc, _ message, _ *local, _ *outbox) bool {
					return true
				}
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			args, err := Cohorts.ParseArgs(append(strings.Fields(m.args), "mode=repaired"))
			if err != nil {
				t.Fatal(err)
			}
			alg := newAlgorithm(args)
			c := alg.composition(apart(args, len(alg.h), alg.nodes))
			catches(t, m.property, &c, func() { m.mutate(alg, &c) })
		})
	}
}
