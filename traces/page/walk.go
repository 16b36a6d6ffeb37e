package page

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/lts"
	"github.com/atmostk/atmostk/traces"
)

// A Path is a run by numbers: the number of the initial state among the initial states of the model, and for
// each state the number of the choice among the enabled steps.
type Path struct {
	Initial int   `json:"initial"`
	Choices []int `json:"path"`
}

// PathOf returns the path of a run. It fails at a step that fails.
func PathOf(r *traces.Run) (p Path, err error) {
	in := r.Instance()
	p.Choices = []int{}
	p.Initial = slices.IndexFunc(in.Plain.Init(), func(t lts.Transition) bool {
		return t.Next.Key() == r.States[0].Key()
	})
	for i := range r.Taken {
		k := slices.IndexFunc(enabled(in, r.States[i]), func(t lts.Transition) bool {
			return same(&t,
				&r.Taken[i])
		})
		if k < 0 {
			return p, fmt.Errorf("step %d fails: it leads nowhere", i+1)
		}
		p.Choices = append(p.Choices, k)
	}
	return p, nil
}

// enabled returns the steps that can be taken in a state.
func enabled(in model.Instance, s lts.State) []lts.Transition {
	return slices.DeleteFunc(in.Plain.Steps(s), func(t lts.Transition) bool { return t.Pruned })
}

// A walk is a path with the steps that it took. The next one begins with their common part, so that a step
// more does not take all of them again.
type walk struct {
	path  Path
	taken []lts.Transition
}

// common returns how many steps a path has in common with the walk.
func (w *walk) common(p Path) (n int) {
	if w.path.Initial != p.Initial {
		return 0
	}
	for n < min(len(w.taken), len(p.Choices)) && w.path.Choices[n] == p.Choices[n] {
		n++
	}
	return n
}

// follow takes the choices of a path, one after the other.
func (w *walk) follow(in model.Instance, p Path) (initial lts.State, taken []lts.Transition, err error) {
	inits := in.Plain.Init()
	if p.Initial < 0 || p.Initial >= len(inits) {
		return nil, nil, fmt.Errorf("there is no initial state %d; there are %d, counted from 0", p.Initial,
			len(inits))
	}
	at := inits[p.Initial]
	initial = at.Next
	if n := w.common(p); n > 0 {
		taken = slices.Clone(w.taken[:n])
		at = taken[n-1]
	}
	for i := len(taken); i < len(p.Choices); i++ {
		k := p.Choices[i]
		steps := enabled(in, at.Next)
		switch {
		case at.Outside:
			return nil, nil, fmt.Errorf("step %d: nothing follows a state outside the constraint", i+1)
		case k < 0 || k >= len(steps):
			return nil, nil, fmt.Errorf("step %d: there is no choice %d; there are %d, counted from 0", i+1,
				k, len(steps))
		}
		at = steps[k]
		taken = append(taken, at)
	}
	if w.common(p) < len(p.Choices) { // otherwise the kept walk goes further
		*w = walk{Path{p.Initial, slices.Clone(p.Choices)}, taken}
	}
	return initial, taken, nil
}

// A target is what a search from some state looks for.
type target func(from lts.State, t *lts.Transition) bool

// ofProperty is the target at which a property is violated, or a goal reached.
func ofProperty(in model.Instance, p int) (target, error) {
	infos := in.Space.Properties()
	if p < 0 || p >= len(infos) {
		return nil, fmt.Errorf("there is no property %d", p)
	}
	if k := infos[p].Kind; k == model.Liveness || k == model.Costs {
		return nil, fmt.Errorf("%s is of kind %s: no single state or step shows it. "+
			"`check --property %[1]s` finds such runs", infos[p].Name, k)
	}
	return func(from lts.State, t *lts.Transition) bool {
		v := traces.Verdict(in, from, t, t.Next, p)
		return v == traces.Violated || v == traces.Reached
	}, nil
}

// A finding is what a search from some state found.
type finding struct {
	search
	choices []int // the shortest run to the target; nil: none was found
}

// shortest looks for the shortest run from the end of a step to a target, until it has visited limit states
// or the context ends.
func shortest(ctx context.Context, in model.Instance, from *lts.Transition, to target, limit int) *finding {
	f := &finding{search: search{in: in}}
	choice := 0
	f.stops = func(at lts.State, t *lts.Transition) bool {
		choice++
		return to(at, t)
	}
	f.look = func(int32, lts.State, []lts.Transition) { choice = -1 }
	f.full = func() string {
		if len(f.numbers) >= limit || ctx.Err() != nil {
			return "the limit of states is reached"
		}
		return ""
	}
	f.begin(*from)
	f.run(func() bool { return false })
	if f.limit == found {
		f.choices = append(f.path(int32(f.expanded())), choice)
	}
	return f
}

// randomWalk takes n random steps, or fewer if nothing more is enabled.
func randomWalk(in model.Instance, at lts.Transition, n int, random *rand.Rand) (choices []int) {
	for range n {
		steps := enabled(in, at.Next)
		if len(steps) == 0 || at.Outside {
			break
		}
		k := random.IntN(len(steps))
		choices, at = append(choices, k), steps[k]
	}
	return choices
}
