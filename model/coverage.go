package model

import (
	"iter"
	"maps"
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
	size   uintptr
	shape  *codec.Shape
}

// variables lists the variables of values of type t.
func variables(t reflect.Type) []variable {
	if t.Kind() != reflect.Struct {
		return []variable{{"the state", 0, t.Size(), codec.ShapeOf(t)}}
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
		x := variable{
			strings.Trim(v.name+"."+name, "."), v.offset + f.Offset, f.Type.Size(),
			codec.ShapeOf(f.Type),
		}
		if f.Type.Kind() == reflect.Struct && !codec.IsOne(f.Type) && f.Type != reflect.TypeFor[Counter]() {
			vs = append(vs, x.fields(f.Type)...)
		} else {
			vs = append(vs, x)
		}
	}
	return vs
}

// unchanged returns the variables in vs that are equal in all values. It
// reads a variable only until that has changed, and ends when all have.
func unchanged(vs []variable, all iter.Seq[value]) []variable {
	var first value
	for x := range all {
		if first == nil {
			first = x
		}
		vs = slices.DeleteFunc(vs, func(f variable) bool {
			at, first := unsafe.Add(unsafe.Pointer(x), f.offset), unsafe.Add(unsafe.Pointer(first), f.offset)
			return !f.shape.EqualAt(first, at)
		})
		if len(vs) == 0 {
			break
		}
	}
	return vs
}

func namesOf(vs []variable) (names []string) {
	for _, v := range vs {
		names = append(names, v.name)
	}
	return names
}

// constant returns the names of variables that are equal in all values: listed ones, or fields.
func constant(k *codec.Kind, all iter.Seq[value]) []string {
	t := k.Type
	isText := t.Kind() == reflect.Struct && t.NumField() == 1 && t.Field(0).Type.Kind() == reflect.String
	// fields of Go have more than a person is shown
	if _, lists := k.Any(k.Fresh()).(values.Describer); !lists || !isText {
		return namesOf(unchanged(variables(t), all))
	}
	var first []Var
	kept := map[string]bool{}
	for x := range all {
		vars := k.Any(x).(values.Describer).Vars(Names{})
		if first == nil {
			first = vars
			for _, v := range vars {
				kept[v.Name] = true
			}
		}
		for i, v := range vars {
			if i < len(first) && v != first[i] {
				delete(kept, v.Name)
			}
		}
		if len(kept) == 0 {
			break
		}
	}
	return slices.Sorted(maps.Keys(kept))
}

// Coverage reads the local states and histories that have numbers. If a history excludes steps some of them
// are in no visited state: then it reads the visited ones, until they change as much as all do.
func (t *adapter) Coverage(visited iter.Seq[*protocol.Parts]) lts.Coverage {
	all := t.coverageOf(nil)
	if h := &t.c.History; h.Step == nil || h.Watches || visited == nil {
		return all
	}
	n, k := t.c.N, 0
	var in [][]bool
	for p := range n {
		in = append(in, make([]bool, len(t.procs[p].locals)))
	}
	in = append(in, make([]bool, len(t.histories)))
	for s := range visited {
		for p := range n {
			in[p][partAt(s, p)] = true
		}
		in[n][partAt(s, 2*n)] = true
		if k++; k&(k-1) != 0 { // not for each state
			continue
		}
		if c := t.coverageOf(in); c.Unused == all.Unused && slices.Equal(c.Unchanged, all.Unchanged) {
			return all
		}
	}
	return t.coverageOf(in)
}

// coverageOf reads the local states of each process, and the histories, that are in a list; nil: all.
func (t *adapter) coverageOf(in [][]bool) (c lts.Coverage) {
	c.Unused = t.c.Composition.Units != nil
	n := t.c.N
	for p := range t.procs {
		locals := t.procs[p].locals
		some := func(yield func(value) bool) {
			for i := range locals {
				if (in == nil || in[p][i]) && !yield(locals[i]) {
					return
				}
			}
		}
		same := constant(t.c.locals, some)
		if p == 0 {
			c.Unchanged = same
		}
		c.Unchanged = slices.DeleteFunc(c.Unchanged, func(name string) bool {
			return !slices.Contains(same,
				name)
		})
		for l := range some {
			if c.Unused = c.Unused && t.c.Composition.Units(l) == 0; !c.Unused {
				break
			}
		}
	}
	if t.c.History.Step != nil {
		past := t.histories
		for _, name := range constant(t.c.histories, func(yield func(value) bool) {
			for i := range past {
				if (in == nil || in[n][i]) && !yield(past[i].history) {
					return
				}
			}
		}) {
			c.Unchanged = append(c.Unchanged, "history."+name)
		}
	}
	if t.c.Clocks != nil || t.forgets {
		c.Unchanged = nil
	}
	return c
}
