package cmd_test

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/atmostk/atmostk/model"
)

// faulty is a model whose mistake nobody can recover: it panics in a goroutine of its own.
var faulty = model.Spec{
	Name: "faulty", Title: "a model that ends the process",
	Build: func(*model.Args) (model.Instance, error) {
		go func() { panic("nobody sees this") }()
		select {}
	},
}

// TestUnrecoverable: what Go cannot recover never ends with 2, which means undecided.
func TestUnrecoverable(t *testing.T) {
	c := exec.Command("faulty", "check", "faulty")
	out, err := c.CombinedOutput()
	if err == nil || c.ProcessState.ExitCode() == 2 {
		t.Fatalf("%v: %s", c.ProcessState, out)
	}
	if s := c.ProcessState.Sys().(syscall.WaitStatus); !s.Signaled() || s.Signal() != syscall.SIGABRT {
		t.Errorf("ended by %v: %s", c.ProcessState, out)
	}
}

// TestSignals: each signal ends verbs that search and verbs that wait for what they read, with
// what they have.
func TestSignals(t *testing.T) {
	for sig, code := range map[syscall.Signal]int{syscall.SIGINT: 130, syscall.SIGTERM: 143,
		syscall.SIGHUP: 143} {
		if signal.Ignored(sig) { // as nohup has it: then it ends no program
			continue
		}
		pipe := filepath.Join(t.TempDir(), "never-ends.ndjson")
		if err := syscall.Mkfifo(pipe, 0o600); err != nil {
			t.Fatal(err)
		}
		for _, verb := range []string{"validate", "replay"} {
			var diag bytes.Buffer
			c := exec.Command("atmostk", verb, pipe)
			c.Stderr = &diag
			if err := c.Start(); err != nil {
				t.Fatal(err)
			}
			w, err := os.OpenFile(pipe, os.O_WRONLY, 0) // waits for the reader
			if err != nil {
				t.Fatal(err)
			}
			end(t, c, sig, code)
			_ = w.Close()
			if !strings.Contains(diag.String(), "interrupted") {
				t.Errorf("%s, %v: %q", verb, sig, diag.String())
			}
		}
		var linted bytes.Buffer
		c := exec.Command("atmostk", "lint", "die-hard", "raymond", "--all")
		c.Stderr = &linted
		found, err := c.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		if _, err := bufio.NewReader(found).ReadString('\n'); err != nil { // of the first model
			t.Fatal(err)
		}
		end(t, c, sig, code)
		if !strings.Contains(linted.String(), "interrupted while linting raymond") {
			t.Errorf("lint, %v: %q", sig, linted.String())
		}
		var out bytes.Buffer
		c = exec.Command("atmostk", "check", "raymond", "n=4", "k=2", "rounds=2", "crashes=1", "--memory",
			"1G", "--progress", "1ms")
		c.Stdout = &out
		diag, err := c.StderrPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		if _, err := bufio.NewReader(diag).ReadString('\n'); err != nil { // its progress: it is searching
			t.Fatal(err)
		}
		end(t, c, sig, code)
		if !strings.HasSuffix(strings.TrimSpace(out.String()), "unknown") &&
			!strings.Contains(out.String(), "interrupted") {
			t.Errorf("check, %v: %q", sig, out.String())
		}
	}
}

// end sends a signal to a process and compares its exit code.
func end(t *testing.T, c *exec.Cmd, sig syscall.Signal, code int) {
	t.Helper()
	if err := c.Process.Signal(sig); err != nil {
		t.Fatal(err)
	}
	_ = c.Wait() // the code says it
	if got := c.ProcessState.ExitCode(); got != code {
		t.Errorf("%v, %v: exit code %d, want %d", c.Args, sig, got, code)
	}
}

// TestFullDisk: what cannot be written is told by the exit code, and the result all the same.
func TestFullDisk(t *testing.T) {
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skip("no /dev/full here")
	}
	for _, x := range []struct{ args, told string }{
		{"check raymond n=3 k=2 rounds=1,1,0 crashes=1 --property capacity-naive",
			"violated: capacity-naive"},
		{"check die-hard --format json", "violated"},
		{"check raymond n=2/2 k=1", "46 states"},
		{"list", "no space"},
		{"show raymond", "no space"},
		{"show raymond n=2 k=1 --draw states", "no space"},
		{"--version", "no space"},
	} {
		full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
		if err != nil {
			t.Fatal(err)
		}
		var diag bytes.Buffer
		c := exec.Command("atmostk", strings.Fields(x.args)...)
		c.Stdout, c.Stderr = full, &diag
		_ = c.Run()
		_ = full.Close()
		if code := c.ProcessState.ExitCode(); code != 74 || !strings.Contains(diag.String(), x.told) {
			t.Errorf("%s: exit code %d, %q", x.args, code, diag.String())
		}
	}
	var diag bytes.Buffer
	c := exec.Command("atmostk", "check", "die-hard", "--trace", "/dev/full")
	c.Stderr = &diag
	out, _ := c.Output() // the code says it
	if code := c.ProcessState.ExitCode(); code != 74 || !strings.Contains(string(out), "violated") ||
		strings.Count(diag.String(), "cannot be written") != 1 {
		t.Errorf("trace: exit code %d, %s\n%s", code, out, &diag)
	}
}

// TestHostileNames: names in a log, of a file and of a parameter steer nothing.
func TestHostileNames(t *testing.T) {
	const hostile = "\x1b[2J\r\naccepted\u202e\u009b"
	log := `{"node":"p\u001b[2J\r\naccepted\u202e","event":"enter","resource":"r\u202e"}` + "\n" +
		`{"node":"q\u009b31m","event":"enter","resource":"r\u202e"}` + "\n" +
		`{"node":"q\u009b31m","event":"enter\u001b[2J"}` + "\n"
	name := filepath.Join(t.TempDir(), "a\x1b[2J\nlog.ndjson")
	if err := os.WriteFile(name, []byte(log), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"validate", name},
		{"validate", name, "--format", "json"},
		{"validate", name, "--format", "sarif"},
		{"validate", name, "--format", "junit"},
		{"validate", name, "--format", "html"},
		{"validate", name, "--color", "always"},
		{"validate", "raymond", "n=2", name},
		{"replay", name},
		{"replay", hostile},
		{"check", "raymond", "n=" + hostile},
		{"check", hostile},
		{hostile},
		{"check", "raymond", "--format", hostile},
		{"check", "raymond", "--property", hostile},
		{"check", "raymond", "n=2/" + hostile},
	} {
		out, _ := exec.Command("atmostk", args...).CombinedOutput()
		for _, bad := range []string{"\x1b[2J", "\r", "\u202e", "\u009b", "\naccepted\\"} {
			if bytes.Contains(out, []byte(bad)) {
				t.Errorf("%q writes %q:\n%q", args, bad, out)
			}
		}
		if len(out) == 0 {
			t.Errorf("%q writes nothing", args)
		}
	}
}

// TestUnreadOutput: a watch whose standard output nobody reads ends by a signal all the same, and tells by
// its exit code that there was a violation; also if nobody reads its errors.
func TestUnreadOutput(t *testing.T) {
	file := filepath.Join(t.TempDir(), "log")
	if err := os.WriteFile(file, []byte("1 a acquire\n2 b acquire\n3 a release\n4 b release\n"),
		0o600); err != nil {
		t.Fatal(err)
	}
	for _, both := range []bool{false, true} {
		r, w, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		fill(t, w)
		c := exec.Command("atmostk", "validate", "--watch", file, "--skew", "0s")
		c.Stdout = w
		if both {
			c.Stderr = w
		}
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		waitBlocked(t, c.Process.Pid)
		end(t, c, syscall.SIGTERM, 1)
		_, _ = r.Close(), w.Close() // they were only a full pipe
	}
}

// fill writes into a pipe that nobody reads until there is no room for one more byte.
func fill(t *testing.T, w *os.File) {
	t.Helper()
	raw, err := w.SyscallConn()
	if err != nil {
		t.Fatal(err)
	}
	err = raw.Write(func(fd uintptr) bool { // Go has pipes that say so instead of waiting
		for _, size := range []int{1 << 10, 1} {
			for err := error(nil); err == nil; {
				_, err = syscall.Write(int(fd), make([]byte, size))
			}
		}
		return true
	})
	if err != nil {
		t.Fatal(err)
	}
}

// waitBlocked waits until a thread of a process writes into a pipe that is full.
func waitBlocked(t *testing.T, pid int) {
	t.Helper()
	// the call's number and its first argument, standard output
	write := fmt.Sprintf("%d 0x1 ", syscall.SYS_WRITE)
	for range 1000 {
		calls, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/syscall", pid))
		if err != nil || len(calls) == 0 {
			t.Skip("no /proc here")
		}
		for _, name := range calls {
			if call, err := os.ReadFile(name); err == nil && strings.HasPrefix(string(call), write) {
				return
			}
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatal("it does not write")
}

// TestRunLeavesNothing: when a signal that can be caught ends run, its temporary directory goes, and no
// process stays in it.
func TestRunLeavesNothing(t *testing.T) {
	for _, sig := range []syscall.Signal{syscall.SIGTERM, syscall.SIGINT} {
		if signal.Ignored(sig) {
			continue
		}
		dir := t.TempDir()
		c := exec.Command("atmostk", "run", "raymond", "n=3", "k=2", "rounds=inf", "--entries", "1000000")
		c.Env = append(os.Environ(), "TMPDIR="+dir)
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		waitFor(t, "its first log", func() bool {
			logs, err := filepath.Glob(filepath.Join(dir, "*", "run1", "p1.ndjson"))
			return err == nil && len(logs) > 0
		})
		if err := c.Process.Signal(sig); err != nil {
			t.Fatal(err)
		}
		_ = c.Wait() // its exit code is the code of the signal
		waitFor(t, "an empty directory", func() bool {
			left, err := os.ReadDir(dir)
			return err == nil && len(left) == 0
		})
	}
}

// waitFor waits until something is so.
func waitFor(t *testing.T, what string, so func() bool) {
	t.Helper()
	for range 3000 {
		if so() {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatal("waited in vain for ", what)
}
