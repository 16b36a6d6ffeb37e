// Package naive explores a model in the most obvious way. The real search is compared with it, in tests and
// by model/modeltest.
package naive

import (
	"fmt"
	"slices"

	"github.com/atmostk/atmostk/explore"
	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/lts"
	"github.com/atmostk/atmostk/model/protocol"
)

// Counts are the numbers by which two searches are compared; a Report has the same.
type Counts struct {
	States, Generated, Depth int
	Fired                    []int64 // per action
	Outside, Pruned, Stuck   int
	Found                    map[int]int   // per property: steps to the nearest state to report
	Count                    map[int]int64 // per property: number of states or steps to report
}

// Explore explores the plain semantics in the most obvious way. It shares nothing
// with the real search: it uses no vectors, no numbering and no hashes. It gives up
// beyond limit states and returns false.
func Explore(p lts.Plain, actions []lts.Action, props []model.PropertyInfo, limit int) (Counts, bool) {
	c := Counts{Fired: make([]int64, len(actions)), Found: map[int]int{}, Count: map[int]int64{}}
	note := func(i, steps int) {
		c.Count[i]++
		if _, known := c.Found[i]; !known {
			c.Found[i] = steps
		}
	}
	judge := func(s lts.State, steps int, kinds ...model.PropertyKind) {
		for i, info := range props {
			if slices.Contains(kinds, info.Kind) && p.Judge(s, i) {
				note(i, steps)
			}
		}
	}
	seen := map[string]bool{}
	var level []lts.State
	arrive := func(t lts.Transition, steps int, next *[]lts.State) {
		c.Generated++
		if t.Outside {
			c.Outside++
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
	for ; len(level) > 0; c.Depth++ {
		var next []lts.State
		for _, s := range level {
			steps, quiet := 0, true
			all := p.Steps(s)
			for _, t := range all {
				quiet = quiet && actions[t.Action].Kind != protocol.Ordinary
				if t.Pruned {
					c.Pruned++
					continue
				}
				steps++
				c.Fired[t.Action]++
				for i, info := range props {
					if info.Kind == model.StepInvariant && p.JudgeStep(s, t, i) {
						note(i, c.Depth+1)
					}
				}
				arrive(t, c.Depth+1, &next)
			}
			if len(seen) > limit {
				return c, false
			}
			if steps == 0 && len(all) > 0 {
				c.Stuck++
			}
			if quiet {
				judge(s, c.Depth, model.Quiet)
			}
			for i, info := range props {
				if info.Kind == model.DeadlockFree && len(all) == 0 {
					note(i, c.Depth)
				}
			}
		}
		level = next
	}
	c.States = len(seen)
	return c, true
}

// Differs describes the first difference between a complete search and the counts, except properties; "" if
// there is none.
func (c *Counts) Differs(r *explore.Report) string {
	switch {
	case int(r.States) != c.States || int(r.Generated) != c.Generated || r.Depth != c.Depth:
		return fmt.Sprintf("%d states, %d generated, depth %d; naively %d, %d, %d",
			r.States, r.Generated, r.Depth, c.States, c.Generated, c.Depth)
	case !slices.Equal(r.Fired, c.Fired):
		return fmt.Sprintf("steps per action %v, naively %v", r.Fired, c.Fired)
	case int(r.Outside) != c.Outside || int(r.Pruned) != c.Pruned || int(r.Stuck) != c.Stuck:
		return fmt.Sprintf("%d outside, %d pruned, %d stuck; naively %d, %d, %d",
			r.Outside, r.Pruned, r.Stuck, c.Outside, c.Pruned, c.Stuck)
	}
	return ""
}
