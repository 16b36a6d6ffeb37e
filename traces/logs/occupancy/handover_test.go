package occupancy

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/atmostk/atmostk/traces/logs/formats"
	"github.com/atmostk/atmostk/traces/logs/order"
)

// seamsOf reads a plain log of one lock by its time stamps.
func seamsOf(t *testing.T, skew time.Duration, lines ...string) *Occupancy {
	t.Helper()
	rd := order.NewCollector(formats.Options{Skew: &skew})
	if err := rd.Read("lock.log", strings.NewReader(strings.Join(lines, "\n")+"\n"), false); err != nil {
		t.Fatal(err)
	}
	return OccupanciesOf(rd.Log(), func(string) int { return 1 }, Reading{})[0]
}

// handovers has five holdings one after the other, of 100 ns each, and each begins so many
// nanoseconds before the end of the one before.
func handovers(early int) (lines []string) {
	for i := range 5 {
		at := 1000 + i*(100-early)
		lines = append(lines, fmt.Sprintf("%d n%d acquire", at, i), fmt.Sprintf("%d n%d release", at+100, i))
	}
	return lines
}

func TestHandoverOverlapsAreRecognised(t *testing.T) {
	for _, c := range []struct {
		name  string
		lines []string
		skew  time.Duration
		want  *Handovers
	}{
		{"late releases", handovers(10), 0, &Handovers{4, 10, 100}},
		{"with skew they are shorter", handovers(8), 1, &Handovers{4, 6, 98}},
		{"too long", handovers(11), 0, nil},
		{"none", handovers(0), 0, nil},
		{"one within another", append(handovers(10), "1020 x acquire", "1025 x release"), 0, nil},
		{"one never leaves", append(handovers(10), "1450 x acquire"), 0, nil},
		{"one passes through", append(handovers(10), "1045 x acquire", "1045 x release"), 0, nil},
	} {
		o := seamsOf(t, c.skew, c.lines...)
		if (o.Handovers == nil) != (c.want == nil) || o.Handovers != nil && *o.Handovers != *c.want {
			t.Errorf("%s: %+v, want %+v", c.name, o.Handovers, c.want)
		}
	}
}

// TestHandoverOverlapsNeedTimes has the same overlaps in a history, whose order is that of its
// entries: an entry has no length.
func TestHandoverOverlapsNeedTimes(t *testing.T) {
	skew := time.Duration(0)
	rd := order.NewCollector(formats.Options{Skew: &skew})
	var b strings.Builder
	op := func(kind, f string, process int) {
		fmt.Fprintf(&b, "{:type :%s, :f :%s, :process %d}\n", kind, f, process)
	}
	for i := range 4 {
		for range 20 {
			op("invoke", "acquire", 9)
			op("fail", "acquire", 9)
		}
		op("invoke", "acquire", i)
		op("ok", "acquire", i)
		if i > 0 {
			op("invoke", "release", i-1)
			op("ok", "release", i-1)
		}
	}
	if err := rd.Read("history.edn", strings.NewReader(b.String()), false); err != nil {
		t.Fatal(err)
	}
	o := OccupanciesOf(rd.Log(), func(string) int { return 1 }, Reading{})[0]
	if o.Count == 0 || o.Handovers != nil {
		t.Errorf("%d definite moments, seams %+v", o.Count, o.Handovers)
	}
}
