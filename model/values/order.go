package values

import (
	"cmp"
	"fmt"
	"reflect"
	"sync"
	"unsafe"
)

// An order is the order in which bags and sets keep the elements of a type: by the first of
// the numbers, strings and booleans in them that differs.
type order []leaf

// A leaf is a number, string or boolean in values of a type.
type leaf struct {
	offset uintptr
	kind   reflect.Kind
}

var orders sync.Map // from reflect.Type to order

// orderOf returns the order of E. It panics if the type has none.
func orderOf[E comparable]() order {
	t := reflect.TypeFor[E]()
	if o, known := orders.Load(t); known {
		return o.(order)
	}
	o := leavesOf(t, 0, nil)
	orders.Store(t, o)
	return o
}

// leavesOf appends the leaves of a type that begins at some offset.
func leavesOf(t reflect.Type, at uintptr, o order) order {
	switch t.Kind() {
	case reflect.Bool, reflect.String,
		reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return append(o, leaf{at, t.Kind()})
	case reflect.Array:
		for i := range t.Len() {
			o = leavesOf(t.Elem(), at+uintptr(i)*t.Elem().Size(), o)
		}
		return o
	case reflect.Struct:
		for i := range t.NumField() {
			if f := t.Field(i); f.Name != "_" {
				o = leavesOf(f.Type, at+f.Offset, o)
			}
		}
		return o
	}
	panic(fmt.Sprintf("values: a %v has no order, so a bag or a set cannot hold it", t))
}

// compare compares two elements of the type of the order: negative, 0 or positive.
func (o order) compare(a, b unsafe.Pointer) int {
	for _, l := range o {
		if c := l.compare(unsafe.Add(a, l.offset), unsafe.Add(b, l.offset)); c != 0 {
			return c
		}
	}
	return 0
}

func (l leaf) compare(a, b unsafe.Pointer) int {
	switch l.kind {
	case reflect.Bool, reflect.Uint8: // false is before true
		return compareAs[uint8](a, b)
	case reflect.Uint16:
		return compareAs[uint16](a, b)
	case reflect.Uint32:
		return compareAs[uint32](a, b)
	case reflect.Uint64:
		return compareAs[uint64](a, b)
	case reflect.Uint:
		return compareAs[uint](a, b)
	case reflect.Int8:
		return compareAs[int8](a, b)
	case reflect.Int16:
		return compareAs[int16](a, b)
	case reflect.Int32:
		return compareAs[int32](a, b)
	case reflect.Int64:
		return compareAs[int64](a, b)
	case reflect.Int:
		return compareAs[int](a, b)
	}
	return compareAs[string](a, b)
}

func compareAs[T cmp.Ordered](a, b unsafe.Pointer) int { return cmp.Compare(*(*T)(a), *(*T)(b)) }
