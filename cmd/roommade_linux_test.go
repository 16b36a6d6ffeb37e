package cmd_test

import (
	"errors"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestRoomMade searches in a file system that has no room for all of it: the program says so, with exit code
// 74. With room made, it goes on from where it was, to the report of a search that always had room. It takes
// the right to mount one, and belongs to the sweep.
func TestRoomMade(t *testing.T) {
	if !sweep {
		t.Skip("it mounts a file system")
	}
	at := t.TempDir()
	if err := syscall.Mount("tmpfs", at, "tmpfs", 0, "size=5m"); err != nil {
		t.Skipf("a file system cannot be mounted here: %v", err)
	}
	t.Cleanup(func() { _ = syscall.Unmount(at, 0) })
	dir := filepath.Join(at, "search")
	begin := []string{"check", "2pc", "n=7", "--progress=0"}
	elsewhere := "--store=disk=" + filepath.Join(t.TempDir(), "search")
	want, err := exec.Command("atmostk", append(begin, elsewhere)...).Output()
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command("atmostk", append(begin, "--store=disk="+dir)...)
	var said strings.Builder
	c.Stderr = &said
	if code := exitCode(c.Run()); code != 74 || !strings.Contains(said.String(), "no space left") {
		t.Fatalf("exit code %d, want 74: %s", code, said.String())
	}
	t.Log(said.String())
	resume := []string{"check", "--resume", dir, "--progress=0"}
	if code := exitCode(exec.Command("atmostk", resume...).Run()); code != 74 {
		t.Errorf("exit code %d without room made, want 74", code)
	}
	if err := syscall.Mount("tmpfs", at, "tmpfs", syscall.MS_REMOUNT, "size=200m"); err != nil {
		t.Fatal(err)
	}
	got, err := exec.Command("atmostk", resume...).Output()
	if err != nil || substance(got) != substance(want) {
		t.Errorf("%v\n%s\nwant\n%s", err, got, want)
	}
}

// exitCode returns the exit code of a program; -1 if it was not started.
func exitCode(err error) int {
	var ended *exec.ExitError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &ended):
		return ended.ExitCode()
	}
	return -1
}
