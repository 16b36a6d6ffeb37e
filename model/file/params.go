package file

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"go.starlark.net/starlark"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/param"
	"github.com/atmostk/atmostk/model/usage"
)

// declare adds a parameter, when it is found out which there are.
func (b *builder) declare(p param.Param) error {
	if b.args != nil {
		return nil
	}
	if slices.ContainsFunc(b.spec.Params, func(q param.Param) bool { return q.Name == p.Name }) {
		return fmt.Errorf("two parameters are called %s", p.Name)
	}
	b.spec.Params = append(b.spec.Params, p)
	return nil
}

// value returns the value of a parameter. Which parameters there are must not depend on the values of others.
func (b *builder) value(p param.Param) (string, error) {
	if err := b.declare(p); err != nil {
		return "", err
	}
	if b.args == nil {
		return p.Default, nil
	}
	if !slices.ContainsFunc(b.args.List(), func(pair [2]string) bool { return pair[0] == p.Name }) {
		return "", fmt.Errorf(
			"parameter %s is declared only with some values of others; a file declares all at any time",
			p.Name,
		)
	}
	return b.args.String(p.Name), nil
}

// param(name, default, values, doc) declares a parameter, and returns its value: a number where values
// are a range, else one of the words.
func (b *builder) param(args starlark.Tuple, named []starlark.Tuple) (starlark.Value, error) {
	set := settingsOf("param", args, named, "name", "default", "values", "doc")
	p := param.Param{Name: set.text("name"), Doc: set.text("doc")}
	values := set.list("values")
	if len(values) == 0 {
		set.fail("values are missing: a range such as range(1, 9), or a list of words")
	}
	if set.err != nil {
		return nil, set.err
	}
	numbers := true
	var words []string
	for _, v := range values {
		_, isNumber := v.(starlark.Int)
		numbers = numbers && isNumber
		text, err := word(v)
		if err != nil {
			return nil, fmt.Errorf("param %s: %w", p.Name, err)
		}
		words = append(words, text)
	}
	p.Default = words[0]
	if v := set.given("default"); v != nil {
		text, err := word(v)
		if err != nil || !slices.Contains(words, text) {
			return nil, fmt.Errorf("param %s: default: %w", p.Name, misfit(v, listed(words)))
		}
		p.Default = text
	}
	p.Type = param.OneOf(words...)
	if first, err := strconv.Atoi(words[0]); err == nil && numbers && inRow(words, first) {
		p.Type = param.IntRange(first, first+len(words)-1)
	}
	text, err := b.value(p)
	if err != nil {
		return nil, err
	}
	i := slices.Index(words, text)
	if i < 0 {
		return nil, usage.Errorf(
			"%s=%s does not fit %s: allowed: %s",
			p.Name,
			text,
			b.spec.Name,
			listed(words),
		)
	}
	return values[i], nil
}

func listed(words []string) string {
	if len(words) > 8 {
		return words[0] + " to " + words[len(words)-1]
	}
	return strings.Join(words, ", ")
}

func inRow(words []string, first int) bool {
	for i, w := range words {
		if w != strconv.Itoa(first+i) {
			return false
		}
	}
	return true
}

// require(ok, parameter, why) refuses values of parameters that do not fit each other.
func (b *builder) require(args starlark.Tuple, named []starlark.Tuple) (starlark.Value, error) {
	set := settingsOf("require", args, named, "ok", "parameter", "allowed")
	if set.flag("ok") || set.err != nil {
		return starlark.None, set.err
	}
	name := set.text("parameter")
	if b.args == nil {
		return nil, fmt.Errorf("require: the defaults do not fit each other: %s", set.text("allowed"))
	}
	return nil, b.args.Reject(name, b.args.String(name), "allowed: "+set.text("allowed"))
}

// fairness_param() declares fairness=, and returns its value.
func (b *builder) fairnessParam(starlark.Tuple, []starlark.Tuple) (starlark.Value, error) {
	text, err := b.value(param.Fairness)
	return starlark.String(text), err
}

// reference(args, states, depth, ...) declares an instance whose figures are known.
func (b *builder) reference(args starlark.Tuple, named []starlark.Tuple) (starlark.Value, error) {
	set := settingsOf(
		"reference",
		args,
		named,
		"args",
		"states",
		"depth",
		"generated",
		"violated",
		"origin",
		"large",
	)
	r := model.Reference{
		Args: set.text("args"), States: set.whole("states", 0), Depth: set.whole("depth", 0),
		Generated: set.whole("generated", 0), Large: set.flag("large"), From: set.text("origin"),
	}
	if v, ok := set.given("violated").(*starlark.Dict); ok {
		r.Violated = map[string]int{}
		for _, item := range v.Items() {
			name, _ := starlark.AsString(item[0])
			steps, err := starlark.AsInt32(item[1])
			if err != nil || name == "" {
				set.fail(
					"violated holds %s: %s; allowed: names of properties with numbers of steps",
					short(item[0]),
					short(item[1]),
				)
			}
			r.Violated[name] = steps
		}
	}
	if b.args == nil {
		b.spec.References = append(b.spec.References, r)
	}
	return starlark.None, set.err
}

// source(text) says where the algorithm comes from.
func (b *builder) source(args starlark.Tuple, named []starlark.Tuple) (starlark.Value, error) {
	set := settingsOf("source", args, named, "text")
	b.spec.Source = set.text("text")
	return starlark.None, set.err
}
