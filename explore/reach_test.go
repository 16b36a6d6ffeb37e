package explore_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/atmostk/atmostk/explore"
	"github.com/atmostk/atmostk/model"
)

// TestOutOfReach compares the counts of states from which a goal cannot be reached
// any more with a fixpoint over the plain semantics, on random systems.
func TestOutOfReach(t *testing.T) {
	asked := 0
	for seed := range uint64(150) {
		in := randomSystem(rand.New(rand.NewPCG(seed, 2)))
		if seed%2 == 1 {
			in = randomComposition(rand.New(rand.NewPCG(seed, 2)))
		}
		goal := 1 // the property "reachable"
		states, lost, ok := naiveOutOfReach(in.Plain, goal, 1000)
		if !ok {
			continue
		}
		r, err := explore.Run(context.Background(), in, explore.Options{KeepGoing: true, OutOfReach: true, Properties: []int{goal}})
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
	if asked < 20 {
		t.Errorf("only %d systems had a goal that some states lose and some do not", asked)
	}
}

// naiveOutOfReach repeats "a state from which a step leads to a state that reaches
// the goal reaches it too" until nothing changes.
func naiveOutOfReach(p model.Plain, goal, limit int) (states, lost int64, ok bool) {
	next := map[string][]string{}
	reaches := map[string]bool{}
	var todo []model.State
	visit := func(tr model.Transition) {
		if key := tr.Next.Key(); !tr.Outside && !tr.Pruned && next[key] == nil {
			next[key] = []string{}
			reaches[key] = p.Judge(tr.Next, goal)
			todo = append(todo, tr.Next)
		}
	}
	for _, tr := range p.Init() {
		visit(tr)
	}
	for len(todo) > 0 && len(next) <= limit {
		s := todo[0]
		todo = todo[1:]
		for _, tr := range p.Steps(s) {
			visit(tr)
			if !tr.Outside && !tr.Pruned {
				next[s.Key()] = append(next[s.Key()], tr.Next.Key())
			}
		}
	}
	for changed := true; changed; {
		changed = false
		for s, ts := range next {
			for _, t := range ts {
				if reaches[t] && !reaches[s] {
					reaches[s], changed = true, true
				}
			}
		}
	}
	for _, r := range reaches {
		if !r {
			lost++
		}
	}
	return int64(len(next)), lost, len(next) <= limit
}
