package explore

import (
	"bytes"
	"strconv"
	"sync"
	"syscall"
)

// statm is the descriptor of the file with the memory of the process; negative if it cannot be opened.
// It stays open: opening it 60 times in a search of a third of a second took 1% of its processor time.
var statm = sync.OnceValue(func() int {
	fd, err := syscall.Open("/proc/self/statm", syscall.O_RDONLY|syscall.O_CLOEXEC, 0)
	if err != nil {
		return -1
	}
	return fd
})

// resident returns the resident memory of the process in bytes; 0 if unknown.
func resident() int64 {
	var b [128]byte // seven numbers
	n, err := syscall.Pread(statm(), b[:], 0)
	if err != nil {
		return 0
	}
	// In pages: size, resident, ...; see proc(5).
	if fields := bytes.Fields(b[:max(0, n)]); len(fields) > 1 {
		n, _ := strconv.ParseInt(string(fields[1]), 10, 64) // 0 if it is not a number
		return n * int64(syscall.Getpagesize())
	}
	return 0
}
