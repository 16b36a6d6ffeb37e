// Package lint looks for mistakes in a model that a check of one instance does not show. It explores
// all instances with known counts, compares the counts, and finds vacuous properties, actions that
// never happen and variables that never change.
package lint

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/atmostk/atmostk/explore"
	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/usage"
)

// A Finding is a possible mistake in a model.
type Finding struct {
	Spec string `json:"spec"`
	// Args are the arguments of the reference; "" if the finding is about all references, or none.
	Args string `json:"arguments,omitempty"`
	What string `json:"what"` // a sentence
	// Model: the model is at fault, so that nothing can be said about the reference.
	Model bool `json:"model-error,omitempty"`
	// Note: the finding may be intended, such as a variable that never changes because it is a
	// parameter. Only a strict check counts it as a mistake.
	Note bool `json:"note,omitempty"`
}

// Options limit the work.
type Options struct {
	Large  bool  // explore large references, too
	Memory int64 // as in explore.Options
}

// A linter collects the findings about a spec.
type linter struct {
	Options
	spec  *model.Spec
	args  string // of the current reference
	found []Finding
	// of the references so far: how often actions happened, and variables that never changed; nil: none yet
	fired     map[string]int64
	unchanged []string
}

// Spec returns the findings about a spec and its references. An error is an error of the search, or a
// usage.Error if a reference cannot be instantiated. A spec without references is explored with its
// defaults, up to a limit of states.
func Spec(ctx context.Context, spec *model.Spec, opt Options) ([]Finding, error) {
	l := &linter{Options: opt, spec: spec, fired: map[string]int64{}}
	refs, where := spec.References, "in no reference"
	if len(refs) == 0 {
		refs, where = []model.Reference{{}}, "with the defaults never"
		l.add(false, "it has no References (in a file: reference(...)), so there is nothing to compare its "+
			"figures with")
	}
	large := func(ref model.Reference) bool { return ref.Large && !opt.Large }
	if slices.ContainsFunc(refs, large) {
		refs, where = slices.DeleteFunc(slices.Clone(refs), large), "without --all, in no reference"
	}
	for i := range refs {
		l.args = refs[i].Args
		if err := l.explore(ctx, &refs[i]); err != nil {
			return l.found, err
		}
	}
	if l.args = ""; len(refs) == 0 {
		l.add(true, "all its references are large, and none was explored")
	}
	maps.DeleteFunc(l.fired, func(_ string, n int64) bool { return n > 0 })
	l.addList(where+" happens: ", slices.Sorted(maps.Keys(l.fired)))
	l.addList(where+" changes: ", l.unchanged)
	return l.found, nil
}

// add adds a finding about the current reference.
func (l *linter) add(note bool, format string, a ...any) {
	l.found = append(l.found, Finding{Spec: l.spec.Name, Args: l.args, What: fmt.Sprintf(format, a...),
		Note: note})
}

// addList adds a note with a list, unless it is empty.
func (l *linter) addList(what string, list []string) {
	if len(list) > 0 {
		l.add(true, "%s", what+strings.Join(list, ", "))
	}
}

// unreferenced is the limit of states for an instance without a reference.
const unreferenced = 200_000

// explore explores a reference, and adds the findings about it.
func (l *linter) explore(ctx context.Context, ref *model.Reference) error {
	known := len(l.spec.References) > 0
	in, args, err := l.spec.Instantiate(strings.Fields(ref.Args))
	var r *explore.Report
	if err == nil {
		limits := explore.Options{KeepGoing: true, Memory: l.Memory, Properties: Judged(in.Space)}
		if !known {
			limits.MaxStates = unreferenced
		}
		r, err = explore.Run(ctx, in, limits)
	}
	if err == nil && r.Mistake != nil {
		err = r.Mistake.Error
	}
	var mistake *model.Error
	switch {
	case known && errors.As(err, new(*usage.Error)):
		l.add(false, "its arguments are wrong: %v", err)
		return nil
	case errors.As(err, &mistake):
		l.add(false, "%s", strings.TrimPrefix(mistake.Error(), "model error: "))
		l.found[len(l.found)-1].Model = true
		return nil
	case err != nil:
		return err
	case !r.Complete:
		l.add(!known, "the search was not completed: %s", r.Stopped)
		return nil
	}
	if known {
		l.compare(ref, r)
	}
	l.judge(r)
	if len(r.Properties) == 0 {
		l.add(false, "it has no property that is asked without its name: nothing is checked")
	}
	l.addList("the model never asks for ", args.Unread())
	if known {
		l.addList("violated, and not mentioned by the reference: ", unsaid(ref, r))
	}
	for _, p := range in.Space.Properties() {
		if p.OfUse && p.Kind == model.Invariant && in.Capacity == 0 {
			l.add(true, "Capacity is not given, so drawings do not mark where %s is violated", p.Name)
			break
		}
	}
	return nil
}

// Judged returns the properties that are judged for a reference: all except costs, which need several
// passes over the graph, and liveness under a symmetry reduction, which cannot be judged.
func Judged(space model.Space) (indices []int) {
	for i, p := range space.Properties() {
		if p.Kind != model.Costs && (p.Kind != model.Liveness || !space.Reduced()) {
			indices = append(indices, i)
		}
	}
	return indices
}

// compare adds the differences between a complete search and the counts of a reference.
func (l *linter) compare(ref *model.Reference, r *explore.Report) {
	if int(r.States) != ref.States || r.Depth != ref.Depth {
		l.add(false, "%d states, depth %d; the reference has %d, %d", r.States, r.Depth, ref.States,
			ref.Depth)
	}
	if ref.Generated != 0 && int(r.Generated) != ref.Generated {
		l.add(false, "%d generated; the reference has %d", r.Generated, ref.Generated)
	}
	for name := range ref.Violated {
		if !slices.ContainsFunc(r.Properties, func(p explore.Result) bool { return p.Name == name }) {
			l.add(false, "the reference has %s violated, which is no property that is judged here", name)
		}
	}
	for _, p := range r.Properties {
		steps, violated := ref.Violated[p.Name]
		if violated && (p.Verdict != explore.Violated || p.Length != steps) {
			found := string(p.Verdict)
			if p.Length >= 0 {
				found = fmt.Sprintf("%s after %d steps", p.Verdict, p.Length)
			}
			l.add(false, "%s %s; the reference has it violated after %d steps", p.Name, found, steps)
		}
	}
}

// unsaid names the violated properties that the reference does not mention.
func unsaid(ref *model.Reference, r *explore.Report) (names []string) {
	for _, p := range r.Properties {
		if _, said := ref.Violated[p.Name]; !said && p.Verdict == explore.Violated && p.Moot == "" {
			after := cmp.Or(map[int]string{-1: "never reached", 1: "after 1 step"}[p.Length],
				fmt.Sprintf("after %d steps", p.Length))
			names = append(names, fmt.Sprintf("%s (%s)", p.Name, after))
		}
	}
	return names
}

// judge adds the vacuous properties, except moot ones and properties that the model excuses. It updates the
// actions that never happened and the variables that never changed.
func (l *linter) judge(r *explore.Report) {
	for _, p := range r.Properties {
		if len(p.Vacuous) > 0 && p.Excuse == "" && p.Moot == "" {
			l.add(false, "%s holds vacuously: %s", p.Name, strings.Join(p.Vacuous, "; "))
		}
	}
	for i, n := range r.Fired {
		l.fired[r.Actions[i].Name] += n
	}
	if l.unchanged == nil {
		l.unchanged = append([]string{}, r.Unchanged...)
	}
	l.unchanged = slices.DeleteFunc(l.unchanged, func(name string) bool {
		return !slices.Contains(r.Unchanged, name)
	})
}
