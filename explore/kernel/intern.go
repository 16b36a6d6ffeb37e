package kernel

import (
	"unsafe"

	"github.com/cespare/xxhash/v2"

	"github.com/atmostk/atmostk/model/protocol"
)

// numbers gives out the numbers 0, 1, 2, .. to distinct values, in the order in which they are first met.
type numbers[T comparable] struct {
	protocol.Index
	values []T // by number
}

// of returns the number of a value, which may be new, with a hash of it.
func (t *numbers[T]) of(x T, of hash) (id uint32) {
	short := uint32(of >> 32)
	id, known := t.Find(short, func(id uint32) bool { return t.values[id] == x })
	if !known {
		id = uint32(len(t.values))
		t.Add(short, id)
		t.values = append(t.values, x)
	}
	return id
}

// interned numbers strings of bytes. To look up one that is known costs no allocation.
type interned struct {
	protocol.Index
	values []string // by number
	size   int      // bytes of all values
}

// find returns the number of a value, if it has one.
func (t *interned) find(value []byte) (id uint32, known bool) {
	return t.Find(uint32(xxhash.Sum64(value)), func(id uint32) bool { return t.values[id] == string(value) })
}

// add gives a number to a value that has none.
func (t *interned) add(value []byte) (id uint32) {
	id = uint32(len(t.values))
	t.Add(uint32(xxhash.Sum64(value)), id)
	t.values, t.size = append(t.values, string(value)), t.size+len(value)
	return id
}

// bytes returns the memory held.
func (t *interned) bytes() int { return t.size + 16*len(t.values) + t.Bytes() }

// listed numbers lists of numbers, as strings of their bytes.
type listed struct{ interned }

// find returns the number of a list, if it has one.
func (t *listed) find(list []uint32) (id uint32, known bool) { return t.interned.find(bytesOf(list)) }

// of returns the number of a list, which may be new.
func (t *listed) of(list []uint32) (id uint32) {
	if id, known := t.find(list); known {
		return id
	}
	return t.add(bytesOf(list))
}

// bytesOf returns the memory of a list.
func bytesOf(list []uint32) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(list))), 4*len(list))
}

// at returns a list, which is not to be changed.
func (t *listed) at(id uint32) []uint32 {
	b := t.values[id]
	return unsafe.Slice((*uint32)(unsafe.Pointer(unsafe.StringData(b))), len(b)/4)
}
