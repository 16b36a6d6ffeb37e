package file

import (
	"slices"
	"strings"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// A shape is what the static pass knows of the value of an expression: the alternatives that it may be.
// Without any nothing is known, and nothing is reported.
type shape []alt

// An alt is one alternative: a value of a declared type, a known value, or one that the file makes.
type alt struct {
	t     valueType       // it is of this declared type
	v     starlark.Value  // it is this value; with t: in this instance
	at    syntax.Position // of a known value: where it stands in the file
	kind  string          // Starlark's name of its type, or stateKind, meKind, envelopeKind, eventKind
	elem  shape           // of a list, a set, or the keys of a dictionary that the file makes
	parts []shape         // of a tuple that the file makes
	made  *closure        // a function that the file makes in a function
}

// What is handed to functions of the model, besides values of declared types.
const (
	stateKind    = "state"    // of all processes
	meKind       = "me"       // a local state, which has an id
	envelopeKind = "envelope" // a message on its way
	eventKind    = "event"    // of a history
)

// maxAlts bounds the alternatives of a shape; with more nothing is known.
const maxAlts = 64

func ofKind(kind string) shape { return shape{{kind: kind}} }

func ofType(t valueType) shape {
	if t == nil {
		return nil
	}
	return shape{{t: t}}
}

// known is the shape of a value that stands, or is named, at a place.
func known(v starlark.Value, at syntax.Position) shape { return shape{{v: v, at: at}} }

// join is the shape of what may be either.
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

// same reports whether two alternatives are one, as far as that is easily seen.
func (x alt) same(y alt) bool {
	scalars := isScalar(x.v) && isScalar(y.v)
	return x.t == y.t && x.kind == y.kind && x.made == y.made && len(x.parts) == 0 && len(y.parts) == 0 &&
		len(x.elem) == 0 && len(y.elem) == 0 &&
		(x.v == nil && y.v == nil || scalars && equalScalars(x.v, y.v) && x.at == y.at)
}

// size counts the alternatives with those in them: it grows whenever more is joined.
func (s shape) size() (n int) {
	if s == nil {
		return 1 << 20
	}
	for _, x := range s {
		n += 1 + x.elem.sizeOf()
		for _, p := range x.parts {
			n += p.size()
		}
	}
	return n
}

func (s shape) sizeOf() int {
	if s == nil {
		return 0
	}
	return s.size()
}

// only returns the one value that a shape is; nil if it is not known to be one.
func (s shape) only() starlark.Value {
	if len(s) == 1 {
		return s[0].v
	}
	return nil
}

// declared reports whether some alternative is of a declared type, or holds such values.
func (s shape) declared() bool {
	return slices.ContainsFunc(s, func(x alt) bool {
		return x.t != nil || x.elem.declared() || slices.ContainsFunc(x.parts, shape.declared)
	})
}

// kinds are the names of the types of Starlark that values of a declared type have.
func kinds(t valueType) (all []string) {
	switch t := t.(type) {
	case *wordType:
		for _, v := range t.values {
			all = append(all, v.Type())
		}
		return all
	case *optionType:
		return append(kinds(t.of), "NoneType")
	}
	return []string{kindOf(t)}
}

func kindOf(t valueType) string {
	switch t.(type) {
	case *intType:
		return "int"
	case *strType:
		return "string"
	case *setType:
		return "set"
	case *listType:
		return "list"
	case *dictType:
		return "dict"
	case *arrayType:
		return "array"
	}
	return "record"
}

// kindsOf are the kinds of an alternative; nil: not known.
func (x alt) kindsOf() []string {
	switch {
	case x.t != nil:
		return kinds(x.t)
	case x.v != nil:
		return []string{x.v.Type()}
	case x.made != nil:
		return []string{"function"}
	case x.kind == meKind || x.kind == eventKind:
		return []string{"record"}
	case x.kind == "":
		return nil
	}
	return []string{x.kind}
}

// is reports whether a value may be of one of some kinds.
func (s shape) is(some ...string) bool {
	return s == nil || slices.ContainsFunc(s, func(x alt) bool {
		all := x.kindsOf()
		return all == nil || slices.ContainsFunc(all, func(k string) bool { return slices.Contains(some, k) })
	})
}

// meet reports whether two values may be equal.
func meet(a, b shape) bool {
	if a == nil || b == nil {
		return true
	}
	return slices.ContainsFunc(a, func(x alt) bool {
		return slices.ContainsFunc(b, func(y alt) bool { return x.meets(y) })
	})
}

func (x alt) meets(y alt) bool {
	switch {
	case x.t == nil && y.t != nil:
		return y.meets(x)
	case x.t != nil && y.t != nil:
		return typesMeet(x.t, y.t, false)
	case x.t != nil:
		return fits(x.t, y, false)
	case x.v != nil && y.v != nil:
		return !isScalar(x.v) || !isScalar(y.v) || equalScalars(x.v, y.v)
	}
	if x.parts != nil && y.parts != nil {
		return slices.EqualFunc(x.parts, y.parts, meet)
	}
	return meetKinds(x.kindsOf(), y.kindsOf())
}

func equalScalars(a, b starlark.Value) bool {
	same, err := starlark.Equal(a, b)
	return err == nil && same
}

func meetKinds(a, b []string) bool {
	return a == nil || b == nil || slices.ContainsFunc(a, func(k string) bool {
		return slices.Contains(b,
			k)
	})
}

// fits reports whether an alternative without a declared type may be equal to a value of one, or may be
// assigned to a variable of it.
func fits(t valueType, x alt, assigned bool) bool {
	switch u := t.(type) {
	case *optionType:
		return x.v == starlark.None || fits(u.of, x, assigned)
	case *recordType:
		if r, ok := x.v.(*record); ok {
			return r.t == u
		}
	case *wordType:
		if x.parts != nil {
			return slices.ContainsFunc(u.values, func(v starlark.Value) bool { return matches(v, x.parts) })
		}
		if x.v != nil {
			_, err := u.place(x.v)
			return err == nil
		}
	}
	if assigned && !slices.Contains([]string{"bool", "int", "string", "record"}, kindOf(t)) {
		return fillable(t, x)
	}
	return meetKinds(kinds(t), x.kindsOf())
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

// fillable reports whether a variable of sets, lists and the like may be given a value: others of the kind
// are taken for what is in them.
func fillable(t valueType, x alt) bool {
	all := x.kindsOf()
	if slices.Contains([]string{"bool", "int", "string", "NoneType", "function", "record"}, first(all)) {
		return false
	}
	_, of := keysAndValues(t)
	return len(x.elem) == 0 || slices.ContainsFunc(x.elem, func(y alt) bool { return assignable(of, y) })
}

func first(all []string) string {
	if len(all) == 0 {
		return ""
	}
	return all[0]
}

// assignable reports whether an alternative may be assigned to a variable of a type.
func assignable(t valueType, x alt) bool {
	if t == nil {
		return true
	}
	if x.t != nil {
		return typesMeet(t, x.t, true)
	}
	return fits(t, x, true)
}

// typesMeet reports whether some value is of both types, or may be assigned from one to the other.
func typesMeet(t, u valueType, assigned bool) bool {
	if x, ok := u.(*optionType); ok && t != u {
		_, both := t.(*optionType)
		return both && !assigned || typesMeet(t, x.of, assigned)
	}
	switch x := t.(type) {
	case *optionType:
		return typesMeet(x.of, u, assigned)
	case *wordType:
		return slices.ContainsFunc(x.values, func(v starlark.Value) bool {
			return fits(u, alt{v: v},
				assigned)
		})
	case *recordType:
		if y, ok := u.(*recordType); ok {
			return x == y
		}
	}
	if _, ok := u.(*wordType); ok {
		return typesMeet(u, t, assigned)
	}
	_, of := keysAndValues(t)
	_, from := keysAndValues(u)
	if of != nil && from != nil && assigned {
		return typesMeet(of, from, true)
	}
	return meetKinds(kinds(t), kinds(u))
}

// String says what a value may be, for messages.
func (s shape) String() string {
	var all []string
	for _, x := range s {
		if text := x.text(); !slices.Contains(all, text) {
			all = append(all, text)
		}
	}
	return cut(strings.Join(all, ", "), 300)
}

func (x alt) text() string {
	switch {
	case x.t != nil:
		if name := kindOf(x.t); name != "record" {
			return x.t.String()
		}
		if r, ok := x.t.(*recordType); ok && r.tag != "" {
			return r.tag + "(...)"
		}
		return x.t.String()
	case x.v != nil:
		return short(x.v)
	case x.parts != nil:
		var parts []string
		for _, p := range x.parts {
			parts = append(parts, p.one())
		}
		return "(" + strings.Join(parts, ", ") + ")"
	}
	return spoken[first(x.kindsOf())]
}

// spoken are the kinds of values in words.
var spoken = map[string]string{
	"int": "a number", "string": "a string", "bool": "True or False", "list": "a list", "set": "a set",
	"dict": "a dictionary", "tuple": "a tuple", "record": "a record", "function": "a function",
	"NoneType": "None",
	"array":    "an array", "range": "a range", "float": "a fraction", stateKind: "a state",
	envelopeKind: "a message on its way", "": "something",
}

// one is the value, if it is one, or a sign that it is some.
func (s shape) one() string {
	if len(s) == 1 && s[0].t == nil {
		return s[0].text()
	}
	return "..."
}
