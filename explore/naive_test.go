package explore_test

import "github.com/atmostk/atmostk/model"

// counts are the figures by which two searches are compared.
type counts struct {
	states, generated, depth int
	found                    map[int]int // per property: steps to the nearest state to report
}

// naive explores the plain semantics in the most obvious way. It shares nothing
// with the real search: no vectors, no numbering, no hashing of its own. Beyond
// limit states it gives up and returns false.
func naive(p model.Plain, actions []model.Action, props []model.PropertyInfo, limit int) (counts, bool) {
	c := counts{found: map[int]int{}}
	note := func(i, steps int) {
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
		if t.Outside || !seen[t.Next.Key()] {
			judge(t.Next, steps, model.Invariant, model.Reachable)
		}
		if !t.Outside && !seen[t.Next.Key()] {
			seen[t.Next.Key()] = true
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
					continue
				}
				steps++
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
