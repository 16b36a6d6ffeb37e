package codec

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"reflect"
	"unsafe"

	"github.com/atmostk/atmostk/model/protocol"
)

// Bytes that come from elsewhere are read with care: what Append does not write is an error.

var (
	errNumber = errors.New("not a message: its bytes end within a number, or it is longer than it has " +
		"to be")
	errString   = errors.New("not a message: its bytes end within a string")
	errElements = errors.New("not a message: its bytes end within a slice or a map")
	errOrder    = errors.New("not a message: the keys of a map are not in order")
)

// mostEmpty is how many elements a slice may have that take no room.
const mostEmpty = 1 << 16

// A reader reads values of a model of some processes. After an error there is nothing left to read.
type reader struct {
	b     []byte
	procs int
	err   error
}

func (rd *reader) fail(err error) {
	if rd.err == nil {
		rd.err = err
	}
	rd.b = nil
}

// value sets a value to what comes next.
func (rd *reader) value(s *Shape, value unsafe.Pointer) {
	for i := range s.runs {
		r := &s.runs[i]
		first := unsafe.Add(value, r.offset)
		for k := 0; k < r.count && rd.err == nil; k++ {
			rd.field(r, k, r.at(first, k))
		}
	}
}

// field sets field k of a run.
func (rd *reader) field(r *run, k int, at unsafe.Pointer) {
	switch r.kind {
	case reflect.Struct:
		rd.value(r.elem, at)
	case reflect.Slice:
		rd.slice(r, at)
	case reflect.Map:
		rd.entries(r, at)
	case reflect.Pointer: // nil in what is written
	case reflect.String:
		n := rd.number()
		if n > uint64(len(rd.b)) {
			rd.fail(errString)
			return
		}
		*(*string)(at) = string(rd.b[:n])
		rd.b = rd.b[n:]
	case reflect.Float32:
		*(*float32)(at) = float32(rd.float(func(x float64) float64 { return float64(float32(x)) }))
	case reflect.Float64:
		*(*float64)(at) = rd.float(func(x float64) float64 { return x })
	case reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		rd.signed(r, k, at)
	default:
		rd.unsigned(r, k, at)
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
	if size <= 0 || rd.b[size-1] == 0 {
		rd.fail(errNumber)
		return 0
	}
	rd.b = rd.b[size:]
	return x
}

func (rd *reader) signed(r *run, k int, at unsafe.Pointer) {
	zigzag := rd.number()
	x, is := int64(zigzag>>1)^-int64(zigzag&1), int64(0)
	switch r.kind {
	case reflect.Int8:
		*(*int8)(at), is = int8(x), int64(int8(x))
	case reflect.Int16:
		*(*int16)(at), is = int16(x), int64(int16(x))
	case reflect.Int32:
		*(*int32)(at), is = int32(x), int64(int32(x))
	default:
		*(*int64)(at), is = x, x
	}
	if is != x {
		rd.fail(fmt.Errorf("not a message: %d is no %v", x, r.types[k]))
	}
}

func (rd *reader) unsigned(r *run, k int, at unsafe.Pointer) {
	x, is := rd.number(), uint64(0)
	switch r.kind {
	case reflect.Uint8:
		*(*uint8)(at), is = uint8(x), uint64(uint8(x))
	case reflect.Uint16:
		*(*uint16)(at), is = uint16(x), uint64(uint16(x))
	case reflect.Uint32:
		*(*uint32)(at), is = uint32(x), uint64(uint32(x))
	default:
		*(*uint64)(at), is = x, x
	}
	t := r.types[k]
	switch {
	case t.Kind() == reflect.Bool && x > 1:
		rd.fail(fmt.Errorf("not a message: %d is no bool", x))
	case is != x, t == reflect.TypeFor[protocol.Proc]() && x >= uint64(rd.procs),
		t == reflect.TypeFor[protocol.Set]() && x > uint64(protocol.All(rd.procs)):
		rd.fail(fmt.Errorf("not a message: %d is no %s of %d processes", x, t.Name(), rd.procs))
	}
}

// float reads a floating-point number, as a type can hold it.
func (rd *reader) float(held func(float64) float64) float64 {
	if len(rd.b) < 8 {
		rd.fail(errNumber)
		return 0
	}
	x := held(math.Float64frombits(binary.LittleEndian.Uint64(rd.b)))
	var again [8]byte
	if putFloat(again[:], 0, x); !bytes.Equal(again[:], rd.b[:8]) {
		rd.fail(errNumber)
		return 0
	}
	rd.b = rd.b[8:]
	return x
}

// length reads how many elements there are, of a type.
func (rd *reader) length(empty bool) int {
	n, most := rd.number(), uint64(len(rd.b))+1 // each takes a byte, but for the entry of a map of struct{}
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
	*(*[]byte)(at) = unsafe.Slice((*byte)(first), n) // all slices look alike
	for k := 0; k < n && rd.err == nil; k++ {
		rd.value(r.elem, unsafe.Add(first, uintptr(k)*r.elem.size))
	}
}

func (rd *reader) entries(r *run, at unsafe.Pointer) {
	n := rd.length(false)
	place := reflect.New(r.typ) // not at itself, which would have to be on the heap then
	m := place.Elem()
	m.Set(reflect.MakeMapWithSize(r.typ, n))
	var last []byte
	for i := 0; i < n && rd.err == nil; i++ {
		key, elem, before := reflect.New(r.typ.Key()), reflect.New(r.typ.Elem()), rd.b
		rd.value(r.key, key.UnsafePointer())
		this := before[:len(before)-len(rd.b)]
		if i > 0 && rd.err == nil && bytes.Compare(last, this) >= 0 {
			rd.fail(errOrder)
		}
		last = this
		rd.value(r.elem, elem.UnsafePointer())
		m.SetMapIndex(key.Elem(), elem.Elem())
	}
	*(*unsafe.Pointer)(at) = *(*unsafe.Pointer)(place.UnsafePointer())
}
