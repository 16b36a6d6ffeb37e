package page

import (
	"context"
	"fmt"
	"slices"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/lts"
	"github.com/atmostk/atmostk/traces"
)

// A Path is a run as indices from 0: of the initial state among the initial states of the model, and of each
// step among the steps enabled in its state.
type Path struct {
	Initial int   `json:"initial"`
	Choices []int `json:"path"`
}

// PathOf returns the path of a run. It is an error if a step of the run fails with a model error.
func PathOf(r *traces.Run) (p Path, err error) {
	in := r.Instance()
	p.Choices = []int{}
	p.Initial = slices.IndexFunc(in.Plain.Init(), func(t lts.Transition) bool {
		return t.Next.Key() == r.States[0].Key()
	})
	for i := range r.Taken {
		k := slices.IndexFunc(traces.Enabled(in, r.States[i]),
			func(t lts.Transition) bool { return same(&t, &r.Taken[i]) })
		if k < 0 {
			return p, fmt.Errorf("step %d fails, so no state follows it", i+1)
		}
		p.Choices = append(p.Choices, k)
	}
	return p, nil
}

// follow takes the steps of a path, behind a first one that only leads to the initial state. It is an error
// if the path does not exist.
func (p Path) follow(in model.Instance) (taken []lts.Transition, err error) {
	inits := in.Plain.Init()
	if p.Initial < 0 || p.Initial >= len(inits) {
		return nil, fmt.Errorf("there is no initial state %d; there are %d, counted from 0", p.Initial,
			len(inits))
	}
	at := inits[p.Initial]
	taken = []lts.Transition{{Next: at.Next}}
	for i, k := range p.Choices {
		steps := traces.Enabled(in, at.Next)
		switch {
		case at.Outside:
			return nil, fmt.Errorf("step %d: nothing follows a state outside the constraint", i+1)
		case k < 0 || k >= len(steps):
			return nil, fmt.Errorf("step %d: there is no choice %d; there are %d, counted from 0", i+1, k,
				len(steps))
		}
		at = steps[k]
		taken = append(taken, at)
	}
	return taken, nil
}

// A target reports whether step t from a state reaches what a search looks for.
type target func(from lts.State, t *lts.Transition) bool

// ofProperty is the target that violates property p, or reaches it if it is a goal.
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

// A finding is the result of a search for a target.
type finding struct {
	search
	choices []int // the shortest run to the target; nil: none was found
}

// shortest looks for a shortest run from the end of a step to a target. It gives up after limit states,
// or when the context ends. where is the text of the target if it has conditions.
func shortest(ctx context.Context, in model.Instance, from *lts.Transition, to target, where string,
	limit int) *finding {
	f := &finding{search: search{in: in, ctx: ctx, most: limit, stops: to, exact: traces.Timed(in, where)}}
	f.begin(*from)
	f.run(func() bool { return false })
	if f.limit == found {
		n := f.expanded()
		f.choices = append(f.path(uint32(n)), len(f.to)-int(f.first[n]))
	}
	return f
}
