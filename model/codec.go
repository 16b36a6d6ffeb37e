package model

import (
	"encoding/binary"
	"math"
	"reflect"
	"slices"
	"unsafe"
)

// The canonical bytes of a value are its fields in their order: each integer as a varint, a bool
// as 0 or 1, each string behind its length, floating-point numbers in eight bytes. They are equal
// if and only if the values are, on every machine. Messages travel between operating-system processes
// so, too; both ends are the same program, so nothing says which type it is.

// A codec writes and reads the values of a type, as a list of what stands where in them.
type codec[T any] struct {
	runs []codecRun
	most int // bytes that they take, without those of strings
}

// A codecRun is a run of neighbouring fields of one kind.
type codecRun struct {
	kind   reflect.Kind
	offset uintptr
	count  int
	size   uintptr // of one of them
}

// codecOf returns the codec of a type, which holds nothing but what shared allows.
func codecOf[T any]() (c codec[T]) {
	c.add(reflect.TypeFor[T](), 0)
	for _, r := range c.runs {
		c.most += r.count * binary.MaxVarintLen64
	}
	return c
}

// add adds what stands in a value of type t, which begins at an offset.
func (c *codec[T]) add(t reflect.Type, at uintptr) {
	switch t.Kind() {
	case reflect.Struct:
		for i := range t.NumField() {
			c.add(t.Field(i).Type, at+t.Field(i).Offset)
		}
	case reflect.Array:
		for i := range t.Len() {
			c.add(t.Elem(), at+uintptr(i)*t.Elem().Size())
		}
	case reflect.Complex64, reflect.Complex128:
		half := reflect.TypeFor[float32]()
		if t.Kind() == reflect.Complex128 {
			half = reflect.TypeFor[float64]()
		}
		c.add(half, at)
		c.add(half, at+half.Size())
	default:
		run := codecRun{sized(t), at, 1, t.Size()}
		if n := len(c.runs); n > 0 {
			last := &c.runs[n-1]
			if last.kind == run.kind && last.offset+uintptr(last.count)*last.size == at {
				last.count++
				return
			}
		}
		c.runs = append(c.runs, run)
	}
}

// sized returns the kind of a type, where those that are written alike are one: a bool is a number, and
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

// append appends the bytes of a value.
func (c *codec[T]) append(b []byte, x *T) []byte {
	return appendRuns(b, c.runs, c.most, unsafe.Pointer(x))
}

// appendRuns appends what stands in runs of a value. It is called for each outcome of each situation,
// and so does not append one by one.
func appendRuns(b []byte, runs []codecRun, most int, value unsafe.Pointer) []byte {
	n, b := len(b), grown(b, most)
	for i := range runs {
		r := &runs[i]
		at := unsafe.Add(value, r.offset)
		if r.kind == reflect.Uint8 && r.count > 1 {
			n = putBytes(b, n, unsafe.Slice((*uint8)(at), r.count))
			continue
		}
		for range r.count {
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
			case reflect.Int64:
				n = put(b, n, zigzag(*(*int64)(at)))
			case reflect.Float32:
				n = putFloat(b, n, float64(*(*float32)(at)))
			case reflect.Float64:
				n = putFloat(b, n, *(*float64)(at))
			default:
				s := *(*string)(at)
				b = append(b[:put(b, n, uint64(len(s)))], s...)
				n, b = len(b), grown(b, most)
			}
			at = unsafe.Add(at, r.size)
		}
	}
	return b[:n]
}

// grown returns b with room for so many more bytes, all of it.
func grown(b []byte, more int) []byte {
	if cap(b)-len(b) < more {
		b = slices.Grow(b, more)
	}
	return b[:cap(b)]
}

// put writes a varint, of which most are a byte, and returns where it ends.
func put(b []byte, n int, x uint64) (end int) {
	if x < 0x80 {
		b[n] = byte(x)
		return n + 1
	}
	return n + binary.PutUvarint(b[n:], x)
}

// zigzag is the unsigned number that stands for a signed one in varints.
func zigzag(x int64) uint64 { return uint64(x)<<1 ^ uint64(x>>63) }

func putFloat(b []byte, n int, x float64) (end int) {
	binary.LittleEndian.PutUint64(b[n:], math.Float64bits(x+0)) // -0 equals 0
	return n + 8
}

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

// value returns the value that has the given bytes, which append has written.
func (c *codec[T]) value(b []byte) (x T) {
	for i := range c.runs {
		r := &c.runs[i]
		at := unsafe.Add(unsafe.Pointer(&x), r.offset)
		if r.kind == reflect.Uint8 {
			b = readSmall(b, unsafe.Slice((*uint8)(at), r.count))
			continue
		}
		for range r.count {
			b = r.read(b, at)
			at = unsafe.Add(at, r.size)
		}
	}
	return x
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
