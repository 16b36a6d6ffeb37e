package occupancy_test

import (
	"bufio"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/atmostk/atmostk/traces/logs/formats"
	"github.com/atmostk/atmostk/traces/logs/occupancy"
)

// watching begins to watch.
func watching(t *testing.T, k int, opt formats.Options, how occupancy.Judging,
	files ...string) *occupancy.Watch {
	t.Helper()
	how.Units = func(formats.Header) (func(string) int, error) { return func(string) int { return k }, nil }
	w, err := occupancy.NewWatch(files, opt, how)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// seen takes all that is there, and returns what is definite now and was not before.
func seen(t *testing.T, w *occupancy.Watch) (found []occupancy.Violation) {
	t.Helper()
	for {
		some, ended, err := w.Poll()
		if err != nil {
			t.Fatal(err)
		}
		if !some || ended {
			break
		}
	}
	found, err := w.Violations()
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// put writes at the end of a file.
func put(t *testing.T, name, text string) {
	t.Helper()
	f, err := os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := io.WriteString(f, text); err != nil {
		t.Fatal(err)
	}
}

// TestWatchReportsOnceAndFollowsFiles tells an overlap set as soon as its last line is there, once, and
// follows files that do not exist yet, grow in the midst of lines, are moved away and are emptied.
func TestWatchReportsOnceAndFollowsFiles(t *testing.T) {
	skew := time.Duration(0)
	dir := t.TempDir()
	a, b := filepath.Join(dir, "a.log"), filepath.Join(dir, "b.log")
	w := watching(t, 1, formats.Options{Skew: &skew}, occupancy.Judging{}, a, b)
	for i, step := range []struct {
		name, text string
		overlaps   int
	}{
		{a, "1 a acquire\n2 a release\n", 0},
		{b, "10 b acquire\n", 0},
		{a, "11 a acqu", 0},
		{a, "ire\n", 0},
		{a, "12 a rel", 0},
		{a, "ease\n", 0},
		{b, "13 b release\n", 1}, // now it is certain that b was inside all the time
		{b, "14 b acquire\n15 b release\nwhat\n", 0},
	} {
		put(t, step.name, step.text)
		if found := seen(t, w); len(found) != step.overlaps {
			t.Fatalf("step %d: %+v", i, found)
		} else if len(found) > 0 && (len(found[0].Holdings) != 2 ||
			found[0].Holdings[0].Enter != (formats.Place{File: a, Line: 3})) {
			t.Errorf("step %d: %+v", i, found)
		}
	}
	if err := os.Rename(a, a+".1"); err != nil {
		t.Fatal(err)
	}
	put(t, a+".1", "20 a acquire\n") // by a writer that has not noticed
	put(t, a, "24 a release\n")
	put(t, b, "21 b acquire\n23 b release\n")
	if found := seen(t, w); len(found) != 1 {
		t.Errorf("after the file was moved away: %+v", found)
	}
	if found := seen(t, w); len(found) != 0 {
		t.Errorf("again: %+v", found)
	}
	if err := os.Truncate(b, 0); err != nil {
		t.Fatal(err)
	}
	seen(t, w)
	put(t, b, "30 b acquire\n40 b release\n")
	put(t, a, "31 a acquire\n35 a release\n")
	seen(t, w)
	f := w.Figures()
	if f.Events != 16 || f.Unread != 1 || f.Violations != 3 || f.Latest != 40 || len(f.Resources) != 1 ||
		f.Resources[0].Inside != 0 || f.Resources[0].Holdings != 8 {
		t.Errorf("%+v", f)
	}
}

// TestWatchReportsSameLinesOfLaterFiles tells of violations at the same lines of files that follow each
// other under one name.
func TestWatchReportsSameLinesOfLaterFiles(t *testing.T) {
	skew := time.Duration(0)
	file := filepath.Join(t.TempDir(), "log")
	w := watching(t, 1, formats.Options{Skew: &skew}, occupancy.Judging{}, file)
	for i := range 5 {
		text := ""
		for at, event := range []string{"a acquire", "b acquire", "a release", "b release"} {
			text += fmt.Sprintln(10*i+at, event)
		}
		put(t, file, text)
		found := append(seen(t, w), seen(t, w)...) // first that the file is another one
		if len(found) != 1 || found[0].Holdings[1].Enter.Line != 2 {
			t.Fatalf("file %d: %+v", i, found)
		}
		if err := os.Rename(file, file+".1"); err != nil {
			t.Fatal(err)
		}
	}
}

// TestWatchSaysNoMoreThanJudge says nothing definite of the beginning of a log that is not so of all of it,
// and of all of it what Judge says. At the end it accepts nothing that Judge does not.
func TestWatchSaysNoMoreThanJudge(t *testing.T) {
	definite, missed := 0, 0
	all := streamed()
	for _, name := range []string{"long", "long, counted", "long, gaps", "long, dropped", "restarts", "gaps",
		"whole", "clocks, gaps", "clocks, threads", "uncounted", "uncounted, held", "fails, gaps",
		"parts, gaps"} {
		c := all[name]
		r := rand.New(rand.NewPCG(3, uint64(len(name))))
		dir := t.TempDir()
		for i := range 40 {
			d := c.draw(r)
			file := write(t, d.text())
			skew := time.Duration(d.skew)
			opt := formats.Options{Format: "ndjson", Skew: &skew}
			how := occupancy.Judging{Reading: d.reading(), Units: func(formats.Header) (
				func(string) int, error) {
				return func(string) int { return 1 }, nil
			}}
			l, uses, err := occupancy.Judge(file, opt, how)
			if err != nil {
				t.Fatal(err)
			}
			if l.Contradictory() {
				continue
			}
			want, accepted := map[string]bool{}, map[string]bool{}
			for _, u := range uses {
				want[u.Resource], accepted[u.Resource] = u.Count > 0, u.Count == 0 && u.Possible == nil
			}
			live := filepath.Join(dir, fmt.Sprint(i))
			w := watching(t, 1, opt, how, live)
			got := map[string]bool{}
			for line := range strings.Lines(d.text()) {
				put(t, live, line)
				for _, v := range seen(t, w) {
					got[v.Resource] = true
					if !want[v.Resource] {
						t.Fatalf("%s: %+v\n%s", name, v, d.text())
					}
				}
			}
			if err := w.End(); err != nil {
				t.Fatal(err)
			}
			for _, v := range seen(t, w) {
				if got[v.Resource] = true; !want[v.Resource] {
					t.Fatalf("%s: at the end %+v\n%s", name, v, d.text())
				}
			}
			l, last := w.Judgement()
			if l.Events() == 0 || len(last) != len(uses) {
				t.Fatalf("%d uses, %d in the end", len(uses), len(last))
			}
			for _, u := range last {
				if !got[u.Resource] && u.Possible == nil && u.Exact && !accepted[u.Resource] {
					t.Fatalf("%s: accepted: %+v\n%s", name, u, d.text())
				}
			}
			for res, is := range want {
				if definite += len(got); is && !got[res] {
					missed++
				}
			}
		}
	}
	if definite < 50 || missed > definite/10 {
		t.Errorf("%d definite, %d missed", definite, missed)
	}
}

// TestWatchOfLongLogIsBounded watches a long log, with an overlap set in the midst of it, in bounded memory.
func TestWatchOfLongLogIsBounded(t *testing.T) {
	skew := time.Duration(0)
	in, out := io.Pipe()
	w := watching(t, 2, formats.Options{Skew: &skew, Stdin: in}, occupancy.Judging{}, formats.Stdin)
	const events = 30_000
	go func() {
		b := bufio.NewWriterSize(out, 1<<16)
		for i := range events / 2 {
			at := i * 10
			fmt.Fprintf(b, "%d w%d acquire\n%d w%d release\n", at, i%7, at+15, i%7)
			if i == events/4 {
				fmt.Fprintf(b, "%d x acquire\n%d y acquire\n%d x release\n%d y release\n", at+16, at+17,
					at+18, at+19)
			}
		}
		b.Flush()
		out.Close()
	}()
	overlaps := 0
	for {
		_, ended, err := w.Poll()
		if err != nil {
			t.Fatal(err)
		}
		found, err := w.Violations()
		if err != nil {
			t.Fatal(err)
		}
		overlaps += len(found)
		if ended {
			break
		}
	}
	if err := w.End(); err != nil {
		t.Fatal(err)
	}
	f := w.Figures()
	if f.Events != events+4 || overlaps != 1 || f.Violations != 1 || f.Late != 0 ||
		f.Resources[0].Possibly != 3 {
		t.Errorf("%d overlap sets, %+v", overlaps, f)
	}
}

// TestWatchForgetsNodes gives each holding a node of its own: a watch knows only some of them at a time, and
// finds what it finds if it knows all. Nodes that never leave do not make it grow either.
func TestWatchForgetsNodes(t *testing.T) {
	defer occupancy.Windows(16, 4)()
	skew := time.Duration(0)
	watch := func() (overlaps []int, names int) {
		file := filepath.Join(t.TempDir(), "log")
		w := watching(t, 2, formats.Options{Skew: &skew}, occupancy.Judging{}, file)
		for i := range 200 {
			var b strings.Builder
			for k := range 10 {
				at := (10*i + k) * 100
				fmt.Fprintf(&b, "%d job-%d acquire\n%d job-%d release\n", at, at, at+50, at)
			}
			if i%20 == 7 {
				at := i * 1000
				fmt.Fprintf(&b, "%d x%d acquire\n%d y%d acquire\n%d z%d acquire\n", at+951, i, at+952, i,
					at+953, i)
				fmt.Fprintf(&b, "%d x%d release\n%d y%d release\n%d z%d release\n", at+960, i, at+961, i,
					at+962, i)
				fmt.Fprintf(&b, "%d lost%d acquire\n", at+970, i)
			}
			put(t, file, b.String())
			for _, v := range seen(t, w) {
				overlaps = append(overlaps, v.Holdings[0].Enter.Line)
			}
			names = max(names, w.Names())
		}
		return overlaps, names
	}
	want, all := watch()
	defer occupancy.Known(32)()
	got, few := watch()
	if len(want) != 10 || fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%v\n%v", got, want)
	}
	if all < 4000 || few > 300 {
		t.Errorf("%d names are held if all are known, %d else", all, few)
	}
}

// TestWaitsFromFirstRequest follows requests: from the first since the node acquired last, or what the
// acquisition says.
func TestWaitsFromFirstRequest(t *testing.T) {
	text := `{"time":1000,"node":"a","event":"request"}
{"time":1100,"node":"a","event":"request"}
{"time":1500,"node":"a","event":"acquire"}
{"time":1600,"node":"b","event":"request","resource":"x"}
{"time":1700,"node":"b","event":"request"}
{"time":2000,"node":"a","event":"release"}
{"time":2100,"node":"c","event":"acquire","waited":"0.0000009"}
{"time":2200,"node":"c","event":"release"}
{"time":2300,"node":"d","event":"acquire"}
{"time":2400,"node":"d","event":"release"}
`
	opt := formats.Options{Format: "ndjson", Skew: new(time.Duration)}
	w := watching(t, 1, opt, occupancy.Judging{}, write(t, text)...)
	seen(t, w)
	f := w.Figures().Resources[0]
	if f.Waited.Count != 2 || f.Waited.Sum != 1400 || f.Held.Count != 3 || f.Held.Sum != 700 {
		t.Errorf("%+v", f)
	}
}
