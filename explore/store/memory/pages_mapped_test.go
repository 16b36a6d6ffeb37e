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

// TestSideBySide: all words are zero and belong to one shard only; each piece is freed by itself. Pieces that
// differ, or are too small or too large to share huge pages, are refused.
func TestSideBySide(t *testing.T) {
	var words [Shards]int
	for _, n := range []int{0, hugePage/Shards/4 - 1024, hugePage/16 + 1} {
		for i := range words {
			words[i] = n
		}
		if SideBySide(&words) != nil {
			t.Errorf("%d words lie side by side", n)
		}
	}
	const n = hugePage/Shards + 16 // not whole pages
	for i := range words {
		words[i] = n
	}
	all := SideBySide(&words)
	if all == nil {
		t.Fatalf("%d words do not lie side by side", n)
	}
	if first := uintptr(unsafe.Pointer(unsafe.SliceData(all[0].Words))); first%hugePage != 0 {
		t.Errorf("they begin at %#x", first)
	}
	for i, p := range all {
		p.populate()
		if len(p.Words) != n || cap(p.Words) != n || slices.Max(p.Words) != 0 {
			t.Fatalf("shard %d has %d words, up to %d", i, len(p.Words), slices.Max(p.Words))
		}
		for k := range p.Words {
			p.Words[k] = uint32(i + 1)
		}
	}
	for i, p := range all {
		if slices.Min(p.Words) != uint32(i+1) || slices.Max(p.Words) != uint32(i+1) {
			t.Errorf("the words of shard %d have changed", i)
		}
		if err := p.free(); err != nil || syscall.Madvise(p.mapping, syscall.MADV_NORMAL) == nil {
			t.Errorf("shard %d is still mapped: %v", i, err)
		}
	}
	words[7]++
	if SideBySide(&words) != nil {
		t.Error("pieces of different sizes lie side by side")
	}
}
