package codec

import (
	"bytes"
	"encoding/binary"
	"reflect"
	"slices"
	"unsafe"
)

// Slices and maps have no fixed size. Values that hold them share memory when they are assigned, so
// a function that may change one gets a copy.

// many returns the run of a slice, a map, or the outsourced part of a PerProc or a Group.
func many(t reflect.Type, at uintptr) run {
	r := run{kind: t.Kind(), offset: at, count: 1, size: t.Size(), typ: t}
	switch t.Kind() {
	case reflect.Map:
		r.key, r.elem = ShapeOf(t.Key()), ShapeOf(t.Elem())
	case reflect.Slice:
		r.elem = ShapeOf(t.Elem())
	default: // a pointer to blocks of a PerProc, values.above, or to the array of a Group, values.members
		if t.Elem().Elem().Kind() == reflect.Pointer {
			r.elem = ShapeOf(t.Elem().Elem().Elem().Elem())
		} else {
			r.elem = ShapeOf(t.Elem())
		}
	}
	return r
}

// appendMany appends the elements of a slice or a map, or the values in the outsourced part of a PerProc or a
// Group that are not zero.
func (r *run) appendMany(b []byte, at unsafe.Pointer) []byte {
	switch r.kind {
	case reflect.Slice:
		s := *(*[]byte)(at) // the layout of a slice header does not depend on its type
		first := unsafe.Pointer(unsafe.SliceData(s))
		b = binary.AppendUvarint(b, uint64(len(s)))
		for k := range len(s) {
			b = r.elem.appendAt(b, unsafe.Add(first, uintptr(k)*r.elem.size))
		}
		return b
	case reflect.Map:
		return r.appendMap(b, at)
	}
	all := *(*unsafe.Pointer)(at)
	switch {
	case all == nil:
		return b
	case r.typ.Elem().Elem().Kind() == reflect.Pointer:
		return r.appendBlocks(b, all)
	}
	return withoutZero(r.elem.appendAt(b, all), len(b), len(b))
}

// withoutZero removes the bytes from before on, if all bytes are zero from value on.
func withoutZero(b []byte, before, value int) []byte {
	if slices.ContainsFunc(b[value:], func(x byte) bool { return x != 0 }) {
		return b
	}
	return b[:before]
}

// appendMap appends the entries of a map, in the order of the bytes of their keys.
func (r *run) appendMap(b []byte, at unsafe.Pointer) []byte {
	place := reflect.New(r.typ) // a copy of the header: the map itself would have to be on the heap
	*(*unsafe.Pointer)(place.UnsafePointer()) = *(*unsafe.Pointer)(at)
	m := place.Elem()
	type entry struct{ key, elem []byte }
	entries := make([]entry, 0, m.Len())
	key, elem := reflect.New(r.typ.Key()), reflect.New(r.typ.Elem())
	for all := m.MapRange(); all.Next(); {
		key.Elem().SetIterKey(all)
		elem.Elem().SetIterValue(all)
		entries = append(entries, entry{
			r.key.appendAt(nil, key.UnsafePointer()), r.elem.appendAt(nil, elem.UnsafePointer()),
		})
	}
	slices.SortFunc(entries, func(a, b entry) int { return bytes.Compare(a.key, b.key) })
	b = binary.AppendUvarint(b, uint64(len(entries)))
	for _, e := range entries {
		b = append(append(b, e.key...), e.elem...)
	}
	return b
}

// appendBlocks appends the outsourced values of a PerProc that are not zero, each behind its place.
func (r *run) appendBlocks(b []byte, all unsafe.Pointer) []byte {
	list := r.typ.Elem()
	block := list.Elem().Elem().Len()
	for i := range list.Len() {
		first := *(*unsafe.Pointer)(unsafe.Add(all, uintptr(i)*list.Elem().Size()))
		for k := 0; k < block && first != nil; k++ {
			before := len(b)
			b = binary.AppendUvarint(b, uint64(1+i*block+k))
			value := len(b)
			b = withoutZero(r.elem.appendAt(b, unsafe.Add(first, uintptr(k)*r.elem.size)), before, value)
		}
	}
	return b
}

// EqualAt reports whether two values are equal: their bytes are.
func (s *Shape) EqualAt(x, y unsafe.Pointer) bool {
	if !s.Flat {
		return bytes.Equal(s.appendAt(nil, x), s.appendAt(nil, y))
	}
	if equalBytes(x, y, s.size) { // nearly always true
		return true
	}
	for _, b := range s.plain {
		if !equalBytes(unsafe.Add(x, b.from), unsafe.Add(y, b.from), b.to-b.from) {
			return false
		}
	}
	return s.rest == nil || bytes.Equal(s.rest.appendAt(nil, x), s.rest.appendAt(nil, y))
}

func equalBytes(x, y unsafe.Pointer, n uintptr) bool {
	return string(unsafe.Slice((*byte)(x), n)) == string(unsafe.Slice((*byte)(y), n))
}
