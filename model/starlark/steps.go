package starfile

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

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
	owner       starlark.Value // a member, or a function of the parameters; nil: the first of these
	of          *valueType     // the message received

	urgent starlark.Callable // of tick: see there
}

func (*stepValue) Type() string { return "step" }

// step makes a step that a process takes by itself, or of on(...) with a message, or an action with a family
// of steps, one for each combination of values.
func (b *builder) step(set *settings) (starlark.Value, error) {
	a := &stepValue{
		f: set.needs("do"), lines: set.text("lines"), text: set.text("text"), name: set.text("name"),
		kind:    protocol.ActionKind(max(0, set.oneOf("kind", "ordinary", "spontaneous", "fault"))),
		fair:    model.Strength(max(0, set.oneOf("fair", "none", "weak", "strong"))),
		request: set.flag("request"), owner: set.given("owner"),
	}
	if set.of == "on" {
		of, ok := set.given("message").(*recordType)
		if !ok || of.tag == "" {
			return nil, fmt.Errorf("on: message is %s; allowed: what message(...) returns",
				short(set.given("message")))
		}
		a.of, a.name = of.valueType, cmp.Or(a.name, "receive "+of.tag)
	}
	if a.name == "" && a.f != nil {
		a.name = a.f.Name()
	}
	instances := 1
	for i, d := range set.rest {
		values, err := elements(d)
		if err != nil {
			return nil, fmt.Errorf("action: parameter %d: %w", i+1, err)
		}
		a.domains = append(a.domains, values)
		instances *= max(1, len(values))
		if len(values) == 0 || instances > longest {
			return nil, fmt.Errorf("action: %d combinations of parameters; allowed are 1 to %d",
				instances*len(values), longest)
		}
	}
	return a, nil
}

// stepOf converts a step: a function, or a result of step, on or action.
func stepOf(v starlark.Value) (*stepValue, bool) {
	if f, is := v.(starlark.Callable); is {
		return &stepValue{name: f.Name(), f: f}, true
	}
	return cast[*stepValue](v)
}

func (s *settings) steps(name string) []*stepValue {
	return listOf(s, name, "functions, and what "+strings.TrimSuffix(name, "s")+"(...) returns", stepOf)
}

func (a *stepValue) combinations() [][]starlark.Value {
	all := [][]starlark.Value{nil}
	for _, d := range a.domains {
		shorter := all
		all = nil
		for _, c := range shorter {
			for _, v := range d {
				all = append(all, append(slices.Clip(c), v))
			}
		}
	}
	return all
}

// says describes a step: its text with values in place of {}, in their order, or the name with them.
func (a *stepValue) says(values []starlark.Value) string {
	text, all := a.text, textsOf(values)
	if text == "" && len(values) > 0 {
		return a.name + "(" + words(all) + ")"
	}
	for _, v := range all {
		text = strings.Replace(text, "{}", v, 1)
	}
	return cmp.Or(text, a.name)
}

func (b systemBinding[S]) action(a *stepValue, set *settings) model.SystemAction[S] {
	combinations := a.combinations()
	each := mapped(combinations, func(c []starlark.Value) *systemFunction {
		return b.s.newFunction(a.f, c...)
	})
	made := model.SystemAction[S]{
		Name: a.name, Source: a.lines, Kind: a.kind, Fair: a.fair, Instances: len(each),
		Do: func(x *S, i int, c *model.Choice) bool { return each[i].do(wordsOf(x), c, nil) },
		Traced: func(x *S, i int, c *model.Choice, touched []uint32) bool {
			return each[i].do(wordsOf(x), c, touched)
		},
		Text: func(i int) string { return a.says(combinations[i]) },
	}
	switch {
	case a.owner != nil:
		var owners []int
		for _, values := range combinations {
			owner := a.owner
			if f, is := owner.(starlark.Callable); is {
				owner, _ = b.s.b.searches.run(&call{}, f, values...)
			}
			i := b.s.member(owner)
			if owners = append(owners, i); i < 0 {
				set.fail("action %s: owner is %s; allowed: a member, or a function of the parameters that "+
					"returns one; members are %s", a.name, short(owner), words(b.s.texts))
			}
		}
		made.Owner = func(i int) int { return owners[i] }
	case len(a.domains) > 0 && b.overMembers(a.domains[0]):
		made.Owner = func(i int) int { return i / (len(each) / len(b.s.members)) }
	}
	return made
}

// member returns the place of a member; -1: another value.
func (s *system) member(v starlark.Value) int {
	return slices.IndexFunc(s.members, func(m starlark.Value) bool { return equalValues(m, v) })
}

// fairness sets the fairness conditions: one strength for all actions, or a list of conditions.
func (b systemBinding[S]) fairness(sys *model.System[S], set *settings) {
	if v, is := set.given("fairness").(starlark.String); is {
		if set.oneOf("fairness", "none", "weak", "strong") >= 0 {
			sys.Fair(string(v))
		}
		return
	}
	const allowed = "none, weak, strong, or a list of weak(...) and strong(...)"
	for _, f := range listOf(set, "fairness", allowed, having("by")) {
		sys.Fairness = append(sys.Fairness, b.condition(f, sys.Actions, set))
	}
}

func (b systemBinding[S]) condition(
	f *settings, actions []model.SystemAction[S], set *settings,
) model.Fairness {
	var listed []string
	name, steps, by, has := f.text("name"), f.strings("steps"), f.given("by"), make([][]bool, len(actions))
	values := f.list("values")
	if len(steps) == 0 {
		set.fail("fairness %q: steps is missing: the names of actions, %s(%q, [\"...\"])", name, f.of, name)
	}
	for i, a := range set.steps("actions") {
		listed, has[i] = append(listed, a.name), make([]bool, actions[i].Instances)
		if !slices.Contains(steps, a.name) {
			continue
		}
		if by != nil && actions[i].Owner == nil {
			set.fail("fairness %s: by is for actions of members, and %s is not one", name, a.name)
		}
		some := false
		for k, c := range a.combinations() {
			if has[i][k] = fitsValues(c, values); by != nil && set.err == nil {
				has[i][k] = actions[i].Owner(k) == b.s.member(by)
			}
			some = some || has[i][k]
		}
		if !some {
			if by != nil {
				values = []starlark.Value{by}
			}
			set.fail("fairness %s: %s is never taken with the values %s", name, a.name,
				words(textsOf(values)))
		}
	}
	for _, step := range steps {
		if !slices.Contains(listed, step) {
			set.fail("fairness %q: there is no action %s%s; listed are %s", name, step,
				usage.Nearest(step, listed), words(listed))
		}
	}
	set.err = cmp.Or(f.err, set.err)
	return model.Fairness{Name: name, Strong: f.of == "strong", Has: func(l model.Label) bool {
		return len(has[l.Action]) > l.Instance() && has[l.Action][l.Instance()]
	}}
}

// fitsValues reports whether parameters have the first of some values; None fits all.
func fitsValues(parameters, values []starlark.Value) bool {
	for i, v := range values {
		if v != starlark.None && (i >= len(parameters) || !equalValues(parameters[i], v)) {
			return false
		}
	}
	return true
}

// Time passes in ticks, in systems. A timer is the number of ticks that are left, and 0 when it is over: so a
// state has the differences between now and what is to come, and no time that grows. Whole ticks decide about
// timers with bounds such as `not later than`, as these are closed: a run in real time has one in ticks with
// the same steps (Henzinger, Manna, Pnueli, What good are digital clocks?, ICALP 1992).

// timer(most) is the type of timers of at most so many ticks.
func (b *builder) timer(set *settings) (starlark.Value, error) {
	most := set.whole("most", 0)
	if most == 0 || most > longest {
		set.fail("most is %s; allowed: 1 to %d ticks", short(set.given("most")), longest)
	}
	return newType("timers", valueType{is: numbers, hi: most, timed: true, timer: true}), set.err
}

// ticks reports whether a type holds timers.
func (t *valueType) ticks() bool {
	return t.timer || t.of != nil && t.of.ticks() || slices.ContainsFunc(t.types, (*valueType).ticks)
}

// tick(urgent) is the action by which time passes: each timer of the state that is not over has a tick less.
// It is not enabled while something urgent is to be done before, nor when all timers are over.
func (b *builder) tick(set *settings) (starlark.Value, error) {
	urgent := set.function("urgent")
	f := func(t *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, _ []starlark.Tuple) (
		starlark.Value, error,
	) {
		if urgent != nil {
			v, err := starlark.Call(t, urgent, args, nil)
			if err == nil && v.Type() != "bool" {
				err = within("urgent", misfit(v, conditions))
			}
			if err != nil || bool(v.Truth()) {
				return starlark.False, err
			}
		}
		s, moved := args[0].(*record), starlark.False
		for i, of := range s.t.types {
			if !of.timed {
				continue
			}
			s.xs[i] = of.shift(s.get(i), func(_ *valueType, left *uint32) {
				if *left > 0 {
					*left, moved = *left-1, starlark.True
				}
			})
		}
		return moved, nil
	}
	name := cmp.Or(set.text("name"), "tick")
	return &stepValue{name: name, f: starlark.NewBuiltin(name, f), urgent: urgent}, set.err
}
