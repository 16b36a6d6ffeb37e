package starfile

import (
	"maps"
	"slices"
	"strings"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// A shape is the static pass's knowledge of the value of an expression: the alternatives that it may be.
// nil: nothing is known, and nothing is reported. An empty one: there is no value.
type shape []alt

// An alt is one alternative: a value of a declared type, a known value, or one that the file makes.
type alt struct {
	t     *valueType      // it is of this declared type
	v     starlark.Value  // it is this value; with t: in this instance
	at    syntax.Position // of a known value: where it stands in the file
	kind  string          // Starlark's name of its type, or stateKind
	elem  shape           // of a list, a set, or the keys of a dictionary that the file makes
	parts []shape         // of a tuple that the file makes
	made  *closure        // a function that the file makes in a function
}

// stateKind is the kind of a state of all processes, which is of no declared type.
const stateKind = "state"

// maxAlts bounds the alternatives of a shape; with more nothing is known.
const maxAlts = 64

func ofKind(kind string) shape                         { return shape{{kind: kind}} }
func holding(kind string, elem shape) shape            { return shape{{kind: kind, elem: elem}} }
func known(v starlark.Value, at syntax.Position) shape { return shape{{v: v, at: at}} }

// ofType is the shape of a value of a type; nil: there is no type.
func ofType(t *valueType) (all shape) {
	switch {
	case t == nil:
	case t.is == messages:
		for _, of := range t.types {
			all = append(all, alt{t: of})
		}
	default:
		all = shape{{t: t}}
	}
	return all
}

// shapeOf is the shape of one of some values; words are as if they were declared.
func shapeOf(values []starlark.Value) shape {
	kind := ""
	for i, v := range values {
		if i > 0 && v.Type() != kind {
			return nil
		}
		kind = v.Type()
	}
	switch kind {
	case "int":
		return ofKind("int")
	case "string":
		if words, err := newWords(values); err == nil {
			return ofType(words)
		}
	}
	return nil
}

// join is the shape of a value that may be either.
func join(a, b shape) shape {
	if a == nil || b == nil {
		return nil
	}
	all := slices.Clip(a)
	for _, y := range b {
		if !slices.ContainsFunc(all, y.same) {
			all = append(all, y)
		}
	}
	if len(all) > maxAlts {
		return nil
	}
	return all
}

// either is the shape of a value that may be any of some.
func either(some []shape) shape {
	all := shape{}
	for _, x := range some {
		all = join(all, x)
	}
	return all
}

// same reports whether two alternatives are surely the same.
func (x alt) same(y alt) bool {
	return x.t == y.t && x.kind == y.kind && x.made == y.made && len(x.parts) == 0 && len(y.parts) == 0 &&
		len(x.elem) == 0 && len(y.elem) == 0 && (x.v == nil && y.v == nil ||
		isScalar(x.v) && isScalar(y.v) && equalValues(x.v, y.v) && x.at == y.at)
}

// loose is a shape without the elements of containers, which may be changed by another of their names.
func (s shape) loose() shape {
	s = slices.Clone(s)
	for i := range s {
		s[i].elem = nil
	}
	return s
}

// only returns the one value that a shape is; nil if it is not known to be one.
func (s shape) only() starlark.Value {
	if len(s) == 1 {
		return s[0].v
	}
	return nil
}

// truth returns whether a value is true, where that is known.
func (s shape) truth() (is, sure bool) {
	v := s.only()
	return isScalar(v) && bool(v.Truth()), isScalar(v)
}

// declared reports whether some alternative is of a declared type, or holds such values.
func (s shape) declared() bool {
	return slices.ContainsFunc(s, func(x alt) bool {
		return x.t != nil || x.elem.declared() || slices.ContainsFunc(x.parts, shape.declared)
	})
}

// literal reports whether all alternatives are values that stand in the file.
func (s shape) literal() bool {
	return !slices.ContainsFunc(s, func(x alt) bool { return x.t != nil || !isScalar(x.v) })
}

// kinds are the names of the types of Starlark that an alternative may have; nil: not known.
func (x alt) kinds() (all []string) {
	switch {
	case x.v != nil && x.t == nil:
		return []string{x.v.Type()}
	case x.made != nil:
		return []string{"function"}
	case x.kind != "":
		return []string{x.kind}
	}
	switch {
	case x.t == nil:
		return nil
	case x.t.is == listed:
		for _, v := range x.t.values {
			all = append(all, v.Type())
		}
		return all
	case x.t.is == optionals:
		return append(alt{t: x.t.of}.kinds(), "NoneType")
	}
	return []string{string(x.t.is)}
}

// is reports whether a value may be of one of some kinds.
func (s shape) is(some ...string) bool {
	return s == nil || slices.ContainsFunc(s, func(x alt) bool { return share(x.kinds(), some) })
}

// share reports whether two lists of kinds have one in common, or one of them is not known.
func share(a, b []string) bool {
	return a == nil || b == nil || anyPair(a, b, func(x, y string) bool { return x == y })
}

// anyPair reports whether something is true of an element of each of two lists.
func anyPair[E any](a, b []E, is func(x, y E) bool) bool {
	return slices.ContainsFunc(a, func(x E) bool {
		return slices.ContainsFunc(b, func(y E) bool { return is(x, y) })
	})
}

// meet reports whether two values may be equal.
func meet(a, b shape) bool {
	return a == nil || b == nil || anyPair(a, b, func(x, y alt) bool { return x.meets(y, false) })
}

// meets reports whether two alternatives may be equal; or, if x is assigned y, whether a variable of the type
// x may be given some value of y: a container is compared by its elements, and None is itself.
func (x alt) meets(y alt, assigned bool) bool {
	if x.t.isA(optionals) {
		return y.t == nil && y.v == starlark.None || y.t.isA(optionals) && !assigned ||
			alt{t: x.t.of}.meets(y, assigned)
	}
	if y.t.isA(optionals) {
		return x.t == nil && x.v == starlark.None || x.meets(alt{t: y.t.of}, assigned)
	}
	a, b := x.values(), y.values()
	switch {
	case a != nil && b != nil:
		return anyPair(a, b, equalValues)
	case a != nil && y.parts != nil:
		return slices.ContainsFunc(a, func(v starlark.Value) bool { return matches(v, y.parts) })
	case b != nil && x.parts != nil:
		return y.meets(x, false)
	case x.parts != nil && y.parts != nil:
		return slices.EqualFunc(x.parts, y.parts, meet)
	}
	t, u := x.record(), y.record()
	if t != nil && u != nil {
		return t == u
	}
	if x.t.holds() && assigned {
		single := []string{"bool", "int", "string", "NoneType", "function", "record"}
		if y.kinds() != nil && share(y.kinds(), single) {
			return false
		}
		elem := y.elem
		if y.t != nil {
			elem = ofType(y.t.of)
		}
		return len(elem) == 0 || elem.mayBe(x.t.of)
	}
	return share(x.kinds(), y.kinds())
}

// mayBe reports whether a variable of a type may be given some value.
func (s shape) mayBe(t *valueType) bool {
	return slices.ContainsFunc(s, func(y alt) bool { return alt{t: t}.meets(y, true) })
}

// values are the values that an alternative may be, if they are listed.
func (x alt) values() []starlark.Value {
	if x.t.isA(listed) {
		return x.t.values
	}
	if _, tuple := x.v.(starlark.Tuple); x.t == nil && (tuple || isScalar(x.v)) {
		return []starlark.Value{x.v}
	}
	return nil
}

// record is the type of an alternative that is a record or a message; nil otherwise.
func (x alt) record() *valueType {
	if r, is := x.v.(*record); is {
		return r.t
	}
	if x.t.isA(records) {
		return x.t
	}
	return nil
}

// matches reports whether a tuple of these parts may be a value.
func matches(v starlark.Value, parts []shape) bool {
	t, ok := v.(starlark.Tuple)
	if !ok || len(t) != len(parts) {
		return false
	}
	for i, p := range parts {
		if !meet(p, shape{{v: t[i]}}) {
			return false
		}
	}
	return true
}

// ordered reports whether two values may be put in order: they are of one kind, and so are the parts
// of tuples.
func ordered(a, b shape) bool {
	return a == nil || b == nil || anyPair(a, b, func(x, y alt) bool {
		if x.parts != nil && y.parts != nil {
			return len(x.parts) != len(y.parts) || slices.EqualFunc(x.parts, y.parts, ordered)
		}
		return share(x.kinds(), y.kinds())
	})
}

// inside is the shape of the elements of a container; of a dictionary, of its keys.
func (s shape) inside() shape {
	if s == nil {
		return nil
	}
	all := shape{}
	for _, x := range s {
		switch {
		case x.t == nil && x.v != nil:
			all = join(all, x.valuesIn())
		case x.t == nil && x.parts != nil:
			all = join(all, either(x.parts))
		case x.t == nil:
			all = join(all, x.elem)
		case x.t.is == dictionaries:
			all = join(all, ofType(x.t.key))
		case x.t.holds():
			all = join(all, ofType(x.t.of))
		default:
			all = nil
		}
	}
	return all
}

// valuesIn is the shape of the elements of a value that is known.
func (x alt) valuesIn() shape {
	if r, is := x.v.(*array); is {
		return ofType(r.t.of)
	}
	if x.v.Type() == "range" {
		return ofKind("int")
	}
	list, is := x.v.(starlark.Iterable)
	if !is || starlark.Len(x.v) > maxAlts {
		return nil
	}
	all := shape{}
	for v := range starlark.Elements(list) {
		all = join(all, known(v, x.at))
	}
	return all
}

// parted are the shapes of n variables to which one value is given.
func (s shape) parted(n int) []shape {
	all := make([]shape, n)
	for i := range all {
		if len(s) == 1 && len(s[0].parts) == n {
			all[i] = s[0].parts[i]
		}
		if v, is := s.only().(starlark.Tuple); is && len(v) == n {
			all[i] = known(v[i], s[0].at)
		}
	}
	return all
}

// String lists the alternatives, for messages.
func (s shape) String() string {
	var all []string
	for _, x := range s {
		if text := x.String(); !slices.Contains(all, text) {
			all = append(all, text)
		}
	}
	return cut(words(all), 300)
}

func (x alt) String() string {
	switch {
	case x.t.isA(records):
		return x.t.called()
	case x.t != nil:
		return x.t.String()
	case x.v != nil:
		return short(x.v)
	case x.parts != nil:
		var parts []string
		for _, p := range x.parts {
			if len(p) == 1 && p[0].t == nil {
				parts = append(parts, p.String())
			} else {
				parts = append(parts, "...")
			}
		}
		return "(" + strings.Join(parts, ", ") + ")"
	}
	return spoken[append(x.kinds(), "")[0]]
}

// spoken are the kinds of values in words.
var spoken = map[string]string{
	"int": "a number", "string": "a string", "bool": "True or False", "list": "a list", "set": "a set",
	"dict": "a dictionary", "tuple": "a tuple", "record": "a record", "function": "a function",
	"NoneType": "None", "array": "an array", "range": "a range", "float": "a fraction",
	stateKind: "a state", "": "something",
}

// attributesOf are the fields and methods of a value, with the shapes of those that are known; no names:
// nothing is known.
func (p *pass) attributesOf(x alt) (of map[string]shape, names []string) {
	if x.t.isA(optionals) {
		x.t = x.t.of
	}
	of = map[string]shape{}
	switch r := x.record(); {
	case r != nil:
		for i, name := range r.fields {
			of[name] = ofType(r.types[i])
		}
		if r == p.local {
			of["id"] = ofKind("int")
		}
	case x.kind == stateKind:
		of = p.entries.state
	default:
		return of, x.methods()
	}
	return of, append([]string{}, slices.Collect(maps.Keys(of))...) // not nil: a record may have none
}

// methods are the names of the methods of a value; nil: not known.
func (x alt) methods() []string {
	v := x.v
	if v == nil {
		switch append(x.kinds(), "")[0] {
		case "list":
			v = starlark.NewList(nil)
		case "set":
			v = starlark.NewSet(0)
		case "dict":
			v = starlark.NewDict(0)
		case "string":
			v = starlark.String("")
		case "int", "bool", "array":
			return []string{} // known: they have none
		default:
			return nil
		}
	}
	if has, is := v.(starlark.HasAttrs); is {
		return has.AttrNames()
	}
	return []string{}
}
