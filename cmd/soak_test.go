package cmd_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestSoak watches a log that grows by 10,000 events a second and is moved away now and then, for as long as
// ATMOSTK_SOAK says, such as 1h. In each ten seconds a violation is planted. It wants all of them told and
// nothing else, each within a second, and memory that does not grow; docs/benchmarks.md has the result.
func TestSoak(t *testing.T) {
	took, err := time.ParseDuration(os.Getenv("ATMOSTK_SOAK"))
	if err != nil {
		t.Skip("takes as long as ATMOSTK_SOAK says")
	}
	file := filepath.Join(t.TempDir(), "log")
	c := exec.Command("atmostk", "validate", "--watch", file, "--k", "3", "--skew", "0s", "--format", "json")
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	told := make(chan []time.Duration)
	go func() { told <- soakTold(t, bufio.NewScanner(out)) }()
	s := &soak{file: file, begun: time.Now(), moved: max(10, int(took.Seconds())/6)}
	memory := []int{}
	for time.Since(s.begun) < took {
		if err := s.second(); err != nil {
			t.Fatal(err)
		}
		if s.seconds%10 == 0 {
			memory = append(memory, resident(t, c.Process.Pid))
		}
	}
	time.Sleep(2 * time.Second)
	_ = c.Process.Signal(syscall.SIGTERM) // that it has ended shows below
	late := <-told
	_ = c.Wait() // with the code of a violation
	found, longest := len(late), time.Duration(0)
	for _, d := range late {
		longest = max(longest, d)
	}
	third := len(memory) / 3
	t.Logf("%d events in %s, %d violations planted and %d told, the latest after %s; memory in KiB: %v",
		s.events, time.Since(s.begun).Round(time.Second), s.planted, found, longest, thinned(memory))
	if found != s.planted {
		t.Errorf("%d violations were planted, and %d told", s.planted, found)
	}
	if longest > time.Second {
		t.Errorf("one was told %s after its last line", longest)
	}
	if third > 2 && memory[len(memory)-1] > memory[third]*5/4 {
		t.Error("memory grows")
	}
}

// thinned are some of the numbers.
func thinned(all []int) (some []int) {
	for i := 0; i < len(all); i += max(1, len(all)/30) {
		some = append(some, all[i])
	}
	return some
}

// soakTold reads violations until there are no more, and says how late each is after the last line that it
// takes.
func soakTold(t *testing.T, lines *bufio.Scanner) (late []time.Duration) {
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var v struct{ Stays []struct{ Node string } }
		if err := json.Unmarshal(lines.Bytes(), &v); err != nil || len(v.Stays) == 0 {
			t.Errorf("%s: %v", lines.Text(), err)
			continue
		}
		_, at, _ := strings.Cut(v.Stays[0].Node, "@") // of the planted ones it says when they are written
		ns, _ := strconv.ParseInt(at, 10, 64)
		late = append(late, time.Since(time.Unix(0, ns)))
	}
	return late
}

// A soak is a log that grows.
type soak struct {
	file                     string
	begun                    time.Time
	seconds, events, planted int
	moved                    int   // in seconds: how often the log is moved away
	clock                    int64 // the latest time stamp, which never runs back when a busy machine is late
}

// second writes the events of a second, in ten parts, with names of workers that never come again among them.
func (s *soak) second() error {
	for part := range 10 {
		var b bytes.Buffer
		now := time.Now().UnixNano()
		from := max(now, s.clock)
		s.clock = from + 70_000_000
		for i := range 500 {
			at := from + int64(i)*100_000
			fmt.Fprintf(&b, "%d w%d acquire\n%d w%d release\n", at, i%50, at+150_000, i%50)
		}
		s.events += 1000
		at := from + 60_000_000
		if s.seconds%10 == 5 && part == 3 {
			for i := range 4 {
				fmt.Fprintf(&b, "%d x%d@%d acquire\n", at+int64(i), i, now)
			}
			for i := range 4 {
				fmt.Fprintf(&b, "%d x%d@%d release\n", at+1000+int64(i), i, now)
			}
			s.planted++
		}
		if s.seconds%s.moved == s.moved-1 && part == 0 {
			if err := os.Rename(s.file, s.file+".1"); err != nil {
				return err
			}
		}
		f, err := os.OpenFile(s.file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
		if err != nil {
			return err
		}
		if _, err := f.Write(b.Bytes()); err != nil {
			return err
		}
		if err := f.Close(); err != nil {
			return err
		}
		time.Sleep(time.Until(s.begun.Add(time.Duration(10*s.seconds+part+1) * 100 * time.Millisecond)))
	}
	s.seconds++
	return nil
}

// resident is the memory of a process, in KiB.
func resident(t *testing.T, pid int) int {
	t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", pid))
	if err != nil {
		t.Fatal(err)
	}
	pages, err := strconv.Atoi(strings.Fields(string(text))[1])
	if err != nil {
		t.Fatal(err)
	}
	return pages * os.Getpagesize() / 1024
}
