package vcube

import (
	"strings"
	"testing"

	"github.com/atmostk/atmostk/model"
)

// TestEachPartOfTheOrderIsNeeded: with variant=repaired units are given in the order of requests, and each
// part of that is needed.
func TestEachPartOfTheOrderIsNeeded(t *testing.T) {
	for name, m := range map[string]struct {
		args   string
		mutate func(x *exclusion, c *model.Composition[mutexState, message, model.None])
	}{
		"enters before those that asked first": {"n=2 k=2",
			func(x *exclusion, _ *model.Composition[mutexState, message, model.None]) {
				x.strict = false
			}},
		"an answer to an earlier request counts": {"n=2 k=2 rounds=2",
			func(_ *exclusion, c *model.Composition[mutexState, message, model.None]) {
				c.Receive[2].Do = func(_, j model.Proc, _ message, l *mutexState, _ *outbox) bool {
					l.Inside = l.Inside.With(j)
					return true
				}
			}},
	} {
		t.Run(name, func(t *testing.T) {
			args, err := KMutex.ParseArgs(append(strings.Fields(m.args), "variant=repaired"))
			if err != nil {
				t.Fatal(err)
			}
			x := exclusion{newMutex(args, args.Int("n"), 0), splits["count-first"]}
			c := x.composition(model.Network{})
			c.Receive = append(c.Receive, x.inside())
			catches(t, "fair-order", &c, func() { m.mutate(&x, &c) })
		})
	}
}

// TestOrderLetsAllUnitsBeUsed: the order does not keep units from being used at once.
func TestOrderLetsAllUnitsBeUsed(t *testing.T) {
	in, _, err := KMutex.Instantiate(strings.Fields("n=3 k=2 variant=repaired"))
	if err != nil {
		t.Fatal(err)
	}
	most := 0
	seen := map[string]bool{}
	for todo := []model.State{in.Plain.Init()[0].Next}; len(todo) > 0 && most < 2; {
		s := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		most = max(most, len(in.Plain.InUse(s)))
		for _, tr := range in.Plain.Steps(s) {
			if key := tr.Next.Key(); !seen[key] {
				seen[key] = true
				todo = append(todo, tr.Next)
			}
		}
	}
	if most != 2 {
		t.Errorf("at most %d units are in use at once", most)
	}
}
