package occupancy_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/atmostk/atmostk/traces/logs/formats"
	"github.com/atmostk/atmostk/traces/logs/occupancy"
	"github.com/atmostk/atmostk/traces/logs/order"
)

// judgeTimed judges a log of a lock whose times are exact.
func judgeTimed(t *testing.T, k int, ending occupancy.Ending, nested bool, lines ...string) (*order.Log,
	*occupancy.Occupancy) {
	t.Helper()
	exact := time.Duration(0)
	l := read(t, formats.Options{Skew: &exact}, strings.Join(lines, "\n")+"\n")
	return l, used(l, k, ending, nested)
}

// counted is a log of a node that acquires twice, of which no line is missing.
var counted = []string{
	`{"node":"a","event":"acquire","seq":1,"time":1}`, `{"node":"a","event":"x","seq":2,"time":2}`,
	`{"node":"a","event":"acquire","seq":3,"time":3}`, `{"node":"a","event":"release","seq":4,"time":4}`,
	`{"node":"a","event":"release","seq":5,"time":5}`,
}

// TestHoldingsOfIncompleteLogs is about holdings of which the log does not say all.
func TestHoldingsOfIncompleteLogs(t *testing.T) {
	for name, c := range map[string]struct {
		lines            []string
		ending           occupancy.Ending
		nested           bool
		surely, possibly int
		kinds            string
	}{
		"whole": {lines: []string{"1 a acquire", "2 b acquire", "3 a release",
			"4 b release"}, surely: 2, possibly: 2},
		"one after the other": {lines: []string{"1 a acquire", "2 a release", "3 b acquire",
			"4 b release"}, surely: 1, possibly: 1},
		"touching": {lines: []string{"1 a acquire", "2 a release", "2 b acquire",
			"4 b release"}, surely: 1, possibly: 2},
		"no release, later": {lines: []string{"1 a acquire", "2 b acquire", "3 b release"},
			surely: 1, possibly: 2},
		"no release, held": {lines: []string{"1 a acquire", "2 b acquire", "3 b release"},
			ending: occupancy.Held, surely: 2, possibly: 2},
		"no release, free": {lines: []string{"1 a acquire", "2 b acquire", "3 b release"},
			ending: occupancy.Free, surely: 1, possibly: 1},
		"no release, last event between": {lines: []string{"1 a acquire", "2 b acquire", "3 a crash",
			"4 b release"}, surely: 2, possibly: 2},
		"crash before": {lines: []string{"1 a acquire", "2 a crash", "3 b acquire",
			"4 b release"}, surely: 1, possibly: 2},
		"crash before, free": {lines: []string{"1 a acquire", "2 a crash", "3 b acquire",
			"4 b release"}, ending: occupancy.Free, surely: 1, possibly: 1},
		"crash before, held": {lines: []string{"1 a acquire", "2 a crash", "3 b acquire",
			"4 b release"}, ending: occupancy.Held, surely: 2, possibly: 2},
		"release lost": {lines: []string{"1 a acquire", "3 b acquire", "4 b release",
			"5 a acquire", "6 a release"}, surely: 1, possibly: 2, kinds: "enters-twice"},
		"enter lost": {lines: []string{"1 a acquire", "2 a release", "3 b acquire",
			"4 b release", "5 a release"}, surely: 1, possibly: 2, kinds: "not-inside"},
		"enter lost, nothing before": {lines: []string{"3 b acquire", "4 b release", "5 a release"},
			surely: 1, possibly: 2, kinds: "not-inside"},
		"units": {lines: []string{"1 a acquire 3", "2 a release 1", "3 b acquire 2",
			"4 a release", "5 b release"}, surely: 4, possibly: 4},
		"nested": {lines: []string{"1 a acquire", "2 a acquire 2", "3 a release 2",
			"4 a release"}, nested: true, surely: 3, possibly: 3},
		"nested, all at once": {lines: []string{"1 a acquire", "2 a acquire 2", "3 a release 3",
			"4 b acquire 2", "5 b release"}, nested: true, surely: 3, possibly: 3},
		"nested, free": {lines: []string{"1 a acquire", "2 a acquire"}, ending: occupancy.Free,
			nested: true, surely: 1, possibly: 1},
		"not nested": {lines: []string{"1 a acquire", "2 a acquire", "3 a release", "4 a release"},
			surely: 1, possibly: 2, kinds: "enters-twice"},
		"counted": {lines: counted, surely: 2, possibly: 2, kinds: "nested"},
		"counted, a gap": {lines: slices.Delete(slices.Clone(counted), 2, 3), surely: 1, possibly: 2,
			kinds: "gap not-inside"},
		"counted, twice, a gap": {lines: slices.Delete(slices.Clone(counted), 1, 2), surely: 1, possibly: 2,
			kinds: "gap enters-twice"},
	} {
		l, u := judgeTimed(t, 9, c.ending, c.nested, c.lines...)
		if u.Certainly != c.surely || u.Possibly != c.possibly {
			t.Errorf("%s: certainly %d, possibly %d; want %d and %d", name, u.Certainly, u.Possibly, c.surely,
				c.possibly)
		}
		var kinds []string
		for _, f := range l.Findings {
			kinds = append(kinds, string(f.Kind))
		}
		if got := strings.Join(kinds, " "); got != c.kinds {
			t.Errorf("%s: findings %q, want %q", name, got, c.kinds)
		}
	}
}

// TestPartialReleaseKeepsCertainUnits: units that a node certainly had are not fewer because it releases
// some of them later, when no more than the rest is certain.
func TestPartialReleaseKeepsCertainUnits(t *testing.T) {
	_, u := judgeTimed(t, 2, occupancy.Possibly, false,
		`{"node":"b","event":"acquire","units":3,"time":1}`, `{"node":"b","event":"x","time":2}`,
		`{"node":"b","event":"acquire","time":3}`, `{"node":"b","event":"release","units":2,"time":4}`,
		`{"node":"a","event":"acquire","units":2,"time":5}`,
		`{"node":"a","event":"release","units":2,"time":6}`)
	if u.Certainly != 3 || u.Count != 1 || u.Definite[0].Units != 3 || u.Definite[0].Holdings[0].Units != 3 {
		t.Errorf("surely %d, %d definite: %+v", u.Certainly, u.Count, u.Definite)
	}
}

// TestCrashFreesUnitsIfModelIsNamed frees the units of the dead if the log names a model.
func TestCrashFreesUnitsIfModelIsNamed(t *testing.T) {
	const events = `{"node":"a","event":"enter","begin":1,"end":1}
{"node":"a","event":"crash","begin":2,"end":2}
{"node":"b","event":"enter","begin":3,"end":3}
{"node":"b","event":"release","begin":4,"end":4}
`
	for header, possibly := range map[string]int{"": 2, `{"atmostk":"log"}` + "\n": 2,
		`{"atmostk":"log","spec":"raymond"}` + "\n": 1} {
		u := used(read(t, formats.Options{}, header+events), 1, occupancy.Auto, false)
		if u.Possibly != possibly || u.Crashes != 1 || u.Open != 1 {
			t.Errorf("%q: %+v", header, u)
		}
	}
}

// TestUncertainEventIsPossibleOnly takes what may have happened for possible and never for certain.
func TestUncertainEventIsPossibleOnly(t *testing.T) {
	history := func(release string) string {
		return fmt.Sprintf(`{:type :invoke :f :acquire :process 0 :time 1}
{:type :ok :f :acquire :process 0 :time 2}
{:type :invoke :f :release :process 0 :time 3}
{:type %s :f :release :process 0 :time 4}
{:type :invoke :f :acquire :process 1 :time 5}
{:type :ok :f :acquire :process 1 :time 6}
{:type :invoke :f :release :process 1 :time 7}
{:type :ok :f :release :process 1 :time 8}
`, release)
	}
	for release, want := range map[string][2]int{":ok": {1, 1}, ":info": {1, 2}, ":fail": {2, 2}} {
		u := used(read(t, formats.Options{}, history(release)), 1, occupancy.Auto, false)
		if got := [2]int{u.Certainly, u.Possibly}; got != want {
			t.Errorf("release %s: %v, want %v", release, got, want)
		}
	}
	acquire := strings.ReplaceAll(history(":ok"), ":type :ok :f :acquire :process 0",
		":type :info :f :acquire :process 0")
	acquire = strings.Split(acquire, "{:type :invoke :f :release :process 0")[0] +
		"{:type :invoke :f :acquire :process 1 :time 5}\n{:type :ok :f :acquire :process 1 :time 6}\n"
	u := used(read(t, formats.Options{}, acquire), 1, occupancy.Auto, false)
	if u.Certainly != 1 || u.Possibly != 2 || u.Count != 0 {
		t.Errorf("%+v", u)
	}
}

// TestUncertainEnterIsNotCountedOn does not count on an enter that may not have happened, nor count one
// that has failed.
func TestUncertainEnterIsNotCountedOn(t *testing.T) {
	u := used(read(t, formats.Options{}, `{"node":"a","event":"enter","maybe":true,"begin":1,"end":1}
{"node":"a","event":"release","begin":9,"end":9}
{"node":"b","event":"enter","begin":2,"end":2}
{"node":"b","event":"release","begin":3,"end":3}
`), 1, occupancy.Auto, false)
	if u.Certainly != 1 || u.Possibly != 2 || u.Count != 0 {
		t.Errorf("%+v", u)
	}
	u = used(read(t, formats.Options{}, `{:type :invoke :f :acquire :process 0 :time 1}
{:type :fail :f :acquire :process 0 :time 2}
{:type :invoke :f :acquire :process 1 :time 3}
{:type :ok :f :acquire :process 1 :time 4}
`), 1, occupancy.Auto, false)
	if u.Holdings != 1 || u.Possibly != 1 {
		t.Errorf("%+v", u)
	}
}

// TestIntervalOutranksTimeStamp takes an interval that a line has for better than its time stamp.
func TestIntervalOutranksTimeStamp(t *testing.T) {
	_, u := judgeTimed(t, 1, occupancy.Auto, false,
		`{"node":"a","event":"enter","time":1}`, `{"node":"a","event":"release","time":4}`,
		`{"node":"b","event":"enter","time":2,"begin":2,"end":9}`,
		`{"node":"b","event":"release","time":3,"begin":3,"end":9}`)
	if u.Count != 0 || u.Possibly != 2 {
		t.Errorf("%+v", u)
	}
}

// TestSecondExecutionIsRefused refuses several executions in one file.
func TestSecondExecutionIsRefused(t *testing.T) {
	_, err := order.Read(write(t, "(?<host>\\S+) (?<clock>{.*}) (?<event>.*)\n^===\na {\"a\":1} enter\n=== "+
		"second\na {\"a\":1} enter\n"), formats.Options{})
	if err == nil || !strings.Contains(err.Error(), "a:4: a second execution begins here") {
		t.Error(err)
	}
}

// TestNodeInSeveralFilesIsOne puts together what a node has logged into several files.
func TestNodeInSeveralFilesIsOne(t *testing.T) {
	one := `{"node":"a","event":"enter","seq":3}` + "\n" + `{"node":"a","event":"release","seq":4}` + "\n"
	two := `{"node":"a","event":"enter","seq":1}` + "\n" + `{"node":"a","event":"release","seq":2}` + "\n"
	l := read(t, formats.Options{Keep: true}, one, two)
	if len(l.Findings) != 0 {
		t.Errorf("%+v", l.Findings)
	}
	for i, e := range l.History().Events {
		if e.Seq != int64(i+1) {
			t.Errorf("event %d has seq %d", i, e.Seq)
		}
	}
	// Clocks do as well.
	l = read(t, formats.Options{Keep: true}, `{"node":"a","event":"y","clock":{"a":2}}`+"\n",
		`{"node":"a","event":"x","clock":{"a":1}}`+"\n")
	if h := l.History(); len(l.Findings) != 0 || h.Events[0].Name != "x" {
		t.Errorf("%+v %+v", l.Findings, h.Events)
	}
}

// TestClocksOrderAcrossMissingLines orders events by clocks although lines are missing.
func TestClocksOrderAcrossMissingLines(t *testing.T) {
	l := read(t, formats.Options{Keep: true}, `{"node":"a","event":"1","clock":{"a":1}}
{"node":"a","event":"2","clock":{"a":4}}
{"node":"a","event":"3","clock":{"a":9}}
{"node":"b","event":"4","clock":{"b":1,"a":3}}
{"node":"b","event":"5","clock":{"b":2,"a":4}}
{"node":"b","event":"6","clock":{"b":5,"a":8}}
{"node":"b","event":"7","clock":{"b":6,"a":12,"c":1}}
`)
	h := l.History()
	if got, want := fmt.Sprint(h.After), "[[] [] [] [0] [1] [] [2]]"; got != want {
		t.Errorf("after: %s, want %s", got, want)
	}
	kinds := map[formats.Kind]int{}
	for _, f := range l.Findings {
		kinds[f.Kind]++
	}
	if fmt.Sprint(h.Nodes) != "[a b c]" || fmt.Sprint(kinds) != "map[gap:3 tail:1]" {
		t.Errorf("%v %+v", h.Nodes, l.Findings)
	}
}
