package starfile

import (
	"fmt"

	"go.starlark.net/starlark"
)

// A valueType is a set of values, of variables, fields and elements. Files make them and declare with them.
type valueType interface {
	starlark.Value
	// zero returns the first value, a new one that may be changed.
	zero() starlark.Value
	// bits is how many bits a value takes; unbounded if there is no limit.
	bits() int
	// pack appends the bits of v, which has to be of the type.
	pack(w *packer, v starlark.Value) error
	// unpack returns the value that has the bits, a new one.
	unpack(r *unpacker) starlark.Value
	// text appends v as it is shown.
	text(b []byte, v starlark.Value) []byte
	common() *typed
}

// typed is what all types have in common as values of the language.
type typed struct {
	name   string
	weight int // how many values are in the first value, beside itself
	deep   int // how deep types are nested in this one
}

// maxNested is how deep types are nested.
const maxNested = 20

// nesting is what types have in common in which so many values of others are nested.
func nesting(name string, values int, of ...valueType) (t typed, err error) {
	t.name = cut(name, 200)
	for _, inner := range of {
		t.weight += min(values, maxWeight) * (1 + inner.common().weight)
		t.deep = max(t.deep, 1+inner.common().deep)
		switch {
		case t.weight > maxWeight:
			return t, fmt.Errorf("values of more than %d elements, all in all, are too large", maxWeight)
		case t.deep > maxNested:
			return t, fmt.Errorf("types are nested more than %d deep", maxNested)
		}
	}
	return t, nil
}

func (t *typed) common() *typed      { return t }
func (t *typed) String() string      { return t.name }
func (*typed) Type() string          { return "type" }
func (*typed) Freeze()               {}
func (*typed) Truth() starlark.Bool  { return true }
func (*typed) Hash() (uint32, error) { return 0, fmt.Errorf("a type is no key") }

// fit returns v as a value of a type, which nobody else can change.
func fit(t valueType, v starlark.Value) (starlark.Value, error) {
	var w packer
	if err := t.pack(&w, v); err != nil {
		return nil, err
	}
	if isScalar(v) {
		return v, nil
	}
	return t.unpack(&unpacker{words: w.words}), nil
}

// isScalar reports whether a value can be compared at once, and cannot be changed.
func isScalar(v starlark.Value) bool {
	switch v.(type) {
	case starlark.Bool, starlark.String, starlark.Int, starlark.NoneType:
		return true
	}
	return false
}

// shown is a value as it is shown.
func shown(t valueType, v starlark.Value) string { return string(t.text(nil, v)) }

// typeOf returns the type that a value of the language stands for: a type; bool, int and str; a range;
// or a list of the values that there are.
func typeOf(v starlark.Value) (valueType, error) {
	switch v := v.(type) {
	case valueType:
		return v, nil
	case *starlark.Builtin:
		switch v.Name() {
		case "bool":
			return boolType, nil
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
	case *intType:
		if t.hi-t.lo < maxBits {
			for x := t.lo; x <= t.hi; x++ {
				all = append(all, number(x))
			}
		}
	}
	return all
}

// keysAndValues are the types of the keys and of the elements of what holds several values.
func keysAndValues(t valueType) (keys, of valueType) {
	switch t := t.(type) {
	case *setType:
		return nil, t.of
	case *listType:
		return nil, t.of
	case *arrayType:
		return t.keys, t.of
	case *dictType:
		return t.key, t.of
	}
	return nil, nil
}
