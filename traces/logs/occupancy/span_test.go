package occupancy_test

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/atmostk/atmostk/traces/logs/formats"
	"github.com/atmostk/atmostk/traces/logs/occupancy"
	"github.com/atmostk/atmostk/traces/logs/order"
)

// TestWholeHoldingsAsAcquireAndRelease compares logs whose lines tell whole holdings, several of one node at
// once, with those of the same holdings by nodes of their own that acquire and release.
func TestWholeHoldingsAsAcquireAndRelease(t *testing.T) {
	defer occupancy.Windows(2, 3)()
	r := rand.New(rand.NewPCG(22, 1))
	for range 300 {
		type end struct {
			at   int
			line string
		}
		var whole, ends []end
		for i := range 2 + r.IntN(12) {
			from, units := r.IntN(60), 1+r.IntN(2)
			took := r.IntN(20)
			line := fmt.Sprintf(`{"node":"n%d","event":"stay","begin":%d,"end":%d,"units":%d}`, r.IntN(2),
				from, from+took, units)
			if i%2 == 0 {
				line = fmt.Sprintf(`{"node":"n%d","event":"stay","time":%d,"duration":"%dns","units":%d}`,
					r.IntN(2), from+took, took, units)
			}
			whole = append(whole, end{from + took, line})
			ends = append(ends,
				end{from, fmt.Sprintf(`{"node":"s%d","event":"acquire","time":%d,"units":%d,"seq":1}`, i,
					from, units)},
				end{from + took, fmt.Sprintf(`{"node":"s%d","event":"release","time":%d,"seq":2}`, i,
					from+took)})
		}
		text := func(list []end) string {
			slices.SortStableFunc(list, func(a, b end) int { return cmp.Compare(a.at, b.at) })
			var b strings.Builder
			for _, e := range list {
				b.WriteString(e.line + "\n")
			}
			return b.String()
		}
		skew := time.Duration(r.IntN(3))
		opt := formats.Options{Format: "ndjson", Skew: &skew}
		files := write(t, text(whole), text(ends))
		units := func(string) int { return 2 }
		how := occupancy.Judging{Units: func(formats.Header) (func(string) int, error) { return units, nil }}
		figures := func(uses []*occupancy.Occupancy) string {
			u := uses[0]
			return fmt.Sprint(u.Holdings, u.Open, u.Certainly, u.Possibly, u.Exact, u.Count,
				u.Possible != nil,
				u.Avoidable)
		}
		l, err := order.Read(files[:1], opt)
		if err != nil {
			t.Fatal(err)
		}
		m, streamed, err := occupancy.Judge(files[:1], opt, how)
		if err != nil || len(m.Nodes) > 2 || !occupancy.Streamed(m) {
			t.Fatal(m.Nodes, occupancy.Streamed(m), err)
		}
		_, apart, err := occupancy.Judge(files[1:], opt, how)
		if err != nil {
			t.Fatal(err)
		}
		got, want := figures(streamed), figures(apart)
		kept := figures(occupancy.OccupanciesOf(l, units, occupancy.Reading{}))
		if got != want || kept != want {
			t.Fatalf("as they are read: %s\nas a whole: %s\napart: %s\n%s", got, kept, want, text(whole))
		}
	}
}

// TestLinesWithoutHoldingAreRefused looks at lines that tell no holding, and at those whose times are not
// known.
func TestLinesWithoutHoldingAreRefused(t *testing.T) {
	skew := time.Duration(0)
	for line, want := range map[string]string{
		`{"node":"a","event":"stay","begin":5,"time":3}`:                     "ends before it begins",
		`{"node":"a","event":"stay","time":3,"duration":"x"}`:                "durations such as",
		`{"node":"a","event":"stay","time":3,"duration":-4}`:                 "durations such as",
		`{"node":"a","event":"acquire","time":3,"waited":"99999999999999h"}`: "durations such as",
		`{"node":"a","event":"stay"}`:                                        "",
		`{"node":"a","event":"stay","begin":5}`:                              "",
	} {
		_, err := order.Read(write(t, line+"\n"), formats.Options{Format: "ndjson", Skew: &skew})
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", line, err)
		}
	}
}

// TestLostLinesBeforeWholeHoldingAreItsNodes takes it that lines without sense may have acquired units for
// the node of the next line, and once only.
func TestLostLinesBeforeWholeHoldingAreItsNodes(t *testing.T) {
	skew := time.Duration(0)
	text := "{\n{\n" + `{"node":"a","event":"stay","begin":5,"end":9}` + "\n"
	how := occupancy.Judging{Units: func(formats.Header) (func(string) int, error) {
		return func(string) int { return 1 }, nil
	}}
	l, uses, err := occupancy.Judge(write(t, text), formats.Options{Format: "ndjson", Skew: &skew}, how)
	if err != nil || !occupancy.Streamed(l) || uses[0].Possibly != 2 || uses[0].Certainly != 1 {
		t.Fatalf("%+v, %v", uses, err)
	}
}
