package model

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/atmostk/atmostk/model/codec"
	"github.com/atmostk/atmostk/model/protocol"
	"github.com/atmostk/atmostk/model/values"
)

// Names are the paper's names of the processes: a prefix and the first index.
type Names struct {
	Prefix string // "" is taken as "p"
	First  int
	Each   []string // the names one by one; instead of the other two
	count  int      // processes; of an array with one element for each, the rest is not shown
}

// Of returns the name of process p.
func (n Names) Of(p Proc) string {
	if n.Each != nil {
		return n.Each[p]
	}
	prefix := n.Prefix
	if prefix == "" {
		prefix = "p"
	}
	return fmt.Sprintf("%s%d", prefix, int(p)+n.First)
}

// list names the processes of a set.
func (n Names) list(s Set) string {
	var names []string
	for p := range s.Each() {
		names = append(names, n.Of(p))
	}
	return strings.Join(names, ", ")
}

// A describer lists its own variables; states without it are shown field by field.
type describer interface {
	Vars(names Names) []Var
}

// fields lists the fields of x, a struct, as variables of owner. Other values
// are listed as one variable without a name.
func fields(owner string, x any, names Names) (vars []Var) {
	if d, ok := x.(describer); ok {
		vars = d.Vars(names)
		for i := range vars {
			vars[i].Owner = owner
		}
		return vars
	}
	v := reflect.ValueOf(x)
	if v.Kind() != reflect.Struct {
		return []Var{{Owner: owner, Name: "", Value: show(v, names)}}
	}
	here := reflect.New(v.Type()).Elem() // the fields of which have addresses
	here.Set(v)
	for i := range v.NumField() {
		f := here.Field(i)
		f = reflect.NewAt(f.Type(), f.Addr().UnsafePointer()).Elem() // also of those that are not exported
		vars = append(vars, Var{Owner: owner, Name: v.Type().Field(i).Name, Value: show(f, names)})
	}
	return vars
}

// shower is the context of fields of x, which calls methods of the model.
func shower(what, owner string, x any) func() Error {
	return func() Error {
		part := "String or Format of "
		if _, lists := x.(describer); lists {
			part = "Vars, String or Format of "
		}
		return Error{Part: part + what, Process: owner, State: fmt.Sprintf("%+v", x)}
	}
}

// VarsOf lists a variable that each of some processes has: value i is that of owner i.
func VarsOf[T any](owners []string, name string, values []T) (vars []Var) {
	for i, x := range values[:len(owners)] {
		vars = append(vars, Var{Owner: owners[i], Name: name, Value: show(reflect.ValueOf(x), Names{})})
	}
	return vars
}

// show writes a value; processes and sets of processes with the paper's names.
func show(v reflect.Value, names Names) string {
	switch {
	case v.Type() == reflect.TypeFor[Proc]():
		return names.Of(Proc(v.Uint()))
	case v.Type() == reflect.TypeFor[Set]():
		return Set(v.Uint()).Format(names.First)
	case v.Type() == reflect.TypeFor[values.Group]():
		return v.Interface().(values.Group).Format(names.First)
	case v.CanInterface() && v.Type().Implements(reflect.TypeFor[values.IsPerProc]()):
		n := cmp.Or(names.count, FewProcs)
		return "[" + strings.Join(shown(v.Interface().(values.IsPerProc).Values(n), names), " ") + "]"
	case v.CanInterface() && v.Type().Implements(reflect.TypeFor[fmt.Stringer]()):
		return v.Interface().(fmt.Stringer).String()
	case v.Kind() == reflect.Array, v.Kind() == reflect.Slice:
		n := v.Len()
		if v.Kind() == reflect.Array && (n == protocol.MaxProcs || n == FewProcs) && names.count > 0 {
			n = names.count
		}
		parts := make([]string, n)
		for i := range parts {
			parts[i] = show(v.Index(i), names)
		}
		return "[" + strings.Join(parts, " ") + "]"
	case v.Kind() == reflect.Map:
		return showMap(v, names)
	case v.Kind() == reflect.Struct && v.CanInterface() && !codec.ShapeOf(v.Type()).Flat:
		parts := make([]string, v.NumField())
		for i := range parts {
			parts[i] = show(v.Field(i), names)
		}
		return "{" + strings.Join(parts, " ") + "}"
	}
	return fmt.Sprint(v)
}

// shown writes some values.
func shown(all []any, names Names) (parts []string) {
	for _, x := range all {
		parts = append(parts, show(reflect.ValueOf(x), names))
	}
	return parts
}

// showMap writes a map, in the order of its keys.
func showMap(v reflect.Value, names Names) string {
	keys := v.MapKeys()
	slices.SortFunc(keys, func(a, b reflect.Value) int {
		switch {
		case a.CanInt():
			return cmp.Compare(a.Int(), b.Int())
		case a.CanUint():
			return cmp.Compare(a.Uint(), b.Uint())
		}
		return cmp.Compare(fmt.Sprint(a), fmt.Sprint(b))
	})
	parts := make([]string, len(keys))
	for i, key := range keys {
		parts[i] = show(key, names) + ": " + show(v.MapIndex(key), names)
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

// spelled writes the fields of a value, for an Error: x=1 y=[2 3].
func spelled(x any, names Names) string {
	return inWords(func() []Var { return fields("", x, names) }, x)
}

// described writes the variables of a state, for an Error.
func described(s State) string { return inWords(s.Vars, s.Key()) }

// inWords writes variables in a line. Those that cannot be had are replaced by what is known.
func inWords(vars func() []Var, known any) (text string) {
	var e *Error
	defer func() {
		if e != nil {
			text = fmt.Sprintf("%+v", known)
		}
	}()
	defer Catch(&e)
	var parts []string
	for _, v := range vars() {
		name := strings.Trim(v.Owner+"."+v.Name, ".")
		parts = append(parts, strings.TrimPrefix(name+"="+v.Value, "="))
	}
	return strings.Join(parts, " ")
}
