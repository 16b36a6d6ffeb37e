package explore_test

import (
	"os"
	"slices"
	"testing"

	"github.com/atmostk/atmostk/explore"
	"github.com/atmostk/atmostk/model"
)

// sweep is set for the larger sweep, which takes minutes:
// ATMOSTK_SWEEP=1 go test ./explore.
var sweep = os.Getenv("ATMOSTK_SWEEP") != ""

// seeds returns how many random models a test tries: few, or all of them in the sweep, or
// with -short, for the race detector, a tenth of the few.
func seeds(few, all uint64) uint64 {
	switch {
	case sweep:
		return all
	case testing.Short():
		return few / 10
	}
	return few
}

// counts are the figures by which two searches are compared, as a Report has them.
type counts struct {
	states, generated, depth int
	fired                    []int64 // per action
	outside, pruned, stuck   int
	found                    map[int]int   // per property: steps to the nearest state to report
	count                    map[int]int64 // per property: how often there was something to report
}

// naive explores the plain semantics in the most obvious way. It shares nothing
// with the real search: no vectors, no numbering, no hashing of its own. Beyond
// limit states it gives up and returns false.
func naive(p model.Plain, actions []model.Action, props []model.PropertyInfo, limit int) (counts, bool) {
	c := counts{fired: make([]int64, len(actions)), found: map[int]int{}, count: map[int]int64{}}
	note := func(i, steps int) {
		c.count[i]++
		if _, known := c.found[i]; !known {
			c.found[i] = steps
		}
	}
	judge := func(s model.State, steps int, kinds ...model.PropertyKind) {
		for i, info := range props {
			for _, k := range kinds {
				if info.Kind == k && p.Judge(s, i) {
					note(i, steps)
				}
			}
		}
	}
	seen := map[string]bool{}
	var level []model.State
	arrive := func(t model.Transition, steps int, next *[]model.State) {
		c.generated++
		if t.Outside {
			c.outside++
			judge(t.Next, steps, model.Invariant, model.Reachable)
		} else if key := t.Next.Key(); !seen[key] {
			judge(t.Next, steps, model.Invariant, model.Reachable)
			seen[key] = true
			*next = append(*next, t.Next)
		}
	}
	for _, t := range p.Init() {
		arrive(t, 0, &level)
	}
	for ; len(level) > 0; c.depth++ {
		var next []model.State
		for _, s := range level {
			steps, quiet := 0, true
			all := p.Steps(s)
			for _, t := range all {
				quiet = quiet && actions[t.Action].Kind != model.Ordinary
				if t.Pruned {
					c.pruned++
					continue
				}
				steps++
				c.fired[t.Action]++
				for i, info := range props {
					if info.Kind == model.StepInvariant && p.JudgeStep(s, t, i) {
						note(i, c.depth+1)
					}
				}
				arrive(t, c.depth+1, &next)
			}
			if len(seen) > limit {
				return c, false
			}
			if steps == 0 && len(all) > 0 {
				c.stuck++
			}
			if quiet {
				judge(s, c.depth, model.Quiet)
			}
			for i, info := range props {
				if info.Kind == model.DeadlockFree && len(all) == 0 {
					note(i, c.depth)
				}
			}
		}
		level = next
	}
	c.states = len(seen)
	return c, true
}

// compare compares all figures of a search but those of its properties with what is wanted.
func (c *counts) compare(t *testing.T, name string, r *explore.Report) {
	t.Helper()
	if int(r.States) != c.states || int(r.Generated) != c.generated || r.Depth != c.depth {
		t.Fatalf("%s: %d states, %d generated, depth %d; naively %d, %d, %d", name,
			r.States, r.Generated, r.Depth, c.states, c.generated, c.depth)
	}
	if !slices.Equal(r.Fired, c.fired) {
		t.Fatalf("%s: steps per action %v, naively %v", name, r.Fired, c.fired)
	}
	if int(r.Outside) != c.outside || int(r.Pruned) != c.pruned || int(r.Stuck) != c.stuck {
		t.Fatalf("%s: %d outside, %d pruned, %d stuck; naively %d, %d, %d", name,
			r.Outside, r.Pruned, r.Stuck, c.outside, c.pruned, c.stuck)
	}
}

// numbered is what the plain semantics has of the states within the bounds: for naive
// checkers that go through them several times. State 0 need not be an initial one.
type numbered struct {
	states  []model.State
	initial []int
	steps   [][]numberedStep // of each state
}

// numberedStep is a step that leads to a state; to is -1 if it leads outside or is pruned.
type numberedStep struct {
	model.Transition
	to int
}

// number goes through the reachable states. Beyond limit it gives up and returns false.
func number(p model.Plain, limit int) (g numbered, ok bool) {
	at := map[string]int{}
	arrive := func(t model.Transition) int {
		if t.Outside || t.Pruned {
			return -1
		}
		key := t.Next.Key()
		i, known := at[key]
		if !known {
			i = len(g.states)
			at[key] = i
			g.states = append(g.states, t.Next)
		}
		return i
	}
	for _, t := range p.Init() {
		if i := arrive(t); i >= 0 {
			g.initial = append(g.initial, i)
		}
	}
	for len(g.steps) < len(g.states) && len(g.states) <= limit {
		var steps []numberedStep
		for _, t := range p.Steps(g.states[len(g.steps)]) {
			steps = append(steps, numberedStep{t, arrive(t)})
		}
		g.steps = append(g.steps, steps)
	}
	return g, len(g.states) <= limit
}
