package traces_test

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"github.com/atmostk/atmostk/model/lts"
	"github.com/atmostk/atmostk/traces"
)

func rendered(t testing.TB, form string, r *traces.Run, width int) string {
	t.Helper()
	var b bytes.Buffer
	if err := traces.Render(&b, form, r, traces.Options{Width: width}); err != nil {
		t.Fatalf("%s: %v", form, err)
	}
	return b.String()
}

// shown are the runs in which the forms are tested: searched, random and folded ones. Of the
// random ones the ordinary run has every third, the sweep has all.
func shown(t *testing.T, each func(t *testing.T, name string, r *traces.Run)) {
	for _, s := range append(small, examples...) {
		for _, n := range s.few(t) {
			each(t, n.name, n.run)
		}
	}
	for i, r := range random(t) {
		if !sweep && i%3 != 0 {
			continue
		}
		each(t, fmt.Sprintf("random run %d", i), r)
	}
	each(t, "long", long(t))
}

// random returns a random run of each of the models that have them.
func random(t *testing.T) []*traces.Run {
	once.Do(func() {
		for _, s := range walked {
			for seed := range uint64(20) {
				if r := walk(t, s, seed, 60); r != nil {
					randomRuns = append(randomRuns, r)
					break
				}
			}
		}
	})
	return randomRuns
}

var (
	once       sync.Once
	randomRuns []*traces.Run
)

// long is a run of a thousand steps.
func long(t *testing.T) *traces.Run {
	t.Helper()
	if longRun == nil {
		longRun = lengthened(t, source{"die-hard", "", "big-not-4", 6}.runs(t)[0])
	}
	return longRun
}

var longRun *traces.Run

// lengthened puts a thousand steps before a run of die-hard.
func lengthened(t *testing.T, n named) *traces.Run {
	t.Helper()
	taken := []lts.Transition{}
	at := n.run.States[0]
	for range 500 { // fills and empties
		for _, want := range []string{"FillBig", "EmptyBig"} {
			for _, tr := range n.in.Plain.Steps(at) {
				if tr.Text() == want {
					taken, at = append(taken, tr), tr.Next
					break
				}
			}
		}
	}
	taken = append(taken, n.run.Taken...)
	r, err := traces.FromRun(n.in, n.run.Trace.Header, n.run.States[0], taken)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestFormsAreTheSameEachTime renders everything in every form, twice the same.
func TestFormsAreTheSameEachTime(t *testing.T) {
	shown(t, func(t *testing.T, name string, r *traces.Run) {
		for _, f := range traces.Forms {
			a, b := rendered(t, f.Name, r, 0), rendered(t, f.Name, r, 0)
			if a != b {
				t.Errorf("%s: %s differs from time to time", name, f.Name)
			}
			if len(a) < 40 || !utf8.ValidString(a) || !strings.HasSuffix(a, "\n") {
				t.Errorf("%s: %s is %q", name, f.Name, a)
			}
		}
	})
	var b bytes.Buffer
	err := traces.Render(&b, "picture", naive.runs(t)[0].run, traces.Options{})
	if err == nil || !strings.Contains(err.Error(),
		`no form "picture" of a trace; allowed are text, chart`) {
		t.Errorf("got %v", err)
	}
}

// TestFormsFitTheWidth keeps lines within the terminal, where it is wide enough at all.
func TestFormsFitTheWidth(t *testing.T) {
	shown(t, func(t *testing.T, name string, r *traces.Run) {
		for _, line := range strings.Split(rendered(t, "chart", r, 100), "\n")[2:] {
			if n := utf8.RuneCountInString(line); n > 100 {
				t.Errorf("%s: the chart has a line of %d characters: %s", name, n, line)
			}
		}
	})
}

// TestStoryOfManyHasWords: 80 columns have no room for the lanes of 13 processes and for words.
func TestStoryOfManyHasWords(t *testing.T) {
	in, h := source{"raymond", "n=13 k=1", "", 1}.instance(t)
	at := in.Plain.Init()[0].Next
	r, err := traces.FromRun(in, h, at, in.Plain.Steps(at)[:1])
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	traces.Story(&b, r, traces.Options{Width: 80})
	if !strings.Contains(b.String(), "p1 request") {
		t.Error(b.String())
	}
}

// TestNarrowTerminalIsNoError draws a chart for a terminal that is too narrow for it.
func TestNarrowTerminalIsNoError(t *testing.T) {
	rendered(t, "chart", naive.runs(t)[0].run, 1)
}

// TestChartHasLanesAndArrows shows what a chart looks like.
func TestChartHasLanesAndArrows(t *testing.T) {
	const want = `  ◆ cause
      p1          p2          p3
   0  │           │           │           initial state
   1  ◆┄┄┄┄┄┄┄┄┄┄▷│┄┄┄┄┄┄┄┄┄┄▷│           p1 request sends m1 REQUEST(1) to p2…
   2  │─m1───────▶◆           │           p2 receive REQUEST m1
      │◁┄┄┄┄┄┄┄┄┄┄◆           │           sends m3 REPLY(1) to p1
   3  ●◀m3────────│           │           p1 receive REPLY m3
   4  │◁┄┄┄┄┄┄┄┄┄┄◆┄┄┄┄┄┄┄┄┄┄▷│           p2 request sends m4 REQUEST(3) to p1…
   5  │           │─m5───────▶◆           p3 receive REQUEST m5
      │           │◁┄┄┄┄┄┄┄┄┄┄◆           sends m6 REPLY(1) to p2
   6  │           │           ✗           p3 crash
   7  ●           │                       p1 enter
   8  █           ●◀m6────────            p2 receive REPLY m6
   9  █           ●                       ‼ capacity-naive: p2 enter
`
	got := rendered(t, "chart", naive.runs(t)[0].run, 79)
	if !strings.HasSuffix(got, want) {
		t.Errorf("got\n%s\nwant at its end\n%s", got, want)
	}
	_, chart, _ := strings.Cut(got, " steps:\n")
	for line := range strings.Lines(chart) {
		if n := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); n > 79 {
			t.Errorf("a line of %d characters, in 79 columns: %s", n, line)
		}
	}
}

// TestTextHasVerdicts wants the verdicts beside the steps.
func TestTextHasVerdicts(t *testing.T) {
	got := rendered(t, "text", naive.runs(t)[0].run, 0)
	for _, want := range []string{
		"capacity-naive is violated by this run of 9 steps:\n   0  initial state\n        p1: State=not " +
			"requesting H=0 ",
		"\n   7  p1 enter\n        p1.State: requesting -> CS\n        [holds: at-most-k, capacity-naive, " +
			"capacity-epoch]\n",
		"        p3.crashed: true\n",
		"        [violated: capacity-naive; reached: can-reach-k, can-reach-min; holds: at-most-k, " +
			"capacity-epoch]\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%s\ndoes not contain\n%s", got, want)
		}
	}
}

// wellFormed reads XML to its end.
func wellFormed(s string) error {
	d := xml.NewDecoder(strings.NewReader(s))
	for {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
	}
}

// TestSVGIsWellFormedAndSmall wants pictures that are XML and not too large.
func TestSVGIsWellFormedAndSmall(t *testing.T) {
	shown(t, func(t *testing.T, name string, r *traces.Run) {
		got := rendered(t, "svg", r, 0)
		if err := wellFormed(got); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if len(got) > 1<<19 {
			t.Errorf("%s: %d bytes", name, len(got))
		}
	})
	got := rendered(t, "svg", naive.runs(t)[0].run, 0)
	for class, n := range map[string]int{
		`crash"`: 1, `stay"`: 2, `message"`: 2, `message other"`: 2, `pending"`: 2, `lane"`: 3, `step other"`: 4,
	} {
		if found := strings.Count(got, `class="`+class); found != n {
			t.Errorf("%d marks of class %s, want %d", found, class, n)
		}
	}
	if got := rendered(t, "svg", long(t), 0); strings.Count(got, `class="fold"`) != 1 ||
		!strings.Contains(got, ">40–886<") {
		t.Errorf("a thousand steps are not folded")
	}
}

// TestJSONIsTheTrace is the trace again.
func TestJSONIsTheTrace(t *testing.T) {
	run := naive.runs(t)[0].run
	var doc struct {
		Schema int
		Spec   string
		Steps  int
		Run    []traces.Step
	}
	if err := json.Unmarshal([]byte(rendered(t, "json", run, 0)), &doc); err != nil {
		t.Fatal(err)
	}
	if doc.Schema != 1 || doc.Spec != "raymond" || doc.Steps != 9 || len(doc.Run) != 10 {
		t.Errorf("got %+v", doc)
	}
}

// TestFormsShowTooManyUnits draws a run as if k were 1: too many are in the critical section then.
func TestFormsShowTooManyUnits(t *testing.T) {
	r := *naive.runs(t)[0].run
	tr := *r.Trace
	tr.Capacity = 1
	r.Trace = &tr
	for form, want := range map[string]string{
		"text": "        too many: 2 units in use, k=1\n", "chart": "‼ 2 units in use, k=1: p2 enter\n",
		"svg": `class="over"`,
	} {
		if got := rendered(t, form, &r, 0); strings.Count(got, want) < 1 {
			t.Errorf("%s does not show the excess:\n%s", form, got)
		}
	}
}

// TestFormsShowTheCycle draws a run as if it returned to its fourth step for ever.
func TestFormsShowTheCycle(t *testing.T) {
	r := *naive.runs(t)[0].run
	tr := *r.Trace
	tr.CycleAt = new(int)
	*tr.CycleAt = 4
	r.Trace = &tr
	for form, want := range map[string]string{
		"text":  "and so on for ever from step 5: the state is the same as after step 4\n",
		"chart": "and again from step 4\n", "svg": `class="cycle"`,
		"json": `"cycle-at": 4`,
	} {
		if got := rendered(t, form, &r, 0); !strings.Contains(got, want) {
			t.Errorf("%s does not show the cycle:\n%s", form, got)
		}
	}
}
