package model

import (
	"iter"
	"reflect"
	"slices"
	"strings"
	"unsafe"

	"github.com/atmostk/atmostk/model/codec"
	"github.com/atmostk/atmostk/model/lts"
	"github.com/atmostk/atmostk/model/protocol"
	"github.com/atmostk/atmostk/model/values"
)

// A variable is a field of a struct that is no struct itself.
type variable struct {
	name   string
	offset uintptr
	shape  *codec.Shape
}

// variables lists the variables of values of type t.
func variables(t reflect.Type) []variable {
	if t.Kind() != reflect.Struct {
		return []variable{{"the state", 0, codec.ShapeOf(t)}}
	}
	return variable{}.fields(t)
}

// fields lists the variables of v, a struct of type t.
func (v variable) fields(t reflect.Type) (vs []variable) {
	for i := range t.NumField() {
		f := t.Field(i)
		name := f.Name
		if f.Anonymous {
			name = ""
		}
		x := variable{strings.Trim(v.name+"."+name, "."), v.offset + f.Offset, codec.ShapeOf(f.Type)}
		if f.Type.Kind() == reflect.Struct && !codec.IsOne(f.Type) && f.Type != reflect.TypeFor[Counter]() {
			vs = append(vs, x.fields(f.Type)...)
		} else {
			vs = append(vs, x)
		}
	}
	return vs
}

// constant returns the names of the variables that are equal in all values: the listed variables of values
// that are text, and fields of others. It stops reading when all variables have changed.
func constant(k *codec.Kind, all iter.Seq[value]) (names []string) {
	t := k.Type
	isText := t.Kind() == reflect.Struct && t.NumField() == 1 && t.Field(0).Type.Kind() == reflect.String
	// the only field holds more than one variable
	if _, lists := k.Any(k.Fresh()).(values.Describer); lists && isText {
		return constantVars(k, all)
	}
	var first value
	vs := variables(t)
	for x := range all {
		if first == nil {
			first = k.Copied(x)
		}
		vs = slices.DeleteFunc(vs, func(f variable) bool {
			return !f.shape.EqualAt(unsafe.Add(unsafe.Pointer(first), f.offset),
				unsafe.Add(unsafe.Pointer(x), f.offset))
		})
		if len(vs) == 0 {
			break
		}
	}
	return mapped(vs, func(v variable) string { return v.name })
}

// constantVars is constant for values that list their variables.
func constantVars(k *codec.Kind, all iter.Seq[value]) (names []string) {
	var first []Var
	for x := range all {
		vars := k.Any(x).(values.Describer).Vars(Names{})
		if first == nil {
			first = vars
			names = mapped(vars, func(v Var) string { return v.Name })
		}
		names = slices.DeleteFunc(names, func(name string) bool {
			named := func(v Var) bool { return v.Name == name }
			i := slices.IndexFunc(first, named)
			return i < len(vars) && vars[i] != first[i]
		})
		if len(names) == 0 {
			break
		}
	}
	slices.Sort(names)
	return names
}

// Coverage reads the numbered local states and histories. If a history excludes steps, some of them are in no
// visited state: then it reads the visited states instead.
func (t *adapter) Coverage(visited iter.Seq[*protocol.Parts]) (c lts.Coverage) {
	c.Unused = t.c.Composition.Units != nil
	n, h := t.c.N, &t.c.History
	met := make([]map[uint32]bool, 2*n+1) // per slot the numbers in visited states
	if h.Step != nil && !h.Watches && visited != nil {
		for slot := range met {
			if slot < n || slot == 2*n { // not an inbox
				met[slot] = map[uint32]bool{}
			}
		}
		for s := range visited {
			for slot := range met {
				if met[slot] != nil {
					met[slot][s.At(slot)] = true
				}
			}
		}
	}
	among := func(slot, numbers int, of func(i int) value) iter.Seq[value] {
		return func(yield func(value) bool) {
			for i := range numbers {
				if (met[slot] == nil || met[slot][uint32(i)]) && !yield(of(i)) {
					return
				}
			}
		}
	}
	for p := range t.procs {
		locals := t.procs[p].locals
		some := among(p, len(locals), func(i int) value { return locals[i] })
		same := constant(t.c.locals, some)
		if p == 0 {
			c.Unchanged = same
		}
		c.Unchanged = slices.DeleteFunc(c.Unchanged, func(name string) bool {
			return !slices.Contains(same, name)
		})
		for l := range some {
			if c.Unused = c.Unused && t.c.Composition.Units(l) == 0; !c.Unused {
				break
			}
		}
	}
	if h.Step != nil {
		past := among(2*n, len(t.histories), func(i int) value { return t.histories[i].history })
		for _, name := range constant(t.c.histories, past) {
			c.Unchanged = append(c.Unchanged, "history."+name)
		}
	}
	if t.c.Clocks != nil || t.forgets || t.renamings != nil {
		c.Unchanged = nil
	}
	return c
}
