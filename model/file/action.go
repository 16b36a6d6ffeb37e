package file

import (
	"fmt"
	"slices"

	"go.starlark.net/starlark"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/protocol"
	"github.com/atmostk/atmostk/model/usage"
)

// A stepValue is a step that a file declares: an action of a system, or a step of processes.
type stepValue struct {
	typed
	name, lines string
	f           starlark.Callable
	domains     [][]starlark.Value // of an action's parameters
	kind        protocol.ActionKind
	fair        model.Strength
	request     bool
	text        string
	of          *recordType // the message received
}

func (*stepValue) Type() string { return "step" }

// action(f, values, ...) is a family of steps, one for each combination of values.
func (b *builder) action(args starlark.Tuple, named []starlark.Tuple) (starlark.Value, error) {
	var domains starlark.Tuple
	if len(args) > 1 {
		args, domains = args[:1], args[1:]
	}
	set := settingsOf("action", args, named, "do", "name", "lines", "kind", "fair", "text")
	a := stepOf(set)
	instances := 1
	for i, d := range domains {
		values, err := elements(d)
		if err != nil {
			return nil, fmt.Errorf("action: parameter %d: %w", i+1, err)
		}
		a.domains = append(a.domains, values)
		instances *= max(1, len(values))
		if len(values) == 0 || instances > longest {
			return nil, fmt.Errorf(
				"action: %d combinations of parameters; allowed are 1 to %d",
				instances*len(values),
				longest,
			)
		}
	}
	return a, set.err
}

// stepOf reads what all steps have.
func stepOf(set *settings) *stepValue {
	a := &stepValue{f: set.needs("do"), lines: set.text("lines"), text: set.text("text")}
	a.name = set.text("name")
	if a.name == "" && a.f != nil {
		a.name = a.f.Name()
	}
	kinds := []string{"ordinary", "spontaneous", "fault"}
	a.kind = protocol.ActionKind(max(0, oneOf(set, "kind", kinds...)))
	a.fair = model.Strength(max(0, oneOf(set, "fair", "none", "weak", "strong")))
	return a
}

// oneOf returns which of some words a setting is; -1 if it is not given.
func oneOf(set *settings, name string, allowed ...string) int {
	if set.given(name) == nil {
		return -1
	}
	i := slices.Index(allowed, set.text(name))
	if i < 0 {
		set.fail("%s is %s; allowed: %s", name, short(set.given(name)), words(allowed))
	}
	return i
}

// systemBinding binds what a file says to states of type S.
type systemBinding[S vectors] struct{ s *system }

func (b systemBinding[S]) members() int { return len(b.s.members) }

func (b systemBinding[S]) state(f starlark.Callable) func(*S) bool {
	p := b.s.predicate(f)
	return func(x *S) bool { return p.ask(wordsOf(x)) }
}

func (b systemBinding[S]) member(f starlark.Callable, i int) func(*S) bool {
	p := b.s.predicate(f, b.s.members[i])
	return func(x *S) bool { return p.ask(wordsOf(x)) }
}

func (b systemBinding[S]) count(f starlark.Callable) func(*S) int {
	p := b.s.counter(f)
	return func(x *S) int { return p.ask(wordsOf(x)) }
}

func (b systemBinding[S]) taken(f starlark.Callable) func(*S, model.Proc, *S) bool {
	p := b.s.predicate(f)
	return func(from *S, _ model.Proc, to *S) bool { return p.ask(wordsOf(from), wordsOf(to)) }
}

func (b systemBinding[S]) parts(_ *model.Property[S], s *settings) {
	for _, name := range []string{"each", "inbox", "message", "count", "messages", "clear"} {
		if s.given(name) != nil {
			s.fail("%s is of models made of processes; in a system use holds", name)
		}
	}
	if s.given("holds") == nil && s.given("use") == nil {
		s.fail("holds is missing: a function of the state")
	}
}

// ofMember makes a number that each of the members has.
func (b systemBinding[S]) ofMember(f starlark.Callable) func(*S, int) int {
	var each []*stateful[int]
	for _, m := range b.s.members {
		each = append(each, b.s.counter(f, m))
	}
	return func(x *S, i int) int { return each[i].ask(wordsOf(x)) }
}

// action makes an action of the model.
func (b systemBinding[S]) action(a *stepValue) model.SystemAction[S] {
	combinations := [][]starlark.Value{nil}
	for _, d := range a.domains {
		var longer [][]starlark.Value
		for _, c := range combinations {
			for _, v := range d {
				longer = append(longer, append(slices.Clip(c), v))
			}
		}
		combinations = longer
	}
	var each []*systemFunction
	for _, c := range combinations {
		each = append(each, b.s.newFunction(a.f, c...))
	}
	made := model.SystemAction[S]{
		Name: a.name, Source: a.lines, Kind: a.kind, Fair: a.fair, Instances: len(each),
		Do:   func(x *S, i int, c *model.Choice) bool { return each[i].do(wordsOf(x), c) },
		Text: func(is ...int) string { return a.says(combinations[is[0]]) },
	}
	if len(a.domains) > 0 && len(b.s.members) > 0 && slices.Equal(texts(a.domains[0]), texts(b.s.members)) {
		made.Owner = func(is ...int) int { return is[0] / (len(each) / len(b.s.members)) }
	}
	return made
}

// says describes a step: its text with {} in place of the values, or the name with them.
func (a *stepValue) says(values []starlark.Value) string {
	if a.text == "" {
		if len(values) == 0 {
			return a.name
		}
		return a.name + "(" + words(texts(values)) + ")"
	}
	return fill(a.text, texts(values))
}

// fairness sets what is fair: fairness= as of all actions, or a list of conditions.
func (b systemBinding[S]) fairness(sys *model.System[S], set *settings) {
	switch v := set.given("fairness").(type) {
	case nil:
		return
	case starlark.String:
		if oneOf(set, "fairness", "none", "weak", "strong") >= 0 {
			sys.Fair(string(v))
		}
		return
	}
	var listed []string
	for i := range sys.Actions {
		listed = append(listed, sys.Actions[i].Name)
	}
	for _, v := range set.list("fairness") {
		f, ok := v.(*fairValue)
		for i := 0; ok && i < len(f.steps); i++ {
			if !slices.Contains(listed, f.steps[i]) {
				set.fail("fairness %q: there is no action %s%s; listed are %s", f.name, f.steps[i],
					usage.Nearest(f.steps[i], listed), words(listed))
			}
		}
		if !ok {
			set.fail(
				"fairness holds %s; allowed: none, weak, strong, or a list of weak(...) and strong(...)",
				short(v),
			)
			return
		}
		has := map[int]func(instance int) bool{}
		for i := range sys.Actions {
			a := &sys.Actions[i]
			if !slices.Contains(f.steps, a.Name) {
				continue
			}
			has[i] = func(int) bool { return true }
			if f.by != nil {
				which := slices.Index(texts(b.s.members), f.byText())
				if which < 0 || a.Owner == nil {
					set.fail("fairness %s: by is about members, and %s has none such", f.name, a.Name)
					return
				}
				has[i] = func(instance int) bool { return a.Owner(instance) == which }
			}
		}
		sys.Fairness = append(
			sys.Fairness,
			model.Fairness{Name: f.name, Strong: f.strong, Has: func(l model.Label) bool {
				of := has[int(l.Action)]
				return of != nil && of(l.Instance())
			}},
		)
	}
}

// A fairValue is a condition of fairness.
type fairValue struct {
	typed
	name   string
	steps  []string
	by     starlark.Value // nil: whoever takes them
	strong bool
}

func (f *fairValue) byText() string { text, _ := word(f.by); return text }

func (b *builder) fair(
	strong bool,
) func(args starlark.Tuple, named []starlark.Tuple) (starlark.Value, error) {
	return func(args starlark.Tuple, named []starlark.Tuple) (starlark.Value, error) {
		set := settingsOf("a condition of fairness", args, named, "name", "steps", "by")
		return &fairValue{
			name:   set.text("name"),
			steps:  set.strings("steps"),
			by:     set.given("by"),
			strong: strong,
		}, set.err
	}
}
