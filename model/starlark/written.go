package starfile

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"github.com/atmostk/atmostk/model/instance"
)

// Types as a reader sees them: as a file writes them, with the names that the file gives to records.

// A signature is what the static pass has found of a function of a file.
type signature struct {
	name   string
	params []string
	with   []shape // of the parameters
	result shape
}

// named is a type with the name that reports give its variables.
type named struct {
	name string
	t    *valueType
}

// types lists the variables, the messages and the functions of a model with their types.
func (p *pass) types() (all []instance.Typed) {
	for _, of := range p.entries.vars {
		for i, field := range of.t.fields {
			all = append(all, instance.Typed{Name: of.name + "." + field, Type: p.written(of.t.types[i])})
		}
	}
	for _, of := range p.entries.messages.types {
		all = append(all, instance.Typed{Name: of.tag, Type: "message(" + p.fields(of) + ")"})
	}
	places := slices.SortedFunc(maps.Keys(p.signed), comparePlaces)
	for _, at := range places {
		if f := p.signed[at]; f.name != "lambda" {
			all = append(all, instance.Typed{Name: f.name, Type: p.signatureText(f)})
		}
	}
	return all
}

func (p *pass) signatureText(f *signature) string {
	var params []string
	for i, name := range f.params {
		params = append(params, name+": "+p.say(f.with[i]))
	}
	return "(" + words(params) + ") -> " + p.say(f.result)
}

func comparePlaces(a, b syntax.Position) int {
	return cmp.Or(cmp.Compare(a.Filename(), b.Filename()), cmp.Compare(a.Line, b.Line),
		cmp.Compare(a.Col, b.Col))
}

func (p *pass) fields(t *valueType) string {
	var all []string
	for i, field := range t.fields {
		all = append(all, field+" = "+p.written(t.types[i]))
	}
	return words(all)
}

// written is a type as a file writes it.
func (p *pass) written(t *valueType) string {
	switch {
	case t.equals(boolType):
		return "bool"
	case p.names[t.same] != "":
		return p.names[t.same]
	case t.is == numbers && t.prefix != "":
		return fmt.Sprintf("proc(range(%d, %d))", t.lo, t.hi+1)
	case t.timer:
		return fmt.Sprintf("timer(%d)", t.hi)
	case t.is == numbers && t.timed && t.stamp:
		return "stamp"
	case t.is == numbers && t.timed:
		return "time"
	case t.is == numbers && t.endless:
		return "int"
	case t.is == numbers:
		return fmt.Sprintf("range(%d, %d)", t.lo, t.hi+1)
	case t.is == listed:
		first, _ := starlark.AsInt32(t.values[0])
		if last, err := starlark.AsInt32(t.values[len(t.values)-1]); err == nil &&
			slices.EqualFunc(t.values, valuesOf(newInt(first, last)), equalValues) {
			return p.written(newInt(first, last))
		}
		return "enum(" + cut(strings.Trim(starlark.NewList(t.values).String(), "[]"), 300) + ")"
	case t.is == texts:
		return "str"
	case t.is == records && t.tag != "":
		return t.tag
	case t.is == records:
		if t.name != "record" { // the language makes it
			return t.name
		}
		return "record(" + p.fields(t) + ")"
	}
	var parts []string
	for _, of := range append([]*valueType{t.key, t.of}, t.types...) {
		if of != nil {
			parts = append(parts, p.written(of))
		}
	}
	if t.is == lists && t.most < longest {
		parts = append(parts, fmt.Sprint("max = ", t.most))
	}
	return declares[t.is] + "(" + words(parts) + ")"
}

// declares are the names by which files declare types with parts.
var declares = map[form]string{lists: "list_of", sets: "set_of", dictionaries: "dict_of", arrays: "array",
	optionals: "optional", unions: "union"}

// say is what is known of a value, in the words for types.
func (p *pass) say(s shape) string {
	if s == nil {
		return "any"
	}
	var all []string
	for _, x := range s {
		text := cmp.Or(kindNames[x.kind], x.kind)
		switch {
		case x.t != nil:
			text = p.written(x.t)
		case x.parts != nil:
			text = "(" + words(mapped(x.parts, p.say)) + ")"
		case len(x.elem) > 0:
			text += " of " + p.say(x.elem)
		}
		if !slices.Contains(all, text) {
			all = append(all, text)
		}
	}
	return cmp.Or(cut(strings.Join(all, " or "), 300), "never")
}

// kindNames are the names that files have for some of Starlark's types.
var kindNames = map[string]string{"string": "str", "NoneType": "None"}
