package logs_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/atmostk/atmostk/traces/logs"
	"github.com/atmostk/atmostk/traces/logs/formats"
	"github.com/atmostk/atmostk/traces/logs/order"
)

// Logs of the kinds that presets and Learn are for: two workers, one after the other, so that
// one is inside for a second.
const (
	pythonLog = `2026-05-01 10:00:00,001 - w1 - INFO - starting up
2026-05-01 10:00:00,002 - w1 - INFO - lock acquired after 3 ms
2026-05-01 10:00:00,003 - w2 - INFO - waiting
2026-05-01 10:00:01,002 - w1 - INFO - lock released
2026-05-01 10:00:01,005 - w2 - INFO - lock acquired after 102 ms
2026-05-01 10:00:02,005 - w2 - INFO - lock released
`
	log4jLog = `2026-05-01 10:00:00,002 [w1] INFO  com.example.Pool - lock acquired
2026-05-01 10:00:01,002 [w1] DEBUG com.example.Pool - lock released
java.lang.IllegalStateException: oh
	at com.example.Pool.run(Pool.java:12)
2026-05-01 10:00:01,005 [w2] INFO  com.example.Pool - lock acquired
2026-05-01 10:00:02,005 [w2] WARN  com.example.Pool - lock released
`
	zapLog = `{"level":"info","ts":1777629600.002,"caller":"a.go:1","msg":"lock acquired","worker":"w1"}
{"level":"info","ts":1777629601.002,"caller":"a.go:3","msg":"lock released","worker":"w1"}
{"level":"info","ts":1777629601.005,"caller":"a.go:1","msg":"lock acquired","worker":"w2"}
{"level":"info","ts":1777629602.005,"caller":"a.go:3","msg":"lock released","worker":"w2"}
`
	slogTextLog = `time=2026-05-01T10:00:00.002Z level=INFO msg="lock acquired" worker=w1
time=2026-05-01T10:00:01.002Z level=INFO msg="lock released" worker=w1
time=2026-05-01T10:00:01.005Z level=INFO msg="lock acquired" worker=w2
time=2026-05-01T10:00:02.005Z level=INFO msg="lock released" worker=w2
`
	slogJSONLog = `{"time":"2026-05-01T10:00:00.002Z","level":"INFO","msg":"lock acquired","worker":"w1"}
{"time":"2026-05-01T10:00:01.002Z","level":"INFO","msg":"lock released","worker":"w1"}
{"time":"2026-05-01T10:00:01.005Z","level":"INFO","msg":"lock acquired","worker":"w2"}
{"time":"2026-05-01T10:00:02.005Z","level":"INFO","msg":"lock released","worker":"w2"}
`
	journalLog = `{"__REALTIME_TIMESTAMP":"1777629600002000","_HOSTNAME":"h","_PID":"17","MESSAGE":"lock acquired"}
{"__REALTIME_TIMESTAMP":"1777629601002000","_HOSTNAME":"h","_PID":"17","MESSAGE":"lock released"}
{"__REALTIME_TIMESTAMP":"1777629601005000","_HOSTNAME":"h","_PID":"18","MESSAGE":"lock acquired"}
{"__REALTIME_TIMESTAMP":"1777629602005000","_HOSTNAME":"h","_PID":"18","MESSAGE":"lock released"}
`
	postgresLog = `2026-05-01 10:00:00.002 UTC [17] u@d LOG:  statement: acquired
2026-05-01 10:00:01.002 UTC [17] u@d LOG:  statement: released
2026-05-01 10:00:01.005 UTC [18] u@d LOG:  execute s1: acquired
2026-05-01 12:00:02.005 +02 [18] u@d LOG:  statement: released
`
	goLog = `2026/05/01 10:00:00.002 [w1] acquired disk
2026/05/01 10:00:00.003 [w2] waiting
panic: oh no
2026/05/01 10:00:01.002 [w1] released disk
2026/05/01 10:00:01.005 [w2] acquired disk
2026/05/01 10:00:02.005 [w2] released disk
`
	plainLog = `1777629600.002 pid 17 entered
1777629601.002 pid 17 left
1777629601.005 pid 18 entered
1777629602.005 pid 18 left
`
)

// mapped is a mapping that is ready.
func mapped(t *testing.T, m formats.Mapping) *formats.Mapping {
	t.Helper()
	if err := m.Prepare(); err != nil {
		t.Fatal(err)
	}
	return &m
}

// twice asks a log for its holdings with two degrees of trust in its times.
func twice(t *testing.T, m *formats.Mapping, text string) string {
	t.Helper()
	s := ""
	for _, skew := range []time.Duration{0, 2 * time.Millisecond} {
		l := read(t, formats.Options{Mapping: m, Skew: &skew}, text)
		u := used(l)
		s += fmt.Sprintf("%d nodes, %d stays, possibly %d; ", len(l.Nodes), u.Holdings, u.Possibly)
	}
	return s
}

// wantTwice is what each of the logs above says: the two holdings are 3 ms apart.
const wantTwice = "2 nodes, 2 stays, possibly 1; 2 nodes, 2 stays, possibly 2; "

// TestPresetsReadTheirLogs reads each kind of log by its preset, with what a user adds.
func TestPresetsReadTheirLogs(t *testing.T) {
	events := map[string]string{"/acquired/": "acquire", "/released/": "release"}
	node := map[string]string{"worker": "node"}
	met := map[string]bool{}
	for _, c := range []struct {
		preset, text string
		fields       map[string]string
	}{
		{"python", pythonLog, nil}, {"log4j", log4jLog, nil}, {"zap", zapLog, node},
		{"slog-text", slogTextLog, node},
		{"slog-json", slogJSONLog, node}, {"journald", journalLog, nil},
		{"postgresql", postgresLog, nil},
		{"log4j", strings.ReplaceAll(strings.ReplaceAll(log4jLog, "[w1] INFO ", "INFO [w1]"), "[w2] INFO ",
			"INFO [w2]"), nil},
	} {
		met[c.preset] = true
		m := mapped(t, formats.Mapping{Preset: c.preset, Events: events, Fields: c.fields})
		if got := twice(t, m, c.text); got != wantTwice {
			t.Errorf("%s: %s", c.preset, got)
		}
	}
	for _, name := range formats.Presets() {
		if !met[name] {
			t.Errorf("no log is read by %s", name)
		}
	}
}

// TestLearnFindsMappings finds a mapping for each kind of log without being told anything.
func TestLearnFindsMappings(t *testing.T) {
	for name, text := range map[string]string{
		"python": pythonLog, "log4j": log4jLog, "zap": zapLog, "slog text": slogTextLog,
		"slog JSON": slogJSONLog,
		"journald":  journalLog, "Go": goLog, "plain": plainLog,
		"words": "1777629600.002 a acquire\n1777629601.002 a release\n1777629601.005 b " +
			"acquire\n1777629602.005 b release\n",
		"UTF-16": "\xff\xfe" + strings.Join(strings.Split(plainLog, ""), "\x00") + "\x00",
	} {
		x, err := logs.Learn(strings.NewReader(text))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		m, err := formats.ReadMapping(strings.NewReader(x.Text))
		if err != nil {
			t.Errorf("%s: %v\n%s", name, err, x.Text)
			continue
		}
		if got := twice(t, m, text); got != wantTwice || x.Acquired != 2 || x.Released != 2 || x.Odd != 0 {
			t.Errorf("%s: %s%d, %d, %d\n%s", name, got, x.Acquired, x.Released, x.Odd, x.Text)
		}
	}
	for _, text := range []string{"", "hello\n", "\x00\x01", "{}\n", strings.Repeat("a b c\n", 1000)} {
		if _, err := logs.Learn(strings.NewReader(text)); err == nil {
			t.Errorf("%.20q is learnt", text)
		}
	}
}

// TestConditionsLeaveLinesOut leaves lines out.
func TestConditionsLeaveLinesOut(t *testing.T) {
	line := []string{`^(?P<time>\d+) (?P<node>\w+)/(?P<node2>\w+) (?P<event>\w+) ?(?P<units>\d*)$`}
	text := "1 a/x acquire 2\nnoise\n2 a/x step\n3 a/x release\n4 b/y acquire\n5 b/y relea"
	for _, c := range []struct {
		m       formats.Mapping
		events  int
		skipped int
		kinds   []formats.Kind
	}{
		{formats.Mapping{Line: line}, 5, 1, nil},
		{formats.Mapping{Line: line, Skip: []string{"step"}}, 4, 2, nil},
		{formats.Mapping{Line: line, Only: []string{"acquire", "/rel/"}}, 4, 2, nil},
		{formats.Mapping{Line: line, Only: []string{"a", "o"}, Skip: []string{"/^[45]/"}}, 3, 2,
			[]formats.Kind{formats.Unreadable}},
	} {
		l := read(t, formats.Options{Mapping: mapped(t, c.m)}, text)
		var kinds []formats.Kind
		for _, f := range l.Findings {
			kinds = append(kinds, f.Kind)
		}
		if l.Events() != c.events || l.Skipped != c.skipped || !slices.Equal(kinds, c.kinds) ||
			l.Nodes[0] != "a/x" {
			t.Errorf("%+v: %d events, %d skipped, %v, %v", c.m, l.Events(), l.Skipped, kinds, l.Nodes)
		}
	}
	for text, want := range map[string]string{
		"line: '('":                      "not a valid regular expression",
		"line: '(?P<event>.)(?P<who>.)'": `group "who"`,
		"line: abc":                      "no group called event",
		"time: soon":                     "time is",
		"format: csv":                    "format is",
		"preset: none":                   "no preset",
		"only: ['/(/']":                  "not a valid regular expression",
	} {
		if _, err := formats.ReadMapping(strings.NewReader(text)); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// TestUnreadableLinesCountAsMissing takes lines in the midst of logs that make no sense for missing ones,
// and refuses a log that has no others.
func TestUnreadableLinesCountAsMissing(t *testing.T) {
	skew := time.Duration(0)
	for _, c := range []struct{ format, good, bad string }{
		{"ndjson", `{"node":"a","event":"acquire","time":1}` + "\n", `{"node":"a","ev` + "\n"},
		{"ndjson", `{"node":"a","event":"acquire","time":1}` + "\n", "{\"node\":\"\xfe\"}\n"},
		{"locks", "1 a acquire\n", "1 a acq 1 2 3 4\n"},
		{"logfmt", "time=1 node=a event=acquire\n", "goroutine 1 [running]:\n"},
	} {
		l := read(t, formats.Options{Format: c.format, Skew: &skew}, c.good+c.bad+c.good)
		u := used(l)
		if l.Events() != 2 || !slices.ContainsFunc(l.Findings,
			func(f formats.Finding) bool { return f.Kind == formats.Unreadable && f.Missing() }) {
			t.Errorf("%s: %d events, %v", c.format, l.Events(), l.Findings)
		}
		if u.Count > 0 || u.Possible == nil {
			t.Errorf("%s: %+v", c.format, u)
		}
		var input *formats.InputError
		if _, err := order.Read(write(t, c.bad+c.bad), formats.Options{Format: c.format}); !errors.As(err,
			&input) || input.Line != 1 {
			t.Errorf("%s: %v", c.format, err)
		}
		if _, err := order.Read(write(t, c.good+c.bad+c.good), formats.Options{Format: c.format,
			Strict: true}); !errors.As(err, &input) || input.Line != 2 {
			t.Errorf("%s, strict: %v", c.format, err)
		}
	}
}

// TestUnreadableLineMakesHoldingDoubtful is not sure of a holding in the midst of which lines make no sense,
// unless counts say that they were not its node's.
func TestUnreadableLineMakesHoldingDoubtful(t *testing.T) {
	skew := time.Duration(0)
	for _, c := range []struct {
		text            string
		count, possibly int
	}{
		{"1 a acquire\n2 b acquire\n3 b release\n4 a release\n", 1, 2},
		{"1 a acquire\nx\nx\n2 b acquire\n3 b release\n4 a release\n", 0, 2},
		{"1 a acquire\n2 a release\nx\n3 b acquire\n4 b release\n", 0, 1},
		{"1 a acquire\n2 a release\nx\n3 b acquire\n4 b release\n5 a step\n", 0, 2},
	} {
		m := mapped(t, formats.Mapping{Line: []string{`^(?P<time>\d) (?P<node>.) (?P<event>.*)`},
			Only: []string{"x", "a", "b"}})
		u := used(read(t, formats.Options{Mapping: m, Skew: &skew}, c.text))
		if u.Count != c.count || u.Possibly != c.possibly {
			t.Errorf("%q: %+v", c.text, u)
		}
	}
}

// TestShiVizLinesInEitherOrder takes either order of the two lines without a header.
func TestShiVizLinesInEitherOrder(t *testing.T) {
	for _, text := range []string{
		"a {\"a\":1}\nenter\nb {\"a\":1,\"b\":1}\nenter\n",
		"enter\na {\"a\":1}\nenter\nb {\"a\":1,\"b\":1}\n",
	} {
		if l := read(t, formats.Options{}, text); l.Events() != 2 || len(l.Nodes) != 2 ||
			used(l).Holdings != 2 {
			t.Errorf("%q: %+v", text, l)
		}
	}
}

// TestClockThatRunsBackIsReportedWithItsSize tells by how much a clock steps back.
func TestClockThatRunsBackIsReportedWithItsSize(t *testing.T) {
	skew := time.Millisecond
	l := read(t, formats.Options{Skew: &skew}, "5.000 a acquire\n3.500 a release\n")
	if !l.Contradictory() || !strings.Contains(l.Findings[0].Text, "by 1.498s more than the skew allows") {
		t.Errorf("%v", l.Findings)
	}
}

// TestCompiledFieldsAreNoKeysOfMappings: what a mapping is compiled to is no key of its file.
func TestCompiledFieldsAreNoKeysOfMappings(t *testing.T) {
	for _, key := range []string{"lines", "patterns", "waiting"} {
		if _, err := formats.ReadMapping(strings.NewReader(key + ": []\n")); err == nil {
			t.Errorf("%s is taken for a key", key)
		}
	}
}
