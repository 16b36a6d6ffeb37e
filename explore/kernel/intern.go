package kernel

import (
	"unsafe"

	"github.com/cespare/xxhash/v2"
)

// numbers gives out the numbers 0, 1, 2, .. to distinct values, in the order in which they are first met.
type numbers[T comparable] struct {
	values []T // by number
	index  map[T]uint32
}

// of returns the number of a value, which may be new.
func (t *numbers[T]) of(x T) (id uint32) {
	id, known := t.index[x]
	if !known {
		if t.index == nil {
			t.index = map[T]uint32{}
		}
		id = uint32(len(t.values))
		t.values, t.index[x] = append(t.values, x), id
	}
	return id
}

// interned numbers strings of bytes. To look up one that is known costs no allocation. It has a table of its
// own: Go's maps took 4.5% of the time of a search of lamport-mutex n=3.
type interned struct {
	values []string // by number
	table  []hashed // linear probing; the length is a power of two, and more than there are values
	size   int      // bytes of all values
}

// hashed is a value in the table, as its hash and 1 + its number; 0, 0: none.
type hashed struct{ hash, number uint32 }

// find returns the number of a value, if it has one.
func (t *interned) find(value []byte) (id uint32, known bool) {
	if len(t.table) == 0 {
		return 0, false
	}
	hash := uint32(xxhash.Sum64(value))
	for at := hash; ; at++ {
		x := t.table[at&uint32(len(t.table)-1)]
		if x.number == 0 {
			return 0, false
		}
		if x.hash == hash && t.values[x.number-1] == string(value) {
			return x.number - 1, true
		}
	}
}

// add gives a number to a value that has none.
func (t *interned) add(value []byte) (id uint32) {
	if old := t.table; 4*len(t.values) >= 3*len(old) {
		t.table = make([]hashed, max(8, 2*len(old)))
		for _, x := range old {
			t.enter(x)
		}
	}
	t.values, t.size = append(t.values, string(value)), t.size+len(value)
	t.enter(hashed{uint32(xxhash.Sum64(value)), uint32(len(t.values))})
	return uint32(len(t.values) - 1)
}

func (t *interned) enter(x hashed) {
	at := x.hash & uint32(len(t.table)-1)
	for t.table[at].number > 0 {
		at = (at + 1) & uint32(len(t.table)-1)
	}
	t.table[at] = x
}

// bytes returns the memory held.
func (t *interned) bytes() int { return t.size + 16*len(t.values) + 8*len(t.table) }

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
