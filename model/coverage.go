package model

import (
	"bytes"
	"iter"
	"reflect"
	"slices"
	"strings"

	"github.com/atmostk/atmostk/model/protocol"
)

// A variable is a field of a struct that is no struct itself.
type variable struct {
	name   string
	at     []int // as in reflect.Value.FieldByIndex
	offset uintptr
	size   uintptr
}

// variables lists those of values of type t.
func variables(t reflect.Type) []variable {
	if t.Kind() != reflect.Struct {
		return []variable{{"the state", nil, 0, t.Size()}}
	}
	return variable{}.fields(t)
}

// fields lists the variables of v, a struct of type t.
func (v variable) fields(t reflect.Type) (vs []variable) {
	for i := range t.NumField() {
		f := t.Field(i)
		x := variable{
			strings.TrimPrefix(v.name+"."+f.Name, "."), append(slices.Clone(v.at), i), v.offset + f.Offset, f.Type.Size(),
		}
		if f.Type.Kind() == reflect.Struct && !hasStages(f.Type) && f.Type != reflect.TypeFor[Counter]() {
			vs = append(vs, x.fields(f.Type)...)
		} else {
			vs = append(vs, x)
		}
	}
	return vs
}

// unchanged returns those of vs that have the same value in all values as in the first. It
// looks at a variable only until that has changed, and ends when all have.
func unchanged[T any](vs []variable, values iter.Seq[*T]) []variable {
	var first reflect.Value
	for x := range values {
		v := reflect.ValueOf(x).Elem()
		if !first.IsValid() {
			first = reflect.New(v.Type()).Elem()
			first.Set(v) // a copy
		}
		vs = slices.DeleteFunc(vs, func(f variable) bool {
			return !first.FieldByIndex(f.at).Equal(v.FieldByIndex(f.at))
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

// Coverage looks at the local states and histories that were met.
func (t *typed[L, M, H]) Coverage(iter.Seq[*protocol.Parts]) (c Coverage) {
	vs := variables(reflect.TypeFor[L]())
	c.Unused = t.c.Units != nil
	for p := range t.procs {
		locals := t.procs[p].locals
		vs = unchanged(vs, func(yield func(*L) bool) {
			for i := range locals {
				if !yield(&locals[i]) {
					return
				}
			}
		})
		c.Unused = c.Unused && !slices.ContainsFunc(locals, func(l L) bool { return t.c.Units(&l) > 0 })
	}
	c.Unchanged = namesOf(vs)
	if t.c.History.Step != nil {
		past := t.histories
		vs = unchanged(variables(reflect.TypeFor[H]()), func(yield func(*H) bool) {
			for i := range past {
				if !yield(&past[i].history) {
					return
				}
			}
		})
		for _, name := range namesOf(vs) {
			c.Unchanged = append(c.Unchanged, "history."+name)
		}
	}
	if t.c.Clocks != nil || t.forgets {
		c.Unchanged = nil
	}
	return c
}

// Coverage looks at the states.
func (sp systemStates[S]) Coverage(visited iter.Seq[*protocol.Parts]) (c Coverage) {
	if sp.Reduced() {
		return c
	}
	var s, first S
	vs, begun := variables(reflect.TypeFor[S]()), false
	for v := range visited {
		load(&s, v.Words)
		if !begun {
			first, begun = s, true
		}
		was, is := bytesOf(&first), bytesOf(&s) // there is no padding
		vs = slices.DeleteFunc(vs, func(f variable) bool {
			return !bytes.Equal(was[f.offset:][:f.size], is[f.offset:][:f.size])
		})
		if len(vs) == 0 {
			break
		}
	}
	c.Unchanged = namesOf(vs)
	return c
}
