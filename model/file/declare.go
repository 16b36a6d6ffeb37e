package file

import (
	"fmt"

	"go.starlark.net/starlark"
)

// typeOf returns the type that a value of the language stands for: a type; bool, int and str; a range;
// or a list of the values that there are.
func typeOf(v starlark.Value) (valueType, error) {
	switch v := v.(type) {
	case valueType:
		return v, nil
	case *starlark.Builtin:
		switch v.Name() {
		case "bool":
			return &boolType{typed{name: "True and False"}}, nil
		case "int":
			return anyInt("whole numbers"), nil
		case "str":
			return &strType{typed{name: "strings"}}, nil
		}
	case starlark.String:
	case starlark.Tuple:
		if len(v) == 2 {
			if of, err := typeOf(v[0]); err == nil {
				return nil,
					fmt.Errorf("a pair of a type and the value that it begins with stands in fields of "+
						"records only; here the type alone: %s", of)
			}
		}
		return newWords(v)
	case starlark.Iterable:
		values, err := elements(v)
		if err != nil {
			return nil, err
		}
		if len(values) > 0 && v.Type() == "range" {
			first, _ := starlark.AsInt32(values[0])
			last, _ := starlark.AsInt32(values[len(values)-1])
			if last-first == len(values)-1 {
				return newInt(first, last), nil
			}
		}
		return newWords(values)
	}
	return nil, fmt.Errorf("%s is no type; allowed: bool, int, str, a range, a list of the values, "+
		"enum, optional, set_of, list_of, dict_of, array, record", short(v))
}

// valuesOf returns all values of a type; nil if there are too many, or they are not scalars.
func valuesOf(t valueType) (all []starlark.Value) {
	switch t := t.(type) {
	case *wordType:
		return t.values
	case *boolType:
		return []starlark.Value{starlark.False, starlark.True}
	case *intType:
		if t.hi-t.lo < maxBits {
			for x := t.lo; x <= t.hi; x++ {
				all = append(all, number(x))
			}
		}
	}
	return all
}

// record(field=type, ...) is the type of records. A pair (type, value) says with which value it begins.
func (b *builder) record(args starlark.Tuple, named []starlark.Tuple) (starlark.Value, error) {
	if len(args) > 0 {
		return nil, fmt.Errorf("record: fields are given by name: record(state = enum(...), clock = int)")
	}
	return newRecord("record", "", named)
}

func newRecord(name, tag string, named []starlark.Tuple) (*recordType, error) {
	t := &recordType{tag: tag}
	for _, pair := range named {
		field, v := string(pair[0].(starlark.String)), pair[1]
		var first starlark.Value
		if pair, ok := v.(starlark.Tuple); ok && len(pair) == 2 {
			v, first = pair[0], pair[1]
		}
		of, err := typeOf(v)
		if err != nil {
			return nil, fmt.Errorf("%s: field %s: %w", name, field, err)
		}
		if first != nil {
			if first, err = of.fit(first); err != nil {
				return nil, fmt.Errorf("%s: field %s: %w", name, field, err)
			}
			first.Freeze()
		}
		if field == "id" {
			return nil, fmt.Errorf("%s: id is the number of a process, and cannot be a field", name)
		}
		t.fields, t.types, t.first = append(t.fields, field), append(t.types, of), append(t.first, first)
		t.nested = append(t.nested, nests(of))
	}
	var err error
	if t.typed, err = nesting(name, 1, t.types...); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return t, nil
}

// enum(value, ...) is the type of some listed values.
func (b *builder) enum(args starlark.Tuple, named []starlark.Tuple) (starlark.Value, error) {
	if len(named) > 0 {
		return nil, fmt.Errorf("enum: values have no names")
	}
	return newWords(args)
}

// typeIn reads a type among settings.
func (s *settings) typeIn(name string) valueType {
	v := s.given(name)
	if v == nil {
		s.fail("%s is missing: a type", name)
		return nil
	}
	t, err := typeOf(v)
	if err != nil {
		s.fail("%s: %v", name, err)
	}
	return t
}

func (b *builder) optionOf(args starlark.Tuple, named []starlark.Tuple) (starlark.Value, error) {
	set := settingsOf("optional", args, named, "of")
	t := set.typeIn("of")
	if set.err != nil {
		return nil, set.err
	}
	if _, twice := t.(*optionType); twice {
		return nil, fmt.Errorf("optional: of values that are optional already")
	}
	common, err := nesting("None, "+t.String(), 0, t)
	return &optionType{common, t}, err
}

func (b *builder) setOf(args starlark.Tuple, named []starlark.Tuple) (starlark.Value, error) {
	set := settingsOf("set_of", args, named, "of")
	t := set.typeIn("of")
	if set.err != nil {
		return nil, set.err
	}
	switch t.(type) {
	case *setType, *listType, *arrayType, *dictType:
		return nil, fmt.Errorf("set_of: %s cannot be in a set; allowed: numbers, words, booleans, and "+
			"messages of these", t)
	}
	common, err := nesting("sets of "+t.String(), 0, t)
	return &setType{common, t, valuesOf(t)}, err
}

func (b *builder) listOf(args starlark.Tuple, named []starlark.Tuple) (starlark.Value, error) {
	set := settingsOf("list_of", args, named, "of", "max")
	t := set.typeIn("of")
	most := set.whole("max", longest)
	if set.err != nil {
		return nil, set.err
	}
	common, err := nesting("lists of "+t.String(), 0, t)
	return &listType{common, t, most}, err
}

func (b *builder) dictOf(args starlark.Tuple, named []starlark.Tuple) (starlark.Value, error) {
	set := settingsOf("dict_of", args, named, "keys", "of")
	k, t := set.typeIn("keys"), set.typeIn("of")
	if set.err != nil {
		return nil, set.err
	}
	switch k.(type) {
	case *wordType, *intType, *boolType:
	default:
		return nil, fmt.Errorf("dict_of: %s cannot be keys; allowed: numbers and words", k)
	}
	common, err := nesting("dictionaries", 0, t)
	return &dictType{common, k, t}, err
}

// array(keys, type) has a value of the type for each key.
func (b *builder) arrayOf(args starlark.Tuple, named []starlark.Tuple) (starlark.Value, error) {
	set := settingsOf("array", args, named, "keys", "of")
	k, t := set.typeIn("keys"), set.typeIn("of")
	if set.err != nil {
		return nil, set.err
	}
	values := valuesOf(k)
	if values == nil {
		return nil, fmt.Errorf("array: %s cannot be keys; allowed: numbers in a range, and words", k)
	}
	words, err := newWords(values)
	if err != nil {
		return nil, fmt.Errorf("array: %w", err)
	}
	a := &arrayType{keys: words, of: t}
	if a.typed, err = nesting("arrays of "+t.String(), len(values), t); err != nil {
		return nil, fmt.Errorf("array: %w", err)
	}
	if row, ok := k.(*intType); ok {
		a.first, a.row = row.lo, true
	}
	return a, nil
}

// proc(range) is the type of the numbers of processes, which are shown by their names.
func (b *builder) procType(args starlark.Tuple, named []starlark.Tuple) (starlark.Value, error) {
	set := settingsOf("proc", args, named, "of")
	t, ok := set.typeIn("of").(*intType)
	if set.err == nil && (!ok || t.endless) {
		set.fail("of is %s; allowed: a range of numbers", short(set.given("of")))
	}
	if set.err != nil {
		return nil, set.err
	}
	return &intType{typed: typed{name: "processes " + t.name}, lo: t.lo, hi: t.hi, prefix: "p"}, nil
}
