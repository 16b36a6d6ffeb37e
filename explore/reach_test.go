package explore_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/atmostk/atmostk/explore"
	"github.com/atmostk/atmostk/model/lts"
)

// TestOutOfReach compares the counts of states from which a goal cannot be reached
// any more with a fixpoint over the plain semantics, on random systems.
func TestOutOfReach(t *testing.T) {
	asked := 0
	for seed := range seeds(40, 150) {
		in := randomSystem(rand.New(rand.NewPCG(seed, 2)))
		if seed%2 == 1 {
			in = randomComposition(rand.New(rand.NewPCG(seed, 2)))
		}
		goal := 1 // the property "reachable"
		states, lost, ok := naiveOutOfReach(in.Plain, goal, 1000)
		if !ok {
			continue
		}
		r, err := explore.Run(context.Background(), in, explore.Options{KeepGoing: true, OutOfReach: true,
			Properties: []int{goal}})
		if err != nil {
			t.Fatal(err)
		}
		want := fmt.Sprint([]explore.Lost{{States: states, Lost: lost}})
		if got := fmt.Sprint(r.Properties[0].Lost); got != want {
			t.Fatalf("seed %d: %s, want %s", seed, got, want)
		}
		if lost > 0 && lost < states {
			asked++
		}
	}
	if !testing.Short() && asked < 8 {
		t.Errorf("only %d systems had a goal that some states lose and some do not", asked)
	}
}

// naiveOutOfReach repeats "a state from which a step leads to a state that reaches
// the goal reaches it too" until nothing changes.
func naiveOutOfReach(p lts.Plain, goal, limit int) (states, lost int64, ok bool) {
	g, ok := number(p, limit)
	if !ok {
		return 0, 0, false
	}
	reaches := make([]bool, len(g.states))
	for i, s := range g.states {
		reaches[i] = p.Judge(s, goal)
	}
	for changed := true; changed; {
		changed = false
		for i, steps := range g.steps {
			for _, t := range steps {
				if t.to >= 0 && reaches[t.to] && !reaches[i] {
					reaches[i], changed = true, true
				}
			}
		}
	}
	for _, r := range reaches {
		if !r {
			lost++
		}
	}
	return int64(len(g.states)), lost, true
}
