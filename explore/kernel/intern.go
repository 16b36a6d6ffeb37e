package kernel

import "unsafe"

// interned gives the numbers 0, 1, 2, .. to distinct strings of bytes, in the order in which
// they are first met. To look up one that is known costs no allocation.
type interned struct {
	values []string // by number
	index  map[string]uint32
	size   int // bytes of all values
}

// find returns the number of a value, if it has one.
func (t *interned) find(value []byte) (id uint32, known bool) {
	id, known = t.index[string(value)]
	return id, known
}

// add gives a number to a value that has none.
func (t *interned) add(value []byte) (id uint32) {
	if t.index == nil {
		t.index = map[string]uint32{}
	}
	id = uint32(len(t.values))
	kept := string(value)
	t.values, t.index[kept] = append(t.values, kept), id
	t.size += len(kept)
	return id
}

// bytes returns the memory held.
func (t *interned) bytes() int {
	const entry = 56 // of a Go map, the header of the key and that in values included
	return t.size + len(t.values)*entry
}

// listed gives out numbers to distinct lists of numbers in the same way, as strings of their bytes.
type listed struct {
	interned
	key []byte // of the list that is looked up
}

// skip gives out a number to no list.
func (t *listed) skip() { t.values = append(t.values, "") }

// find returns the number of a list, if it has one.
func (t *listed) find(list []uint32) (id uint32, known bool) {
	t.key = append(t.key[:0], unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(list))), 4*len(list))...)
	return t.interned.find(t.key)
}

// of returns the number of a list, and whether it is new.
func (t *listed) of(list []uint32) (id uint32, isNew bool) {
	if id, known := t.find(list); known {
		return id, false
	}
	return t.add(t.key), true
}

// at returns a list, which is not to be changed.
func (t *listed) at(id uint32) []uint32 {
	b := t.values[id]
	return unsafe.Slice((*uint32)(unsafe.Pointer(unsafe.StringData(b))), len(b)/4)
}
