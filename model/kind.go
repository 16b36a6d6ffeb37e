package model

import (
	"fmt"
	"reflect"
	"slices"
	"unsafe"

	"github.com/cespare/xxhash/v2"

	"github.com/atmostk/atmostk/model/interp"
)

// A kind is what is to be known of local states, messages or histories whose type is erased.
type kind struct {
	shape
	typ    reflect.Type
	fresh  func() value         // a zero value
	assign func(to, from value) // as Go assigns: what is in slices and maps is shared then
	any    func(x value) any    // the value with its type, for those who print it
}

func kindOf[T any]() *kind {
	t := reflect.TypeFor[T]()
	k := &kind{
		typ:    t,
		fresh:  func() value { return value(unsafe.Pointer(new(T))) },
		assign: func(to, from value) { *(*T)(unsafe.Pointer(to)) = *(*T)(unsafe.Pointer(from)) },
		any:    func(x value) any { return *(*T)(unsafe.Pointer(x)) },
	}
	if noValue(t, "") == "" {
		k.shape = *shapeOf(t)
	}
	return k
}

// shownBy has values shown as a function says; nil: as they are.
func (k *kind) shownBy(show func(x any) any) *kind {
	if show != nil {
		own := k.any
		k.any = func(x value) any { return show(own(x)) }
	}
	return k
}

// Append appends the canonical bytes of a value.
func (k *kind) Append(b []byte, x value) []byte { return k.appendAt(b, unsafe.Pointer(x)) }

// value returns the value that has the given bytes, which Append has written. It shares nothing with any
// other. Its slices are nil where they are empty, and none of its maps is nil.
func (k *kind) value(b []byte) value {
	x := k.fresh()
	k.readAt(b, unsafe.Pointer(x))
	return x
}

// copyTo puts a copy of a value elsewhere, which shares nothing with it that could be changed.
func (k *kind) copyTo(to, x value) {
	if k.flat {
		k.assign(to, x)
		return
	}
	k.assign(to, k.value(k.Append(nil, x)))
}

// copied returns a copy of a value.
func (k *kind) copied(x value) value {
	to := k.fresh()
	k.copyTo(to, x)
	return to
}

// CopyTo puts a copy of a value elsewhere, or allocates it.
func (k *kind) CopyTo(to, x value) value {
	if to == nil {
		to = k.fresh()
	}
	k.copyTo(to, x)
	return to
}

// own is copied where a function that is given the value as it is could change what others see.
func (k *kind) own(x value) value {
	if k.flat {
		return x
	}
	return k.copied(x)
}

// Equal reports whether two values are equal: their bytes are.
func (k *kind) Equal(x, y value) bool { return x == y || k.equal(unsafe.Pointer(x), unsafe.Pointer(y)) }

// index returns where a message sent is in a list; -1: it is not.
func (k *kind) index(list []interp.Sent, x *interp.Sent) int {
	return slices.IndexFunc(list, func(y interp.Sent) bool { return x.To == y.To && k.Equal(x.M, y.M) })
}

// base of the polynomials by which hashes of parts are put together is odd.
const base = 0x9e3779b97f4a7c15

// Hash returns the hash of a value, and the room that it takes to write one, to be used again.
func (k *kind) Hash(room []byte, x value) (h uint64, used []byte) {
	if !k.flat {
		room = k.Append(room[:0], x)
		return xxhash.Sum64(room), room
	}
	at := unsafe.Pointer(x)
	for _, b := range k.plain {
		h = h*base + xxhash.Sum64(unsafe.Slice((*byte)(unsafe.Add(at, b.from)), b.to-b.from))
	}
	if k.rest != nil {
		if room = k.rest.appendAt(room[:0], at); len(room) > 0 {
			h = h*base + xxhash.Sum64(room)
		}
	}
	return h, room
}

// Read reads a value of a model of some processes from bytes that come from elsewhere.
func (k *kind) Read(b []byte, procs int) (value, error) {
	x := k.fresh()
	b, err := readValue(b, reflect.NewAt(k.typ, unsafe.Pointer(x)).Elem(), procs)
	if err == nil && len(b) > 0 {
		err = fmt.Errorf("not a message: %d bytes too many", len(b))
	}
	return x, err
}

// Text and Spell write a value, for persons and as Go does.
func (k *kind) Text(x value) string  { return fmt.Sprint(k.any(x)) }
func (k *kind) Spell(x value) string { return fmt.Sprintf("%#v", k.any(x)) }

// Size is how many bytes a value takes, without what its slices and maps hold.
func (k *kind) Size() int { return int(k.size) }
