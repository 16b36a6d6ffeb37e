package starfile

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"unsafe"

	"go.starlark.net/starlark"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/interp"
	"github.com/atmostk/atmostk/model/lts"
	"github.com/atmostk/atmostk/model/property"
	"github.com/atmostk/atmostk/model/protocol"
	"github.com/atmostk/atmostk/model/usage"
)

// Refinement: a model implements the model of another file, the abstraction, if a function of its states, the
// mapping, makes each of its steps a step of the abstraction, or of nothing there, and each of its initial
// states one of the abstraction (Abadi and Lamport, The existence of refinement mappings, 1991). So what
// holds of each state of the abstraction holds of each one to which a state of the model is mapped. Fairness
// has no part in it.

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

// An abstraction is the model of another file.
type abstraction struct {
	*builder
	name  string     // of the file, without its extension
	first []string   // the keys of the initial states
	met   sync.Map   // states by their keys
	next  sync.Map   // the steps from them: []abstractStep
	mu    sync.Mutex // of taking steps: a state has room for them
}

type abstractStep struct{ text, to string }

// implements(file, mapping, parameters) is the property that the model implements another one.
func (b *builder) implements(set *settings) error {
	f, given := set.needs("mapping"), setting[*starlark.Dict](set, "parameters", "a dictionary: {\"n\": n}")
	if set.text("file"); set.err != nil || b.looks || b.abstract {
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

// abstraction executes the file of an abstraction, with values of its parameters.
func (b *builder) abstraction(path string, given *starlark.Dict) (*abstraction, error) {
	var args []string
	for i := 0; given != nil && i < given.Len(); i++ {
		pair := given.Items()[i]
		name, _ := starlark.AsString(pair[0])
		value, is := starlark.AsString(pair[1])
		if !is {
			value = pair[1].String()
		}
		args = append(args, name+"="+value)
	}
	a, spec := &abstraction{name: strings.TrimSuffix(filepath.Base(path), Extension)}, &model.Spec{Name: path}
	run := func(args *model.Args) error {
		a.builder = newBuilder(path, b.read, spec, args)
		a.abstract = true
		err := a.execute()
		maps.Copy(b.beside, a.sources)
		return err
	}
	err := run(nil)
	if err != nil {
		return nil, err
	}
	values, err := spec.ParseArgs(args)
	if err == nil && b.args != nil {
		if err = run(values); err == nil {
			err = a.begin()
		}
	}
	if err != nil && !errors.As(err, new(*located)) {
		err = errors.New("implements: " + err.Error()) // at the call, as it is about its arguments
	}
	return a, err
}

func (a *abstraction) begin() error {
	err := a.made.Check()
	if err == nil && a.bounded {
		err = fmt.Errorf("%s has a constraint or rounds=inf; allowed are models without", a.path)
	}
	for i := 0; err == nil && i < len(a.made.Plain.Init()); i++ {
		a.first = append(a.first, a.meet(a.made.Plain.Init()[i].Next))
	}
	return err
}

// meet returns the key of a state, from which it can be found.
func (a *abstraction) meet(s model.State) string {
	key := s.Key()
	a.met.Store(key, s)
	return key
}

func (a *abstraction) state(key string) model.State {
	s, _ := a.met.Load(key)
	return s.(model.State)
}

func (a *abstraction) steps(from string) (all []abstractStep) {
	if known, is := a.next.Load(from); is {
		return known.([]abstractStep)
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, t := range a.made.Plain.Steps(a.state(from)) {
		if !t.Pruned {
			all = append(all, abstractStep{t.Text(), a.meet(t.Next)})
		}
	}
	a.next.Store(from, all)
	return all
}

// filled is the state with some values of variables.
func (s *system) filled(in model.Instance, size int, values *starlark.Dict) (model.State, error) {
	r, err := filled(s.state, values)
	if err != nil {
		return nil, err
	}
	state := protocol.Parts{Words: make([]uint32, size)}
	apply(state.Words, s.changes(r, nil))
	return in.Space.Open().States.Decode(&state), nil
}

// filled is the record with some values, one for each field.
func filled(t *valueType, values *starlark.Dict) (*record, error) {
	r := t.zero().(*record)
	for _, name := range t.fields {
		x, found, _ := values.Get(starlark.String(name))
		if !found {
			return nil, fmt.Errorf("has no value for %s; the variables are %s", name, words(t.fields))
		}
		if err := r.SetField(name, x); err != nil {
			return nil, within("does not fit", err)
		}
	}
	for _, k := range values.Keys() {
		if name, _ := starlark.AsString(k); !slices.Contains(t.fields, name) {
			return nil, fmt.Errorf("has a value for %s%s; the variables are %s", short(k),
				usage.Nearest(name, t.fields), words(t.fields))
		}
	}
	return r, nil
}

// image is the state to which the mapping leads.
func (r *refinement) image(args ...starlark.Value) string {
	v, _ := r.b.searches.run(&call{}, r.f, args...)
	values, is := v.(*starlark.Dict)
	err := fmt.Errorf("returns %s; allowed: a dictionary with a value for each variable", short(v))
	var state model.State
	if is {
		state, err = r.to.filled(values)
	}
	if err != nil {
		panic(mistakeIn(r.f, fmt.Sprintf("%s, the mapping to %s, %s", r.f.Name(), r.to.name, err)))
	}
	return r.to.meet(state)
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
		Unmet: func() []string {
			if r.moved.Load() {
				return nil
			}
			return []string{"no step changes anything in " + r.to.name}
		},
		Beside: func(s *S) []model.Var {
			vars := r.to.state(b.image(r.memo, s)).Vars()
			for i, v := range vars {
				vars[i].Owner, vars[i].Name = r.to.name, strings.TrimPrefix(v.Owner+"."+v.Name, ".")
			}
			return vars
		},
		Blame: func(_ func(model.Proc) string, from *S, _ model.Proc, _ *S) (model.Set, string) {
			steps := r.to.steps(b.image(r.memo, from))
			texts := mapped(steps, func(s abstractStep) string { return s.text })
			if texts = slices.Compact(texts); len(texts) > maxListed {
				texts = append(texts[:maxListed], fmt.Sprintf("%d more", len(texts)-maxListed))
			}
			return 0, fmt.Sprintf("%s has no such step; it has: %s", r.to.name,
				cmp.Or(strings.Join(texts, "; "), "nothing"))
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

// filled is the state with some values of variables, and with some messages on their way. It has the first
// history, and no fault of channels in its past.
func (c *composition) filled(in model.Instance, values *starlark.Dict) (model.State, error) {
	locals, inboxes := make([]interp.Value, c.n), make([][]interp.Envelope, c.n)
	all, _, wrong := values.Get(starlark.String("all"))
	messages, _, _ := values.Get(starlark.String("messages"))
	each, err := elements(all)
	sent, err2 := elements(messages)
	if err = cmp.Or(wrong, err, err2); err != nil || len(each) != c.n || values.Len() != 2 {
		return nil, fmt.Errorf("returns %s; allowed: {\"all\": [...], \"messages\": [...]} with variables "+
			"of %d processes, and (sender, receiver, message)", short(values), c.n)
	}
	for p, v := range each {
		d, is := v.(*starlark.Dict)
		if !is {
			return nil, misfit(v, "a dictionary of the variables of a process")
		}
		r, err := filled(c.roles[c.roleAt(model.Proc(p))].local, d)
		if err != nil {
			return nil, err
		}
		locals[p] = interp.Value(unsafe.Pointer(new(c.packed(nil, model.Proc(p), r))))
	}
	for _, v := range sent {
		t, is := v.(starlark.Tuple)
		if !is || len(t) != 3 {
			return nil, misfit(v, "(sender, receiver, message)")
		}
		from, wrong := c.proc(t[0])
		to, err := c.proc(t[1])
		bytes, err2 := c.messages.packedMessage(t[2])
		if err := cmp.Or(wrong, err, err2); err != nil {
			return nil, err
		}
		m := interp.Value(unsafe.Pointer(&message{bytes}))
		inboxes[to] = append(inboxes[to], interp.Envelope{From: from, M: m})
	}
	for _, inbox := range inboxes {
		slices.SortStableFunc(inbox, func(e, f interp.Envelope) int { return int(e.From) - int(f.From) })
	}
	first := in.Interp.Start()
	return in.Interp.StateOf(first.Dead, locals, inboxes, first.History(), protocol.Record{}), nil
}
