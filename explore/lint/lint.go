// Package lint looks for mistakes in a model that a check of one instance does not show: over
// all instances whose figures are known it compares the figures, and finds properties that hold
// of nothing, actions that never happen and variables that never change.
package lint

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/atmostk/atmostk/explore"
	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/lts"
)

// A Finding is something about a model that somebody should look at.
type Finding struct {
	Spec string
	Args string // of the reference; "" if it is about all of them, or about none
	What string // a sentence
	// Model: the model is at fault, so that nothing can be said of it.
	Model bool
	// Note: it may be as it should, such as a variable that never changes because it is a
	// parameter, and is no mistake unless one is strict.
	Note bool
}

// Options say how far to look.
type Options struct {
	Large  bool  // also the references that take long
	Memory int64 // as in explore.Options
	// Progress, if not nil, is called before each reference is explored.
	Progress func(spec, args string)
}

// Spec returns the findings about a spec and its references; an error is one of the search, or
// usage.Error of a reference that cannot be instantiated. Without references it is explored with its
// defaults, up to a bound.
func Spec(ctx context.Context, spec *model.Spec, opt Options) (found []Finding, err error) {
	u := union{}
	refs := spec.References
	if len(refs) == 0 {
		refs = []model.Reference{{}}
		found = append(found, Finding{Spec: spec.Name,
			What: "it has no References (in a file: reference(...)), so " +
				"there is nothing to compare its figures with"})
	}
	for _, ref := range refs {
		if ref.Large && !opt.Large {
			continue
		}
		if opt.Progress != nil {
			opt.Progress(spec.Name, ref.Args)
		}
		more, err := instance(ctx, spec, ref, opt, &u)
		found = append(found, more...)
		if err != nil {
			return found, err
		}
	}
	for _, what := range u.findings(spec) {
		found = append(found, Finding{Spec: spec.Name, What: what, Note: true})
	}
	return found, nil
}

// unreferenced bounds the states of an instance whose figures are not known.
const unreferenced = 200_000

// instance returns the findings about a reference, and adds to the union of all.
func instance(ctx context.Context, spec *model.Spec, ref model.Reference, opt Options,
	u *union) (found []Finding,
	err error) {
	known := len(spec.References) > 0
	say := func(note bool, ways ...string) {
		for _, what := range ways {
			found = append(found, Finding{Spec: spec.Name, Args: ref.Args, What: what, Note: note})
		}
	}
	in, args, err := spec.Instantiate(strings.Fields(ref.Args))
	var r *explore.Report
	if err == nil {
		limits := explore.Options{KeepGoing: true, Memory: opt.Memory, Properties: Judged(in.Space)}
		if !known {
			limits.MaxStates = unreferenced
		}
		r, err = explore.Run(ctx, in, limits)
	}
	var mistake *model.Error
	if err == nil && r.Mistake != nil {
		err = r.Mistake.Error
	}
	if errors.As(err, &mistake) {
		return []Finding{atFault(spec, ref.Args, mistake)}, nil
	}
	if err != nil {
		return nil, err
	}
	if !r.Complete {
		say(!known, "the search was not completed: "+r.Stopped)
		return found, nil
	}
	if known {
		say(false, differs(ref, r)...)
	}
	say(false, vacuous(r)...)
	if len(r.Properties) == 0 {
		say(false, "it has no property that is asked without its name: nothing is checked")
	}
	if unread := args.Unread(); unread != nil {
		say(true, "the model never asks for "+strings.Join(unread, ", "))
	}
	if known {
		say(true, unsaid(ref, r)...)
	}
	say(true, unmarked(in)...)
	u.add(r)
	return found, nil
}

// atFault is the finding that a model is at fault.
func atFault(spec *model.Spec, args string, e *model.Error) Finding {
	what := strings.TrimPrefix(e.Error(), "model error: ")
	return Finding{Spec: spec.Name, Args: args, What: what, Model: true}
}

// Judged returns the properties that are judged for a reference: all but costs, which take
// the graph several times, and but liveness under a symmetry reduction, which cannot be judged.
func Judged(space model.Space) (indices []int) {
	for i, p := range space.Properties() {
		if p.Kind != model.Costs && (p.Kind != model.Liveness || !space.Reduced()) {
			indices = append(indices, i)
		}
	}
	return indices
}

// differs says where a complete search differs from the figures of a reference.
func differs(ref model.Reference, r *explore.Report) (ways []string) {
	if int(r.States) != ref.States || r.Depth != ref.Depth {
		ways = append(ways, fmt.Sprintf("%d states, depth %d; the reference has %d, %d", r.States, r.Depth,
			ref.States, ref.Depth))
	}
	if ref.Generated != 0 && int(r.Generated) != ref.Generated {
		ways = append(ways, fmt.Sprintf("%d generated; the reference has %d", r.Generated, ref.Generated))
	}
	for _, p := range r.Properties {
		steps, violated := ref.Violated[p.Name]
		if violated && (p.Verdict != explore.Violated || p.Length != steps) {
			found := string(p.Verdict)
			if p.Length >= 0 {
				found = fmt.Sprintf("%s after %d steps", p.Verdict, p.Length)
			}
			ways = append(ways, fmt.Sprintf("%s %s; the reference has it violated after %d steps", p.Name,
				found,
				steps))
		}
	}
	return ways
}

// unsaid names the properties that are violated and that the reference does not mention. The
// figures of others are mostly of states alone.
func unsaid(ref model.Reference, r *explore.Report) []string {
	var names []string
	for _, p := range r.Properties {
		if _, said := ref.Violated[p.Name]; !said && p.Verdict == explore.Violated && p.Moot == "" {
			after := fmt.Sprintf("after %d steps", p.Length)
			switch {
			case p.Length < 0:
				after = "never reached"
			case p.Length == 1:
				after = "after 1 step"
			}
			names = append(names, fmt.Sprintf("%s (%s)", p.Name, after))
		}
	}
	if names == nil {
		return nil
	}
	return []string{"violated, and not mentioned by the reference: " + strings.Join(names, ", ")}
}

// unmarked says that drawings cannot mark where too many units are in use, though a property is
// about that.
func unmarked(in model.Instance) []string {
	for _, p := range in.Space.Properties() {
		if p.OfUse && p.Kind == model.Invariant && in.Capacity == 0 {
			return []string{"Capacity is not given, so drawings do not mark where " + p.Name + " is violated"}
		}
	}
	return nil
}

// vacuous says which properties hold of nothing, moot ones apart, where the model does not say
// why.
func vacuous(r *explore.Report) (ways []string) {
	for _, p := range r.Properties {
		if len(p.Vacuous) > 0 && p.Excuse == "" && p.Moot == "" {
			ways = append(ways, fmt.Sprintf("%s holds vacuously: %s", p.Name, strings.Join(p.Vacuous, "; ")))
		}
	}
	return ways
}

// A union is what no reference saw in use.
type union struct {
	begun            bool
	never, unchanged []string
}

func (u *union) add(r *explore.Report) {
	if !u.begun {
		u.begun, u.never, u.unchanged = true, r.Never(), r.Unchanged
		return
	}
	never := r.Never()
	u.never = slices.DeleteFunc(u.never, func(name string) bool {
		exists := slices.ContainsFunc(r.Actions, func(a lts.Action) bool { return a.Name == name })
		return exists && !slices.Contains(never, name)
	})
	u.unchanged = slices.DeleteFunc(slices.Clone(u.unchanged), func(name string) bool {
		return !slices.Contains(r.Unchanged, name)
	})
}

func (u *union) findings(spec *model.Spec) (ways []string) {
	where := "in no reference "
	if len(spec.References) == 0 {
		where = "with the defaults never "
	}
	if len(u.never) > 0 {
		ways = append(ways, where+"happens: "+strings.Join(u.never, ", "))
	}
	if len(u.unchanged) > 0 {
		ways = append(ways, where+"changes: "+strings.Join(u.unchanged, ", "))
	}
	return ways
}
