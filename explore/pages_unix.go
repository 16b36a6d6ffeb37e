//go:build unix

package explore

import (
	"syscall"
	"unsafe"
)

// newPages returns n zero words outside the garbage-collected heap: the visited
// set grows by replacing large arrays, and what the collector has not yet freed
// of them would be half of the memory in use.
func newPages(n int) ([]uint32, error) {
	b, err := syscall.Mmap(-1, 0, 4*n, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE|syscall.MAP_POPULATE)
	if err != nil {
		return nil, err
	}
	return unsafe.Slice((*uint32)(unsafe.Pointer(unsafe.SliceData(b))), n), nil
}

// freePages gives back what newPages returned.
func freePages(p []uint32) error {
	if p == nil {
		return nil
	}
	return syscall.Munmap(unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(p))), 4*len(p)))
}
