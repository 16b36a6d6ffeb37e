package explore

import (
	"syscall"
	"unsafe"
)

// hugePage is the size of a huge page. Large tables are aligned to it, so that
// their random accesses need not miss the TLB as well as the cache. In the virtual
// machine where it was measured the difference was within the noise.
const hugePage = 2 << 20

// pages are words outside the garbage-collected heap: the visited set grows by
// replacing large arrays, and what the collector has not yet freed of them would
// be half of the memory in use.
type pages struct {
	words   []uint32
	mapping []byte // what words lie in
}

// smallest is from how many bytes on it is worth two system calls to have words outside
// the heap.
const smallest = 16 << 10

// newPages returns n zero words.
func newPages(n int) (pages, error) {
	size, flags := 4*n, syscall.MAP_ANON|syscall.MAP_PRIVATE
	if size < smallest {
		return pages{words: make([]uint32, n)}, nil
	}
	reserve := size
	if size >= hugePage {
		reserve += hugePage // room to align; what is never touched takes no memory
	} else {
		flags |= syscall.MAP_POPULATE // one fault instead of one for each page
	}
	b, err := syscall.Mmap(-1, 0, reserve, syscall.PROT_READ|syscall.PROT_WRITE, flags)
	if err != nil {
		return pages{}, err
	}
	p := pages{mapping: b}
	if size >= hugePage {
		at := int(-uintptr(unsafe.Pointer(unsafe.SliceData(b))) & (hugePage - 1))
		b = b[at : at+size]
		// Advice only: where it is refused the pages stay small.
		_ = syscall.Madvise(b, adviseHuge)
	}
	p.words = unsafe.Slice((*uint32)(unsafe.Pointer(unsafe.SliceData(b))), n)
	return p, nil
}

const adviseHuge = 14 // MADV_HUGEPAGE, which package syscall does not name

// free gives the words back.
func (p pages) free() error {
	if p.mapping == nil {
		return nil
	}
	return syscall.Munmap(p.mapping)
}
