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

// A constancy finds the variables that are equal in all values that it sees: fields, or what vars lists.
type constancy struct {
	kind   *codec.Kind
	first  value      // that it saw; nil: none yet
	fields []variable // that have not changed
	vars   func(value) []Var
	listed []Var // by vars, in place of fields
}

func newConstancy(k *codec.Kind) constancy {
	c := constancy{kind: k, fields: variables(k.Type)}
	if _, lists := k.Any(k.Fresh()).(values.Describer); lists && len(c.fields) == 1 { // it has several
		c.vars = func(x value) []Var { return k.Any(x).(values.Describer).Vars(Names{}) }
	}
	return c
}

// see takes a value, and reports whether it is the first one, or some variables change.
func (c *constancy) see(x value) (news bool) {
	var vars []Var
	if c.vars != nil {
		vars, c.fields = c.vars(x), nil
	}
	if c.first == nil {
		c.first, c.listed = c.kind.Copied(x), slices.Clone(vars)
		return true
	}
	left := len(c.fields) + len(c.listed)
	first, now := unsafe.Pointer(c.first), unsafe.Pointer(x)
	c.fields = slices.DeleteFunc(c.fields, func(f variable) bool {
		return !f.shape.EqualAt(unsafe.Add(first, f.offset), unsafe.Add(now, f.offset))
	})
	for _, w := range vars { // a variable that some owners have changes if it does for one of them
		differs := func(v Var) bool { return v.Name == w.Name && v.Owner == w.Owner && v != w }
		if slices.ContainsFunc(c.listed, differs) {
			c.listed = slices.DeleteFunc(c.listed, func(v Var) bool { return v.Name == w.Name })
		}
	}
	return len(c.fields)+len(c.listed) < left
}

// names returns the names of the variables that have not changed.
func (c *constancy) names() []string {
	names := mapped(c.listed, func(v Var) string { return v.Name })
	slices.Sort(names)
	return append(slices.Compact(names), mapped(c.fields, func(v variable) string { return v.name })...)
}

// numbers yields, once, the local states in some states, nil: all, by process and twice their number, plus 1
// of a dead process; in place of one more process, the histories.
func (t *adapter) numbers(states iter.Seq[*protocol.Parts]) iter.Seq2[int, uint32] {
	n := t.c.N
	met := make([][]bool, n, n+1)
	for p := range t.procs {
		met[p] = make([]bool, 2*len(t.procs[p].locals))
	}
	if t.c.History.Step != nil {
		met = append(met, make([]bool, 2*len(t.histories)))
	}
	return func(yield func(int, uint32) bool) {
		for p := 0; states == nil && p < len(met); p++ {
			for id := 0; id < len(met[p]); id += 2 {
				if !yield(p, uint32(id)) {
					return
				}
			}
		}
		if states == nil {
			return
		}
		for s := range states {
			for p := range met {
				id := 2 * s.At(p+p/n*n)
				if p < n && s.At(n+p) == protocol.Closed {
					id++
				}
				if !met[p][id] {
					if met[p][id] = true; !yield(p, id) {
						return
					}
				}
			}
		}
	}
}

func (t *adapter) Coverage(states iter.Seq[*protocol.Parts], least lts.Coverage) (c lts.Coverage) {
	n := t.c.N
	all := make([]constancy, n, n+1) // of local states, then of the history
	for p := range all {
		all[p] = newConstancy(t.c.locals)
	}
	if t.c.History.Step != nil {
		all = append(all, newConstancy(t.c.histories))
	}
	c.Unused = t.c.Composition.Units != nil
	for p, id := range t.numbers(states) {
		var news bool
		if p < n {
			l := t.procs[p].locals[id/2]
			used := c.Unused && id%2 == 0 && t.c.Composition.Units(l) > 0
			news, c.Unused = all[p].see(l) || used, c.Unused && !used
		} else {
			news = all[p].see(t.histories[id/2].history)
		}
		if !news || all[len(all)-1].first == nil {
			continue
		}
		if t.c.Clocks == nil && !t.forgets && t.renamings == nil {
			c.Unchanged = unchanged(all[:n], all[n:])
		}
		if c.Unused == least.Unused && slices.Equal(c.Unchanged, least.Unchanged) {
			break
		}
	}
	return c
}

// unchanged returns the names of the variables that have not changed in any process, or in the history.
func unchanged(locals, histories []constancy) []string {
	names := locals[0].names()
	for _, x := range locals[1:] {
		names = slices.DeleteFunc(names, func(name string) bool { return !slices.Contains(x.names(), name) })
	}
	for _, x := range histories {
		names = append(names, mapped(x.names(), func(name string) string { return "history." + name })...)
	}
	return names
}
