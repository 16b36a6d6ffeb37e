//go:build linux && (amd64 || arm64)

package memory

import (
	"slices"
	"syscall"
	"unsafe"
)

// hugePage is the size of a huge page. Tables are aligned to it, so that random accesses to large ones miss
// the cache and not the TLB as well.
const hugePage = 2 << 20

// Pages are words outside the garbage-collected heap: arrays that the collector has not freed yet would be
// half of the memory in use.
type Pages struct {
	Words   []uint32 // they can be extended to their capacity
	mapping []byte   // the mapping that contains Words; nil: they are in the heap
}

const (
	// smallest is the least number of bytes for which memory outside the heap is worth two system calls.
	smallest = 16 << 10
	// reserve is how often its words fit into the addresses that a mapping takes.
	reserve = 4

	private = syscall.MAP_ANON | syscall.MAP_PRIVATE

	// Constants that package syscall lacks.
	adviseHuge     = 14 // MADV_HUGEPAGE
	advisePopulate = 23 // MADV_POPULATE_WRITE, since Linux 5.14
)

// newPages returns n zero words. Its system calls are hidden from the runtime, which takes a call of more
// than 20 microseconds for blocked and wakes another thread, although that thread has nothing to do: 3% of
// the CPU time of lamport-mutex.
func newPages(n int) (Pages, error) {
	size := uintptr(4 * n)
	if size < smallest {
		return Pages{Words: make([]uint32, n)}, nil
	}
	addresses := reserve * size
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_AS, &limit); err != nil || limit.Cur < 1<<62 {
		addresses = size // what is reserved would be missing elsewhere
	}
	// Addresses that nobody may use yet take no memory. Some more are for the alignment.
	addresses += hugePage
	at, _, errno := syscall.RawSyscall6(syscall.SYS_MMAP, 0, addresses, syscall.PROT_NONE, private,
		^uintptr(0), 0)
	if errno != 0 {
		return Pages{}, errno
	}
	first := *(*unsafe.Pointer)(unsafe.Pointer(&at)) // a conversion that vet accepts: not in the heap
	b := unsafe.Slice((*byte)(first), addresses)
	aligned := b[-at&(hugePage-1):]
	p := Pages{unsafe.Slice((*uint32)(unsafe.Pointer(unsafe.SliceData(aligned))), len(aligned)/4)[:0], b}
	longer, err := p.extended(n)
	if err != nil {
		_ = p.free() // no error: it was just mapped
	}
	return longer, err
}

// SideBySide returns so many zero words for each shard, in one piece: it lies in huge pages, although its
// parts are smaller. That saves 4% of the time of lamport-mutex n=3. nil: the parts differ, are too small, or
// so large that tables should grow in place, or the system refuses.
func SideBySide(words *[Shards]int) *[Shards]Pages {
	const page = 4 << 10
	size := (uintptr(4*words[0]) + page - 1) &^ (page - 1)
	all := Shards * size
	if slices.Min(words[:]) != slices.Max(words[:]) || size > hugePage/4 || all < hugePage {
		return nil
	}
	at, _, errno := syscall.RawSyscall6(syscall.SYS_MMAP, 0, all+hugePage,
		syscall.PROT_READ|syscall.PROT_WRITE, private, ^uintptr(0), 0)
	if errno != 0 {
		return nil
	}
	first := *(*unsafe.Pointer)(unsafe.Pointer(&at)) // as in newPages
	b, before := unsafe.Slice((*byte)(first), all+hugePage), -at&(hugePage-1)
	_ = Pages{mapping: b[:before]}.free() // no error: it was just mapped
	_ = Pages{mapping: b[before+all:]}.free()
	_, _, _ = syscall.RawSyscall(syscall.SYS_MADVISE, at+before, all, adviseHuge) // advice only
	var shards [Shards]Pages
	for i := range shards {
		part := b[before+uintptr(i)*size:][:size]
		shards[i] = Pages{unsafe.Slice((*uint32)(unsafe.Pointer(unsafe.SliceData(part))), words[0]), part}
	}
	return &shards
}

// extended returns the same words and zero words behind them, n in all, which may not exceed the capacity.
func (p Pages) extended(n int) (Pages, error) {
	p.Words = p.Words[:n]
	if size := 4 * n; size >= smallest {
		_, _, errno := syscall.RawSyscall(syscall.SYS_MPROTECT, p.first(), uintptr(size),
			syscall.PROT_READ|syscall.PROT_WRITE)
		if errno != 0 {
			return p, errno
		}
		if size >= hugePage {
			// Advice only: if the system refuses it, the pages stay small.
			_, _, _ = syscall.RawSyscall(syscall.SYS_MADVISE, p.first(), uintptr(size), adviseHuge)
		}
	}
	return p, nil
}

func (p Pages) first() uintptr { return uintptr(unsafe.Pointer(unsafe.SliceData(p.Words))) }

// populate brings the words into memory: one call instead of a fault for each page. A growing set populates
// its tables one after the other: all new tables at once would be in memory beside all the old ones.
func (p Pages) populate() {
	if p.mapping != nil {
		// On older systems, which refuse it, pages come when they are used.
		_, _, _ = syscall.RawSyscall(syscall.SYS_MADVISE, p.first(), uintptr(4*len(p.Words)), advisePopulate)
	}
}

// free returns the words to the system.
func (p Pages) free() error {
	if len(p.mapping) == 0 {
		return nil
	}
	_, _, errno := syscall.RawSyscall(syscall.SYS_MUNMAP,
		uintptr(unsafe.Pointer(unsafe.SliceData(p.mapping))), uintptr(len(p.mapping)), 0)
	if errno != 0 {
		return errno
	}
	return nil
}
