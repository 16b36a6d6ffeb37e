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

// A codecRun is a run of neighbouring fields of one kind, or of structs of one type.
type codecRun struct {
	kind   reflect.Kind
	offset uintptr
	count  int
	size   uintptr // of one of them

	of    []codecRun // of a struct
	zeros int        // bytes that a struct takes in which all is zero
}

// codecOf returns the codec of a type, which holds nothing but what shared allows.
func codecOf[T any]() (c codec[T]) {
	c.add(reflect.TypeFor[T](), 0)
	c.most = mostOf(c.runs)
	return c
}

// mostOf returns how many bytes runs take at most, without those of strings.
func mostOf(runs []codecRun) (most int) {
	for _, r := range runs {
		if r.kind == reflect.Struct {
			most += r.count * mostOf(r.of)
		} else {
			most += r.count * binary.MaxVarintLen64
		}
	}
	return most
}

// add adds what stands in a value of type t, which begins at an offset.
func (c *codec[T]) add(t reflect.Type, at uintptr) {
	switch t.Kind() {
	case reflect.Struct:
		for i := range t.NumField() {
			if f := t.Field(i); !ofStages(f.Type) {
				c.add(f.Type, at+f.Offset)
			}
		}
	case reflect.Array:
		if run, ok := structs(t, at); ok {
			c.runs = append(c.runs, run)
			return
		}
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
		run := codecRun{kind: sized(t), offset: at, count: 1, size: t.Size()}
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

// at returns where field k of a run stands, which begins at first.
func (r *codecRun) at(first unsafe.Pointer, k int) unsafe.Pointer {
	return unsafe.Add(first, uintptr(k)*r.size)
}

// structs returns the run of an array of structs that hold whole numbers only: where few of them are
// in use the others are written at once. To write timerfree's arrays of 16 field by field took 4% of the
// instructions of a search.
func structs(t reflect.Type, at uintptr) (r codecRun, ok bool) {
	if t.Elem().Kind() != reflect.Struct || t.Elem().Size() == 0 {
		return r, false
	}
	var elem codec[struct{}]
	elem.add(t.Elem(), 0)
	r = codecRun{kind: reflect.Struct, offset: at, count: t.Len(), size: t.Elem().Size(), of: elem.runs}
	for _, f := range elem.runs {
		switch f.kind {
		case reflect.Float32, reflect.Float64, reflect.String, reflect.Struct:
			return r, false
		}
		r.zeros += f.count
	}
	return r, true
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

// appendRuns appends what stands in runs of a value. It is called for each outcome of each memo key,
// and so does not append one by one.
func appendRuns(b []byte, runs []codecRun, most int, value unsafe.Pointer) []byte {
	n, b := len(b), grown(b, most)
	for i := range runs {
		r := &runs[i]
		at := unsafe.Add(value, r.offset)
		switch r.kind {
		case reflect.Struct:
			n = r.putStructs(b, n, at)
		case reflect.String:
			for k := range r.count {
				s := *(*string)(r.at(at, k))
				b = append(b[:put(b, n, uint64(len(s)))], s...)
				n, b = len(b), grown(b, most)
			}
		default:
			n = r.putNumbers(b, n, at)
		}
	}
	return b[:n]
}

// putStructs writes structs, which hold whole numbers, and returns where they end.
func (r *codecRun) putStructs(b []byte, n int, at unsafe.Pointer) (end int) {
	used := usedOf(at, r.count, r.size)
	for k := range used {
		for i := range r.of {
			n = r.of[i].putNumbers(b, n, unsafe.Add(r.at(at, k), r.of[i].offset))
		}
	}
	zeros := (r.count - used) * r.zeros
	clear(b[n : n+zeros])
	return n + zeros
}

// usedOf returns how many of the values at a place, of a size each, there are without those at the
// end of which all is zero. Most arrays have room for more processes than there are.
func usedOf(at unsafe.Pointer, count int, size uintptr) int {
	end := uintptr(count) * size
	for end >= 8 && *(*[8]byte)(unsafe.Add(at, end-8)) == [8]byte{} {
		end -= 8
	}
	return int((end + size - 1) / size)
}

// putNumbers writes numbers, and returns where they end.
func (r *codecRun) putNumbers(b []byte, n int, first unsafe.Pointer) (end int) {
	if r.kind == reflect.Uint8 && r.count > 1 {
		return putBytes(b, n, unsafe.Slice((*uint8)(first), r.count))
	}
	count := r.count
	if count >= manyNumbers && r.kind != reflect.Float32 && r.kind != reflect.Float64 {
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
		case reflect.Int64:
			n = put(b, n, zigzag(*(*int64)(at)))
		case reflect.Float32:
			n = putFloat(b, n, float64(*(*float32)(at)))
		default:
			n = putFloat(b, n, *(*float64)(at))
		}
	}
	clear(b[n : n+r.count-count])
	return n + r.count - count
}

// manyNumbers is how many numbers are worth the look whether those at the end are all 0.
const manyNumbers = 8

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
		b = r.readAll(b, at)
	}
	return x
}

// readAll sets all fields of a run, and returns the rest.
func (r *codecRun) readAll(b []byte, first unsafe.Pointer) (rest []byte) {
	if r.kind == reflect.Uint8 {
		return readSmall(b, unsafe.Slice((*uint8)(first), r.count))
	}
	for k := range r.count {
		at := r.at(first, k)
		if r.kind == reflect.Struct {
			for i := range r.of {
				b = r.of[i].readAll(b, unsafe.Add(at, r.of[i].offset))
			}
		} else {
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
