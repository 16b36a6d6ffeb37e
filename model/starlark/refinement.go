package starfile

import (
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"go.starlark.net/starlark"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/lts"
	"github.com/atmostk/atmostk/model/property"
	"github.com/atmostk/atmostk/model/usage"
)

// Refinement: a model implements the system of another file if a function of its states, the mapping, makes
// each of its steps a step of the system, or of nothing there, and each of its initial states one of the
// system (Abadi and Lamport, The existence of refinement mappings, 1991). So what holds of each state of the
// system holds of each state to which one of the model is mapped. Fairness has no part in it.

// A refinement is the declaration implements(...) of a file.
type refinement struct {
	b    *builder
	f    starlark.Callable // the mapping
	to   *abstraction
	memo *inquiry[string]

	property string // about the initial states
	asks     bool   // it is asked: before the search, and then if some initial state violates it
	moved    atomic.Bool
}

// An abstraction is the system of another file. Its states are the bytes of their words.
type abstraction struct {
	*system
	name       string // of the file, without its extension
	first      []string
	actions    []abstractAction
	constraint *question // nil: none

	next sync.Map // the steps from a state: []abstractStep
}

type abstractAction struct {
	text string
	do   *systemFunction
}

type abstractStep struct{ text, to string }

// implements(file, mapping, parameters) is the property that the model implements the system of another file.
func (b *builder) implements(set *settings) error {
	f, given := set.needs("mapping"), setting[*starlark.Dict](set, "parameters", "a dictionary: {\"n\": n}")
	if set.text("file"); set.err != nil || b.looks || b.abstract != nil {
		return nil // what an abstraction itself implements is its own matter
	}
	path, err := b.find(set.of, b.in, set.text("file"))
	if err != nil {
		return err
	}
	r := &refinement{b: b, f: f}
	r.memo = &inquiry[string]{answer: r.image, memo: memo[string]{room: &b.room}}
	if r.to, err = b.abstraction(path, given); err == nil && b.args != nil {
		b.refinements, set.refines = append(b.refinements, r), r
	}
	return err
}

// abstraction executes the file of a system, with values of its parameters.
func (b *builder) abstraction(path string, given *starlark.Dict) (*abstraction, error) {
	spec := &model.Spec{Name: path}
	var args []string
	var a *abstraction
	for i := 0; given != nil && i < given.Len(); i++ {
		pair := given.Items()[i]
		name, _ := starlark.AsString(pair[0])
		args = append(args, name+"="+textsOf(pair[1:])[0])
	}
	run := func(args *model.Args) error {
		other := newBuilder(path, b.read, spec, args)
		a = &abstraction{name: strings.TrimSuffix(filepath.Base(path), Extension)}
		other.abstract = a
		err := other.execute()
		maps.Copy(b.beside, other.sources)
		return err
	}
	err := run(nil)
	if err != nil {
		return nil, err
	}
	values, err := spec.ParseArgs(args)
	if err == nil && a.system == nil {
		err = fmt.Errorf("%s has processes(...); allowed are files with a system(...)", path)
	} else if err == nil && b.args != nil {
		err = run(values)
	}
	if err != nil && !errors.As(err, new(*located)) {
		err = errors.New("implements: " + err.Error()) // at the call, as it is about its arguments
	}
	return a, err
}

// declare takes over what a file declares of its system.
func (a *abstraction) declare(s *system, set *settings) {
	a.system = s
	for _, of := range set.steps("actions") {
		for _, values := range of.combinations() {
			a.actions = append(a.actions, abstractAction{of.says(values), s.newFunction(of.f, values...)})
		}
	}
	if f := set.function("constraint"); f != nil {
		a.constraint = s.b.question(f, conditions)
	}
	init := set.function("init")
	if set.err != nil || s.b.args == nil {
		return
	}
	for _, words := range s.initial(init) {
		a.first = append(a.first, spelled(words))
	}
}

// spelled is a state of a system as bytes, and wordsIn the reverse.
func spelled(words []uint32) string {
	b := make([]byte, 0, 4*len(words))
	for _, w := range words {
		b = binary.LittleEndian.AppendUint32(b, w)
	}
	return string(b)
}

func wordsIn(state string) (words []uint32) {
	for i := 0; i < len(state); i += 4 {
		words = append(words, binary.LittleEndian.Uint32([]byte(state[i:i+4])))
	}
	return words
}

// steps are the steps from a state. As in a search, none begins outside of the constraint.
func (a *abstraction) steps(from string) (all []abstractStep) {
	if known, is := a.next.Load(from); is {
		return known.([]abstractStep)
	}
	words := wordsIn(from)
	if a.constraint != nil && ask(a.system, a.constraint, none, words) == 0 {
		return nil
	}
	for _, action := range a.actions {
		var choice model.Choice
		for again := true; again; again = choice.Again() {
			next := slices.Clone(words)
			if action.do.do(next, &choice) {
				all = append(all, abstractStep{action.text, spelled(next)})
			}
		}
	}
	if a.b.room.Add(-int64(len(all)+1)) >= 0 {
		a.next.Store(from, all)
	}
	return all
}

// vars are the variables of a state, as reports show them beside a state of the model.
func (a *abstraction) vars(state string) (vars []model.Var) {
	r := &unpacker{words: wordsIn(state)}
	for i, name := range a.state.fields {
		r.at = a.places[i]
		vars = a.state.types[i].flat(vars, model.Var{Owner: a.name, Name: name}, a.state.types[i].unpack(r))
	}
	return vars
}

// image is the state to which the mapping leads, from its values for the variables.
func (r *refinement) image(args ...starlark.Value) string {
	v, _ := r.b.searches.run(&call{}, r.f, args...)
	wrong := func(format string, a ...any) {
		panic(mistakeIn(r.f, fmt.Sprintf("%s, the mapping to %s, ", r.f.Name(), r.to.name)+
			fmt.Sprintf(format, a...)))
	}
	values, is := v.(*starlark.Dict)
	fields := r.to.state.fields
	if !is {
		wrong("returns %s; allowed: a dictionary with a value for each variable: %s", short(v), words(fields))
	}
	to := r.to.state.zero().(*record)
	for _, name := range fields {
		x, found, _ := values.Get(starlark.String(name))
		if !found {
			wrong("has no value for %s; the variables are %s", name, words(fields))
		}
		if err := to.SetField(name, x); err != nil {
			wrong("does not fit: %s", err)
		}
	}
	for _, k := range values.Keys() {
		if name, _ := starlark.AsString(k); !slices.Contains(fields, name) {
			wrong("has a value for %s%s; the variables are %s", short(k), usage.Nearest(name, fields),
				words(fields))
		}
	}
	state := make([]uint32, r.to.words)
	apply(state, r.to.changes(to, r.f))
	return spelled(state)
}

// implementing makes the property of steps of a refinement.
func implementing[S any](r *refinement, b *binding[S]) model.Property[S] {
	return model.Property[S]{
		Name: "implements-" + r.to.name, Kind: model.StepInvariant, Steps: []string{property.AnyStep},
		Doc: "each step is a step of " + r.to.name + ", or changes nothing in it",
		HoldsStep: func(from *S, _ model.Proc, to *S) bool {
			x, y := b.image(r.memo, from), b.image(r.memo, to)
			if x != y && !r.moved.Load() {
				r.moved.Store(true)
			}
			leads := func(s abstractStep) bool { return s.to == y }
			return x == y || slices.ContainsFunc(r.to.steps(x), leads)
		},
		Unmet: func() string {
			if r.moved.Load() {
				return ""
			}
			return "no step changes anything in " + r.to.name
		},
		Beside: func(s *S) []model.Var { return r.to.vars(b.image(r.memo, s)) },
		Blame: func(_ func(model.Proc) string, from *S, _ model.Proc, _ *S) (model.Set, string) {
			var texts []string
			for _, s := range r.to.steps(b.image(r.memo, from)) {
				texts = append(texts, s.text)
			}
			if texts = slices.Compact(texts); len(texts) > maxListed {
				texts = append(texts[:maxListed], fmt.Sprintf("%d more", len(texts)-maxListed))
			}
			if texts == nil {
				texts = []string{"nothing"}
			}
			return 0, fmt.Sprintf("%s has no such step; it has: %s", r.to.name, words(texts))
		},
	}
}

// maxListed bounds the steps of an abstraction in a sentence.
const maxListed = 8

// beginnings makes the property of the initial states of a refinement, whose property of steps is p.
func beginnings[S any](p model.Property[S], r *refinement, b *binding[S]) model.Property[S] {
	r.property = p.Name + "-begins"
	return model.Property[S]{
		Name: r.property, Doc: "each initial state is an initial state of " + r.to.name,
		Kind: model.Invariant, Source: p.Source, OnRequest: p.OnRequest, Moot: p.Moot, Excuse: p.Excuse,
		Beside: p.Beside,
		Holds: func(s *S) bool {
			return !r.asks || slices.Contains(r.to.first, b.image(r.memo, s))
		},
	}
}

// begin judges the initial states of the model. The search need not know which states these are: if one of
// them violates the property there is a violation after 0 steps, and later ones do not matter.
func (r *refinement) begin(in model.Instance) {
	if in.Plain == nil || in.Mistake != nil || r.property == "" {
		return
	}
	named := func(p model.PropertyInfo) bool { return p.Name == r.property }
	i := slices.IndexFunc(in.Space.Properties(), named)
	r.asks = true
	r.asks = slices.ContainsFunc(in.Plain.Init(), func(t lts.Transition) bool {
		return in.Plain.Judge(t.Next, i)
	})
}

// readsOnly returns an error if the file reads other files than in the first execution.
func (b *builder) readsOnly(first *builder) error {
	for path := range b.beside {
		if _, is := first.beside[path]; !is {
			return &located{Where: b.path, What: fmt.Sprintf("implements(%q) is declared only with some "+
				"values of parameters; declare it in all cases, and say in moot why it is not asked", path)}
		}
	}
	return nil
}
