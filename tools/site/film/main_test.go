package main

import (
	"bytes"
	"os"
	"testing"
)

// TestFilm wants the README's picture to show what the program prints now.
func TestFilm(t *testing.T) {
	is, err := film()
	if err != nil {
		t.Fatal(err)
	}
	kept, err := os.ReadFile("../../../docs/demo.svg")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(is, kept) {
		t.Error("docs/demo.svg shows something else: cd tools/site && go run ./film ../../docs/demo.svg, " +
			"and look at it")
	}
}
