package starfile

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
func (b *builder) param(set *settings) (starlark.Value, error) {
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
		return nil, usage.Errorf("%s=%s does not fit %s: allowed: %s",
			p.Name, text, b.spec.Name, listed(words))
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
func (b *builder) require(set *settings) (starlark.Value, error) {
	if set.flag("ok") || set.err != nil {
		return starlark.None, set.err
	}
	name := set.text("parameter")
	if b.args == nil {
		return nil, fmt.Errorf("require: the defaults do not fit each other: %s", set.text("allowed"))
	}
	b.args.Reject(name, "allowed: "+set.text("allowed"))
	return nil, b.args.Err()
}

// fairness_param() declares fairness=, and returns its value.
func (b *builder) fairnessParam(*settings) (starlark.Value, error) {
	text, err := b.value(param.Fairness)
	return starlark.String(text), err
}

// reference(args, states, depth, ...) declares an instance whose figures are known.
func (b *builder) reference(set *settings) (starlark.Value, error) {
	r := model.Reference{
		Args: set.text("args"), States: set.whole("states", 0), Depth: set.whole("depth", 0),
		Generated: set.whole("generated", 0), Large: set.flag("large"), From: set.text("origin"),
	}
	if v := setting[*starlark.Dict](set, "violated", "a dictionary"); v != nil {
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
func (b *builder) source(set *settings) (starlark.Value, error) {
	b.spec.Source = set.text("text")
	return starlark.None, set.err
}

// A networkValue is what network_params(...) returns.
type networkValue struct {
	typed
	network model.Network
}

// network_params(n, crashes, crash_sends) declares the parameters of channels and crashes.
func (b *builder) networkParams(set *settings) (starlark.Value, error) {
	n, crashes, first := set.whole("n", 0), set.whole("crashes", 0), set.whole("first", 1)
	sends := "none"
	if set.oneOf("crash_sends", "none", "prefix", "subset") >= 0 {
		sends = set.text("crash_sends")
	}
	if set.err != nil {
		return nil, set.err
	}
	for _, p := range param.Network(sends) {
		if err := b.declare(p); err != nil {
			return nil, err
		}
	}
	if b.args == nil {
		return &networkValue{}, nil
	}
	return &networkValue{network: b.args.Network(n, first, crashes)}, b.args.Err()
}

// rounds_param(n) declares rounds=, and returns how often each process requests, as an array over them.
func (b *builder) roundsParam(set *settings) (starlark.Value, error) {
	n, first := set.whole("n", 0), set.whole("first", 1)
	if set.err != nil {
		return nil, set.err
	}
	if err := b.declare(param.Rounds); err != nil {
		return nil, err
	}
	b.rounds = slices.Repeat([]int{1}, n)
	if b.args != nil {
		b.rounds = b.args.Rounds(n)
		if err := b.args.Err(); err != nil {
			return nil, err
		}
	}
	t, err := newArray(newInt(first, first+n-1), roundsType)
	if err != nil {
		return nil, err
	}
	a := &array{t: t}
	for _, r := range b.rounds {
		if r == model.Forever {
			a.xs = append(a.xs, forever)
		} else {
			a.xs = append(a.xs, number(r))
		}
	}
	return a, nil
}

const forever = starlark.String("inf")

// roundsType are the numbers of requests that a process still makes.
var roundsType = mustWords(append(valuesOf(newInt(0, 15)), forever))

// endless_params() declares the parameters of runs without end.
func (b *builder) endlessParams(*settings) (starlark.Value, error) {
	b.endless = true
	for _, p := range param.Endless() {
		if err := b.declare(p); err != nil {
			return nil, err
		}
	}
	return starlark.None, nil
}
