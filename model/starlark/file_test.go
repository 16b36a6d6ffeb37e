package starfile

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/atmostk/atmostk/explore"
	"github.com/atmostk/atmostk/explore/naive"
	"github.com/atmostk/atmostk/model"
)

// load reads a model from a text.
func load(t testing.TB, text string) (*model.Spec, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "m.star")
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return Load(path)
}

// outcome returns the error of a file, without its folder: of reading it, of building the model, or of the
// search; or the verdict.
func outcome(t testing.TB, text string) string {
	t.Helper()
	return outcomeWithin(t, context.Background(), text)
}

// outcomeWithin is outcome for a search that ends with ctx.
func outcomeWithin(t testing.TB, ctx context.Context, text string) string {
	t.Helper()
	spec, err := load(t, text)
	if err != nil {
		return shortened(err)
	}
	in, _, err := spec.Instantiate(nil)
	if err != nil {
		return shortened(err)
	}
	r, err := explore.Run(ctx, in, explore.Options{Workers: 1, MaxStates: 2000})
	switch {
	case err != nil:
		return shortened(err)
	case r.Mistake != nil:
		return shortened(r.Mistake.Error)
	}
	return string(r.Verdict)
}

func shortened(err error) string {
	var mistake *model.Error
	text := err.Error()
	if errors.As(err, &mistake) {
		text = mistake.Where + ": " + mistake.What
	}
	if i := strings.Index(text, "m.star"); i >= 0 && strings.HasPrefix(text, os.TempDir()) {
		text = text[i:]
	}
	return text
}

// system is a file about a state with a few variables, of which one action is given.
func inAction(body string) string {
	return "def go(s):\n    " + strings.ReplaceAll(body, "\n", "\n    ") + "\n" +
		"system(state = record(x = range(3), l = list_of(range(9), max = 4), a = array(range(2), bool)), " +
		"actions = [go], " +
		"properties = [invariant('i', lambda s: s.x < 3)])\n"
}

// TestErrorHasPlaceAndAllowedValues: an error has the place, the value, and the allowed values.
func TestErrorHasPlaceAndAllowedValues(t *testing.T) {
	for text, want := range map[string]string{
		"x = = 1":        "m.star:1:5: got '=', want primary expression",
		"y = undefined1": "m.star:1:5: there is no undefined1",
		"record(3)":      "m.star:1:7: record: fields are given by name",
		"system()":       "m.star:1:7: system: state is missing",
		"record(a = 3.5)\n": "m.star:1:7: record: field a: 3.5 is no type; allowed: bool, " +
			"int, str, a range",
		"param('n', 9, range(3))": "m.star:1:6: param n: default: 9 is not allowed " +
			"here; allowed: 0, 1, 2",
		"system(state = record(x = int), actions = [])": "m.star:1:7: system: variable x has values " +
			"without bounds",
		"def f():\n    return f()\nf()": "m.star:2:12: function f called recursively",
		"param('n', 1, " +
			"range(3))\nsystem(stat = 3)": `m.star:2:7: system: there is no argument "stat" (did you mean "state"?)`,
		inAction("s.x = 7"): "m.star:2:6: field x: 7 is not allowed here; allowed: 0 to 2",
		inAction("s.y = 7"): "m.star:2:7: s has no .y; there are a, l, x",
		inAction("s.l.append(99)"): "m.star:1:1: variable l: item 0 of a list: 99 is not " +
			"allowed here; allowed: 0 to 8",
		inAction("s.a[5] = True"): "m.star:2:8: there is no element 5; allowed: 0, 1",
		inAction("s.x = s.l[0]"):  "m.star:2:14: index 0 out of range: empty list",
		inAction("fail('so')"):    "m.star:2:9: fail: so",
		inAction("for i in range(9999999):\n    pass"): "m.star:2:5: it takes more than " +
			"5000000 steps of Starlark",
		inAction("system()"): "m.star:2:11: system declares something, and cannot be " +
			"called in a step or a property",
		inAction("pick([])"):              "m.star:2:9: pick: there is nothing to pick from",
		inAction("s.x = min(2, s.x + 1)"): "holds",
		"processes(n = 99, local = record())": "m.star:1:10: processes: n is 99; allowed are 1 " +
			"to 64 processes",
		"def f(me):\n    send(9, M())\nM = message('M')\nprocesses(n = 2, local = record(), steps = [f], " +
			"receive = [on(M, f)])": "m.star:2:9: there is no process 9; allowed: 1 to 2",
		"def f(me):\n    send(1, 5)\nM = message('M')\nprocesses(n = 2, local = record(), steps = [f], " +
			"receive = [on(M, f)])": "m.star:2:13: send(to, message): 5 is no message; the messages in " +
			"receive = [on(...)] are M(...)",
		"system(state = record(x = range(3)), actions = [lambda s: True], properties = [invariant('i', " +
			"lambda s: 5)])": "m.star:1:95: lambda returns 5; allowed: True and False",
	} {
		if got := outcome(t, text); !strings.HasPrefix(got, want) {
			t.Errorf("%s\n  got  %s\n  want %s", text, got, want)
		}
	}
}

// TestSearchWithMemosEqualsPlainSemantics in a model that picks, reads late, and changes elements of arrays.
func TestSearchWithMemosEqualsPlainSemantics(t *testing.T) {
	spec, err := load(t, `
K = range(3)
def init(s):
    s.at = pick(K)
    if s.at == 1:
        s.seen[pick(K)] = True
def move(s, k):
    when(not s.seen[k] or s.at == k)
    s.seen[s.at] = True
    if pick([True, False]):
        s.at = pick([j for j in K if s.seen[j]])
    else:
        s.path = (s.path + [k])[:2]
def clear(s):
    when(all(s.seen))
    s.seen = [False] * 3
    s.path = []
system(
    state = record(at = K, seen = array(K, bool), path = list_of(K, max = 2), maybe = optional(K), pairs = set_of([(a, b) for a in K for b in K])),
    init = init, actions = [action(move, K), clear], members = K, units = lambda s, k: s.seen[k] and s.at == k,
    properties = [at_most(0), invariant("short", lambda s: len(s.path) < 2), reachable("all", lambda s: all(s.seen)),
        step_property("grows", lambda before, after: len(after.path) >= len(before.path), steps = [move])],
)`)
	if err != nil {
		t.Fatal(err)
	}
	in, _, err := spec.Instantiate(nil)
	if err != nil {
		t.Fatal(err)
	}
	r, err := explore.Run(context.Background(), in, explore.Options{KeepGoing: true})
	if err != nil || !r.Complete || r.States < 50 {
		t.Fatal(err, r)
	}
	want, ok := naive.Explore(in.Plain, in.Space.Actions(), in.Space.Properties(), 100_000)
	if how := want.Differs(r); !ok || how != "" {
		t.Error(how)
	}
}

// FuzzLoad reads files of any bytes, and searches the models that they make for a second.
func FuzzLoad(f *testing.F) {
	names, err := filepath.Glob(filepath.Join("..", "..", "specs", "files", "*.star"))
	if err != nil {
		f.Fatal(err)
	}
	fuzzing := flag.Lookup("test.fuzz").Value.String() != ""
	for i, name := range names {
		if !fuzzing && i%6 != 0 { // TestModels of specs/files loads and searches each
			continue
		}
		text, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	for _, name := range slices.Sorted(maps.Keys(malicious)) { // TestMaliciousFileIsRefusedSoon reads them
		if text := malicious[name]; len(text) < 1000 && fuzzing {
			f.Add([]byte(text))
		}
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		outcomeWithin(t, ctx, string(text))
	})
}

// TestChangedBytesDoNotPanic reads models with some bytes changed, removed or repeated.
func TestChangedBytesDoNotPanic(t *testing.T) {
	names, err := filepath.Glob(filepath.Join("..", "..", "specs", "files", "*.star"))
	if err != nil || len(names) == 0 {
		t.Fatal(err, "no models")
	}
	changes := 6
	if os.Getenv("ATMOSTK_SWEEP") != "" {
		changes = 60
	}
	random := uint32(1)
	next := func(n int) int {
		random = random*1664525 + 1013904223
		return int(random>>8) % n
	}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for range changes {
			changed := append([]byte{}, text...)
			for range 1 + next(3) {
				switch i := next(len(changed)); next(3) {
				case 0:
					changed[i] = byte(next(256))
				case 1:
					changed = append(changed[:i], changed[min(len(changed), i+1+next(20)):]...)
				default:
					changed = append(
						changed[:i:i],
						append([]byte(string(changed[i:min(len(changed), i+next(30))])), changed[i:]...)...)
				}
			}
			outcome(t, string(changed))
		}
	}
}

// TestReportNamesFieldsThatNeverChange, and not the bytes in which they are stored. A variable that members
// have changes if it does for one of them.
func TestReportNamesFieldsThatNeverChange(t *testing.T) {
	for want, text := range map[string]string{"y history.never": `
def go(me):
    when(me.x < 2)
    me.x += 1
    note(1)
def remember(h, event):
    h.seen = True
processes(n = 2, local = record(x = int, y = int), steps = [go], receive = [],
    history = history(record(seen = bool, never = int), remember), properties = [invariant("i", each = lambda me: me.y == 0)])`,
		"kept q y": `
def go(s, i):
    when(i == 1 and s.x < 20)
    s.x += 1
    s.has[i] = not s.has[i]
system(state = record(x = range(40), y = (range(40), 3), has = array(range(2), bool), kept = array(range(2), bool),
    q = list_of(range(40), max = 6)), actions = [action(go, range(2))], members = range(2),
    properties = [invariant("i", lambda s: s.y == 3)])`} {
		in := instanceOfText(t, text)
		for _, s := range []explore.Store{{}, {Kind: explore.Disk, Dir: t.TempDir()}} {
			r, err := explore.Run(context.Background(), in, explore.Options{Store: s})
			if err != nil {
				t.Fatal(err)
			}
			if got := strings.Join(r.Unchanged, " "); got != want {
				t.Errorf("never changed: %s, want %s", got, want)
			}
		}
	}
}

// TestNumberOfWorkersDoesNotMatter: one worker finds the same as several that share memos.
func TestNumberOfWorkersDoesNotMatter(t *testing.T) {
	for name, args := range map[string]string{
		"maekawa": "variant=relinquish", "suzuki-kasami": "crashes=1",
		"alternating-bit": "channel=fifo losses=1",
	} {
		spec, err := Load(filepath.Join("..", "..", "specs", "files", name+Extension))
		if err != nil {
			t.Fatal(err)
		}
		var first string
		for _, workers := range []int{1, 2, 5} {
			in, _, err := spec.Instantiate(strings.Fields(args))
			if err != nil {
				t.Fatal(err)
			}
			opt := explore.Options{KeepGoing: true, Workers: workers}
			r, err := explore.Run(context.Background(), in, opt)
			if err != nil || !r.Complete {
				t.Fatal(err, r)
			}
			all := fmt.Sprint(r.States, r.Generated, r.Levels, r.Fired)
			for _, p := range r.Properties {
				all += fmt.Sprint("\n", p.Name, p.Verdict, p.Length, p.Count)
				for _, s := range p.Path {
					all += "\n  " + s.Text
				}
			}
			if first == "" {
				first = all
			}
			if all != first {
				t.Errorf("%s with %d workers:\n%s\nwith one:\n%s", name, workers, all, first)
			}
		}
	}
}

// TestLastOfManyProcessesIsRead: the local state of a process beyond the sixteenth is a read of its own.
func TestLastOfManyProcessesIsRead(t *testing.T) {
	got := verdictsOf(t, `"""M."""
def go(me):
    when(me.id == 20 and not me.x)
    me.x = True
processes(n = 20, local = record(x = bool), steps = [go], receive = [],
    properties = [invariant("i", lambda g: not g[20].x), invariant("j", lambda g: not g[19].x)])
`)
	if got != "i violated\nj holds" {
		t.Error(got)
	}
}
