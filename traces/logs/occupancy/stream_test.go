package occupancy_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/atmostk/atmostk/traces/logs/formats"
	"github.com/atmostk/atmostk/traces/logs/occupancy"
	"github.com/atmostk/atmostk/traces/logs/order"
)

// The heap of these tests may grow as the command lets it: many small things would pay more for its
// collection than for themselves.
var _ = debug.SetGCPercent(1000)

// streamed are the kinds of logs that are judged as they are read and as a whole: all campaigns,
// and others for what needs more than one reading.
func streamed() map[string]campaign {
	all := maps.Clone(campaigns)
	all["long"] = campaign{threads: 1, long: true}
	all["long, counted"] = campaign{threads: 1, seq: true, long: true, restarts: true}
	all["long, gaps"] = campaign{threads: 1, seq: true, drop: 6, long: true}
	all["long, dropped"] = campaign{threads: 1, drop: 6, long: true}
	all["long, free"] = campaign{threads: 1, drop: 6, long: true, ending: occupancy.Free}
	all["long, held"] = campaign{threads: 1, seq: true, long: true, ending: occupancy.Held}
	all["untimed"] = campaign{threads: 1, drop: 6, long: true, untimed: true}
	all["lines"] = campaign{threads: 1, drop: 6, long: true, lines: true}
	return all
}

// TestStreamedVerdictsAsOfKeptLogs compares the verdicts on logs that are judged as they are read, with
// windows so small that much comes too late for them, with those on logs that are in memory as a whole.
func TestStreamedVerdictsAsOfKeptLogs(t *testing.T) {
	rounds := 12
	if os.Getenv("ATMOSTK_SWEEP") != "" {
		rounds = 2000
	}
	defer occupancy.Windows(2, 3)()
	all := streamed()
	for _, name := range slices.Sorted(maps.Keys(all)) {
		t.Run(name, func(t *testing.T) {
			c := all[name]
			r := rand.New(rand.NewPCG(9, uint64(len(name))))
			counts := map[bool]int{}
			for range rounds {
				d := c.draw(r)
				counts[d.stream(t, r)]++
			}
			t.Log(counts)
			if c.threads == 1 && !c.messages && !c.clocks && counts[true] < rounds/4 {
				t.Errorf("few were judged as they were read: %v", counts)
			}
		})
	}
}

// stream judges a log twice, divided into files as they come.
func (d *drawn) stream(t *testing.T, r *rand.Rand) bool {
	contents := []string{d.text()}
	if !d.campaign.lines && r.IntN(2) == 0 {
		contents = d.texts(1 + r.IntN(3))
	}
	skew := time.Duration(d.skew)
	opt := formats.Options{Format: "ndjson", Skew: &skew}
	if d.untimed {
		opt.Skew = nil
	}
	if d.campaign.lines {
		opt.Skew, opt.Lines = nil, true
	}
	files := write(t, contents...)
	streamed := false
	for _, k := range []int{1, 2} {
		l, err := order.Read(files, opt)
		if err != nil {
			t.Fatalf("%v\n%s", err, contents)
		}
		units := func(string) int { return k }
		var want []*occupancy.Occupancy
		if !l.Contradictory() {
			want = occupancy.OccupanciesOf(l, units, d.reading())
		}
		how := occupancy.Judging{Reading: d.reading(),
			Units: func(formats.Header) (func(string) int, error) { return units, nil }}
		m, got, err := occupancy.Judge(files, opt, how)
		if err != nil {
			t.Fatalf("%v\n%s", err, contents)
		}
		a, b := judged(l, want), judged(m, got)
		if a != b {
			t.Fatalf("k=%d\n%s as a whole\n%s as it was read\n%s", k, a, b, contents)
		}
		streamed = streamed || occupancy.Streamed(m)
	}
	return streamed
}

// judged is what two ways of judging have in common: all but which ones of several overlap sets
// and findings are listed.
func judged(l *order.Log, uses []*occupancy.Occupancy) string {
	text := fmt.Sprintln(l.Nodes, l.Resources, l.Hints, l.Events(), l.Order(), l.Contradictory())
	kinds := map[formats.Kind]int{}
	for _, f := range l.Findings {
		kinds[f.Kind] += 1 + f.More
	}
	text += fmt.Sprintln(kinds)
	for _, u := range uses {
		v := *u
		units := []int{}
		for _, c := range u.Definite {
			units = append(units, c.Units)
		}
		slices.Sort(units)
		text += fmt.Sprintln(units, u.Possible != nil)
		v.Definite, v.Possible = nil, nil
		b, _ := json.Marshal(v)
		text += string(b) + "\n"
	}
	return text
}

// TestStreamedReadersAndWritersAsOfKeptLogs compares the same for locks of readers and writers, of which
// lines are missing: one of them may have acquired as much as a writer takes.
func TestStreamedReadersAndWritersAsOfKeptLogs(t *testing.T) {
	rounds := 20
	if os.Getenv("ATMOSTK_SWEEP") != "" {
		rounds = 2000
	}
	defer occupancy.Windows(2, 3)()
	r := rand.New(rand.NewPCG(5, 6))
	for range rounds {
		var b strings.Builder
		now, held, seq := 0, map[int]string{}, map[int]int{}
		for range 5 + r.IntN(30) {
			n := r.IntN(3)
			event := "release" + held[n]
			if _, inside := held[n]; inside {
				delete(held, n)
			} else {
				held[n] = []string{"", "-read"}[r.IntN(2)]
				event = "acquire" + held[n]
			}
			now += r.IntN(4)
			if seq[n]++; r.IntN(5) > 0 {
				fmt.Fprintf(&b, `{"time":%d,"node":"n%d","event":"%s","seq":%d}`+"\n", now, n, event, seq[n])
			}
		}
		skew := time.Duration(r.IntN(3))
		opt := formats.Options{Format: "ndjson", Skew: &skew}
		if b.Len() == 0 {
			continue
		}
		files := write(t, b.String())
		reading := occupancy.Reading{Nested: r.IntN(3) == 0, Ending: occupancy.Ending(r.IntN(4))}
		k := 1 + r.IntN(3)
		l, err := order.Read(files, opt)
		if err != nil {
			t.Fatal(err)
		}
		units := func(string) int { return k }
		how := occupancy.Judging{Reading: reading, Units: func(formats.Header) (func(string) int,
			error) {
			return units, nil
		}}
		m, got, err := occupancy.Judge(files, opt, how)
		if err != nil || l.Contradictory() {
			t.Fatal(err, l.Findings)
		}
		if a, b2 := judged(l, occupancy.OccupanciesOf(l, units, reading)), judged(m, got); a != b2 {
			t.Fatalf("k=%d\n%s as a whole\n%s as it was read\n%s", k, a, b2, b.String())
		}
	}
}
