//go:build !linux || !(amd64 || arm64)

package explore

// pages are words of the garbage-collected heap, where the system calls are others, or have
// other arguments.
type pages struct{ words []uint32 }

// newPages returns n zero words.
func newPages(n int) (pages, error) { return pages{make([]uint32, n)}, nil }

// populate has nothing to do.
func (pages) populate() {}

// free leaves the words to the collector.
func (pages) free() error { return nil }
