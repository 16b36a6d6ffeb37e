package occupancy_test

import (
	"bufio"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/atmostk/atmostk/traces/logs/formats"
	"github.com/atmostk/atmostk/traces/logs/occupancy"
	"github.com/atmostk/atmostk/traces/logs/order"
)

// TestHugeLineIsRefusedEarly refuses a line of 1 GiB after reading a little of it.
func TestHugeLineIsRefusedEarly(t *testing.T) {
	for _, format := range formats.Formats {
		starts := []string{""}
		if own := map[string]string{"ndjson": `{"node":"`, "jepsen": "{:f ", "locks": "1 "}[format]; own != "" {
			starts = append(starts, own)
		}
		for _, start := range starts {
			name := filepath.Join(t.TempDir(), "huge")
			if err := os.WriteFile(name, []byte(start), 0o666); err != nil {
				t.Fatal(err)
			}
			if err := os.Truncate(name, 1<<30); err != nil { // zero bytes, which take no room
				t.Fatal(err)
			}
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			wasRead, known := bytesRead()
			m := &formats.Mapping{Line: []string{"^(?P<node>.) (?P<event>.*)$"}}
			if err := m.Prepare(); err != nil {
				t.Fatal(err)
			}
			_, err := order.Read([]string{name}, formats.Options{Format: format, Mapping: m})
			isRead, _ := bytesRead()
			runtime.ReadMemStats(&after)
			if err == nil {
				t.Errorf("%s %q is accepted", format, start)
				continue
			}
			// whose documents are no lines
			whole := format == "trace" || format == "otlp" || format == "jaeger"
			if !whole && !strings.Contains(err.Error(), "huge:1: longer than 12582912 bytes") &&
				!strings.Contains(err.Error(), "huge:2: longer") {
				t.Errorf("%s %q: %v", format, start, err)
			}
			if used := after.TotalAlloc - before.TotalAlloc; used > 96<<20 {
				t.Errorf("%s %q: %d bytes allocated", format, start, used)
			}
			if known && isRead-wasRead > 16<<20 {
				t.Errorf("%s %q: %d bytes read", format, start, isRead-wasRead)
			}
		}
	}
}

// bytesRead returns how many bytes this process has read so far, where the system says that.
func bytesRead() (n int, known bool) {
	b, err := os.ReadFile("/proc/self/io")
	if err != nil {
		return 0, false
	}
	_, err = fmt.Sscanf(string(b), "rchar: %d", &n)
	return n, err == nil
}

// TestFormatsAreRecognised takes each format for itself, and none for another.
func TestFormatsAreRecognised(t *testing.T) {
	for content, format := range map[string]string{
		"{\"node\":\"a\",\"event\":\"enter\"}\n":       "ndjson",
		"\n\n{\"atmostk\":\"log\"}\n":                  "ndjson",
		"\ufeff{\"node\":\"a\",\"event\":\"enter\"}\n": "ndjson",
		"# comment\n1 a acquire\n":                     "locks",
		"2026-01-02T03:04:05Z a release 2\n":           "locks",
		"a {\"a\":1}\nenter\n":                         "shiviz",
		"(?<event>.*)\\n(?<host>\\S*) " +
			"(?<clock>{.*})\n\nenter\na {\"a\":1}\n": "shiviz",
		"[{:type :invoke, :f :acquire, :process 0}\n{:type :ok, :f :acquire, " +
			":process 0}]\n": "jepsen",
		"; a history\n#jepsen.history.Op{:process 0, :type :invoke, :f :release, :time " +
			"3, :value nil}\n": "jepsen",
	} {
		l := read(t, formats.Options{}, content)
		if len(l.Formats) != 1 || l.Formats[0] != format {
			t.Errorf("%q is taken for %v", content, l.Formats)
		}
	}
	for _, content := range []string{"hello\n", "[1, 2]\n", "\"a\"\n", "{}\n", "a b c\n", "\x80\x81\n"} {
		_, err := order.Read(write(t, content), formats.Options{})
		var input *formats.InputError
		if !errors.As(err, &input) || !strings.Contains(err.Error(), "not clear") {
			t.Errorf("%q: %v", content, err)
		}
	}
}

// million writes a log of a semaphore of ten units: that many millions of events of 100 nodes,
// in the order of time.
func million(t testing.TB, name string, millions int64, line func(now int64, node int, event string) string) {
	t.Helper()
	f, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	w := bufio.NewWriter(f)
	r := rand.New(rand.NewPCG(1, 2))
	var inside []int
	in := map[int]bool{}
	for now := range millions * 1_000_000 {
		if len(inside) == 10 || len(inside) > 0 && r.IntN(2) == 0 {
			k := r.IntN(len(inside))
			node := inside[k]
			inside = append(inside[:k], inside[k+1:]...)
			delete(in, node)
			fmt.Fprintln(w, line(now*1000, node, "release"))
			continue
		}
		node := r.IntN(100)
		for in[node] {
			node = r.IntN(100)
		}
		in[node] = true
		inside = append(inside, node)
		fmt.Fprintln(w, line(now*1000, node, "acquire"))
	}
	if err := errors.Join(w.Flush(), f.Close()); err != nil {
		t.Fatal(err)
	}
}

// TestMillion judges a million events, or as many millions as ATMOSTK_MILLIONS says. ATMOSTK_MILLION is
// the folder in which the logs stay, to measure the command with them.
func TestMillion(t *testing.T) {
	dir, millions := os.Getenv("ATMOSTK_MILLION"), int64(1)
	if dir == "" {
		t.Skip("ATMOSTK_MILLION is not set")
	}
	if text := os.Getenv("ATMOSTK_MILLIONS"); text != "" {
		var err error
		if millions, err = strconv.ParseInt(text, 10, 64); err != nil {
			t.Fatal(err)
		}
	}
	for name, line := range map[string]func(int64, int, string) string{
		"words": func(now int64, node int, event string) string {
			return fmt.Sprintf("%d node-%d %s", now,
				node, event)
		},
		"slog": func(now int64, node int, event string) string {
			return fmt.Sprintf(`{"time":"%s","level":"INFO","msg":"%s","node":"node-%d"}`,
				time.Unix(1_700_000_000, now).UTC().Format(time.RFC3339Nano), event, node)
		},
		"intervals": func(now int64, node int, event string) string {
			return fmt.Sprintf(`{"node":"node-%d","event":"%s","begin":%d,"end":%d}`, node, event, now-300,
				now+300)
		},
	} {
		file := filepath.Join(dir, name+".log")
		million(t, file, millions, line)
		skew := time.Duration(0)
		for _, k := range []int{10, 9} {
			how := occupancy.Judging{Units: func(formats.Header) (func(string) int, error) {
				return func(string) int {
					return k
				}, nil
			}}
			from := time.Now()
			_, uses, err := occupancy.Judge([]string{file}, formats.Options{Skew: &skew, NoModel: true}, how)
			if err != nil {
				t.Fatal(err)
			}
			u := uses[0]
			if u.Certainly != 10 || u.Possibly != 10 || u.Count == 0 != (k == 10) ||
				int64(u.Holdings) < millions*500_000-10 {
				t.Errorf("%s, k=%d: %+v", name, k, u)
			}
			t.Logf("%s, k=%d: %s", name, k, time.Since(from))
		}
	}
}

// TestMemoryBoundEndsReading reads as many events as there is room for.
func TestMemoryBoundEndsReading(t *testing.T) {
	var words, lines strings.Builder
	for i := range 30_000 {
		name := []string{"acquire", "release"}[i%2]
		fmt.Fprintf(&words, "%d a %s\n", i, name)
		fmt.Fprintf(&lines, "{\"node\":\"a\",\"event\":%q,\"clock\":{\"a\":%d}}\n", name, i+1)
	}
	for _, c := range []struct {
		text   string
		opt    formats.Options
		events int // 0: all
	}{
		{words.String(), formats.Options{}, 0},
		{words.String(), formats.Options{Memory: 8 << 20}, 0},
		{words.String(), formats.Options{Memory: 4 << 20}, 3 << 13},
		{words.String(), formats.Options{Memory: 1}, 0},
		{lines.String(), formats.Options{Memory: 8 << 20}, 3 << 13},
		{lines.String(), formats.Options{Memory: 8 << 20, Keep: true}, 1 << 13},
	} {
		l, err := order.Read(write(t, c.text), c.opt)
		var full *order.LimitError
		switch {
		case err == nil && c.events == 0 && c.opt.Memory != 1:
			if l.Events() != 30_000 {
				t.Errorf("%d events were read", l.Events())
			}
		case !errors.As(err, &full) || full.Events != c.events || full.At.Line != c.events+1:
			t.Errorf("memory %d: %v, want an end after %d events", c.opt.Memory, err, c.events)
		}
	}
}

// TestReadingStops ends reading and judging when it is asked to.
func TestReadingStops(t *testing.T) {
	file := write(t, strings.Repeat("1 a acquire\n2 a release\n", order.Chunk))[0]
	asked := 0
	opt := formats.Options{Stop: func() bool { asked++; return asked > 2 }}
	_, _, err := occupancy.Judge([]string{file}, opt, occupancy.Judging{Units: oneUnit})
	var stopped *order.LimitError
	if !errors.As(err, &stopped) || stopped.Memory != 0 || stopped.Events != order.Chunk {
		t.Errorf("reading ended with %v", err)
	}
}

// TestHoldingsWithoutRelease: levels share their lists, so that memory is linear in the events.
func TestHoldingsWithoutRelease(t *testing.T) {
	const events = 8000
	for name, line := range map[string]string{
		"open":   `{"node":"a","event":"acquire","time":%[1]d}`,
		"leases": `{"node":"a","event":"acquire","time":%[1]d,"lease_lasts":"1h"}`,
		"locks":  `{"node":"n%[1]d","event":"acquire","time":%[1]d,"resource":"l%[1]d"}`,
	} {
		var text strings.Builder
		for i := range events {
			fmt.Fprintf(&text, line+"\n", i)
		}
		file := write(t, text.String())[0]
		for _, nested := range []bool{false, true} {
			how := occupancy.Judging{Units: oneUnit}
			how.Nested = nested
			opt := formats.Options{Skew: new(time.Duration)}
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			if _, _, err := occupancy.Judge([]string{file}, opt, how); err != nil {
				t.Fatal(err)
			}
			runtime.ReadMemStats(&after)
			if used := after.TotalAlloc - before.TotalAlloc; used > events*10_000 {
				t.Errorf("%s, nested %v: %d MB for %d events", name, nested, used>>20, events)
			}
		}
	}
}

func oneUnit(formats.Header) (func(string) int, error) {
	return func(string) int { return 1 }, nil
}
