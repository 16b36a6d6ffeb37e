//go:build !linux || !(amd64 || arm64)

package memory

// Pages are words of the garbage-collected heap, on systems whose system calls, or their
// arguments, differ from pages_mapped.go.
type Pages struct{ Words []uint32 }

// newPages returns n zero words.
func newPages(n int) (Pages, error) { return Pages{make([]uint32, n)}, nil }

// SideBySide returns nil: there are no huge pages.
func SideBySide(*[Shards]int) *[Shards]Pages { return nil }

// extended returns the same words: there is no room behind them.
func (p Pages) extended(int) (Pages, error) { return p, nil }

func (Pages) populate() {}

// free leaves the words to the collector.
func (Pages) free() error { return nil }
