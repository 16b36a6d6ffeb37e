// Package values has types for local states: sets and arrays of up to protocol.MaxStage processes, counters
// that can be forgotten, and the names and forms in which values are shown.
package values

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/atmostk/atmostk/model/lts"
	"github.com/atmostk/atmostk/model/protocol"
)

// Names are the paper's names of the processes: a prefix and the first index.
type Names struct {
	Prefix string // "" is taken as "p"
	First  int
	Each   []string // the names one by one; instead of the other two
	count  int      // number of processes: further elements of an array per process are not shown
}

// Counted returns names of n processes: further elements of an array per process are not shown.
func (n Names) Counted(count int) Names {
	n.count = count
	return n
}

// Of returns the name of process p.
func (n Names) Of(p protocol.Proc) string {
	if n.Each != nil {
		return n.Each[p]
	}
	return fmt.Sprintf("%s%d", cmp.Or(n.Prefix, "p"), int(p)+n.First)
}

// List names the processes of a set.
func (n Names) List(s protocol.Set) string {
	return strings.Join(s.Texts(n.Of), ", ")
}

// A Describer lists its own variables; states without it are shown field by field.
type Describer interface {
	Vars(names Names) []lts.Var
}

// Fields lists the fields of x, a struct, as variables of owner. Other values
// are listed as one variable without a name.
func Fields(owner string, x any, names Names) (vars []lts.Var) {
	if d, ok := x.(Describer); ok {
		vars = d.Vars(names)
		for i := range vars {
			vars[i].Owner = owner
		}
		return vars
	}
	v := reflect.ValueOf(x)
	if v.Kind() != reflect.Struct {
		return []lts.Var{{Owner: owner, Name: "", Value: Show(v, names)}}
	}
	here := reflect.New(v.Type()).Elem() // a copy, whose fields have addresses
	here.Set(v)
	for i := range v.NumField() {
		f := here.Field(i)
		f = reflect.NewAt(f.Type(), f.Addr().UnsafePointer()).Elem() // also of unexported ones
		if v.Type().Field(i).Anonymous && f.Kind() == reflect.Struct {
			vars = append(vars, Fields(owner, f.Interface(), names)...)
			continue
		}
		vars = append(vars, lts.Var{Owner: owner, Name: v.Type().Field(i).Name, Value: Show(f, names)})
	}
	return vars
}

// Show writes a value; processes and sets of processes with the paper's names.
func Show(v reflect.Value, names Names) string {
	switch {
	case v.Type() == reflect.TypeFor[protocol.Proc]():
		return names.Of(protocol.Proc(v.Uint()))
	case v.Type() == reflect.TypeFor[protocol.Set]():
		return protocol.Set(v.Uint()).Format(names.First)
	case v.Type() == reflect.TypeFor[Group]():
		return v.Interface().(Group).Format(names.First)
	case v.CanInterface() && v.Type().Implements(reflect.TypeFor[IsPerProc]()):
		n := cmp.Or(names.count, protocol.FewProcs)
		all := v.Interface().(IsPerProc).Values(n)
		one := func(i int) reflect.Value { return reflect.ValueOf(all[i]) }
		return "[" + shown(len(all), one, names) + "]"
	case v.CanInterface() && v.Type().Implements(reflect.TypeFor[fmt.Stringer]()):
		return v.Interface().(fmt.Stringer).String()
	case v.Kind() == reflect.Array, v.Kind() == reflect.Slice:
		n := v.Len()
		perProcess := n == protocol.MaxProcs || n == protocol.FewProcs
		if v.Kind() == reflect.Array && perProcess && names.count > 0 {
			n = names.count
		}
		return "[" + shown(n, v.Index, names) + "]"
	case v.Kind() == reflect.Map:
		return showMap(v, names)
	case v.Kind() == reflect.Struct && v.CanInterface() && hasMany(v.Type()):
		return "{" + shown(v.NumField(), v.Field, names) + "}"
	}
	return fmt.Sprint(v)
}

// shown writes n values, with blanks between them.
func shown(n int, value func(i int) reflect.Value, names Names) string {
	parts := make([]string, n)
	for i := range parts {
		parts[i] = Show(value(i), names)
	}
	return strings.Join(parts, " ")
}

// hasMany reports whether values of a type hold slices or maps.
func hasMany(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Slice, reflect.Map:
		return true
	case reflect.Array:
		return hasMany(t.Elem())
	case reflect.Struct:
		for i := range t.NumField() {
			if hasMany(t.Field(i).Type) {
				return true
			}
		}
	}
	return false
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
		parts[i] = Show(key, names) + ": " + Show(v.MapIndex(key), names)
	}
	return "{" + strings.Join(parts, ", ") + "}"
}
