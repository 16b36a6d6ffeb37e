//go:build linux && (amd64 || arm64)

package memory

import (
	"syscall"
	"unsafe"
)

// hugePage is the size of a huge page. Large tables are aligned to it, so that
// random accesses miss the cache and not the TLB as well. On the virtual machine
// of the measurement the difference was within the noise.
const hugePage = 2 << 20

// Pages are words outside the garbage-collected heap. The visited set grows by
// replacing large arrays; in the heap, arrays that the collector has not freed yet
// would be half of the memory in use.
type Pages struct {
	Words   []uint32
	mapping []byte // the mapping that contains Words; nil: they are in the heap
}

// smallest is the least number of bytes for which memory outside the heap is worth two
// system calls.
const smallest = 16 << 10

// NewPages returns n zero words.
func NewPages(n int) (Pages, error) {
	size := 4 * n
	switch {
	case size < smallest:
		return Pages{Words: make([]uint32, n)}, nil
	case size < hugePage:
		return fewPages(n)
	}
	// room to align; untouched pages take no memory
	b, err := syscall.Mmap(-1, 0, size+hugePage, protection, private)
	if err != nil {
		return Pages{}, err
	}
	at := int(-uintptr(unsafe.Pointer(unsafe.SliceData(b))) & (hugePage - 1))
	aligned := b[at : at+size]
	// Advice only: if the system refuses it, the pages stay small.
	_ = syscall.Madvise(aligned, adviseHuge)
	return Pages{unsafe.Slice((*uint32)(unsafe.Pointer(unsafe.SliceData(aligned))), n), b}, nil
}

const (
	protection = syscall.PROT_READ | syscall.PROT_WRITE
	private    = syscall.MAP_ANON | syscall.MAP_PRIVATE

	// Constants that package syscall lacks.
	adviseHuge     = 14 // MADV_HUGEPAGE
	advisePopulate = 23 // MADV_POPULATE_WRITE, since Linux 5.14
)

// fewPages returns words that take less than a huge page. It hides the system call from the
// runtime, which takes a call of more than 20 microseconds for blocked and wakes another
// thread, although that thread has nothing to do: 3% of the CPU time of lamport-mutex.
func fewPages(n int) (Pages, error) {
	at, _, errno := syscall.RawSyscall6(syscall.SYS_MMAP, 0, uintptr(4*n), protection, private, ^uintptr(0),
		0)
	if errno != 0 {
		return Pages{}, errno
	}
	first := *(*unsafe.Pointer)(unsafe.Pointer(&at)) // a conversion that vet accepts: not in the heap
	return Pages{unsafe.Slice((*uint32)(first), n), unsafe.Slice((*byte)(first), 4*n)}, nil
}

// populate brings the words into memory, if they take less than a huge page: one call instead of
// a fault for each page. A growing set populates its tables one after the other: all new tables
// at once would be in memory beside all the old ones.
func (p Pages) populate() {
	if p.mapping != nil && len(p.mapping) < hugePage {
		// On older systems, which refuse it, pages come when they are used.
		_, _, _ = syscall.RawSyscall(syscall.SYS_MADVISE,
			uintptr(unsafe.Pointer(unsafe.SliceData(p.mapping))),
			uintptr(len(p.mapping)), advisePopulate)
	}
}

// Free returns the words to the system.
func (p Pages) Free() error {
	switch {
	case p.mapping == nil:
		return nil
	case len(p.mapping) >= hugePage:
		return syscall.Munmap(p.mapping)
	}
	_, _, errno := syscall.RawSyscall(syscall.SYS_MUNMAP,
		uintptr(unsafe.Pointer(unsafe.SliceData(p.mapping))), uintptr(len(p.mapping)), 0)
	if errno != 0 {
		return errno
	}
	return nil
}
