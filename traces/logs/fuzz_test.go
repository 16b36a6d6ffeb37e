package logs

import (
	"bytes"
	"errors"
	"testing"
	"time"

	"github.com/atmostk/atmostk/traces/logs/formats"
	"github.com/atmostk/atmostk/traces/logs/occupancy"
	"github.com/atmostk/atmostk/traces/logs/order"
	"github.com/atmostk/atmostk/traces/logs/products"
)

// examples are logs of all formats, to begin with.
var examples = map[string][]string{
	"ndjson": {
		`{"atmostk":"log","spec":"raymond","args":"n=3 k=2"}` + "\n" +
			`{"node":"p1","event":"enter","clock":{"p1":1},"sent":[{"to":"p2","id":"m"}]}` + "\n" +
			`{"node":"p2","event":"receive","from":"p1","id":"m","clock":{"p1":1,"p2":1},"lamport":3,"state":{"x":1}}` + "\n" +
			`{"node":"p2","event":"enter","units":2,"maybe":true,"seq":4}` + "\n" +
			`{"node":"p1","event":"release"}` + "\n",
		`{"node":"a","event":"enter","begin":1,"end":4}` + "\n" +
			`{"node":"b","event":"enter","begin":2,"end":2,"units":3}` + "\n" +
			`{"node":"b","event":"release","begin":5,"end":9,"units":2}` + "\n" +
			`{"node":"a","event":"release","begin":6}`,
		`{"node":"a","event":"x","to":"b","id":"1"}` + "\n" + `{"node":"b","event":"y","from":"a","id":"1"}` +
			"\n{\"node",
	},
	"locks": {"1 a acquire\n2 b acquire 3\n# x\n3 a release\n4 b release 2\n2026-01-02T03:04:05Z b crash\n"},
	"shiviz": {"a {\"a\":1}\nenter\nb {\"b\":1,\"a\":1}\nenter\n",
		"(?<host>\\S*) (?<clock>{.*}) (?<event>.*)\n\na {\"a\":2} release\n",
		"(?<event>.*)\\n(?<host>\\S*) (?<clock>{.*})\n^==\nenter\na {\"a\":1}\n==\n"},
	"jepsen": {
		"[{:type :invoke, :f :acquire, :process 0, :time 3} ; x\n#_ 1 #jepsen.history.Op{:type :ok :f " +
			":acquire :process 0 :time 5 :value [#{1 2} \\a \"s\\n\" 1.5M nil]}\n{:type :invoke :f " +
			":release :process 0 :time 6}]",
		"{:type :invoke, :f :acquire, :process 0}\n{:type :info, :f :acquire, :process 0}\n{:type :info " +
			":process :nemesis :f :kill}\n",
	},
	"product": {
		"2026-05-01 10:00:00.000 UTC [7] LOG:  statement: begin; select pg_advisory_xact_lock(1);\n" +
			"2026-05-01 10:00:01.000 UTC [7] LOG:  execute <unnamed>: select pg_advisory_lock($1)\n" +
			"2026-05-01 10:00:01.000 UTC [7] DETAIL:  parameters: $1 = '42'\n" +
			"2026-05-01 10:00:02.000 UTC [8] LOG:  statement: select pg_advisory_unlock(42);\n" +
			"2026-05-01 10:00:02.000 UTC [8] WARNING:  you don't own a lock of type ExclusiveLock\n" +
			"2026-05-01 10:00:03.000 UTC [1] LOG:  all server processes terminated; reinitializing\n",
		"Lock[a] in G wait key added for <LockEndpoint{sessionId=1, threadId=2}, x>\n" +
			"Lock[a] in G acquired by <LockEndpoint{sessionId=1, threadId=2}, x>\n" +
			"Lock[a] in G released by <LockEndpoint{sessionId=1, threadId=2}, x>\n" +
			"Lock[a] in G not released by <LockEndpoint{sessionId=1, threadId=2}, x>\n",
		"worker=a lock acquired key=x token=1\nworker=b lock not acquired key=x\n" +
			"worker=a lock released token=1\n",
	},
	"trace": {`{"schema":1,"spec":"raymond","parameters":{"n":"2"},"property":"p","kind":"invariant","verdict":"violated","steps":1}
{"step":0,"changed":[]}
{"step":1,"node":"p1","event":"enter","changed":[{"owner":"p1","name":"State","value":"CS"}],"inside":[{"owner":"p1","units":1}]}
`},
}

// fuzz reads anything as a log of a format. What can be read can be judged.
func fuzz(f *testing.F, format string) {
	for _, e := range examples[format] {
		f.Add([]byte(e), []byte(nil), byte(0))
		f.Add([]byte(e), []byte(e), byte(3))
	}
	f.Fuzz(func(t *testing.T, one, two []byte, how byte) {
		opt := formats.Options{Format: format, Keep: how&1 != 0, Strict: how&4 != 0}
		if skew := time.Duration(how >> 4); how&2 != 0 {
			opt.Skew = &skew
		}
		if format == "product" {
			if opt.Product = products.Recognise([][]byte{one, two}); opt.Product == nil {
				return
			}
			opt.Format, opt.Lines = "", opt.Product.Order == "lines" && opt.Skew == nil && len(two) == 0
		}
		rd := order.NewCollector(opt)
		err := rd.Read("one", bytes.NewReader(one), false)
		if err == nil && len(two) > 0 {
			err = rd.Read("two", bytes.NewReader(two), false)
		}
		if err != nil {
			var input *formats.InputError
			if !errors.As(err, &input) {
				t.Fatalf("not an InputError: %v", err)
			}
			return
		}
		judge(t, rd.Log(), how)
	})
}

// judge looks for contradictions in what is said of a log.
func judge(t *testing.T, l *order.Log, how byte) {
	h := l.History()
	if h != nil && len(h.Events) != l.Events() {
		t.Fatalf("%d events of %d", len(h.Events), l.Events())
	}
	if l.Contradictory() {
		return
	}
	for ending := range occupancy.Endings {
		u := occupancy.OccupanciesOf(l, func(string) int { return 1 },
			occupancy.Reading{Ending: occupancy.Ending(ending), Nested: how&8 != 0})[0]
		if u.Certainly > u.Possibly || u.Count > 0 != (u.Certainly > 1) ||
			u.Possible != nil != (u.Possibly > 1 &&
				u.Count == 0) {
			t.Fatalf("%+v", u)
		}
		for _, c := range u.Definite {
			if len(c.Holdings) == 0 || c.Units < 2 {
				t.Fatalf("%+v", c)
			}
		}
	}
}

func FuzzNDJSON(f *testing.F) { fuzz(f, "ndjson") }
func FuzzLocks(f *testing.F)  { fuzz(f, "locks") }
func FuzzShiViz(f *testing.F) { fuzz(f, "shiviz") }
func FuzzJepsen(f *testing.F) { fuzz(f, "jepsen") }
func FuzzTrace(f *testing.F)  { fuzz(f, "trace") }

func FuzzProducts(f *testing.F) { fuzz(f, "product") }

// FuzzMapping reads anything as a mapping, and applies what can be read.
func FuzzMapping(f *testing.F) {
	f.Add([]byte("events: {lock: acquire, '/^un(?P<units>[0-9]+)/': release}\nfields: {a.b: node}\nnodes: "+
		"{1: p1}\nignore: [x, /y.*/]\n"), "un3")
	f.Fuzz(func(t *testing.T, mapping []byte, event string) {
		m, err := formats.ReadMapping(bytes.NewReader(mapping))
		if err != nil {
			return
		}
		rd := order.NewCollector(formats.Options{Format: "ndjson", Mapping: m})
		line := []byte(`{"node":"a","event":"` + event + `","a":{"b":"c"}}` + "\n")
		if err := rd.Read("one", bytes.NewReader(line), false); err == nil {
			judge(t, rd.Log(), 0)
		}
	})
}
