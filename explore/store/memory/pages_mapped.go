//go:build linux && (amd64 || arm64)

package memory

import (
	"syscall"
	"unsafe"
)

// hugePage is the size of a huge page. Large tables are aligned to it, so that
// their random accesses need not miss the TLB as well as the cache. In the virtual
// machine where it was measured the difference was within the noise.
const hugePage = 2 << 20

// Pages are words outside the garbage-collected heap: the visited set grows by
// replacing large arrays, and what the collector has not yet freed of them would
// be half of the memory in use.
type Pages struct {
	Words   []uint32
	mapping []byte // what words lie in
}

// smallest is from how many bytes on it is worth two system calls to have words outside
// the heap.
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
	// Advice only: where it is refused the pages stay small.
	_ = syscall.Madvise(aligned, adviseHuge)
	return Pages{unsafe.Slice((*uint32)(unsafe.Pointer(unsafe.SliceData(aligned))), n), b}, nil
}

const (
	protection = syscall.PROT_READ | syscall.PROT_WRITE
	private    = syscall.MAP_ANON | syscall.MAP_PRIVATE

	// What package syscall does not name.
	adviseHuge     = 14 // MADV_HUGEPAGE
	advisePopulate = 23 // MADV_POPULATE_WRITE, since Linux 5.14
)

// fewPages returns words that take less than a huge page. The runtime does not see the
// system calls, since it takes calls of more than 20 microseconds for blocked and wakes
// another thread to go on, which there is nothing to do for: 3% of the CPU time of
// lamport-mutex.
func fewPages(n int) (Pages, error) {
	at, _, errno := syscall.RawSyscall6(syscall.SYS_MMAP, 0, uintptr(4*n), protection, private, ^uintptr(0),
		0)
	if errno != 0 {
		return Pages{}, errno
	}
	first := *(*unsafe.Pointer)(unsafe.Pointer(&at)) // not an address in the heap, as vet would suspect
	return Pages{unsafe.Slice((*uint32)(first), n), unsafe.Slice((*byte)(first), 4*n)}, nil
}

// populate has the words in memory, if they take less than a huge page: one call instead of a
// fault for each page. It is not done for all tables at once when they grow, because then they
// would be in memory beside all the old ones.
func (p Pages) populate() {
	if p.mapping != nil && len(p.mapping) < hugePage {
		// Where it is not known, the pages come when they are used.
		_, _, _ = syscall.RawSyscall(syscall.SYS_MADVISE,
			uintptr(unsafe.Pointer(unsafe.SliceData(p.mapping))),
			uintptr(len(p.mapping)), advisePopulate)
	}
}

// Free gives the words back.
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
