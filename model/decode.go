package model

import (
	"encoding/binary"
	"errors"
	"fmt"
	"reflect"
	"unsafe"
)

// Messages that come from elsewhere are read with care: what no codec writes is an error.

// unsendable says why messages of type t cannot be encoded; "" if they can.
func unsendable(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Bool, reflect.String,
		reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return ""
	case reflect.Array:
		return unsendable(t.Elem())
	case reflect.Struct:
		for i := range t.NumField() {
			if ofStages(t.Field(i).Type) {
				continue
			}
			if why := unsendable(t.Field(i).Type); why != "" {
				return why
			}
		}
		return ""
	}
	return fmt.Sprintf("a message cannot hold a %v", t)
}

var (
	errNumber = errors.New("not a message: its bytes end within a number, or it is longer than it has to be")
	errString = errors.New("not a message: its bytes end within a string")
)

// decode reads a message of one of n processes. Bytes that encode does not write are
// an error, and so are processes that there are not.
func decode[M comparable](b []byte, n int) (m M, err error) {
	b, err = readValue(b, reflect.ValueOf(&m).Elem(), n)
	if err == nil && len(b) > 0 {
		err = fmt.Errorf("not a message: %d bytes too many", len(b))
	}
	return m, err
}

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
	x, size := binary.Uvarint(b)
	if size <= 0 || size > 1 && b[size-1] == 0 {
		return nil, errNumber
	}
	return readUnsigned(b[size:], x, v, n)
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
