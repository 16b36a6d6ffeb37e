package traces_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/lts"
	"github.com/atmostk/atmostk/traces"
)

// naive is a run of nine steps with messages, a crash and units in use.
var naive = source{"raymond", "n=3 k=2 rounds=2,1,0 crashes=1", "capacity-naive", 9}

// An edit is something done to a file by hand. Line 1 is the header, and step i
// is in line i+2.
type edit struct {
	what string
	do   func(lines []string) []string
	want string // in the error; "" if the file stays good
}

// in replaces a text in one line.
func in(line int, old, replacement string) func([]string) []string {
	return func(lines []string) []string {
		lines[line-1] = strings.ReplaceAll(lines[line-1], old, replacement)
		return lines
	}
}

func swapped(lines []string) []string {
	lines[4], lines[5] = lines[5], lines[4]
	return lines
}

// renumbered gives the steps the numbers of their places, and the header their number.
func renumbered(lines []string) []string {
	for i := 1; i < len(lines); i++ {
		_, rest, _ := strings.Cut(lines[i], ",")
		lines[i] = fmt.Sprintf(`{"step":%d,%s`, i-1, rest)
	}
	lines[0] = announced.ReplaceAllString(lines[0], fmt.Sprintf(`"steps":%d`, len(lines)-2))
	return lines
}

var announced = regexp.MustCompile(`"steps":\d+`)

func without(i int) func([]string) []string {
	return func(lines []string) []string { return slices.Delete(lines, i-1, i) }
}

// noDigest takes the digest out of the header, so that what follows has to tell.
func noDigest(lines []string) []string {
	at := strings.Index(lines[0], `,"digest"`)
	lines[0] = lines[0][:at] + "}"
	return lines
}

func both(f, g func([]string) []string) func([]string) []string {
	return func(lines []string) []string { return g(f(lines)) }
}

var edits = []edit{
	{"nothing", func(l []string) []string { return l }, ""},
	{"an unknown field", in(3, `"node"`, `"colour":"red","node"`), ""},
	{"a field twice", in(3, `"node"`, `"event":"leave","node"`), `line 3: field "event" is there twice`},
	{"a field twice, in capitals", in(3, `"id":"m1"`, `"id":"m1","ID":"m1"`),
		`line 3: field "id" is there twice`},
	{"a parameter twice", in(1, `"n":"3"`, `"n":"9","n":"3"`), `line 1: field "n" is there twice`},
	{"an object beside", in(3, `"node"`, `"x":[{"a":1e999},{"a":[]}],"node"`), ""},
	{"another wording", in(3, `p1 request, sends`, `p1 requests and sends`), ""},
	{"a step dropped", without(6), "line 6: step 5 where step 4 is expected"},
	{"a step dropped, renumbered", both(without(4), renumbered),
		"line 4: step 2: message m3 is received and was not sent before"},
	{"a local step dropped, renumbered", both(without(9), renumbered),
		"line 9, step 7: p2 receive REPLY (REPLY(1) from p3) has another result: inside: the trace has p1 " +
			"with 1, the model no process"},
	{"two steps swapped", swapped, "line 5: step 4 where step 3 is expected"},
	{"the last two swapped, renumbered", both(func(l []string) []string {
		l[9], l[10] = l[10],
			l[9]
		return l
	}, renumbered), "line 10, step 8: p2 enter is not enabled; enabled: p1 "},
	{"the last step dropped, renumbered", both(without(11), renumbered),
		"line 10, step 8: capacity-naive holds in the last state"},
	{"a value changed", in(3, `"value":"requesting"`, `"value":"CS"`),
		`line 3, step 1: p1 request has another result: p1.State: the trace has "CS", the model "requesting"`},
	{"an initial value changed", in(2, `"Rounds","value":"2"`, `"Rounds","value":"3"`),
		`line 2, step 0: the model has no such initial state: p1.Rounds: the trace has "3", the model "2"`},
	{"a value that was there", in(3, `"value":"requesting"`, `"value":"not requesting"`),
		`line 3, step 1: p1 request has another result: p1.State: the trace has "not requesting", the model "requesting"`},
	{"a process renamed", in(9, `"p1"`, `"p7"`), "line 9, step 7: p7 enter is not enabled; enabled: p1 "},
	{"the sender renamed", in(3, `"node":"p1"`, `"node":"p2"`), "line 3: step 1: p2 sends a message from p1"},
	{"a message readdressed", in(3, `"to":"p2"`, `"to":"p3"`),
		"line 4: step 2: message m1 is received as REQUEST(1) from p1 to p2, but was sent as " +
			"REQUEST(1) from p1 to p3"},
	{"a message renumbered",
		in(10, `"step":8`, `"step":8,"sent":[{"id":"m3","from":"p2","to":"p1","text":"x"}]`),
		`line 10: step 8: the message id "m3" is empty or was used before`},
	{"a message made up",
		in(10, `"step":8`, `"step":8,"sent":[{"id":"m7","from":"p2","to":"p1","text":"x"}]`),
		"line 10, step 8: p2 receive REPLY (REPLY(1) from p3) has another result: sent: the trace has x " +
			"from p2 to p1, the model nothing"},
	{"a crash that is none", in(8, `"crashed":true,`, ``),
		"line 8, step 6: p3 crash is not enabled; enabled: "},
	{"a variable changed twice", in(4, `"changed":[`, `"changed":[{"owner":"p2","name":"H","value":"1"},`),
		"line 4: step 2: variable p2.H is changed twice"},
	{"a variable gone that was not there",
		in(4, `"changed"`, `"gone":[{"owner":"p2","name":"I","value":"1"}],"changed"`),
		"line 4: step 2: variable p2.I is gone"},
	{"an event renamed", in(9, `"enter"`, `"leave"`),
		"line 9, step 7: p1 leave is not enabled; enabled: p1 "},
	{"a parameter changed", in(1, `"k":"2"`, `"k":"3"`), "line 1: the header was edited"},
	{"a parameter changed, without digest", both(noDigest, in(1, `"n":"3"`, `"n":"4"`)),
		"does not fit raymond"},
	{"two parameters changed, without digest", both(noDigest, both(in(1, `"k":"2"`, `"k":"1"`),
		in(1, `"rounds":"2,1,0"`, `"rounds":"2,1,1"`))),
		"line 2, step 0: the model has no such initial state: p3.Rounds"},
	{"another property, without digest", both(noDigest, in(1, `"capacity-naive"`, `"at-most-k"`)),
		"line 11, step 9: at-most-k holds in the last state"},
	{"no such property", both(noDigest, in(1, `"capacity-naive"`, `"capacity"`)),
		`line 1, header: the model has no property "capacity"; it has at-most-k, `},
	{"another kind", both(noDigest, in(1, `"invariant"`, `"reachability"`)),
		`line 1, header: capacity-naive is of kind "invariant", not "reachability"`},
	{"another verdict", both(noDigest, in(1, `"violated"`, `"reached"`)),
		"line 1, header: a run of kind"},
	{"a verdict that is none", in(1, `"violated"`, `"holds"`),
		`line 1: field "verdict" is "holds"; allowed are "violated", "reached", "model error" and "possible"`},
	{"another schema", in(1, `"schema":1`, `"schema":2`),
		"line 1: schema version 2; this program reads version 1"},
	{"a field missing from the header", in(1, `"spec"`, `"spoc"`), `line 1: field "spec" is missing`},
	{"a field missing from a step", in(4, `"changed"`, `"chonged"`), `line 4: field "changed" is missing`},
	{"a field of the wrong type", in(4, `"step":2`, `"step":"two"`),
		`line 4: field "step" cannot be a string`},
	{"a cycle without beginning", in(1, `"steps":9`, `"steps":9,"cycle-at":10`),
		`line 1: field "cycle-at" is 10`},
	{"a cycle that is none", in(1, `"steps":9`, `"steps":9,"cycle-at":2`),
		"line 11, step 9: its last state differs from the state after step 2, where its cycle begins"},
	{"an empty line", in(5, `{`, "\n{"), "line 5: not a JSON object"},
	{"a line too many", func(l []string) []string { return append(l, l[10]) },
		"line 12: a line too many: the header announces 9 steps"},
	{"lines missing", func(l []string) []string { return l[:7] },
		"line 8: the file ends here, but its header announces 9 steps"},
}

// lossy is a run in which a crash takes a message out of its channel that was there
// from the start.
var lossy = source{"ring-recovery", "n=2 f=1", "no-lost-request", 7}

var lossyEdits = []edit{
	{"nothing", func(l []string) []string { return l }, ""},
	{"a message not lost", in(3, `"lost"`, `"last"`), "line 3, step 1: p1 crash has another result: lost: " +
		"the trace has nothing, the model token(1) from p2 to p1"},
	{"another message lost", in(3, `token(1)`, `token(2)`),
		"line 3, step 1: p1 crash has another result: lost: the trace has token(2) from p2 to p1, the " +
			"model token(1) from p2 to p1"},
	{"a lost message of another sender", in(3, `"from":"p2"`, `"from":"p1"`),
		"line 3, step 1: p1 crash has another result: lost: the trace has token(1) from p1 to p1, the " +
			"model token(1) from p2 to p1"},
	{"a message lost that was not sent", in(3, `"m0"`, `"m1"`),
		"line 3: step 1: message m1 is lost and was not sent before"},
	{"a message from the start that was not there", in(7, `"id":"m1"`, `"id":"m0"`),
		"line 7, step 5: the message received is m1, not m0"},
	{"a loss in the initial state", in(2, `"step":0`, `"step":0,"lost":[]`),
		"line 2: step 0: it is the initial state"},
}

// lines returns the lines of the file of a run.
func lines(t testing.TB, r *traces.Run) []string {
	return strings.Split(strings.TrimSuffix(written(t, r.Trace), "\n"), "\n")
}

// TestEditedTraceIsRefusedWithItsLine wants every edit refused, with the line and the reason.
func TestEditedTraceIsRefusedWithItsLine(t *testing.T) {
	refusals(t, naive.runs(t)[0].run, edits)
	refusals(t, lossy.runs(t)[0].run, lossyEdits)
}

// refusals wants edits of the file of a run refused.
func refusals(t *testing.T, run *traces.Run, edits []edit) {
	t.Helper()
	for _, e := range edits {
		t.Run(e.what, func(t *testing.T) {
			_, err := reading(t, strings.Join(e.do(lines(t, run)), "\n")+"\n")
			switch {
			case e.want == "" && err != nil:
				t.Errorf("refused: %v", err)
			case e.want != "" && err == nil:
				t.Errorf("not refused")
			case err != nil && !strings.Contains(err.Error(), e.want):
				t.Errorf("refused with %q, want %q", err, e.want)
			}
		})
	}
}

// TestTruncatedTraceIsRefused cuts the file beside each end of a line and each quotation mark, in the sweep
// everywhere.
func TestTruncatedTraceIsRefused(t *testing.T) {
	file := written(t, naive.runs(t)[0].run.Trace)
	for n := range len(file) - 1 {
		if !sweep && n > 0 && !strings.ContainsAny(file[n-1:n+1], "\n\"") {
			continue
		}
		_, err := reading(t, file[:n])
		var bad *traces.FormatError
		if !errors.As(err, &bad) || bad.Line != strings.Count(file[:n+1], "\n")+1 {
			t.Fatalf("cut after %d bytes: %v", n, err)
		}
	}
	if _, err := reading(t, strings.TrimSuffix(file, "\n")); err != nil {
		t.Errorf("only the last end of line is missing: %v", err)
	}
}

// genuine checks a run by itself: every step is one of the model, the last state
// or step is what the property is about.
func genuine(in model.Instance, r *traces.Run) error {
	isInit := func(t lts.Transition) bool { return t.Next.Key() == r.States[0].Key() }
	if !slices.ContainsFunc(in.Plain.Init(), isInit) {
		return errors.New("not an initial state")
	}
	for i := range r.Taken {
		key := r.States[i+1].Key()
		leads := func(t lts.Transition) bool { return !t.Pruned && t.Next.Key() == key }
		if !slices.ContainsFunc(in.Plain.Steps(r.States[i]), leads) {
			return fmt.Errorf("step %d is none", i+1)
		}
	}
	last := r.States[len(r.States)-1]
	for i, p := range in.Space.Properties() {
		if p.Name != r.Trace.Property {
			continue
		}
		switch p.Kind {
		case model.DeadlockFree:
			if len(in.Plain.Steps(last)) > 0 {
				return errors.New("no deadlock")
			}
		case model.StepInvariant:
			n := len(r.Taken)
			if n == 0 || !in.Plain.JudgeStep(r.States[n-1], r.Taken[n-1], i) {
				return errors.New("the step is good")
			}
		case model.Liveness:
			if why := in.Refutes(r.States, *r.Trace.CycleAt, i); why != "" {
				return errors.New(why)
			}
		case model.Costs:
			count, requests := in.Spent(r.Taken, last, i)
			if requests == 0 || p.Bound.Allows(count, requests) {
				return errors.New("it costs no more than it may")
			}
		default:
			if !in.Plain.Judge(last, i) {
				return errors.New("nothing to see")
			}
		}
	}
	return nil
}

// mutated changes a file at random.
func mutated(r *rand.Rand, file string) string {
	list := strings.SplitAfter(file, "\n")
	i, j := r.IntN(len(list)), r.IntN(len(list))
	switch r.IntN(6) {
	case 0:
		list = slices.Delete(list, i, i+1)
	case 1:
		list[i], list[j] = list[j], list[i]
	case 2:
		list[i] = list[j]
	case 3: // a character becomes another of the file
		if n := len(list[i]); n > 0 {
			at := r.IntN(n)
			list[i] = list[i][:at] + string(file[r.IntN(len(file))]) + list[i][at+1:]
		}
	case 4: // a digit becomes another one
		for at := range list[i] {
			if c := list[i][at]; '0' <= c && c <= '9' && r.IntN(4) == 0 {
				list[i] = list[i][:at] + fmt.Sprint(r.IntN(10)) + list[i][at+1:]
			}
		}
	case 5: // steps swapped, numbers put right
		list = strings.SplitAfter(strings.Join(renumbered(strings.Split(strings.Join(list[:len(list)-1], ""),
			"\n")), "\n"), "\n")
	}
	return strings.Join(list, "")
}

// TestMutatedTraceThatReplaysShowsAViolation: what replays after random changes is a run that shows a
// violation.
func TestMutatedTraceThatReplaysShowsAViolation(t *testing.T) {
	times := 8
	if sweep {
		times = 100
	}
	r := rand.New(rand.NewPCG(1, 2))
	for _, s := range append(small, examples...) {
		for _, n := range s.runs(t) {
			file := written(t, n.run.Trace)
			for range times {
				mutant := mutated(r, file)
				run, err := reading(t, mutant)
				if err != nil {
					continue
				}
				in, err := rebuild(t, run.Trace)
				if err != nil {
					t.Fatal(err)
				}
				if err := genuine(in, run); err != nil {
					t.Errorf("%s: %v:\n%s", n.name, err, mutant)
				}
			}
		}
	}
}

// endless is a reader of garbage that counts what is taken.
type endless struct {
	pattern string
	taken   int
}

func (e *endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = e.pattern[(e.taken+i)%len(e.pattern)]
	}
	e.taken += len(p)
	return len(p), nil
}

// TestGarbageIsReadNoFurtherThanALine: of a large thing that is no trace no more is read than its first line
// can be long.
func TestGarbageIsReadNoFurtherThanALine(t *testing.T) {
	for _, pattern := range []string{"x", "\x00", "{", "{}\n", "\n", `{"schema":1,`, "[1]\n", `{"a":"`} {
		e := &endless{pattern: pattern}
		var bad *traces.FormatError
		if _, err := traces.Read(e); !errors.As(err, &bad) || bad.Line != 1 {
			t.Errorf("%q: %v", pattern, err)
		}
		if e.taken > 13<<20 {
			t.Errorf("%q: %d bytes read", pattern, e.taken)
		}
	}
	name := filepath.Join(t.TempDir(), "large")
	f, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := f.Truncate(1 << 30); err != nil { // a hole, no disk
		t.Skip(err)
	}
	if _, err := traces.ReadFile(name); err == nil || !strings.Contains(err.Error(),
		"1024 MiB, allowed are 256") {
		t.Errorf("1 GiB: %v", err)
	}
}

// TestErrorOfTheReaderIsReturned passes on what goes wrong below.
func TestErrorOfTheReaderIsReturned(t *testing.T) {
	file := written(t, naive.runs(t)[0].run.Trace)
	broken := errors.New("broken")
	_, err := traces.Read(io.MultiReader(bytes.NewReader([]byte(file)[:900]), failing{broken}))
	if !errors.Is(err, broken) {
		t.Errorf("got %v", err)
	}
}

type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }
