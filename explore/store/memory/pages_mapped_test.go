//go:build linux && (amd64 || arm64)

package memory

import (
	"slices"
	"syscall"
	"testing"
	"unsafe"
)

// TestPages: words are zero and can be written, from a few to several huge pages, to which
// they are aligned; longer they are the same, with zeros behind; what was free is no longer there.
func TestPages(t *testing.T) {
	for _, n := range []int{1, smallest/4 - 1, smallest / 4, 5000, hugePage/4 - 1, hugePage / 4,
		3*hugePage/4 + 17} {
		p, err := newPages(n)
		if err != nil {
			t.Fatal(err)
		}
		if len(p.Words) != n {
			t.Fatalf("%d words, want %d", len(p.Words), n)
		}
		for i, x := range p.Words {
			if x != 0 {
				t.Fatalf("%d words: word %d is %d", n, i, x)
			}
			p.Words[i] = uint32(i)
		}
		for i, x := range p.Words {
			if x != uint32(i) {
				t.Fatalf("%d words: word %d has changed to %d", n, i, x)
			}
		}
		if longer, err := p.extended(min(cap(p.Words), 2*n)); err != nil {
			t.Fatal(err)
		} else if mapped := 4*n >= smallest; mapped {
			if all := longer.Words; len(all) != 2*n || &all[0] != &p.Words[0] || all[n-1] != uint32(n-1) ||
				slices.Max(all[n:]) != 0 {
				t.Errorf("%d words: longer they are others", n)
			}
		}
		if mapped := 4*n >= smallest; mapped != (p.mapping != nil) {
			t.Errorf("%d words: outside the heap is %v", n, !mapped)
		}
		if at := uintptr(unsafe.Pointer(unsafe.SliceData(p.Words))); 4*n >= hugePage && at%hugePage != 0 {
			t.Errorf("%d words begin at %#x", n, at)
		}
		if err := p.free(); err != nil {
			t.Fatal(err)
		}
		if p.mapping != nil && syscall.Madvise(p.mapping, syscall.MADV_NORMAL) == nil {
			t.Errorf("%d words are still mapped", n)
		}
	}
}
