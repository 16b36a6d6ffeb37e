// Package codec has the canonical bytes of values of any type: equal values have equal bytes, on every
// machine. It knows no model.
package codec

import (
	"encoding/binary"
	"reflect"
	"slices"
	"unsafe"
)

// The canonical bytes of a value are its fields in their order: each integer as a varint, a bool
// as 0 or 1, each string behind its length; a slice is the number of
// its elements and these, a map the number of its entries and these, in the order of the bytes of their keys.
// They are equal if and only if the values are, on every machine; empty and nil are equal.
// Messages between operating-system processes travel so, too; both ends are the same program,
// so the type is not written.

// A Shape is the list of fields in the values of a type, with their offsets.
type Shape struct {
	runs []run
	most int // most bytes written, not counting contents of strings, slices and maps

	size  uintptr // in memory
	Flat  bool    // there is no slice and no map: to assign a value is to copy it
	plain []span  // bytes in memory that are equal if and only if the values are
	rest  *Shape  // of the other runs; nil: none
}

// A span is some of the bytes of a value.
type span struct{ from, to uintptr }

// A run is neighbouring fields of one kind, or of structs of one type.
type run struct {
	kind   reflect.Kind
	offset uintptr
	count  int
	size   uintptr // of one of them

	types     []reflect.Type // of the fields, if they are numbers
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
		most, plain := binary.MaxVarintLen64, true
		switch r.kind {
		case reflect.Slice, reflect.Map:
			s.Flat, plain = false, false
		case reflect.String, reflect.Pointer:
			plain = false
		case reflect.Struct:
			most, plain = r.elem.most, r.elem.solid()
		}
		s.most += r.count * most
		end := r.offset + uintptr(r.count)*r.size
		switch n := len(s.plain); {
		case !plain:
			rest.runs, s.rest = append(rest.runs, r), rest
			rest.most += r.count * most
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
		x = run{kind: sized(t), offset: at, count: 1, size: t.Size(), types: []reflect.Type{t}}
		if n := len(s.runs); n > 0 {
			last := &s.runs[n-1]
			if last.kind == x.kind && last.offset+uintptr(last.count)*last.size == at {
				last.count, last.types = last.count+1, append(last.types, t)
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

// sized returns the kind of a type, one for types that are written alike: a bool is a number, and
// int has a size.
func sized(t reflect.Type) reflect.Kind {
	k := t.Kind()
	switch {
	case k == reflect.Bool:
		return reflect.Uint8
	case k == reflect.Int && t.Size() == 8:
		return reflect.Int64
	case k == reflect.Int:
		return reflect.Int32
	case k == reflect.Uint && t.Size() == 8:
		return reflect.Uint64
	case k == reflect.Uint:
		return reflect.Uint32
	}
	return k
}

// appendAt appends the bytes of a value. It is called for each outcome of each memo key, and so does not
// append byte by byte.
func (s *Shape) appendAt(b []byte, value unsafe.Pointer) []byte {
	n, b := len(b), grown(b, s.most)
	for i := range s.runs {
		r := &s.runs[i]
		at := unsafe.Add(value, r.offset)
		switch r.kind {
		case reflect.Struct:
			n = r.putStructs(b, n, at)
		case reflect.String:
			for k := range r.count {
				x := *(*string)(r.at(at, k))
				b = append(b[:put(b, n, uint64(len(x)))], x...)
				n, b = len(b), grown(b, s.most)
			}
		case reflect.Slice, reflect.Map, reflect.Pointer:
			b = r.appendMany(b[:n], at)
			n, b = len(b), grown(b, s.most)
		default:
			n = r.putNumbers(b, n, at)
		}
	}
	return b[:n]
}

// putStructs writes structs of whole numbers, and returns their end.
func (r *run) putStructs(b []byte, n int, at unsafe.Pointer) (end int) {
	used, of := usedOf(at, r.count, r.size), r.elem.runs
	for k := range used {
		for i := range of {
			n = of[i].putNumbers(b, n, unsafe.Add(r.at(at, k), of[i].offset))
		}
	}
	zeros := (r.count - used) * r.zeros
	clear(b[n : n+zeros])
	return n + zeros
}

// usedOf returns the number of values at a place, of a size each, not counting zero values at the
// end. Most arrays have room for more processes than the model has.
func usedOf(at unsafe.Pointer, count int, size uintptr) int {
	end := uintptr(count) * size
	for end >= 8 && *(*[8]byte)(unsafe.Add(at, end-8)) == [8]byte{} {
		end -= 8
	}
	return int((end + size - 1) / size)
}

// putNumbers writes numbers, and returns their end.
func (r *run) putNumbers(b []byte, n int, first unsafe.Pointer) (end int) {
	if r.kind == reflect.Uint8 && r.count > 1 {
		return putBytes(b, n, unsafe.Slice((*uint8)(first), r.count))
	}
	count := r.count
	if count >= manyNumbers {
		count = usedOf(first, count, r.size)
	}
	for k := range count {
		at := r.at(first, k)
		switch r.kind {
		case reflect.Uint8:
			n = put(b, n, uint64(*(*uint8)(at)))
		case reflect.Uint16:
			n = put(b, n, uint64(*(*uint16)(at)))
		case reflect.Uint32:
			n = put(b, n, uint64(*(*uint32)(at)))
		case reflect.Uint64:
			n = put(b, n, *(*uint64)(at))
		case reflect.Int8:
			n = put(b, n, zigzag(int64(*(*int8)(at))))
		case reflect.Int16:
			n = put(b, n, zigzag(int64(*(*int16)(at))))
		case reflect.Int32:
			n = put(b, n, zigzag(int64(*(*int32)(at))))
		default:
			n = put(b, n, zigzag(*(*int64)(at)))
		}
	}
	clear(b[n : n+r.count-count])
	return n + r.count - count
}

// manyNumbers is the least number of numbers for which to look for zeros at the end.
const manyNumbers = 8

// grown returns b with room for more bytes, up to its capacity.
func grown(b []byte, more int) []byte {
	if cap(b)-len(b) < more {
		b = slices.Grow(b, more)
	}
	return b[:cap(b)]
}

// put writes a varint, mostly one byte, and returns its end.
func put(b []byte, n int, x uint64) (end int) {
	if x < 0x80 {
		b[n] = byte(x)
		return n + 1
	}
	return n + binary.PutUvarint(b[n:], x)
}

// zigzag returns the unsigned number for a signed one in varints.
func zigzag(x int64) uint64 { return uint64(x)<<1 ^ uint64(x>>63) }

// putBytes writes numbers of a byte each: as varints most of them are that byte.
func putBytes(b []byte, n int, xs []uint8) (end int) {
	all := uint8(0)
	for _, x := range xs {
		all |= x
	}
	if all < 0x80 {
		return n + copy(b[n:], xs)
	}
	for _, x := range xs {
		n = put(b, n, uint64(x))
	}
	return n
}
