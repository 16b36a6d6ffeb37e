package model

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"reflect"
	"unsafe"
)

// Messages that come from elsewhere are read with care: what no codec writes is an error.

var (
	errNumber = errors.New("not a message: its bytes end within a number, or it is longer than it has " +
		"to be")
	errString   = errors.New("not a message: its bytes end within a string")
	errElements = errors.New("not a message: its bytes end within a slice or a map")
	errOrder    = errors.New("not a message: the keys of a map are not in order")
)

// readValue sets v to what b begins with, and returns the rest.
func readValue(b []byte, v reflect.Value, n int) (rest []byte, err error) {
	switch {
	case v.Kind() == reflect.Array:
		for i := range v.Len() {
			if b, err = readValue(b, v.Index(i), n); err != nil {
				return nil, err
			}
		}
		return b, nil
	case v.Kind() == reflect.Struct:
		for i := range v.NumField() {
			if ofStages(v.Field(i).Type()) {
				continue
			}
			if b, err = readValue(b, v.Field(i), n); err != nil {
				return nil, err
			}
		}
		return b, nil
	}
	if v.CanAddr() { // unexported fields are set too
		v = reflect.NewAt(v.Type(), unsafe.Pointer(v.UnsafeAddr())).Elem()
	}
	if v.Kind() == reflect.Slice || v.Kind() == reflect.Map {
		return readElements(b, v, n)
	}
	if v.CanFloat() || v.CanComplex() {
		return readFloats(b, v)
	}
	if v.CanInt() {
		x, size := binary.Varint(b)
		if size <= 0 || size > 1 && b[size-1] == 0 {
			return nil, errNumber
		}
		if v.OverflowInt(x) {
			return nil, fmt.Errorf("not a message: %d is no %v", x, v.Type())
		}
		v.SetInt(x)
		return b[size:], nil
	}
	x, b, err := readNumber(b)
	if err != nil {
		return nil, err
	}
	return readUnsigned(b, x, v, n)
}

// readFloats sets a floating-point number, or a complex one, to what b begins with, and returns the rest.
func readFloats(b []byte, v reflect.Value) (rest []byte, err error) {
	var parts [2]float64
	for i := range parts {
		if i == 1 && v.CanFloat() {
			break
		}
		if len(b) < 8 {
			return nil, errNumber
		}
		x := math.Float64frombits(binary.LittleEndian.Uint64(b))
		if v.Kind() == reflect.Float32 || v.Kind() == reflect.Complex64 {
			x = float64(float32(x))
		}
		var again [8]byte
		putFloat(again[:], 0, x)
		if !bytes.Equal(again[:], b[:8]) {
			return nil, errNumber
		}
		parts[i], b = x, b[8:]
	}
	if v.CanFloat() {
		v.SetFloat(parts[0])
	} else {
		v.SetComplex(complex(parts[0], parts[1]))
	}
	return b, nil
}

// readNumber reads an unsigned number, and returns the rest.
func readNumber(b []byte) (x uint64, rest []byte, err error) {
	x, size := binary.Uvarint(b)
	if size <= 0 || size > 1 && b[size-1] == 0 {
		return 0, nil, errNumber
	}
	return x, b[size:], nil
}

// mostEmpty is how many elements a slice of a message may have that take no room.
const mostEmpty = 1 << 16

// readElements sets a slice or a map to what b begins with, and returns the rest.
func readElements(b []byte, v reflect.Value, n int) (rest []byte, err error) {
	size, b, err := readNumber(b)
	if err != nil {
		return nil, err
	}
	most := uint64(len(b)) + 1 // each takes a byte at least, but for the one of a map from struct{}
	if v.Kind() == reflect.Slice && v.Type().Elem().Size() == 0 {
		most = mostEmpty
	}
	switch {
	case size > most:
		return nil, errElements
	case v.Kind() == reflect.Map:
		return readEntries(b, v, size, n)
	}
	all := reflect.MakeSlice(v.Type(), 0, 0)
	for range size {
		x := reflect.New(v.Type().Elem()).Elem()
		if b, err = readValue(b, x, n); err != nil {
			return nil, err
		}
		all = reflect.Append(all, x)
	}
	if size > 0 {
		v.Set(all)
	}
	return b, nil
}

// readEntries sets a map to so many entries that b begins with, and returns the rest.
func readEntries(b []byte, v reflect.Value, size uint64, n int) (rest []byte, err error) {
	v.Set(reflect.MakeMap(v.Type()))
	var last []byte
	for i := range size {
		key, elem := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
		before := b
		if b, err = readValue(b, key, n); err != nil {
			return nil, err
		}
		this := before[:len(before)-len(b)]
		if i > 0 && bytes.Compare(last, this) >= 0 {
			return nil, errOrder
		}
		last = this
		if b, err = readValue(b, elem, n); err != nil {
			return nil, err
		}
		v.SetMapIndex(key, elem)
	}
	return b, nil
}

// readUnsigned sets v to x, or to the string of length x that b begins with.
func readUnsigned(b []byte, x uint64, v reflect.Value, n int) (rest []byte, err error) {
	switch {
	case v.Kind() == reflect.String:
		if x > uint64(len(b)) {
			return nil, errString
		}
		v.SetString(string(b[:x]))
		return b[x:], nil
	case v.Kind() == reflect.Bool:
		if x > 1 {
			return nil, fmt.Errorf("not a message: %d is no bool", x)
		}
		v.SetBool(x == 1)
		return b, nil
	case v.OverflowUint(x),
		v.Type() == reflect.TypeFor[Proc]() && x >= uint64(n),
		v.Type() == reflect.TypeFor[Set]() && x > uint64(All(n)):
		return nil, fmt.Errorf("not a message: %d is no %s of %d processes", x, v.Type().Name(), n)
	}
	v.SetUint(x)
	return b, nil
}
