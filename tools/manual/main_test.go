package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/atmostk/atmostk/cmd"
)

// TestWrite writes a manual twice: the pages are the same whenever they are made, and have the
// program's own name.
func TestWrite(t *testing.T) {
	t.Setenv("SOURCE_DATE_EPOCH", "1767225600")
	p := cmd.Program{Name: "ringcheck"}
	one, two := t.TempDir(), filepath.Join(t.TempDir(), "deep")
	for _, dir := range []string{one, two} {
		if err := write(p, dir, "1.2.3"); err != nil {
			t.Fatal(err)
		}
	}
	for file, wants := range map[string][]string{
		"man1/ringcheck.1":                {`.TH "RINGCHECK" "1" "Jan 2026" "ringcheck 1.2.3"`},
		"man1/ringcheck-check.1":          {"keep-going", "Explores all reachable states"},
		"man1/ringcheck-completion-zsh.1": nil,
		"completions/ringcheck.bash":      {"complete -o", "ringcheck"},
		"completions/_ringcheck":          {"#compdef ringcheck"},
		"completions/ringcheck.fish":      {"complete -c ringcheck"},
		"completions/ringcheck.ps1":       {"Register-ArgumentCompleter"},
	} {
		first, err := os.ReadFile(filepath.Join(one, file))
		if err != nil {
			t.Error(err)
			continue
		}
		second, err := os.ReadFile(filepath.Join(two, file))
		if err != nil || !bytes.Equal(first, second) {
			t.Errorf("%s is another one the second time (%v)", file, err)
		}
		for _, want := range wants {
			if !bytes.Contains(first, []byte(want)) {
				t.Errorf("%s lacks %q", file, want)
			}
		}
	}
	if err := write(p, filepath.Join(one, "man1", "ringcheck.1"), "1.2.3"); err == nil {
		t.Error("it was written into a file")
	}
}
