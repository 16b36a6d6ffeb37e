package starfile

import (
	"cmp"
	"errors"
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
			return nil, errors.New("on: message is missing: what message(...) returns")
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

// steps returns a list of steps.
func (s *settings) steps(name string) []*stepValue {
	return listOf(s, name, "functions, and what "+strings.TrimSuffix(name, "s")+"(...) returns", stepOf)
}

// combinations are the combinations of values of an action's parameters.
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
