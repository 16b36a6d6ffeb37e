package capture_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/atmostk/atmostk/traces/capture"
)

// TestOneWriteForEachLine: nothing is held back, and no line is written in pieces.
func TestOneWriteForEachLine(t *testing.T) {
	var w writes
	rec, err := capture.New(&w, "p1", capture.Header{Spec: "raymond", Args: "n=1 k=1"})
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		if _, err := rec.Step("enter").Log(); err != nil {
			t.Fatal(err)
		}
	}
	if len(w) != 4 || w[0] != `{"atmostk":"log","spec":"raymond","args":"n=1 k=1"}`+"\n" {
		t.Fatalf("%q", w)
	}
	for _, line := range w {
		if strings.Count(line, "\n") != 1 || !strings.HasSuffix(line, "\n") {
			t.Errorf("%q is not one line", line)
		}
	}
}

type writes []string

func (w *writes) Write(b []byte) (int, error) {
	*w = append(*w, string(b))
	return len(b), nil
}

// line is what a line looks like to a reader.
type line struct {
	Node, Event string
	Seq         uint64
	Clock       map[string]uint64
	Begin, End  time.Time
	Units       int
}

// TestConcurrentLinesAreCountedInOrder: the lines of one node are counted in the order in which they stand,
// whoever writes them, and ids are given out once.
func TestConcurrentLinesAreCountedInOrder(t *testing.T) {
	var b bytes.Buffer
	rec, err := capture.New(&b, "p1", capture.Header{})
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	var ids sync.Map
	for range 8 {
		wg.Go(func() {
			for range 50 {
				step := rec.Step("request")
				if _, twice := ids.LoadOrStore(step.Send("p2", "REQUEST"), true); twice {
					t.Error("an id was given out twice")
				}
				if _, err := step.Log(); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	lines := read(t, &b)
	if len(lines) != 400 {
		t.Fatalf("%d lines", len(lines))
	}
	for i, l := range lines {
		if l.Seq != uint64(i+1) || l.Clock["p1"] != l.Seq {
			t.Fatalf("line %d: %+v", i+1, l)
		}
	}
}

func read(t *testing.T, b *bytes.Buffer) (lines []line) {
	t.Helper()
	for text := range strings.Lines(b.String()) {
		var l line
		if err := json.Unmarshal([]byte(text), &l); err != nil {
			t.Fatal(err)
		}
		lines = append(lines, l)
	}
	return lines
}

// TestClocksForgetNothing: what a message brings is known afterwards, and nothing is forgotten.
func TestClocksForgetNothing(t *testing.T) {
	var b bytes.Buffer
	rec, err := capture.New(&b, "p1", capture.Header{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := rec.Step("start").Log(); err != nil { // nobody can know of it, by any message
		t.Fatal(err)
	}
	for _, clock := range []string{"p2=7,p3=1", "p2=3,p3=9", ""} {
		step := rec.Step("receive")
		if err := step.Receive("p2", "", "", clock); err != nil {
			t.Fatal(err)
		}
		if _, err := step.Log(); err != nil {
			t.Fatal(err)
		}
	}
	want := []map[string]uint64{nil, {"p1": 2, "p2": 7, "p3": 1}, {"p1": 3, "p2": 7, "p3": 9},
		{"p1": 4, "p2": 7, "p3": 9}}
	for i, l := range read(t, &b) {
		if !maps.Equal(l.Clock, want[i]) {
			t.Errorf("line %d: %v, want %v", i+1, l.Clock, want[i])
		}
	}
}

func TestIntervalsAndUnitsAreLogged(t *testing.T) {
	var b bytes.Buffer
	rec, err := capture.New(&b, "p1", capture.Header{})
	if err != nil {
		t.Fatal(err)
	}
	begin := time.Now()
	step := rec.Step("acquire")
	step.Between(begin, begin.Add(1234*time.Nanosecond))
	step.Units(2)
	if _, err := step.Log(); err != nil {
		t.Fatal(err)
	}
	if l := read(t, &b)[0]; l.End.Sub(l.Begin) != 1234 || l.Units != 2 {
		t.Errorf("%+v", l)
	}
}

func TestClockStringIsParsedBack(t *testing.T) {
	c := capture.Clock{"p10": 3, "p2": 18446744073709551615, "a node, = odd": 1}
	if s := c.String(); s != "a+node%2C+%3D+odd=1,p10=3,p2=18446744073709551615" {
		t.Error(s)
	}
	if back, err := capture.ParseClock(c.String()); err != nil || !maps.Equal(back, c) {
		t.Error(back, err)
	}
	for _, s := range []string{"p1", "p1=", "=1", "p1=-1", "p1=1,", "p1=1,p1=2", "%zz=1", "p1=1.5", ","} {
		if c, err := capture.ParseClock(s); err == nil {
			t.Errorf("%q is read as %v", s, c)
		}
	}
}

func FuzzParseClock(f *testing.F) {
	f.Add("p1=1,p2=2")
	f.Add("a+b=3")
	f.Fuzz(func(t *testing.T, s string) {
		c, err := capture.ParseClock(s)
		if err != nil {
			return
		}
		if back, err := capture.ParseClock(c.String()); err != nil || !maps.Equal(back, c) {
			t.Errorf("%q: %v and %v, %v", s, c, back, err)
		}
	})
}

// TestContinueCountsOn: a node that has started again counts on.
func TestContinueCountsOn(t *testing.T) {
	var b bytes.Buffer
	rec, err := capture.New(&b, "p1", capture.Header{Spec: "ring"})
	if err != nil {
		t.Fatal(err)
	}
	step := rec.Step("receive")
	if err := step.Receive("p2", "p2-1", "", "p2=7"); err != nil {
		t.Fatal(err)
	}
	if id := step.Send("p3", "x"); id != "p1-1" {
		t.Error(id)
	}
	if _, err := step.Log(); err != nil {
		t.Fatal(err)
	}
	if rec, err = capture.Continue(&b, "p1", bytes.NewReader(b.Bytes())); err != nil {
		t.Fatal(err)
	}
	step = rec.Step("recover")
	if id := step.Send("p3", "x"); id != "p1-2" {
		t.Error(id)
	}
	if clock, err := step.Log(); err != nil || clock != "p1=2,p2=7" {
		t.Error(clock, err)
	}
	if _, err := capture.Continue(&b, "p1", strings.NewReader("{")); err == nil {
		t.Error("a torn log is gone on with")
	}
}

// TestNoClockWithoutLine: if the line cannot be written, the messages do not leave.
func TestNoClockWithoutLine(t *testing.T) {
	r, w := io.Pipe()
	go func() {
		_, _ = io.CopyN(io.Discard, r, int64(len(`{"atmostk":"log","args":"k=1"}`)+1))
		r.CloseWithError(errors.New("disk full"))
	}()
	rec, err := capture.New(w, "p1", capture.Header{Args: "k=1"})
	if err != nil {
		t.Fatal(err)
	}
	for range 2 { // and an error is not forgotten
		if _, err := rec.Step("request").Log(); err == nil || !strings.Contains(err.Error(), "disk full") {
			t.Errorf("got %v", err)
		}
	}
	if err := rec.Step("receive").Receive("p2", "", "", "nonsense"); err == nil {
		t.Error("a clock that is none is accepted")
	}
	if _, err := capture.New(&bytes.Buffer{}, "", capture.Header{}); err == nil {
		t.Error("a node without a name is accepted")
	}
}
