package explore

import (
	"bytes"
	"os"
	"strconv"
)

// resident returns the bytes that the process has in memory now; 0 if unknown.
func resident() int64 {
	b, err := os.ReadFile("/proc/self/statm") // in pages: size, resident, ...; see proc(5)
	if err != nil {
		return 0
	}
	if fields := bytes.Fields(b); len(fields) > 1 {
		n, _ := strconv.ParseInt(string(fields[1]), 10, 64) // 0 if it is no number
		return n * int64(os.Getpagesize())
	}
	return 0
}
