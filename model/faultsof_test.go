package model_test

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/atmostk/atmostk/explore"
	"github.com/atmostk/atmostk/invariants"
	"github.com/atmostk/atmostk/model"
)

// ofOthers are models of which something is wrong that is not asked of single states alone: steps, quiet
// states, what was kept of a call before. They are as impurities are.
var ofOthers = []struct {
	what   string
	build  func() model.Instance
	length int
}{
	{"a property of quiet states that changes the state", spoiltRelay(func(c *relay) {
		c.Properties = append(c.Properties, model.Property[course]{
			Name: "calm", Kind: model.Quiet, Holds: func(g *course) bool {
				g.Local(0).Has = false
				return true
			},
		})
		c.Init = func(p model.Proc) passer { return passer{Has: p == 0, Seen: laps} }
	}), 0},
	{"a property of quiet states of the first member of a symmetry", symmetric(func(s *model.System[tally]) {
		alone := [][3]uint8{{1}, {0, 1}, {0, 0, 1}}
		s.Actions[0].Do = func(s *tally, i int, _ *model.Choice) bool {
			s.Count[i]++
			return s.Count == alone[i]
		}
		s.Properties = []model.Property[tally]{{
			Name: "calm", Kind: model.Quiet, Holds: func(s *tally) bool { return s.Count[0] == 0 },
		}}
	}), 1},
	{"a property of steps that changes the state after", spoiltRelay(func(c *relay) {
		c.Properties = append(c.Properties, model.Property[course]{
			Name: "steps", Kind: model.StepInvariant, Steps: []string{"pass"},
			HoldsStep: func(_ *course, _ model.Proc, to *course) bool {
				to.Local(0).Has = false
				to.Local(1).Seen = 0
				to.Local(1).Has = true
				return true
			},
		})
	}), 0},
	{"a property of a system's steps that changes the state before", spoiltTally(func(
		s *model.System[tally],
	) {
		s.Properties = []model.Property[tally]{{
			Name: "steps", Kind: model.StepInvariant, Steps: []string{"count"},
			HoldsStep: func(from *tally, _ model.Proc, _ *tally) bool {
				from.Sum++
				return true
			},
		}}
	}), 0},
	{"a property of a system's steps that counts", spoiltTally(func(s *model.System[tally]) {
		asked := 0
		s.Properties = []model.Property[tally]{{
			Name: "steps", Kind: model.StepInvariant, Steps: []string{"count"},
			HoldsStep: func(*tally, model.Proc, *tally) bool {
				asked++
				return asked%2 == 1
			},
		}}
	}), 0},
	{"a property of steps of the first member of a symmetry", symmetric(func(s *model.System[tally]) {
		s.Properties = []model.Property[tally]{{
			Name: "steps", Kind: model.StepInvariant, Steps: []string{"count"},
			HoldsStep: func(_ *tally, _ model.Proc, to *tally) bool {
				return to.Count[0] < 2 || to.Count[1] > 0
			},
		}}
	}), 1},
	{"a property that toggles a variable", spoiltRelay(func(c *relay) {
		c.Properties[0].Holds = func(g *course) bool {
			g.Local(1).Has = !g.Local(1).Has
			return true
		}
	}), 0},
	{"a property that reads what a handler has left behind", spoiltRelay(func(c *relay) {
		last := model.Proc(0)
		pass := c.Local[0].Do
		c.Local[0].Do = func(p model.Proc, l *passer, out *passing) bool {
			if !pass(p, l, out) {
				return false
			}
			last = p
			return true
		}
		c.Properties = append(c.Properties, model.Property[course]{
			Name: "turn", Kind: model.StepInvariant, Steps: []string{"pass"},
			HoldsStep: func(_ *course, by model.Proc, _ *course) bool { return last == by },
		})
	}), 2},
	{"a handler that keeps its local state, for another process to write to", spoiltRelay(func(c *relay) {
		var kept *passer
		pass, take := c.Local[0].Do, c.Receive[0].Do
		c.Local[0].Do = func(p model.Proc, l *passer, out *passing) bool {
			kept = l
			return pass(p, l, out)
		}
		c.Receive[0].Do = func(p, from model.Proc, m baton, l *passer, out *passing) bool {
			enabled := take(p, from, m, l, out)
			if kept != nil {
				kept.Seen = 2 - kept.Seen
			}
			return enabled
		}
	}), 8},
}

// TestLots: small models that draw lots are told, though chance may say the same twice.
func TestLots(t *testing.T) {
	for seed := range uint64(20) {
		lots := rand.New(rand.NewPCG(seed, 0))
		in := spoiltRelay(func(c *relay) {
			pass := c.Local[0].Do
			c.Local[0].Do = func(p model.Proc, l *passer, out *passing) bool {
				return lots.IntN(2) > 0 && pass(p, l, out)
			}
		})()
		r, err := explore.Run(context.Background(), in, explore.Options{Workers: 1})
		if err != nil || r.Mistake == nil || !r.Mistake.Impure() {
			t.Errorf("seed %d: not told: %v", seed, err)
		}
	}
}

// TestExcludedUnits: a local state that only an excluded step leads to is in no state, and its units in no
// use.
func TestExcludedUnits(t *testing.T) {
	for _, excludes := range []bool{false, true} {
		in := spoiltRelay(func(c *relay) {
			c.Units = func(l *passer) int { return int(l.Seen) }
			pass := c.Local[0].Do
			c.Local[0].Do = func(p model.Proc, l *passer, out *passing) bool {
				out.Note(1)
				l.Seen++
				return pass(p, l, out)
			}
			c.History.Step = func(*model.None, model.Event) bool { return !excludes }
			c.Properties = []model.Property[course]{invariants.Of[passer, baton, model.None]{}.AtMost(9)}
		})()
		r, err := explore.Run(context.Background(), in, explore.Options{Workers: 1})
		if err != nil {
			t.Fatal(err)
		}
		if vacuous := len(r.Properties[0].Vacuous) > 0; vacuous != excludes || r.Verdict != explore.Holds {
			t.Errorf("steps excluded %v: %s, %v", excludes, r.Verdict, r.Properties[0].Vacuous)
		}
	}
}

// stepped is a model with symmetry and a property of its steps, or without.
func stepped(symmetry bool, holds func(from *tally, to *tally) bool) model.Instance {
	build := symmetric
	if !symmetry {
		build = spoiltTally
	}
	return build(func(s *model.System[tally]) {
		s.Actions[0].Do = func(s *tally, i int, c *model.Choice) bool { // a member counts, or begins anew
			if s.Count[i] = uint8(c.Pick(4)); s.Count[i] > 0 {
				s.Count[i] = min(s.Count[i], 2)
			}
			s.Sum = 0
			return true
		}
		s.Properties = []model.Property[tally]{{
			Name: "steps", Kind: model.StepInvariant, Steps: []string{"count"},
			HoldsStep: func(from *tally, _ model.Proc, to *tally) bool { return holds(from, to) },
		}}
	})()
}

// TestStepsOfSymmetry: where members can be exchanged a step is judged as it is taken, and not as the sorted
// state that it leads to would have it, in which each may stand in another's place.
func TestStepsOfSymmetry(t *testing.T) {
	changes := func(from, to *tally) (n int) {
		for i := range from.Count {
			if from.Count[i] != to.Count[i] {
				n++
			}
		}
		return n
	}
	for what, row := range map[string]struct {
		holds func(from, to *tally) bool
		want  explore.Verdict
	}{
		"one member changes": {
			func(from, to *tally) bool { return changes(from, to) <= 1 }, explore.Holds,
		},
		"nobody falls from 2 to 0": {
			func(from, to *tally) bool { return !falls(from, to) }, explore.Violated,
		},
	} {
		for _, symmetry := range []bool{false, true} {
			in := stepped(symmetry, row.holds)
			r, err := explore.Run(context.Background(), in, explore.Options{Workers: 1})
			if err != nil {
				t.Fatal(what, symmetry, err)
			}
			if r.Verdict != row.want {
				t.Errorf("%s, with symmetry %v: %s, want %s", what, symmetry, r.Verdict, row.want)
			}
		}
	}
}

func falls(from, to *tally) bool {
	for i := range from.Count {
		if from.Count[i] == 2 && to.Count[i] == 0 {
			return true
		}
	}
	return false
}
