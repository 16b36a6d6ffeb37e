package starfile

import (
	"cmp"
	"iter"
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
	t     *valueType      // its declared type; nil: none is known
	v     starlark.Value  // the known value; with t it is the value in this instance
	at    syntax.Position // of a known value: its place in the file
	kind  string          // without t: Starlark's name of its type
	elem  shape           // the elements of a list or a set, or the keys of a dictionary, that the file makes
	parts []shape         // of a tuple that is known or that the file makes
	made  *closure        // a function that the file makes in a function
}

// maxAlts bounds the alternatives of a shape; beyond it nothing is known.
const maxAlts = 64

func ofKind(kind string) shape              { return shape{{kind: kind}} }
func holding(kind string, elem shape) shape { return shape{{kind: kind, elem: elem}} }
func tuple(parts ...shape) shape            { return shape{{kind: "tuple", parts: parts}} }
func function(c *closure) shape             { return shape{{kind: "function", made: c}} }

// known is the shape of a value that stands in the file.
func known(v starlark.Value, at syntax.Position) shape {
	x := alt{kind: v.Type(), v: v, at: at}
	if parts, is := v.(starlark.Tuple); is {
		x.parts = mapped(parts, func(part starlark.Value) shape { return known(part, at) })
	}
	return shape{x}
}

// ofType is the shape of a value of a type; nil: there is no type.
func ofType(t *valueType) shape {
	switch {
	case t == nil:
		return nil
	case t.is == optionals:
		return append(known(starlark.None, syntax.Position{}), ofType(t.of)...)
	case t.is == unions:
		return allOf(slices.Values(t.types), ofType)
	}
	return shape{{t: t}}
}

// shapeOf is the shape of one of some values; words are as if they were declared.
func shapeOf(values []starlark.Value) shape {
	words, err := newWords(values)
	if err != nil {
		return nil
	}
	switch kinds := slices.Compact(alt{t: words}.kinds()); {
	case len(kinds) > 1:
	case kinds[0] == "int":
		return ofKind("int")
	case kinds[0] == "string":
		return ofType(words)
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
	return allOf(slices.Values(some), func(x shape) shape { return x })
}

// allOf joins the shapes that a function makes of some values.
func allOf[T any](some iter.Seq[T], of func(T) shape) shape {
	all := shape{}
	for x := range some {
		all = join(all, of(x))
	}
	return all
}

// each joins the shapes that a function makes of the alternatives.
func (s shape) each(of func(alt) shape) shape {
	if s == nil {
		return nil
	}
	return allOf(slices.Values(s), of)
}

// same reports whether two alternatives are surely the same.
func (x alt) same(y alt) bool {
	return x.t.equals(y.t) && x.kind == y.kind && x.made == y.made &&
		len(x.parts) == 0 && len(y.parts) == 0 && len(x.elem) == 0 && len(y.elem) == 0 &&
		(x.v == nil && y.v == nil || isScalar(x.v) && isScalar(y.v) && equalValues(x.v, y.v) && x.at == y.at)
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

// kinds are the names of the types of Starlark that an alternative may have.
func (x alt) kinds() []string {
	switch {
	case x.t == nil:
		return []string{x.kind}
	case x.t.is != listed:
		return []string{string(x.t.is)}
	}
	return mapped(x.t.values, starlark.Value.Type)
}

// is reports whether a value may be of one of some kinds.
func (s shape) is(some ...string) bool {
	return s == nil || slices.ContainsFunc(s, func(x alt) bool { return share(x.kinds(), some) })
}

func share(a, b []string) bool {
	return anyPair(a, b, func(x, y string) bool { return x == y })
}

// anyPair reports whether something is true of an element of each of two lists.
func anyPair[E any](a, b []E, is func(x, y E) bool) bool {
	return slices.ContainsFunc(a, func(x E) bool {
		return slices.ContainsFunc(b, func(y E) bool { return is(x, y) })
	})
}

// meet reports whether two values may be equal.
func meet(a, b shape) bool {
	return a == nil || b == nil || anyPair(a, b, func(x, y alt) bool { return x.meets(y) })
}

func (x alt) meets(y alt) bool {
	a, b := x.values(), y.values()
	t, u := x.record(), y.record()
	switch {
	case a != nil && b != nil:
		return anyPair(a, b, equalValues)
	case a != nil && y.parts != nil:
		return slices.ContainsFunc(a, func(v starlark.Value) bool {
			return slices.EqualFunc(known(v, x.at)[0].parts, y.parts, meet)
		})
	case b != nil && x.parts != nil:
		return y.meets(x)
	case x.parts != nil && y.parts != nil:
		return slices.EqualFunc(x.parts, y.parts, meet)
	case t != nil && u != nil:
		return t.equals(u)
	}
	return share(x.kinds(), y.kinds())
}

// mayBe reports whether some value may be given to a variable of another shape. The variable takes a copy of
// a container, so the elements decide.
func (s shape) mayBe(to shape) bool {
	single := []string{"bool", "int", "string", "NoneType", "function", "record"}
	return anyPair(to, s, func(x, y alt) bool {
		if !x.t.holds() {
			return x.meets(y)
		}
		elem := y.elem
		if y.t != nil {
			elem = ofType(y.t.of)
		}
		return !share(y.kinds(), single) && (len(elem) == 0 || elem.mayBe(ofType(x.t.of)))
	})
}

// values are the values that an alternative may be, if they are listed.
func (x alt) values() []starlark.Value {
	if x.t.isA(listed) {
		return x.t.values
	}
	if x.t == nil && isScalar(x.v) {
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
	return s.each(func(x alt) shape {
		values, is := x.v.(starlark.Iterable)
		a, array := x.v.(*array)
		switch {
		case x.t.isA(dictionaries):
			return ofType(x.t.key)
		case x.t.holds():
			return ofType(x.t.of)
		case x.t != nil:
			return nil
		case x.parts != nil:
			return either(x.parts)
		case x.v == nil:
			return x.elem
		case array:
			return ofType(a.t.of)
		case x.kind == "range":
			return ofKind("int")
		case !is || starlark.Len(x.v) > maxAlts:
			return nil
		}
		return allOf(starlark.Elements(values), func(v starlark.Value) shape { return known(v, x.at) })
	})
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
	case x.parts == nil:
		return spoken[x.kind]
	}
	var parts []string
	for _, p := range x.parts {
		text := "..."
		if len(p) == 1 && p[0].t == nil {
			text = p.String()
		}
		parts = append(parts, text)
	}
	return "(" + strings.Join(parts, ", ") + ")"
}

// spoken are the kinds of values as errors name them.
var spoken = map[string]string{
	"int": "a number", "string": "a string", "bool": "True or False", "list": "a list", "set": "a set",
	"dict": "a dictionary", "tuple": "a tuple", "record": "a record", "function": "a function",
	"array": "an array", "range": "a range", "float": "a fraction", "bytes": "bytes",
}

// samples have the methods of the values of a kind.
var samples = map[string]starlark.Value{
	"list": starlark.NewList(nil), "set": starlark.NewSet(0), "dict": starlark.NewDict(0),
	"string": starlark.String(""), "int": number(0), "bool": starlark.False, "array": starlark.None,
}

// attributes are the names of the fields and methods of a value; nil: not known.
func (p *pass) attributes(x alt) []string {
	if r := x.record(); r != nil {
		names := append([]string{"id"}, r.fields...)
		if !slices.Contains(p.entries.locals, r) {
			names = names[1:]
		}
		return names
	}
	v := cmp.Or(x.v, samples[x.kinds()[0]])
	switch has, is := v.(starlark.HasAttrs); {
	case is:
		return has.AttrNames()
	case v == nil:
		return nil
	}
	return []string{}
}

// field is the shape of a field, or of the number of a process, of a value that has it; nil: nothing is
// known.
func (p *pass) field(x alt, name string) shape {
	r := x.record()
	if r == nil {
		return nil
	}
	if i := slices.Index(r.fields, name); i >= 0 {
		return ofType(r.types[i])
	}
	return ofKind("int") // id
}
