package model

import (
	"fmt"
	"reflect"
	"unsafe"

	"github.com/atmostk/atmostk/model/codec"
)

// A pad is a stretch of the bytes of a type that belongs to no field. What is in it is left to the
// compiler, so it is cleared where values are compared byte by byte.
type pad struct{ from, to uintptr }

// layoutOf returns the pads of a type of states, or why values of it cannot be told apart by their
// bytes.
func layoutOf(t reflect.Type) (pads []pad, why string) {
	end := uintptr(0)
	skip := func(to uintptr) {
		if to > end {
			pads = append(pads, pad{end, to})
		}
	}
	codec.Walk(t, 0, func(t reflect.Type, at uintptr) (inside bool) {
		switch k := t.Kind(); {
		case k == reflect.Array || k == reflect.Struct:
			return true
		case k < reflect.Bool || k > reflect.Uint64:
			why = fmt.Sprintf("a state cannot hold a %v", t)
		}
		skip(at)
		end = at + t.Size()
		return false
	})
	skip(t.Size())
	return pads, why
}

// clearPads clears the pads of a vector.
func clearPads(v []uint32, pads []pad) {
	bytes := unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(v))), 4*len(v))
	for _, p := range pads {
		clear(bytes[p.from:p.to])
	}
}
