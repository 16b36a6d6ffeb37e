package occupancy_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/atmostk/atmostk/traces/logs/formats"
	"github.com/atmostk/atmostk/traces/logs/occupancy"
	"github.com/atmostk/atmostk/traces/logs/order"
)

// folders has the folder of each test that writes logs: to make one for each log takes longer than to judge
// it.
var folders sync.Map

// write writes the contents of files a, b, c and so on, and returns their names. It writes over the
// files of the same test.
func write(t testing.TB, contents ...string) (names []string) {
	t.Helper()
	dir, known := folders.Load(t)
	if !known {
		dir = t.TempDir()
		folders.Store(t, dir)
		t.Cleanup(func() { folders.Delete(t) })
	}
	for i, content := range contents {
		name := filepath.Join(dir.(string), string(rune('a'+i)))
		if err := os.WriteFile(name, []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
		names = append(names, name)
	}
	return names
}

// used judges how much of the only resource was in use, of which there are k units.
func used(l *order.Log, k int, ending occupancy.Ending, nested bool) *occupancy.Occupancy {
	reading := occupancy.Reading{Ending: ending, Nested: nested}
	return occupancy.OccupanciesOf(l, func(string) int { return k }, reading)[0]
}

// read reads contents as the files of a run.
func read(t testing.TB, opt formats.Options, contents ...string) *order.Log {
	t.Helper()
	l, err := order.Read(write(t, contents...), opt)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// An oracle looks at all beginnings of all orders of a small history. A set of
// events is a number, its bits the events.
type oracle struct {
	before []uint32 // of each event, those that have to be there
	stays  []oracleStay
	n      int
}

type oracleStay struct {
	enter, release int // release -1: none
	last           int // the last event of the node
	units          int
}

func newOracle(h *order.History) *oracle {
	o := &oracle{n: len(h.Events), before: make([]uint32, len(h.Events))}
	for _, list := range h.ByNode {
		open := -1
		for k, i := range list {
			if k > 0 {
				o.before[i] |= 1 << list[k-1]
			}
			switch h.Events[i].Name {
			case "enter":
				open = len(o.stays)
				o.stays = append(o.stays, oracleStay{i, -1, list[len(list)-1], max(h.Events[i].Units, 1)})
			case "release":
				o.stays[open].release = i
			}
		}
	}
	for i, after := range h.After {
		for _, j := range after {
			o.before[i] |= 1 << j
		}
	}
	return o
}

// inside are the holdings that certainly, or possibly, go on when the events of a set
// have happened, of which x was the latest.
func (o *oracle) inside(set uint32, x int, certainly bool) (stays uint32) {
	for i, s := range o.stays {
		has := func(e int) bool { return e >= 0 && set&(1<<e) != 0 }
		over := has(s.release)
		if certainly && s.release < 0 {
			over = has(s.last) && x != s.last
		}
		if has(s.enter) && !over {
			stays |= 1 << i
		}
	}
	return stays
}

func (o *oracle) units(stays uint32) (n int) {
	for i, s := range o.stays {
		if stays&(1<<i) != 0 {
			n += s.units
		}
	}
	return n
}

// walk visits the sets that are reached by steps that allowed lets pass.
func (o *oracle) walk(allowed func(set uint32, x int) bool) (complete bool) {
	seen := map[uint32]bool{0: true}
	queue := []uint32{0}
	for len(queue) > 0 {
		set := queue[0]
		queue = queue[1:]
		for x := range o.n {
			next := set | 1<<x
			if next != set && o.before[x]&^set == 0 && !seen[next] && allowed(next, x) {
				seen[next] = true
				queue = append(queue, next)
			}
		}
	}
	return seen[1<<o.n-1]
}

// possibly is the largest number of units inside in any order.
func (o *oracle) possibly() (most int) {
	o.walk(func(set uint32, x int) bool {
		most = max(most, o.units(o.inside(set, x, false)))
		return true
	})
	return most
}

// certainly is the smallest number, over all orders, of the most units inside.
func (o *oracle) surely() int {
	for k := 0; ; k++ {
		// Marks are on steps, as the last event of a holding counts: a set may be refused
		// after one step and allowed after another.
		if o.walk(func(set uint32, x int) bool { return o.units(o.inside(set, x, true)) <= k }) {
			return k
		}
	}
}

// together is the largest number of units of a set of holdings that are inside
// together in every order.
func (o *oracle) together() (most int) {
	for stays := range uint32(1) << len(o.stays) {
		if n := o.units(stays); n > most &&
			!o.walk(func(set uint32, x int) bool { return o.inside(set, x, true)&stays != stays }) {
			most = n
		}
	}
	return most
}

// randomLog draws a log of few nodes. Its nodes enter and leave in turn, with other
// events between.
func randomLog(t *rapid.T, stamp func(node, i int) string) string {
	var b strings.Builder
	for node := range rapid.IntRange(2, 4).Draw(t, "nodes") {
		inside := false
		for i := range rapid.IntRange(1, 5).Draw(t, "events") {
			name := "step"
			if rapid.IntRange(0, 3).Draw(t, "other") > 0 {
				name = map[bool]string{true: "release", false: "enter"}[inside]
				inside = !inside
			}
			units := ""
			if name == "enter" && rapid.IntRange(0, 3).Draw(t, "two") == 0 {
				units = `,"units":2`
			}
			fmt.Fprintf(&b, `{"node":"p%d","event":"%s"%s%s}`+"\n", node, name, units, stamp(node, i))
		}
	}
	return b.String()
}

// TestSweepAsSearchOverAllOrders compares the sweep with a search over all orders.
func TestSweepAsSearchOverAllOrders(t *testing.T) {
	definite := 0
	rapid.Check(t, func(t *rapid.T) {
		latest := map[int]int{}
		text := randomLog(t, func(node, _ int) string {
			// It may begin before the one before it, but not end before that begins.
			begin := latest[node] + rapid.IntRange(-2, 4).Draw(t, "gap")
			latest[node] = max(latest[node], begin)
			end := latest[node] + rapid.IntRange(0, 4).Draw(t, "length")
			return fmt.Sprintf(`,"begin":%d,"end":%d`, begin, end)
		})
		l := rapidRead(t, text)
		o := newOracle(l.History())
		for _, k := range []int{1, 2} {
			got := used(l, k, occupancy.Possibly, false)
			if surely := o.surely(); got.Certainly != surely || (got.Count > 0) != (surely > k) ||
				(len(got.Definite) > 0) != (surely > k) {
				t.Fatalf("k=%d: surely %d, want %d; %d definite\n%s", k, got.Certainly, surely, got.Count,
					text)
			}
			if possibly := o.possibly(); got.Possibly != possibly || (got.Possible != nil) != (possibly > k &&
				got.Count == 0) {
				t.Fatalf("k=%d: possibly %d, want %d\n%s", k, got.Possibly, possibly, text)
			}
			definite += got.Count
		}
	})
	if definite == 0 {
		t.Error("no log had a definite overlap set")
	}
}

func rapidRead(t *rapid.T, text string) *order.Log {
	f, err := os.CreateTemp("", "log")
	if err != nil {
		t.Fatal(err)
	}
	defer os.Remove(f.Name())
	if _, err := f.WriteString(text); err != nil {
		t.Fatal(err)
	}
	f.Close()
	l, err := order.Read([]string{f.Name()}, formats.Options{Format: "ndjson", Keep: true})
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	if l.Contradictory() {
		t.Fatalf("%v\n%s", l.Findings, text)
	}
	return l
}

// TestPartialOrderAsSearchOverAllOrders compares what is found in a partial order with a search over all
// orders.
func TestPartialOrderAsSearchOverAllOrders(t *testing.T) {
	definite, possible := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		l := rapidRead(t, randomMessages(t))
		o := newOracle(l.History())
		for _, k := range []int{1, 2} {
			got := used(l, k, occupancy.Possibly, false)
			if !got.Exact {
				t.Fatal("not exact")
			}
			surely := o.surely()
			if got.Certainly < o.together() || got.Certainly > surely || (got.Count > 0) != (surely > k) ||
				got.Avoidable != (got.Count == 0 && got.Possibly > k) {
				t.Fatalf("k=%d: %+v, want surely %d", k, got, surely)
			}
			if want := o.possibly(); got.Possibly != want || (got.Possible != nil) != (want > k &&
				got.Count == 0) {
				t.Fatalf("k=%d: possibly %d, want %d", k, got.Possibly, want)
			}
			definite += got.Count
			if got.Possible != nil {
				possible++
			}
		}
	})
	if definite == 0 || possible == 0 {
		t.Errorf("%d definite and %d possible overlap sets", definite, possible)
	}
}

// randomMessages draws a log with messages: an order of all events is drawn first,
// and messages go forward in it.
func randomMessages(t *rapid.T) string {
	n := rapid.IntRange(2, 4).Draw(t, "nodes")
	inside := make([]bool, n)
	var lines []string
	var sent []string
	for i := range rapid.IntRange(2, 14).Draw(t, "events") {
		node := rapid.IntRange(0, n-1).Draw(t, "node")
		line := fmt.Sprintf(`{"node":"p%d"`, node)
		if rapid.IntRange(0, 4).Draw(t, "other") > 0 {
			name := map[bool]string{true: "release", false: "enter"}[inside[node]]
			inside[node] = !inside[node]
			line += fmt.Sprintf(`,"event":"%s"`, name)
			if name == "enter" && rapid.IntRange(0, 3).Draw(t, "two") == 0 {
				line += `,"units":2`
			}
		} else {
			line += `,"event":"step"`
		}
		if len(sent) > 0 && rapid.IntRange(0, 2).Draw(t, "receive") > 0 {
			k := rapid.IntRange(0, len(sent)-1).Draw(t, "which")
			line += fmt.Sprintf(`,"id":"%s"`, sent[k])
			sent = slices.Delete(sent, k, k+1)
		}
		if rapid.IntRange(0, 1).Draw(t, "send") > 0 {
			id := fmt.Sprintf("m%d", i)
			sent = append(sent, id)
			line += fmt.Sprintf(`,"sent":[{"id":"%s"}]`, id)
		}
		lines = append(lines, line+"}")
	}
	return strings.Join(lines, "\n") + "\n"
}

// TestThreeHoldingsOverlapShifting needs a search for an order: of three holdings some two overlap in every
// order, but not always the same two.
func TestThreeHoldingsOverlapShifting(t *testing.T) {
	l := read(t, formats.Options{Keep: true}, `{"node":"A","event":"enter","sent":[{"id":"a"}]}
{"node":"B","event":"enter","sent":[{"id":"b"}]}
{"node":"C","event":"enter","sent":[{"id":"c"}]}
{"node":"A","event":"release","id":"c"}
{"node":"B","event":"release","id":"a"}
{"node":"C","event":"release","id":"b"}
`)
	got := used(l, 1, occupancy.Auto, false)
	if surely := newOracle(l.History()).surely(); surely != 2 {
		t.Errorf("the oracle finds %d", surely)
	}
	if got.Certainly != 2 || got.Count != 1 || got.Possibly != 3 || got.Possible != nil ||
		!got.Definite[0].Shifting || len(got.Definite[0].Holdings) != 3 {
		t.Errorf("%+v", got)
	}
}

// TestDefiniteSetsOverlapPairwise wants every two of a definite overlap set to overlap, not each with one of
// them.
func TestDefiniteSetsOverlapPairwise(t *testing.T) {
	l := read(t, formats.Options{Keep: true},
		`{"node":"Z","event":"enter","sent":[{"to":"J","id":"1"},{"to":"X","id":"1"}]}
{"node":"Z","event":"receive","id":"j"}
{"node":"Z","event":"receive","id":"x"}
{"node":"Z","event":"release"}
{"node":"J","event":"enter","sent":[{"to":"Z","id":"j"}]}
{"node":"J","event":"release","id":"1"}
{"node":"X","event":"enter","sent":[{"to":"Z","id":"x"}]}
{"node":"X","event":"release","id":"1"}
`)
	got := used(l, 1, occupancy.Auto, false)
	if want := newOracle(l.History()).together(); got.Certainly != want || want != 2 || got.Count != 1 ||
		got.Possibly != 3 {
		t.Errorf("%+v, the oracle finds %d together", got, want)
	}
}

// TestTimeStampsOrderOnlyWithSkew makes of time stamps an order only when asked to.
func TestTimeStampsOrderOnlyWithSkew(t *testing.T) {
	text := "1000 p1 acquire\n2000 p2 acquire\n3000 p1 release\n4000 p2 release\n"
	for _, c := range []struct {
		skew     time.Duration
		definite int
	}{{-1, 0}, {0, 1}, {499, 1}, {500, 0}} {
		opt := formats.Options{}
		if c.skew >= 0 {
			opt.Skew = &c.skew
		}
		got := used(read(t, opt, text), 1, occupancy.Auto, false)
		if got.Count != c.definite || (got.Possible != nil) != (c.definite == 0) ||
			got.Related != (c.skew >= 0) {
			t.Errorf("skew %d: %+v", c.skew, got)
		}
	}
}

func TestUnitsThatWereGivenBackInPartsCountBeforeThat(t *testing.T) {
	skew := time.Duration(1)
	_, u := judgedAs(t, formats.Options{Skew: &skew}, 3, occupancy.Reading{Nested: true}, `1 b acquire 2
2 b acquire
4 a acquire
4 b release 1
5 b release 1
`)
	if u.Possibly != 4 || u.Possible == nil || u.Possible.Units != 4 {
		t.Errorf("%+v", u)
	}
}

// TestReadersAndWritersByVectorClocks judges a lock that any number of readers may hold.
func TestReadersAndWritersByVectorClocks(t *testing.T) {
	writes := `{"node":"a","event":"acquire","clock":{"a":1}}` + "\n" +
		`{"node":"a","event":"release","clock":{"a":2}}` + "\n"
	reads := `{"node":"b","event":"acquire-read","clock":{"b":1%s}}` + "\n" +
		`{"node":"c","event":"acquire-read","clock":{"a":2,"c":1}}` + "\n"
	for clock, possibly := range map[string]int{`,"a":2`: occupancy.AnyNumber, "": occupancy.AnyNumber + 1} {
		_, u := judgedAs(t, formats.Options{}, 1, occupancy.Reading{}, writes+fmt.Sprintf(reads, clock))
		if !u.Exact || u.Possibly != possibly || u.Count != 0 {
			t.Errorf("%s: %+v", clock, u)
		}
	}
}

// TestUnitsOfAMissingLineDoNotDependOnTheOrderOfLines wants a writer to change nothing about what a reader's
// line acquires at most, whichever of them comes first.
func TestUnitsOfAMissingLineDoNotDependOnTheOrderOfLines(t *testing.T) {
	skew := time.Duration(2)
	writer := `{"event":"acquire","node":"a","seq":1,"time":1009}` + "\n"
	reader := `{"event":"request","node":"c","seq":4,"time":1007}` + "\n" +
		`{"event":"acquire","node":"c","seq":1,"shared":true,"time":1008,"units":3}` + "\n"
	for _, text := range []string{writer + reader, reader + writer} {
		_, u := judgedAs(t, formats.Options{Skew: &skew}, 2, occupancy.Reading{}, text)
		if u.Certainly != 3 || u.Possibly != 8 {
			t.Errorf("certainly %d, possibly %d in\n%s", u.Certainly, u.Possibly, text)
		}
	}
}
