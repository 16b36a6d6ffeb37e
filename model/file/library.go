package file

import (
	"errors"
	"fmt"

	"go.starlark.net/starlark"
)

// library returns what a file may use besides Starlark's own.
func (b *builder) library() starlark.StringDict {
	all := starlark.StringDict{
		"time": &intType{typed: typed{"times"}, lo: 0, hi: maxInt, isTime: true, endless: true},
	}
	for name, f := range map[string]func(starlark.Tuple, []starlark.Tuple) (starlark.Value, error){
		"param": b.param, "require": b.require, "fairness_param": b.fairnessParam, "reference": b.reference,
		"source": b.source, "system": b.system, "action": b.action, "weak": b.fair(false), "strong": b.fair(true),
		"record": b.record, "array": b.arrayOf, "set_of": b.setOf, "list_of": b.listOf, "dict_of": b.dictOf,
		"enum": b.enum, "optional": b.optionOf,
	} {
		all[name] = b.builtin(name, f)
	}
	b.propertyBuiltins(all)
	for name, f := range helpers {
		all[name] = starlark.NewBuiltin(name, f)
	}
	return all
}

// asked returns the call that is under way, for what only steps may do.
func asked(t *starlark.Thread, name string) (*call, error) {
	c, _ := t.Local(callKey).(*call)
	if c == nil || c.pick == nil {
		return nil, fmt.Errorf("%s is for steps; it cannot be called in a property, or while the file is read", name)
	}
	return c, nil
}

type helper = func(*starlark.Thread, *starlark.Builtin, starlark.Tuple, []starlark.Tuple) (starlark.Value, error)

// helpers are the functions that steps and properties use.
var helpers = map[string]helper{
	"when":     when,
	"pick":     pick,
	"subsets":  subsets,
	"majority": majority,
	"without":  without,
}

// when(condition) ends a step that is not enabled.
func when(t *starlark.Thread, f *starlark.Builtin, args starlark.Tuple, named []starlark.Tuple) (starlark.Value, error) {
	var condition bool
	if err := starlark.UnpackPositionalArgs(f.Name(), args, named, 1, &condition); err != nil {
		return nil, err
	}
	if _, err := asked(t, f.Name()); err != nil {
		return nil, err
	}
	if !condition {
		return nil, notEnabled
	}
	return starlark.None, nil
}

// pick(values) is one of some values: each leads to a successor of its own.
func pick(t *starlark.Thread, f *starlark.Builtin, args starlark.Tuple, named []starlark.Tuple) (starlark.Value, error) {
	var from starlark.Iterable
	if err := starlark.UnpackPositionalArgs(f.Name(), args, named, 1, &from); err != nil {
		return nil, err
	}
	c, err := asked(t, f.Name())
	if err != nil {
		return nil, err
	}
	values, err := elements(from)
	if err != nil {
		return nil, err
	}
	if len(values) == 0 {
		return nil, errors.New("pick: there is nothing to pick from; when(...) before it says that there has to be")
	}
	return values[c.pick(len(values))], nil
}

// subsets(values) are all sets of some of the values.
func subsets(_ *starlark.Thread, f *starlark.Builtin, args starlark.Tuple, named []starlark.Tuple) (starlark.Value, error) {
	var from starlark.Iterable
	if err := starlark.UnpackPositionalArgs(f.Name(), args, named, 1, &from); err != nil {
		return nil, err
	}
	values, err := elements(from)
	if err != nil {
		return nil, err
	}
	if len(values) > 16 {
		return nil, fmt.Errorf("subsets: of %d values there are too many; allowed are 16", len(values))
	}
	var all []starlark.Value
	for mask := range 1 << len(values) {
		s := starlark.NewSet(len(values))
		for i, v := range values {
			if mask>>i&1 == 1 {
				if err := s.Insert(v); err != nil {
					return nil, err
				}
			}
		}
		all = append(all, s)
	}
	return starlark.NewList(all), nil
}

// majority(some, all) reports whether the first are more than half of the second, in number.
func majority(_ *starlark.Thread, f *starlark.Builtin, args starlark.Tuple, named []starlark.Tuple) (starlark.Value, error) {
	var some, all starlark.Value
	if err := starlark.UnpackPositionalArgs(f.Name(), args, named, 2, &some, &all); err != nil {
		return nil, err
	}
	m, n := starlark.Len(some), starlark.Len(all)
	if m < 0 || n < 0 {
		return nil, fmt.Errorf("majority(%s, %s); allowed: sets and lists", short(some), short(all))
	}
	return starlark.Bool(2*m > n), nil
}

// without(values, x) are the values other than x, as a list.
func without(_ *starlark.Thread, f *starlark.Builtin, args starlark.Tuple, named []starlark.Tuple) (starlark.Value, error) {
	var from starlark.Iterable
	var x starlark.Value
	if err := starlark.UnpackPositionalArgs(f.Name(), args, named, 2, &from, &x); err != nil {
		return nil, err
	}
	values, err := elements(from)
	if err != nil {
		return nil, err
	}
	var rest []starlark.Value
	for _, v := range values {
		same, err := starlark.Equal(v, x)
		if err != nil {
			return nil, err
		}
		if !same {
			rest = append(rest, v)
		}
	}
	return starlark.NewList(rest), nil
}
