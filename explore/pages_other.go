//go:build !linux

package explore

// pages are words of the garbage-collected heap; Linux does better.
type pages struct{ words []uint32 }

// newPages returns n zero words.
func newPages(n int) (pages, error) { return pages{make([]uint32, n)}, nil }

// free leaves the words to the collector.
func (pages) free() error { return nil }
