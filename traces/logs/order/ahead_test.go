package order

import (
	"math/rand/v2"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/atmostk/atmostk/traces/logs/formats"
)

// aheadLines are lines of each format: usual ones, and some that are left out, unreadable or refused.
var aheadLines = map[string][]string{
	"locks": {"%d a acquire", "%d b release 2", "%d a request x", "# %d", "%d nonsense", "%d c use", "",
		"%d b skipped"},
	"ndjson": {`{"time":"%d","node":"a","msg":"acquire"}`,
		`{"time":"%d","node":"b","msg":"release","lock":"x"}`, `{"time":"%d","node":`,
		`{"time":"%d","node":"c","event":"send","to":"a","id":"i"}`, `[%d]`, "\xff%d",
		`{"time":"%d","node":"a","msg":"skipped"}`},
	"logfmt": {"time=%d node=a event=acquire", `time=%d node="b b" event=release`, "%d", `time=%d node="open`,
		"time=%d node=a event=skipped"},
	"text": {"%d a: acquire", "%d b: release", "%d left out", "%d a: skipped"},
}

// aheadRefused are lines for which a log is refused.
var aheadRefused = map[string]string{
	"locks": "1 a unknown", "ndjson": `{"time":"yesterday","node":"a","msg":"acquire"}`,
	"logfmt": "time=yesterday node=a event=acquire",
	"text":   "", "header": `{"atmostk":"log","spec":"raymond"}`,
}

// TestParsingAheadChangesNothing reads logs of several batches with lines parsed ahead and one by one: what
// is read, what is found on the way, and what a log is refused for have to be the same.
func TestParsingAheadChangesNothing(t *testing.T) {
	m := &formats.Mapping{Line: []string{`^(?P<time>\d+) (?P<node>\w+): (?P<event>\w+)$`},
		Skip: []string{"skipped"}}
	if err := m.Prepare(); err != nil {
		t.Fatal(err)
	}
	outcomes := map[string]int{}
	for format, lines := range aheadLines {
		for seed := range uint64(12) {
			r := rand.New(rand.NewPCG(seed, 7))
			var b strings.Builder
			if seed%4 == 1 && format == "ndjson" {
				b.WriteString(aheadRefused["header"] + "\n")
			}
			for n := range 1000 + r.IntN(3000) {
				if seed%4 == 2 && r.IntN(2500) == 0 {
					b.WriteString(aheadRefused[format] + "\n")
				}
				line := lines[0]
				if r.IntN(8) == 0 {
					line = lines[r.IntN(len(lines))]
				}
				b.WriteString(strings.Replace(line, "%d", strconv.Itoa(1e18+n*1e6), 1) + "\n")
			}
			whole := b.String()
			cut := whole[:len(whole)-r.IntN(12)] // mostly in the middle of the last line
			opt := formats.Options{Format: format, Mapping: m, Keep: seed%2 == 0, Strict: seed%4 == 3}
			one, oneErr := readAhead(cut, opt, false)
			two, twoErr := readAhead(cut, opt, true)
			outcomes[format+": read"] += map[bool]int{oneErr == nil: 1}[true]
			if !reflect.DeepEqual(oneErr, twoErr) {
				t.Fatalf("%s, seed %d: one by one: %v\nahead: %v", format, seed, oneErr, twoErr)
			}
			if oneErr == nil && !reflect.DeepEqual(one, two) {
				t.Fatalf("%s, seed %d: %d events and %v one by one, %d and %v ahead",
					format, seed, one.Events(), one.Findings, two.Events(), two.Findings)
			}
		}
		if n := outcomes[format+": read"]; n == 0 || n == 12 && format != "text" {
			t.Errorf("%s: %d of 12 logs are read", format, n)
		}
	}
}

func readAhead(text string, opt formats.Options, ahead bool) (*Log, error) {
	rd := NewCollector(opt)
	if err := rd.Read("x", strings.NewReader(text), ahead); err != nil {
		return nil, err
	}
	return rd.Log(), nil
}
