//go:build !linux || !(amd64 || arm64)

package memory

// Pages are words of the garbage-collected heap, on systems whose system calls, or their
// arguments, differ from pages_mapped.go.
type Pages struct{ Words []uint32 }

// NewPages returns n zero words.
func NewPages(n int) (Pages, error) { return Pages{make([]uint32, n)}, nil }

func (Pages) populate() {}

// Free leaves the words to the collector.
func (Pages) Free() error { return nil }
