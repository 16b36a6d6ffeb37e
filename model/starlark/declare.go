package starfile

import (
	"cmp"
	"fmt"
	"slices"

	"go.starlark.net/starlark"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/param"
	"github.com/atmostk/atmostk/model/usage"
)

// What files declare of types and of parameters.

// record(field=type, ...) is the type of records. A pair (type, value) says with which value it begins.
func (b *builder) record(s *settings) (starlark.Value, error) {
	if len(s.rest) > 0 {
		return nil, fmt.Errorf("record: fields are given by name: record(state = enum(...), clock = int)")
	}
	t, err := newRecord("record", "", b.at, s.named)
	return &recordType{t}, err
}

// message(name, field=type, ...) is the type of messages of a name.
func (b *builder) message(s *settings) (starlark.Value, error) {
	if len(s.rest) != 1 {
		return nil, fmt.Errorf("message: the name is missing: message(\"REQUEST\", time = int)")
	}
	name, ok := starlark.AsString(s.rest[0])
	if _, err := word(s.rest[0]); !ok || err != nil {
		return nil, fmt.Errorf("message: the name is %s; allowed: a word", short(s.rest[0]))
	}
	t, err := newRecord(name, name, b.at, s.named)
	return &recordType{t}, err
}

// typeFrom makes the other types.
func (b *builder) typeFrom(s *settings) (starlark.Value, error) {
	if s.of == "enum" {
		if len(s.named) > 0 {
			s.fail("values have no names")
		}
		if len(s.rest) == 1 && s.rest[0].Type() != "tuple" {
			if all, err := elements(s.rest[0]); err == nil {
				return newWords(all)
			}
		}
		return newWords(s.rest)
	}
	if s.of == "union" {
		var types []*valueType
		for _, v := range s.rest {
			of, err := typeOf(v)
			if err != nil {
				return nil, within("union", err)
			}
			types = append(types, of)
		}
		if len(types) < 2 {
			s.fail("types are missing: union(A, B)")
		}
		return newUnion(types), s.err
	}
	of := s.typeIn("of")
	switch s.of {
	case "array":
		return newArray(s.typeIn("keys"), of)
	case "list_of":
		return newList(of, s.whole("max", longest)), nil
	case "dict_of":
		k := s.typeIn("keys")
		if k.is != listed && k.is != numbers {
			s.fail("%s cannot be keys; allowed: numbers and words", k)
		}
		return newDict(k, of), nil
	case "set_of":
		if of.holds() {
			s.fail("%s cannot be in a set; allowed: numbers, words, booleans, and messages of these", of)
		}
		return newSet(of), nil
	case "optional":
		if of.is == optionals {
			s.fail("of values that are optional already")
		}
		return newOption(of), nil
	}
	if of.is != numbers || of.endless { // proc: numbers of processes, which are shown by their names
		s.fail("of is %s; allowed: a range of numbers", short(s.given("of")))
	}
	return newType("processes "+of.name, valueType{is: numbers, lo: of.lo, hi: of.hi, prefix: "p",
		procs: &b.procs}), nil
}

// declare adds parameters, in the execution that finds them.
func (b *builder) declare(ps ...param.Param) error {
	if b.args != nil {
		return nil
	}
	for _, p := range ps {
		if slices.ContainsFunc(b.spec.Params, func(q param.Param) bool { return q.Name == p.Name }) {
			return fmt.Errorf("two parameters are called %s", p.Name)
		}
		b.spec.Params = append(b.spec.Params, p)
	}
	return nil
}

// value returns the value of a parameter. Which parameters there are must not depend on the values of others.
func (b *builder) value(p param.Param) (string, error) {
	if b.args == nil {
		return p.Default, b.declare(p)
	}
	if !slices.ContainsFunc(b.args.List(), func(pair [2]string) bool { return pair[0] == p.Name }) {
		return "", fmt.Errorf("parameter %s is declared only with some values of others; declare "+
			"all parameters in all cases", p.Name)
	}
	return b.args.String(p.Name), nil
}

// param(name, default, values, doc) declares a parameter, and returns its value: a number where values
// are a range, otherwise one of the words.
func (b *builder) param(set *settings) (starlark.Value, error) {
	p := param.Param{Name: set.text("name"), Doc: set.text("doc")}
	values := set.list("values")
	if len(values) == 0 {
		set.fail("values are missing: a range such as range(1, 9), or a list of words")
	}
	if set.err != nil {
		return nil, set.err
	}
	of, err := newWords(values)
	if err != nil {
		return nil, within("param "+p.Name, err)
	}
	p.Default = of.texts[0]
	if v := set.given("default"); v != nil {
		i, err := of.place(v)
		if err != nil {
			return nil, within("param "+p.Name+": default", misfit(v, shortList(of.texts)))
		}
		p.Default = of.texts[i]
	}
	if t, err := typeOf(set.given("values")); err == nil && t.is == numbers {
		p.Type = param.IntRange(t.lo, t.hi)
	} else {
		p.Type, b.words[b.at] = param.OneOf(of.texts...), of
	}
	text, err := b.value(p)
	if err != nil {
		return nil, err
	}
	i := slices.Index(of.texts, text)
	if i < 0 {
		return nil, usage.Errorf("%s=%s does not fit %s: allowed: %s",
			p.Name, text, b.spec.Name, shortList(of.texts))
	}
	return values[i], nil
}

func shortList(all []string) string {
	if len(all) > 8 {
		return all[0] + " to " + all[len(all)-1]
	}
	return words(all)
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
	word := func(w string) starlark.Value { return starlark.String(w) }
	b.words[b.at] = mustWords(mapped(param.Fairness.Type.Words, word))
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
				set.fail("violated holds %s: %s; allowed: names of properties with numbers of steps",
					short(item[0]), short(item[1]))
			}
			r.Violated[name] = steps
		}
	}
	if b.args == nil {
		b.spec.References = append(b.spec.References, r)
	}
	return starlark.None, nil
}

// source(text) says where the algorithm comes from.
func (b *builder) source(set *settings) (starlark.Value, error) {
	b.spec.Source = set.text("text")
	return starlark.None, set.err
}

// A networkValue is the result of network_params(...).
type networkValue struct {
	typed
	n       int // of processes
	network model.Network
}

// network_params(n, crashes, crash_sends) declares the parameters of channels and crashes.
func (b *builder) networkParams(set *settings) (starlark.Value, error) {
	required[starlark.Int](set, "n", "the number of processes")
	n, crashes, first := set.whole("n", 0), set.whole("crashes", 0), set.whole("first", 1)
	set.oneOf("crash_sends", "none", "prefix", "subset")
	sends := cmp.Or(set.text("crash_sends"), "none")
	if set.err != nil {
		return nil, set.err
	}
	nw, err := &networkValue{n: n}, b.declare(param.Network(sends)...)
	if b.args != nil {
		read := b.args.Network
		if set.flag("recover") {
			read = b.args.NetworkOf
		}
		nw.network, err = read(n, first, crashes), b.args.Err()
	}
	return nw, err
}

// rounds_param(n) declares rounds=, and returns how often each process requests, as an array over them.
func (b *builder) roundsParam(set *settings) (starlark.Value, error) {
	required[starlark.Int](set, "n", "the number of processes")
	n, first := set.whole("n", 0), set.whole("first", 1)
	if set.err != nil {
		return nil, set.err
	}
	err := b.declare(param.Rounds)
	b.rounds = slices.Repeat([]int{1}, n)
	if b.args != nil {
		b.rounds, err = b.args.Rounds(n), b.args.Err()
	}
	if err != nil {
		return nil, err
	}
	t, err := newArray(newInt(first, first+n-1), roundsType)
	if err != nil {
		return nil, err
	}
	return t.with(func(i int) starlark.Value {
		if b.rounds[i] == model.Forever {
			return forever
		}
		return number(b.rounds[i])
	}), nil
}

const forever = starlark.String("inf")

// roundsType are the numbers of requests that a process still makes.
var roundsType = mustWords(append(valuesOf(newInt(0, 15)), forever))

// endless_params() declares the parameters of runs without end.
func (b *builder) endlessParams(*settings) (starlark.Value, error) {
	b.endless = true
	return starlark.None, b.declare(param.Endless()...)
}
