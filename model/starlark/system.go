package starfile

import (
	"slices"
	"strings"
	"time"
	"unsafe"

	"go.starlark.net/starlark"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/usage"
)

// A system is the declaration system(...) of a file.
type system struct {
	b       *builder
	state   *recordType
	places  []place // of the fields
	words   int
	reads   []read           // parts of words that are read at once
	members []starlark.Value // the processes, which take the actions
	names   []string         // of the members
}

func (b *builder) system(set *settings) (starlark.Value, error) {
	s := &system{b: b, members: set.list("members"),
		state: required[*recordType](set, "state", "record(...), the variables with their types")}
	if set.err == nil {
		if err := s.lay(); err != nil {
			return nil, err
		}
	}
	pattern := set.text("names")
	for _, m := range s.members {
		name, err := word(m)
		if err != nil {
			set.fail("members: %v", err)
		}
		if pattern != "" {
			name = strings.ReplaceAll(pattern, "{}", name)
		}
		s.names = append(s.names, name)
	}
	if set.err != nil {
		return nil, nil
	}
	if s.enter(set); b.args == nil || b.looks {
		return starlark.None, b.makes(model.Instance{}, set.err)
	}
	for _, size := range vectorSizes {
		if s.words <= size.words {
			in := size.build(s, set)
			return starlark.None, b.makes(in, set.err)
		}
	}
	return nil, nil // lay has refused larger states
}

// enter notes the functions that a system calls.
func (s *system) enter(set *settings) {
	s.b.entries = entries{messages: &unionType{}}
	state := ofType(s.state)
	roles := map[string]role{
		"state":  roleOf("the state", state),
		"one":    roleOf("the state, and a member", state, shapeOf(s.members)),
		"states": roleOf("the state before and after a step", state, state), "taker": {},
	}
	s.b.entries.enter(set, roles)
	s.b.entries.properties(set, roles)
}

// largest is the largest number of words of a state.
const largest = 64

// vectors are the states of systems of files.
type vectors interface {
	[1]uint32 | [2]uint32 | [3]uint32 | [4]uint32 | [6]uint32 | [8]uint32 | [16]uint32 | [64]uint32
}

// vectorSizes are the sizes of states, in words, each with the function that builds systems of such states: a
// state takes as little memory as these allow.
var vectorSizes = []struct {
	words int
	build func(*system, *settings) model.Instance
}{
	{1, build[[1]uint32]},
	{2, build[[2]uint32]},
	{3, build[[3]uint32]},
	{4, build[[4]uint32]},
	{6, build[[6]uint32]},
	{8, build[[8]uint32]},
	{16, build[[16]uint32]},
	{largest, build[[largest]uint32]},
}

// wordsOf returns the words of a state, which may be written.
func wordsOf[S vectors](s *S) []uint32 {
	return unsafe.Slice((*uint32)(unsafe.Pointer(s)), unsafe.Sizeof(*s)/4)
}

// A systemBinding makes functions of states of type S.
type systemBinding[S vectors] struct{ s *system }

// build makes the model.
func build[S vectors](s *system, set *settings) (in model.Instance) {
	b := systemBinding[S]{s}
	sys := model.System[S]{Processes: s.names, Capacity: set.whole("capacity", 0), Vars: b.vars,
		Constraint: predicate(b, set.function("constraint"))}
	if f := set.function("units"); f != nil {
		var each []func(...[]uint32) int
		for _, m := range s.members {
			each = append(each, asks(s, s.b.counter(f), m))
		}
		sys.Units = func(x *S, i int) int { return each[i](wordsOf(x)) }
	}
	if f := set.function("dead"); f != nil {
		dead := ofEach(f, b)
		sys.Dead = func(x *S, i int) bool { return dead[i](x) }
	}
	for _, a := range set.steps("actions") {
		sys.Actions = append(sys.Actions, b.action(a))
	}
	b.fairness(&sys, set)
	sys.Properties = properties(set, b)
	if set.err == nil {
		sys.Init = b.initial(set)
	}
	if set.err != nil {
		return in
	}
	return model.NewSystem(sys)
}

// initial returns the initial states: the first value of each variable, changed by init in all ways.
func (b systemBinding[S]) initial(set *settings) (all []S) {
	var zero S
	w := &packer{words: wordsOf(&zero)}
	first := b.s.state.zero().(*record)
	for i, of := range b.s.state.types {
		w.at = b.s.places[i].at
		if err := of.pack(w, first.xs[i]); err != nil {
			set.fail("variable %s: %v", b.s.state.fields[i], err)
			return nil
		}
	}
	f := set.function("init")
	if f == nil {
		return []S{zero}
	}
	do, choice, known, began := b.s.newFunction(f), model.Choice{}, map[S]bool{}, time.Now()
	for again := true; again; again = choice.Again() {
		if time.Since(began) > maxTime {
			set.fail("init takes longer than %v, with all that it picks", maxTime)
			return nil
		}
		s := zero
		if do.do(wordsOf(&s), &choice) && !known[s] {
			known[s], all = true, append(all, s)
		}
	}
	return all
}

// vars are the variables as a person reads them: an array over the members is one of each of them.
func (b systemBinding[S]) vars(x *S) (vars []model.Var) {
	for i, name := range b.s.state.fields {
		of := b.s.state.types[i]
		v := of.unpack(&unpacker{words: wordsOf(x), at: b.s.places[i].at})
		if a, ok := v.(*array); ok && b.overMembers(a.t.keys.values) {
			for k, x := range a.xs {
				vars = append(vars, model.Var{Owner: b.s.names[k], Name: name, Value: a.t.of.text(x)})
			}
			continue
		}
		vars = append(vars, model.Var{Name: name, Value: of.text(v)})
	}
	return vars
}

// overMembers reports whether values are the members.
func (b systemBinding[S]) overMembers(values []starlark.Value) bool {
	return len(b.s.members) > 0 && slices.Equal(texts(values), texts(b.s.members))
}

func (b systemBinding[S]) builder() *builder { return b.s.b }
func (b systemBinding[S]) members() int      { return len(b.s.members) }

func (b systemBinding[S]) state(f starlark.Callable) func(*S) bool {
	ask := asks(b.s, b.s.b.predicate(f))
	return func(x *S) bool { return ask(wordsOf(x)) }
}

func (b systemBinding[S]) member(f starlark.Callable, i int) func(*S) bool {
	ask := asks(b.s, b.s.b.predicate(f), b.s.members[i])
	return func(x *S) bool { return ask(wordsOf(x)) }
}

func (b systemBinding[S]) count(f starlark.Callable) func(*S) int {
	ask := asks(b.s, b.s.b.counter(f))
	return func(x *S) int { return ask(wordsOf(x)) }
}

func (b systemBinding[S]) taken(f starlark.Callable) func(*S, model.Proc, *S) bool {
	ask := asks(b.s, b.s.b.predicate(f))
	return func(from *S, _ model.Proc, to *S) bool { return ask(wordsOf(from), wordsOf(to)) }
}

func (b systemBinding[S]) parts(_ *model.Property[S], s *settings) {
	for _, name := range []string{"each", "inbox", "message", "count", "messages", "clear"} {
		if s.given(name) != nil {
			s.fail("%s is for processes; in a system use holds", name)
		}
	}
	if s.given("holds") == nil && s.given("use") == nil {
		s.fail("holds is missing: a function of the state")
	}
}

// action makes an action of the model.
func (b systemBinding[S]) action(a *stepValue) model.SystemAction[S] {
	combinations := a.combinations()
	var each []*systemFunction
	for _, c := range combinations {
		each = append(each, b.s.newFunction(a.f, c...))
	}
	made := model.SystemAction[S]{
		Name: a.name, Source: a.lines, Kind: a.kind, Fair: a.fair, Instances: len(each),
		Do:   func(x *S, i int, c *model.Choice) bool { return each[i].do(wordsOf(x), c) },
		Text: func(is ...int) string { return a.says(combinations[is[0]]) },
	}
	if len(a.domains) > 0 && b.overMembers(a.domains[0]) {
		made.Owner = func(is ...int) int { return is[0] / (len(each) / len(b.s.members)) }
	}
	return made
}

// fairness sets the fairness conditions: one strength for all actions, or a list of conditions.
func (b systemBinding[S]) fairness(sys *model.System[S], set *settings) {
	if v, is := set.given("fairness").(starlark.String); is {
		if set.oneOf("fairness", "none", "weak", "strong") >= 0 {
			sys.Fair(string(v))
		}
		return
	}
	for _, v := range set.list("fairness") {
		f, ok := v.(*fairValue)
		if !ok {
			set.fail("fairness holds %s; allowed: none, weak, strong, or a list of weak(...) and strong(...)",
				short(v))
			return
		}
		sys.Fairness = append(sys.Fairness, b.condition(f, sys.Actions, set))
	}
}

// condition makes a condition of fairness.
func (b systemBinding[S]) condition(
	f *fairValue, actions []model.SystemAction[S], set *settings,
) model.Fairness {
	var listed []string
	has := map[int]func(instance int) bool{}
	for i := range actions {
		a := &actions[i]
		if listed = append(listed, a.Name); !slices.Contains(f.steps, a.Name) {
			continue
		}
		has[i] = func(int) bool { return true }
		if f.by != nil {
			which := slices.Index(texts(b.s.members), texts([]starlark.Value{f.by})[0])
			if which < 0 || a.Owner == nil {
				set.fail("fairness %s: by is for actions of members, and %s is not one", f.name, a.Name)
			}
			has[i] = func(instance int) bool { return a.Owner(instance) == which }
		}
	}
	for _, step := range f.steps {
		if !slices.Contains(listed, step) {
			set.fail("fairness %q: there is no action %s%s; listed are %s", f.name, step,
				usage.Nearest(step, listed), words(listed))
		}
	}
	return model.Fairness{Name: f.name, Strong: f.strong, Has: func(l model.Label) bool {
		of := has[int(l.Action)]
		return of != nil && of(l.Instance())
	}}
}
