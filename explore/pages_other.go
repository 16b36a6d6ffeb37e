//go:build !unix

package explore

// newPages returns n zero words; without mmap they are the collector's.
func newPages(n int) ([]uint32, error) { return make([]uint32, n), nil }

// freePages leaves the words to the collector.
func freePages([]uint32) error { return nil }
