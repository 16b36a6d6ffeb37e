package cmd_test

import (
	"errors"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"
	"time"
)

// TestKill kills searches with SIGKILL at random moments and resumes them, a few times here and a hundred
// times in the sweep: the report is the same as without kills.
func TestKill(t *testing.T) {
	kills, model, part := 4, "n=3", time.Duration(1) // killed within such a part of the time of all
	if sweep {
		kills, model, part = 100, "n=8", 64
	}
	r := rand.New(rand.NewPCG(1, 29))
	dir := filepath.Join(t.TempDir(), "search")
	begin := func(dir string) []string {
		return []string{"check", "2pc", model, "--progress=0", "--store=disk=" + dir}
	}
	begun := time.Now()
	want, err := exec.Command("atmostk", begin(dir+"-whole")...).Output()
	if err != nil {
		t.Fatalf("%v: %s", err, want)
	}
	whole := time.Since(begun)
	args, killed := begin(dir), 0
	for range kills {
		c := exec.Command("atmostk", args...)
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		time.AfterFunc(time.Duration(r.Int64N(int64(whole/part))), func() { _ = c.Process.Kill() })
		if c.Wait() == nil {
			break // it was faster
		}
		killed++
		if _, err := os.Stat(filepath.Join(dir, "search.json")); err == nil {
			args = []string{"check", "--resume", dir, "--progress=0"}
		}
	}
	got, err := exec.Command("atmostk", args...).Output()
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() == 64 && killed < kills {
		return // it had ended before it was killed
	}
	if err != nil || substance(got) != substance(want) {
		t.Errorf("killed %d times: %v\n%s\nwant\n%s", killed, err, got, want)
	}
	t.Logf("killed %d times, of a search of %v", killed, whole)
}

// timing is the sentence of a report that differs from run to run, in one or two lines.
var timing = regexp.MustCompile(`(?m)^.*states/s.*(\n  .*)?$`)

func substance(report []byte) string { return timing.ReplaceAllString(string(report), "") }

// TestRemovedFilesOfASearchAreNoInput: whoever removes the directory of a running search did not give it bad
// input.
func TestRemovedFilesOfASearchAreNoInput(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "search")
	c := exec.Command("atmostk", "check", "2pc", "n=9", "--progress=0", "--store=disk="+dir)
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	for { // until some levels are there
		if found, _ := filepath.Glob(filepath.Join(dir, "visited-000", "*")); len(found) > 3 {
			break
		}
		time.Sleep(20 * time.Millisecond)
	}
	for os.RemoveAll(dir) != nil { // the search may write meanwhile; it ends soon
	}
	if _ = c.Wait(); c.ProcessState.ExitCode() != 74 {
		t.Errorf("exit code %d, want 74", c.ProcessState.ExitCode())
	}
}
