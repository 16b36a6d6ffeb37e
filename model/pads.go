package model

import (
	"fmt"
	"reflect"
	"unsafe"
)

// A pad is a stretch of the bytes of a type that belongs to no field. What is in it is left to the
// compiler, so it is cleared where values are compared byte by byte.
type pad struct{ from, to uintptr }

// layoutOf returns the pads of a type of states, or why values of it cannot be told apart by their
// bytes.
func layoutOf(t reflect.Type) (pads []pad, why string) {
	why = findPads(t, 0, &pads)
	return pads, why
}

// findPads adds the pads of a type that begins at some offset.
func findPads(t reflect.Type, at uintptr, pads *[]pad) (why string) {
	switch t.Kind() {
	case reflect.Bool, reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return ""
	case reflect.Array:
		for i := 0; i < t.Len() && why == ""; i++ {
			why = findPads(t.Elem(), at+uintptr(i)*t.Elem().Size(), pads)
		}
		return why
	case reflect.Struct:
		end := at
		skip := func(to uintptr) {
			if to > end {
				*pads = append(*pads, pad{end, to})
			}
		}
		for i := 0; i < t.NumField() && why == ""; i++ {
			f := t.Field(i)
			if f.Name == "_" { // not compared by ==
				continue
			}
			skip(at + f.Offset)
			why = findPads(f.Type, at+f.Offset, pads)
			end = at + f.Offset + f.Type.Size()
		}
		skip(at + t.Size())
		return why
	}
	return fmt.Sprintf("a state cannot hold a %v", t)
}

// clearPads clears the pads of a vector.
func clearPads(v []uint32, pads []pad) {
	bytes := unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(v))), 4*len(v))
	for _, p := range pads {
		clear(bytes[p.from:p.to])
	}
}
