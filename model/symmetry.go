package model

import (
	"iter"
	"reflect"
	"slices"
	"unsafe"

	"github.com/atmostk/atmostk/model/check"
	"github.com/atmostk/atmostk/model/codec"
	"github.com/atmostk/atmostk/model/interp"
)

// renamings lists the renamings of n processes, the identity first, that exchange processes in some sets.
func renamings(sets []Set, n int) [][]Proc {
	all := [][]Proc{make([]Proc, n)}
	for p := range n {
		all[0][p] = Proc(p)
	}
	for _, among := range sets {
		for p := range among.Each() {
			for _, to := range all {
				for q := range (among & All(int(p))).Each() {
					other := slices.Clone(to)
					other[p], other[q] = other[q], other[p]
					all = append(all, other)
				}
			}
		}
	}
	return all
}

// moved returns the processes that a renaming moves.
func moved(to []Proc) (s Set) {
	for p, q := range to {
		if int(q) != p {
			s = s.With(q)
		}
	}
	return s
}

// distinguishes is the mistake of a part of a model that is not symmetric.
func (c *composition) distinguishes(to []Proc) string {
	return "it is not symmetric: it distinguishes processes among " + moved(to).Format(c.Names.First)
}

// renamed returns a copy of a value with its processes renamed, by a function of the model or by its type.
func renamed(k *codec.Kind, x value, by func(value, func(Proc) Proc), part string, to []Proc) value {
	defer check.Named(check.Part(part))
	if x = k.Copied(x); by != nil {
		by(x, func(p Proc) Proc { return to[p] })
	} else {
		renameAt(reflect.NewAt(k.Type, unsafe.Pointer(x)).Elem(), to)
	}
	return x
}

func (c *composition) renamed(l value, to []Proc) value {
	return renamed(c.locals, l, as[func(value, func(Proc) Proc)](c.Rename), "Rename", to)
}

func (c *composition) renamedEnvelope(e interp.Envelope, to []Proc) interp.Envelope {
	by := as[func(value, func(Proc) Proc)](c.RenameMessage)
	return interp.Envelope{From: to[e.From], M: renamed(c.messages, e.M, by, "RenameMessage", to)}
}

// renameAt renames the processes in an addressable value.
func renameAt(v reflect.Value, to []Proc) {
	v = reflect.NewAt(v.Type(), v.Addr().UnsafePointer()).Elem() // also of a field that is not exported
	switch x := v.Addr().Interface().(type) {
	case *Proc:
		if int(*x) < len(to) {
			*x = to[*x]
		}
		return
	case *Set:
		*x = renamedSet(*x, to)
		return
	case interface{ Rename(to []Proc) }:
		x.Rename(to) // values are in fields
	}
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			renameAt(v.Field(i), to)
		}
	case reflect.Array, reflect.Slice:
		for i := range v.Len() {
			renameAt(v.Index(i), to)
		}
	}
}

func renamedSet(s Set, to []Proc) (t Set) {
	for p := range s.Each() {
		if int(p) < len(to) {
			p = to[p]
		}
		t = t.With(p)
	}
	return t
}

// named and namedBy return what a local state and a message name.
func (c *composition) named(p Proc, l value) (s Set) {
	if c.Named != nil {
		s = c.Named(p, c.locals.Copied(l))
	}
	return s
}

func (c *composition) namedBy(e interp.Envelope) (s Set) {
	if c.NamedBy != nil {
		s = c.NamedBy(e.From, c.messages.Copied(e.M))
	}
	return s
}

// orbit yields the states for which a state may stand, with another history.
func (c *composition) orbit(x *interp.Interp, renamings [][]Proc, s *interp.State, history value,
) iter.Seq[*interp.State] {
	named := Set(0)
	for p := range Proc(c.N) {
		named |= c.named(p, s.Local(p))
		for _, e := range s.Inbox(p) {
			named |= c.namedBy(e)
		}
	}
	return func(yield func(*interp.State) bool) {
		for _, to := range renamings {
			if moved(to)&named != 0 {
				continue
			}
			locals, inboxes := make([]value, c.N), make([][]interp.Envelope, c.N)
			for p, q := range to {
				locals[q] = c.renamed(s.Local(Proc(p)), to)
				for _, e := range s.Inbox(Proc(p)) {
					inboxes[q] = append(inboxes[q], c.renamedEnvelope(e, to))
				}
				slices.SortStableFunc(inboxes[q], func(a, b interp.Envelope) int {
					return int(a.From) - int(b.From)
				})
			}
			if !yield(x.StateOf(renamedSet(s.Dead, to), locals, inboxes, history, s.Record())) {
				return
			}
		}
	}
}
