package codec

import (
	"unsafe"

	"github.com/cespare/xxhash/v2"
)

// An Index finds the number of a flat value by its bytes in memory. Values with the same bytes are equal.
// Equal values mostly have the same bytes; if not, the value is not found, and the canonical bytes decide.
// Writing the canonical bytes of each outcome and looking them up took 5% of the instructions of a search of
// timerfree.
type Index struct {
	cells []uint32 // 1 + a number, in the cell of its hash or behind it; 0: free
}

// Enter enters the last of values, whose number is its index.
func (t *Index) Enter(of *Kind, values []Value) {
	if 2*len(values) > len(t.cells) {
		t.cells = make([]uint32, max(16, 2*len(t.cells)))
		for i := range values {
			t.put(hashInMemory(of, values[i]), uint32(i))
		}
		return
	}
	last := len(values) - 1
	t.put(hashInMemory(of, values[last]), uint32(last))
}

func (t *Index) put(hash uint64, number uint32) {
	at := hash % uint64(len(t.cells))
	for t.cells[at] > 0 {
		at = (at + 1) % uint64(len(t.cells))
	}
	t.cells[at] = number + 1
}

// Find returns 1 + the number of a value among values; 0: not found.
func (t *Index) Find(of *Kind, values []Value, x Value) (known uint32) {
	if len(t.cells) == 0 {
		return 0
	}
	mask := uint64(len(t.cells) - 1)
	for at := hashInMemory(of, x) & mask; t.cells[at] > 0; at = (at + 1) & mask {
		known = t.cells[at]
		if int(known) <= len(values) &&
			equalBytes(unsafe.Pointer(values[known-1]), unsafe.Pointer(x), of.size) {
			return known
		}
	}
	return 0
}

func hashInMemory(of *Kind, x Value) uint64 {
	return xxhash.Sum64(unsafe.Slice((*byte)(unsafe.Pointer(x)), of.size))
}
