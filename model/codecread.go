package model

import (
	"encoding/binary"
	"math"
	"reflect"
	"unsafe"
)

// readSmall reads numbers of a byte each, and returns the rest.
func readSmall(b []byte, xs []uint8) (rest []byte) {
	for i := range xs {
		if xs[i] = b[0]; b[0] >= 0x80 {
			b = b[1:] // a 1
		}
		b = b[1:]
	}
	return b
}

// readAt sets a value, and returns the rest.
func (s *shape) readAt(b []byte, value unsafe.Pointer) (rest []byte) {
	for i := range s.runs {
		r := &s.runs[i]
		b = r.readAll(b, unsafe.Add(value, r.offset))
	}
	return b
}

// readAll sets all fields of a run, and returns the rest.
func (r *codecRun) readAll(b []byte, first unsafe.Pointer) (rest []byte) {
	if r.kind == reflect.Uint8 {
		return readSmall(b, unsafe.Slice((*uint8)(first), r.count))
	}
	for k := range r.count {
		at := r.at(first, k)
		switch r.kind {
		case reflect.Struct:
			b = r.elem.readAt(b, at)
		case reflect.Slice, reflect.Map:
			b = r.readMany(b, at)
		case reflect.Pointer: // nil in what is written
		default:
			b = r.read(b, at)
		}
	}
	return b
}

// read sets one field to what b begins with, and returns the rest.
func (r *codecRun) read(b []byte, at unsafe.Pointer) (rest []byte) {
	switch r.kind {
	case reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		x, size := binary.Varint(b)
		switch r.kind {
		case reflect.Int8:
			*(*int8)(at) = int8(x)
		case reflect.Int16:
			*(*int16)(at) = int16(x)
		case reflect.Int32:
			*(*int32)(at) = int32(x)
		default:
			*(*int64)(at) = x
		}
		return b[size:]
	case reflect.Float32:
		*(*float32)(at) = float32(math.Float64frombits(binary.LittleEndian.Uint64(b)))
		return b[8:]
	case reflect.Float64:
		*(*float64)(at) = math.Float64frombits(binary.LittleEndian.Uint64(b))
		return b[8:]
	}
	x, size := binary.Uvarint(b)
	b = b[size:]
	switch r.kind {
	case reflect.Uint16:
		*(*uint16)(at) = uint16(x)
	case reflect.Uint32:
		*(*uint32)(at) = uint32(x)
	case reflect.Uint64:
		*(*uint64)(at) = x
	default:
		*(*string)(at) = string(b[:x])
		return b[x:]
	}
	return b
}
