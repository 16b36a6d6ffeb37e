// Package codec has the canonical bytes of values of any type: equal values have equal bytes, on every
// machine. It knows no model.
package codec

import (
	"encoding/binary"
	"reflect"
	"unsafe"
)

// The canonical bytes of a value are the bytes of its fields in order. An integer is a varint, a bool
// is 0 or 1, a string is its length and its bytes, a slice the number of its elements and the elements,
// a map the number of its entries and the entries in the order of the bytes of their keys.
// On every machine they are equal if and only if the values are; empty and nil are equal.
// Messages between operating-system processes have this form, too; both ends are the same program,
// so the type is not written.

// A Shape is the list of fields in the values of a type, with their offsets.
type Shape struct {
	runs []run

	size  uintptr // in memory
	Flat  bool    // there is no slice and no map: to assign a value is to copy it
	plain []span  // bytes in memory that are equal if and only if the values are
	rest  *Shape  // of the other runs; nil: none
}

// A span is the bytes of a value in memory from one offset up to another.
type span struct{ from, to uintptr }

// A run is neighbouring fields of one kind, or of structs of one type.
type run struct {
	kind   reflect.Kind // reflect.Uint64 for all numbers
	signed bool         // numbers with a sign
	offset uintptr
	count  int
	size   uintptr // of one of them

	bounded   []reflect.Type // of the fields, if they are numbers: see bounded
	zeros     int            // bytes written for a zero struct
	typ       reflect.Type   // of a slice or a map
	key, elem *Shape         // of the contents of a map, a slice, a struct, a PerProc or a Group
}

// ShapeOf returns the shape of a type in which NoValue finds no mistake.
func ShapeOf(t reflect.Type) *Shape {
	s := &Shape{Flat: true, size: t.Size()}
	Walk(t, 0, s.add)
	rest := &Shape{}
	for _, r := range s.runs {
		plain := true
		switch r.kind {
		case reflect.Slice, reflect.Map:
			s.Flat, plain = false, false
		case reflect.String, reflect.Pointer:
			plain = false
		case reflect.Struct:
			plain = r.elem.solid()
		}
		end := r.offset + uintptr(r.count)*r.size
		switch n := len(s.plain); {
		case !plain:
			rest.runs, s.rest = append(rest.runs, r), rest
		case n > 0 && s.plain[n-1].to == r.offset:
			s.plain[n-1].to = end
		default:
			s.plain = append(s.plain, span{r.offset, end})
		}
	}
	return s
}

// solid reports whether values are equal if and only if all their bytes in memory are.
func (s *Shape) solid() bool {
	return s.size == 0 || s.rest == nil && len(s.plain) == 1 && s.plain[0] == span{0, s.size}
}

// Walk visits a type, whose values begin at an offset, and the types of their fields and elements, in order.
// visit reports whether to visit the fields of a struct or the elements of an array.
func Walk(t reflect.Type, at uintptr, visit func(t reflect.Type, at uintptr) (inside bool)) {
	if !visit(t, at) {
		return
	}
	switch t.Kind() {
	case reflect.Struct:
		for i := range t.NumField() {
			if f := t.Field(i); f.Name != "_" { // not compared by ==
				Walk(f.Type, at+f.Offset, visit)
			}
		}
	case reflect.Array:
		for i := range t.Len() {
			Walk(t.Elem(), at+uintptr(i)*t.Elem().Size(), visit)
		}
	}
}

// add adds a type of values that begin at an offset, and reports whether its fields or elements have to be
// added.
func (s *Shape) add(t reflect.Type, at uintptr) (inside bool) {
	var x run
	switch t.Kind() {
	case reflect.Struct:
		return true
	case reflect.Array:
		var ok bool
		if x, ok = structs(t, at); !ok {
			return true
		}
	case reflect.Slice, reflect.Map, reflect.Pointer:
		x = many(t, at)
	default:
		x = run{kind: t.Kind(), offset: at, count: 1, size: t.Size(), bounded: []reflect.Type{bounded(t)}}
		if x.kind != reflect.String {
			x.kind, x.signed = reflect.Uint64, reflect.Int <= x.kind && x.kind <= reflect.Int64
		}
		if n := len(s.runs); n > 0 {
			last := &s.runs[n-1]
			alike := last.kind == x.kind && last.size == x.size && last.signed == x.signed
			if alike && last.offset+uintptr(last.count)*last.size == at {
				last.count, last.bounded = last.count+1, append(last.bounded, bounded(t))
				return false
			}
		}
	}
	s.runs = append(s.runs, x)
	return false
}

// at returns the address of field k of a run that begins at first.
func (r *run) at(first unsafe.Pointer, k int) unsafe.Pointer {
	return unsafe.Add(first, uintptr(k)*r.size)
}

// structs returns the run of an array of structs of whole numbers: zero structs at its end are
// written at once. Writing timerfree's arrays of 16 field by field took 4% of the
// instructions of a search.
func structs(t reflect.Type, at uintptr) (r run, ok bool) {
	if t.Elem().Kind() != reflect.Struct || t.Elem().Size() == 0 {
		return r, false
	}
	elem := ShapeOf(t.Elem())
	r = run{kind: reflect.Struct, offset: at, count: t.Len(), size: t.Elem().Size(), elem: elem}
	for _, f := range elem.runs {
		switch f.kind {
		case reflect.String, reflect.Struct, reflect.Slice, reflect.Map, reflect.Pointer:
			return r, false
		}
		r.zeros += f.count
	}
	return r, true
}

func (s *Shape) appendAt(b []byte, value unsafe.Pointer) []byte {
	for i := range s.runs {
		r := &s.runs[i]
		at := unsafe.Add(value, r.offset)
		switch r.kind {
		case reflect.Struct:
			used := usedOf(at, r.count, r.size)
			for k := range used {
				b = r.elem.appendAt(b, r.at(at, k))
			}
			b = append(b, make([]byte, (r.count-used)*r.zeros)...)
		case reflect.String:
			for k := range r.count {
				x := *(*string)(r.at(at, k))
				b = append(binary.AppendUvarint(b, uint64(len(x))), x...)
			}
		case reflect.Slice, reflect.Map, reflect.Pointer:
			b = r.appendMany(b, at)
		default:
			b = r.appendNumbers(b, at)
		}
	}
	return b
}

// usedOf returns the number of values in an array of count values of a size, without the zero values at its
// end. Most arrays have room for more processes than the model has.
func usedOf(at unsafe.Pointer, count int, size uintptr) int {
	end := uintptr(count) * size
	for end >= 8 && *(*[8]byte)(unsafe.Add(at, end-8)) == [8]byte{} {
		end -= 8
	}
	return int((end + size - 1) / size)
}

// appendNumbers appends numbers as varints. A number below 0x80 is one byte, so most bytes are copied.
func (r *run) appendNumbers(b []byte, first unsafe.Pointer) []byte {
	if r.size == 1 && !r.signed && r.count > 1 {
		xs := unsafe.Slice((*uint8)(first), r.count)
		all := uint8(0)
		for _, x := range xs {
			all |= x
		}
		if all < 0x80 {
			return append(b, xs...)
		}
	}
	count := r.count
	if count >= manyNumbers {
		count = usedOf(first, count, r.size)
	}
	for k := range count {
		if x := r.number(r.at(first, k)); x < 0x80 {
			b = append(b, byte(x))
		} else {
			b = binary.AppendUvarint(b, x)
		}
	}
	return append(b, make([]byte, r.count-count)...)
}

// number returns the number at a place, to be written as a varint: signed ones in zigzag form.
func (r *run) number(at unsafe.Pointer) (x uint64) {
	switch r.size {
	case 1:
		x = uint64(*(*uint8)(at))
	case 2:
		x = uint64(*(*uint16)(at))
	case 4:
		x = uint64(*(*uint32)(at))
	default:
		x = *(*uint64)(at)
	}
	if r.signed {
		high := 64 - 8*r.size
		signed := int64(x<<high) >> high
		x = uint64(signed)<<1 ^ uint64(signed>>63)
	}
	return x
}

// store reverses number: it stores x at a place, cut to the size of the field.
func (r *run) store(at unsafe.Pointer, x uint64) {
	if r.signed {
		x = x>>1 ^ -(x & 1)
	}
	switch r.size {
	case 1:
		*(*uint8)(at) = uint8(x)
	case 2:
		*(*uint16)(at) = uint16(x)
	case 4:
		*(*uint32)(at) = uint32(x)
	default:
		*(*uint64)(at) = x
	}
}

// manyNumbers is the length from which on a run of numbers is searched for zeros at its end.
const manyNumbers = 8
