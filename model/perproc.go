package model

import (
	"fmt"
	"iter"
	"reflect"
	"slices"
	"strings"

	"github.com/atmostk/atmostk/model/protocol"
)

// A PerProc is a value of each process, for local states of models that are also played with more processes
// than a search takes. The zero value has the zero of T for each.
//
// It is copied like an array: those of the first FewProcs processes are one, and those of further ones,
// which only a Stage has, are in blocks that are shared by copies and never change. Two that are equal need
// not be == there.
type PerProc[T comparable] struct {
	low  [FewProcs]T
	high *above[T]
}

// above holds values of the processes from FewProcs on, in blocks; nil: all are zero.
type above[T comparable] [(protocol.MaxStage - FewProcs + block - 1) / block]*[block]T

// block is how many values a block has: to change one, it and the list of blocks are copied.
const block = 32

// PerProcOf returns the values of the first processes; those of others are zero.
func PerProcOf[T comparable](values ...T) (v PerProc[T]) {
	for p, x := range values {
		v.Put(Proc(p), x)
	}
	return v
}

// At returns the value of p.
func (v *PerProc[T]) At(p Proc) (x T) {
	if p < FewProcs {
		return v.low[p]
	}
	if i := p - FewProcs; v.high != nil && v.high[i/block] != nil {
		return v.high[i/block][i%block]
	}
	return x
}

// Put gives p another value.
func (v *PerProc[T]) Put(p Proc, x T) {
	if p < FewProcs {
		v.low[p] = x
		return
	}
	if v.At(p) == x {
		return
	}
	var all above[T]
	if v.high != nil {
		all = *v.high
	}
	i := p - FewProcs
	var values [block]T
	if all[i/block] != nil {
		values = *all[i/block]
	}
	values[i%block] = x
	all[i/block], v.high = &values, &all
}

// Each yields the processes whose value is not zero, with it.
func (v PerProc[T]) Each() iter.Seq2[Proc, T] {
	return func(yield func(Proc, T) bool) {
		var zero T
		for p, x := range v.low {
			if x != zero && !yield(Proc(p), x) {
				return
			}
		}
		if v.high == nil {
			return
		}
		for i, values := range v.high {
			for k := 0; values != nil && k < block; k++ {
				if values[k] != zero && !yield(Proc(FewProcs+i*block+k), values[k]) {
					return
				}
			}
		}
	}
}

// show writes the values of the processes that there are, as those of an array.
func (v PerProc[T]) show(names Names) string {
	n := names.count
	if n == 0 {
		n = FewProcs
	}
	parts := make([]string, n)
	for p := range parts {
		parts[p] = show(reflect.ValueOf(v.At(Proc(p))), names)
	}
	return "[" + strings.Join(parts, " ") + "]"
}

// GoString writes all values: two that are equal are written the same.
func (v PerProc[T]) GoString() string {
	var b strings.Builder
	for p, x := range v.Each() {
		fmt.Fprintf(&b, "%d:%#v ", p, x)
	}
	return b.String()
}

// A perProc is a PerProc of any type.
type perProc interface{ show(names Names) string }

// Stays marks what is nil in all states of a search, and so is no part of them.
func (*above[T]) Stays() {}

// ofStages reports whether a type is that of what only a Stage has.
func ofStages(t reflect.Type) bool {
	return t.Kind() == reflect.Pointer && t.Implements(reflect.TypeFor[interface{ Stays() }]())
}

// hasStages reports whether a struct is one value to those who look at it, and not its fields.
func hasStages(t reflect.Type) bool {
	n := t.NumField()
	return n > 0 && ofStages(t.Field(n-1).Type)
}

// ofFew reports whether there is a PerProc in a type, so that states are one value each for FewProcs
// processes only.
func ofFew(t reflect.Type) bool {
	switch {
	case t.Implements(reflect.TypeFor[perProc]()):
		return true
	case t.Kind() == reflect.Struct:
		return slices.ContainsFunc(reflect.VisibleFields(t), func(f reflect.StructField) bool {
			return ofFew(f.Type)
		})
	case t.Kind() == reflect.Array:
		return ofFew(t.Elem())
	}
	return false
}

// most returns how many processes a search takes of the composition.
func (c *composition) most() int {
	if ofFew(c.locals.typ) || ofFew(c.messages.typ) || ofFew(c.histories.typ) {
		return FewProcs
	}
	return protocol.MaxProcs
}
