package codec

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"unsafe"

	"github.com/cespare/xxhash/v2"

	"github.com/atmostk/atmostk/model/protocol"
)

// A Value points to a local state, a message, a history or the state of a system, of a type that the model
// knows. It is never changed once it is a part of a state.
type Value = *Opaque

// An Opaque value is one of a type that only the model knows.
type Opaque struct{ _ byte }

// A Kind has the operations on values whose type is erased.
type Kind struct {
	Shape
	Type   reflect.Type
	Fresh  func() Value         // a zero value
	Assign func(to, from Value) // as Go assigns: both share slices and maps
	Any    func(x Value) any    // the value with its type
}

// KindOf returns the kind of a type.
func KindOf[T any]() *Kind {
	k := Kind{
		Type:   reflect.TypeFor[T](),
		Fresh:  func() Value { return Value(unsafe.Pointer(new(T))) },
		Assign: func(to, from Value) { *(*T)(unsafe.Pointer(to)) = *(*T)(unsafe.Pointer(from)) },
		Any:    func(x Value) any { return *(*T)(unsafe.Pointer(x)) },
	}
	if NoValue(k.Type, "") == "" {
		k.Shape = *ShapeOf(k.Type)
	}
	return &k
}

// ShownBy makes Any return show(value) in place of each value; nil: the value itself. It returns k.
func (k *Kind) ShownBy(show func(x any) any) *Kind {
	if show != nil {
		own := k.Any
		k.Any = func(x Value) any { return show(own(x)) }
	}
	return k
}

// Append appends the canonical bytes of a value.
func (k *Kind) Append(b []byte, x Value) []byte { return k.appendAt(b, unsafe.Pointer(x)) }

// Value returns the value that has the given bytes, which Append has written. It shares no memory with
// another one. Its empty slices are nil, and its empty maps are not.
func (k *Kind) Value(b []byte) Value {
	x, rd := k.Fresh(), reader{b: b, procs: protocol.MaxStage}
	rd.value(&k.Shape, unsafe.Pointer(x))
	if rd.err != nil {
		panic(rd.err)
	}
	return x
}

// Copied returns a copy of a value. They share no memory that could be changed.
func (k *Kind) Copied(x Value) Value { return k.CopyTo(nil, x) }

// CopyTo copies x into to, or into new memory if to is nil, and returns the copy.
func (k *Kind) CopyTo(to, x Value) Value {
	if to == nil {
		to = k.Fresh()
	}
	if !k.Flat {
		x = k.Value(k.Append(nil, x))
	}
	k.Assign(to, x)
	return to
}

// Own returns x if it is flat, otherwise a copy: a function that gets it shares no slice or map with others.
func (k *Kind) Own(x Value) Value {
	if k.Flat {
		return x
	}
	return k.Copied(x)
}

// Equal reports whether two values are equal: their bytes are.
func (k *Kind) Equal(x, y Value) bool {
	return x == y || k.EqualAt(unsafe.Pointer(x), unsafe.Pointer(y))
}

// Base is the base, an odd number, of the polynomials that combine the hashes of parts.
const Base = 0x9e3779b97f4a7c15

// Hash returns the hash of a value, and the memory that it wrote to, to be passed to the next call as room.
func (k *Kind) Hash(room []byte, x Value) (h uint64, used []byte) {
	if !k.Flat {
		room = k.Append(room[:0], x)
		return xxhash.Sum64(room), room
	}
	at := unsafe.Pointer(x)
	for _, b := range k.plain {
		h = h*Base + xxhash.Sum64(unsafe.Slice((*byte)(unsafe.Add(at, b.from)), b.to-b.from))
	}
	if k.rest != nil {
		if room = k.rest.appendAt(room[:0], at); len(room) > 0 {
			h = h*Base + xxhash.Sum64(room)
		}
	}
	return h, room
}

// InMemory returns the bytes of a flat value in memory as a string. Values with equal bytes are equal.
func (k *Kind) InMemory(x Value) string { return unsafe.String((*byte)(unsafe.Pointer(x)), k.size) }

// HashInMemory returns the hash of InMemory.
func (k *Kind) HashInMemory(x Value) uint32 { return uint32(xxhash.Sum64String(k.InMemory(x))) }

// Text returns a value as a person reads it.
func (k *Kind) Text(x Value) string { return fmt.Sprint(k.Any(x)) }

// Spell returns a value as Go writes it.
func (k *Kind) Spell(x Value) string { return fmt.Sprintf("%#v", k.Any(x)) }

// Size is the number of bytes of a value in memory, without the contents of its slices and maps.
func (k *Kind) Size() int { return int(k.size) }

// NoValue describes the first part of values of type t that a state cannot hold: memory shared with other
// states, which could change after the state was stored, or a value without equality. "": there is none.
// Within are the types that enclose t.
func NoValue(t reflect.Type, where string, within ...reflect.Type) string {
	if slices.Contains(within, t) {
		return fmt.Sprintf("%s is a %v, which holds values of its own type: "+
			"hold an index into a list of them instead", where, t)
	}
	within = append(slices.Clip(within), t)
	switch t.Kind() {
	case reflect.Pointer, reflect.UnsafePointer, reflect.Chan, reflect.Func, reflect.Interface,
		reflect.Uintptr:
		if stays(t) {
			return ""
		}
		return fmt.Sprintf("%s is a %v, which states would share: "+
			"hold the value itself, or an index into a list outside of the state", where, t)
	case reflect.Array, reflect.Slice:
		return NoValue(t.Elem(), "an element of "+where, within...)
	case reflect.Map:
		return cmp.Or(NoValue(t.Key(), "a key of "+where, within...),
			NoValue(t.Elem(), "a value of "+where, within...))
	case reflect.Float32, reflect.Float64, reflect.Complex64, reflect.Complex128:
		return fmt.Sprintf("%s is a %v, whose sums depend on their order: count in whole numbers", where, t)
	case reflect.Struct:
		for i := range t.NumField() {
			f := t.Field(i)
			if why := NoValue(f.Type, fmt.Sprintf("field %s of %s", f.Name, where), within...); why != "" {
				return why
			}
		}
	}
	return ""
}

// stays reports whether a type is the pointer to the outsourced part of a PerProc or a Group of package
// values, which is nil in all states of a search.
func stays(t reflect.Type) bool {
	return t.Kind() == reflect.Pointer && t.Implements(reflect.TypeFor[interface{ Stays() }]())
}

// IsOne reports whether a struct is shown as one value, as a PerProc and a Group are: its last field stays.
func IsOne(t reflect.Type) bool {
	n := t.NumField()
	return n > 0 && stays(t.Field(n-1).Type)
}
