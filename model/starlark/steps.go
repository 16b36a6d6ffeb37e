package starfile

import (
	"fmt"
	"slices"
	"strings"

	"go.starlark.net/starlark"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/protocol"
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
	of          *valueType // the message received
}

func (*stepValue) Type() string { return "step" }

// stepOf reads the settings that all steps have.
func stepOf(set *settings) *stepValue {
	a := &stepValue{
		f: set.needs("do"), lines: set.text("lines"), text: set.text("text"), name: set.text("name"),
		kind:    protocol.ActionKind(max(0, set.oneOf("kind", "ordinary", "spontaneous", "fault"))),
		fair:    model.Strength(max(0, set.oneOf("fair", "none", "weak", "strong"))),
		request: set.flag("request"),
	}
	if a.name == "" && a.f != nil {
		a.name = a.f.Name()
	}
	return a
}

// step(f, ...) is a step that a process takes by itself.
func (b *builder) step(set *settings) (starlark.Value, error) { return stepOf(set), nil }

// on(message, f, ...) is a step that receives a message.
func (b *builder) on(set *settings) (starlark.Value, error) {
	of, ok := set.given("message").(*recordType)
	if !ok || of.tag == "" {
		set.fail("message is missing: what message(...) returns")
		return nil, nil
	}
	s := stepOf(set)
	if s.of = of.valueType; set.text("name") == "" {
		s.name = "receive " + of.tag
	}
	return s, nil
}

// action(f, values, ...) is a family of steps, one for each combination of values.
func (b *builder) action(set *settings) (starlark.Value, error) {
	a := stepOf(set)
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

// steps returns a list of steps: functions, and results of step, on and action.
func (s *settings) steps(name string) (all []*stepValue) {
	for _, v := range s.list(name) {
		switch v := v.(type) {
		case *stepValue:
			all = append(all, v)
		case starlark.Callable:
			all = append(all, &stepValue{name: v.Name(), f: v})
		default:
			s.fail("%s holds %s; allowed: functions, and what %s(...) returns", name, short(v),
				strings.TrimSuffix(name, "s"))
		}
	}
	return all
}

// combinations are the combinations of values of an action's parameters.
func (a *stepValue) combinations() [][]starlark.Value {
	all := [][]starlark.Value{nil}
	for _, d := range a.domains {
		var longer [][]starlark.Value
		for _, c := range all {
			for _, v := range d {
				longer = append(longer, append(slices.Clip(c), v))
			}
		}
		all = longer
	}
	return all
}

// says describes a step: its text with values in place of {}, in their order, or the name with them.
func (a *stepValue) says(values []starlark.Value) string {
	text := a.text
	switch {
	case text == "" && len(values) == 0:
		return a.name
	case text == "":
		return a.name + "(" + words(textsOf(values)) + ")"
	}
	for _, v := range textsOf(values) {
		text = strings.Replace(text, "{}", v, 1)
	}
	return text
}

// A fairValue is a condition of fairness.
type fairValue struct {
	typed
	name   string
	steps  []string
	by     starlark.Value // nil: any member
	strong bool
}

// weak(name, steps, by) and strong(...) are conditions of fairness.
func (b *builder) fair(set *settings) (starlark.Value, error) {
	return &fairValue{
		name: set.text("name"), steps: set.strings("steps"), by: set.given("by"), strong: set.of == "strong",
	}, nil
}
