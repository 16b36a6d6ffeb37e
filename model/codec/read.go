package codec

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"reflect"
	"unsafe"

	"github.com/atmostk/atmostk/model/protocol"
)

// Bytes from outside are not trusted: bytes that Append does not write are an error.

var (
	errNumber   = errors.New("not a message: its bytes end within a number")
	errString   = errors.New("not a message: its bytes end within a string")
	errElements = errors.New("not a message: its bytes end within a slice or a map")
	errOther    = errors.New("not a message: no value is written so")
)

// mostEmpty is the largest length of a slice whose elements take no memory.
const mostEmpty = 1 << 16

// A reader reads values of a model of some processes. After an error no bytes are left to read.
type reader struct {
	b     []byte
	procs int
	err   error
}

// Read reads a value of a model of some processes from bytes that come from outside.
func (k *Kind) Read(b []byte, procs int) (Value, error) {
	x, rd := k.Fresh(), reader{b: b, procs: procs}
	rd.value(&k.Shape, unsafe.Pointer(x))
	if rd.err == nil && !bytes.Equal(k.Append(nil, x), b) { // too long, out of range or not in order
		return x, errOther
	}
	return x, rd.err
}

func (rd *reader) fail(err error) {
	if rd.err == nil {
		rd.err = err
	}
	rd.b = nil
}

func (rd *reader) value(s *Shape, value unsafe.Pointer) {
	for i := range s.runs {
		r := &s.runs[i]
		first := unsafe.Add(value, r.offset)
		for k := 0; k < r.count && rd.err == nil; k++ {
			rd.field(r, k, r.at(first, k))
		}
	}
}

func (rd *reader) field(r *run, k int, at unsafe.Pointer) {
	switch r.kind {
	case reflect.Struct:
		rd.value(r.elem, at)
	case reflect.Slice:
		rd.slice(r, at)
	case reflect.Map:
		rd.entries(r, at)
	case reflect.Pointer: // nil in all written values
	case reflect.String:
		n := rd.number()
		if n > uint64(len(rd.b)) {
			rd.fail(errString)
			return
		}
		*(*string)(at) = string(rd.b[:n])
		rd.b = rd.b[n:]
	default:
		x := rd.number()
		r.store(at, x)
		if t := r.bounded[k]; t != nil {
			rd.checkBound(x, t)
		}
	}
}

var procType, setType = reflect.TypeFor[protocol.Proc](), reflect.TypeFor[protocol.Set]()

// bounded returns t if some numbers are none of its values, or else nil.
func bounded(t reflect.Type) reflect.Type {
	if t.Kind() == reflect.Bool || t == procType || t == setType {
		return t
	}
	return nil
}

// checkBound fails if a number is no value of a type that bounded returns.
func (rd *reader) checkBound(x uint64, t reflect.Type) {
	switch {
	case t.Kind() == reflect.Bool && x > 1:
		rd.fail(errOther)
	case t == procType && x >= uint64(rd.procs), t == setType && x > uint64(protocol.All(rd.procs)):
		rd.fail(fmt.Errorf("not a message: %d is no %s of %d processes", x, t.Name(), rd.procs))
	}
}

// number reads a varint.
func (rd *reader) number() uint64 {
	if len(rd.b) > 0 && rd.b[0] < 0x80 {
		x := rd.b[0]
		rd.b = rd.b[1:]
		return uint64(x)
	}
	x, size := binary.Uvarint(rd.b)
	if size <= 0 {
		rd.fail(errNumber)
		return 0
	}
	rd.b = rd.b[size:]
	return x
}

// length reads a number of elements, which may be of an empty type.
func (rd *reader) length(empty bool) int {
	n, most := rd.number(), uint64(len(rd.b))+1 // each takes a byte, except the entry of a map of struct{}
	if empty {
		most = mostEmpty
	}
	if n > most {
		rd.fail(errElements)
		return 0
	}
	return int(n)
}

func (rd *reader) slice(r *run, at unsafe.Pointer) {
	n := rd.length(r.elem.size == 0)
	if n == 0 {
		return
	}
	first := reflect.MakeSlice(r.typ, n, n).UnsafePointer()
	*(*[]byte)(at) = unsafe.Slice((*byte)(first), n) // the layout of a header does not depend on its type
	for k := 0; k < n && rd.err == nil; k++ {
		rd.value(r.elem, unsafe.Add(first, uintptr(k)*r.elem.size))
	}
}

func (rd *reader) entries(r *run, at unsafe.Pointer) {
	n := rd.length(false)
	place := reflect.New(r.typ) // a copy of the header: the map itself would have to be on the heap
	m := place.Elem()
	m.Set(reflect.MakeMapWithSize(r.typ, n))
	for i := 0; i < n && rd.err == nil; i++ {
		key, elem := reflect.New(r.typ.Key()), reflect.New(r.typ.Elem())
		rd.value(r.key, key.UnsafePointer())
		rd.value(r.elem, elem.UnsafePointer())
		m.SetMapIndex(key.Elem(), elem.Elem())
	}
	*(*unsafe.Pointer)(at) = *(*unsafe.Pointer)(place.UnsafePointer())
}
