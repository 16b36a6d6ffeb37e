package traces_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/atmostk/atmostk/traces"
)

// TestFileReplacesAnOlderOne writes a file over an older one, and reads it back.
func TestFileReplacesAnOlderOne(t *testing.T) {
	run := naive.runs(t)[0].run
	name := filepath.Join(t.TempDir(), "trace.ndjson")
	if err := os.WriteFile(name, []byte("something older"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := traces.WriteFile(name, run.Trace); err != nil {
		t.Fatal(err)
	}
	tr, err := traces.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if written(t, tr) != written(t, run.Trace) {
		t.Error("another trace was read")
	}
	if left, err := os.ReadDir(filepath.Dir(name)); err != nil || len(left) != 1 {
		t.Errorf("files left behind: %v %v", left, err)
	}
}

// TestErrorNamesTheFile names the file.
func TestErrorNamesTheFile(t *testing.T) {
	run := naive.runs(t)[0].run
	name := filepath.Join(t.TempDir(), "no such folder", "trace")
	if err := traces.WriteFile(name, run.Trace); err == nil || !strings.Contains(err.Error(),
		"no such folder") {
		t.Errorf("writing: %v", err)
	}
	if _, err := traces.ReadFile(name); err == nil || !strings.Contains(err.Error(), "no such folder") {
		t.Errorf("reading: %v", err)
	}
}

// TestDeviceIsNotReplaced writes to a thing that is no file, and does not put one in its place.
func TestDeviceIsNotReplaced(t *testing.T) {
	name := filepath.Join(t.TempDir(), "device")
	if err := os.Symlink(os.DevNull, name); err != nil {
		t.Skip(err)
	}
	if err := traces.WriteFile(name, naive.runs(t)[0].run.Trace); err != nil {
		t.Fatal(err)
	}
	if fi, err := os.Stat(name); err != nil || fi.Mode().IsRegular() {
		t.Errorf("there is a file now")
	}
}
