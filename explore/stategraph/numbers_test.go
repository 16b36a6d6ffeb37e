package stategraph

import "testing"

// TestNumbers: a list of numbers that no longer fit 16 bits keeps those that it has.
func TestNumbers(t *testing.T) {
	var l packed
	xs := []uint32{0, 1, 65_535, 65_536, 1<<32 - 1, 2}
	for i := range xs {
		if grown := l.outgrown(xs[i : i+1]); grown != (i == 3) {
			t.Fatalf("outgrown by %d: %v", xs[i], grown)
		} else if grown {
			l.widen(0)
		}
		l.add(xs[i : i+1])
		for k, want := range xs[:i+1] {
			if got := l.at(uint32(k)); got != want {
				t.Fatalf("number %d is %d, want %d", k, got, want)
			}
		}
	}
}
