package logs

import (
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
)

// A Hold says how long units were held, by the times of the log: each node's own clock, so that it
// does not matter how far clocks are apart. Quantiles are within one percent.
type Hold struct {
	Stays  int64 `json:"stays"` // whose begin and end are known
	Median int64 `json:"median-ns"`
	P90    int64 `json:"p90-ns"`
	P99    int64 `json:"p99-ns"`
	Max    int64 `json:"max-ns"`
	// Longest is the one that lasted longest, the first if there are several.
	Longest *Stay `json:"longest,omitempty"`
}

// Busy says for how long how many units were certainly in use, between the first and the last
// moment at which that changes.
type Busy struct {
	Span int64 `json:"span-ns"`
	// Mean is the number of units in use, on average over time, and Full the share of the time in which
	// all were.
	Mean float64 `json:"mean-units"`
	Full float64 `json:"full-share"`
}

// What histograms hold: up to ten days, with two digits, in some 40 kB; and so many resources have one.
const (
	maxHold    = 240 * time.Hour
	holdDigits = 2
	maxHolds   = 256
)

// A timer follows how long stays of a resource last.
type timer struct {
	histogram *hdrhistogram.Histogram
	longest   *stay
	max       int64
}

// take takes a stay that is over.
func (t *timer) take(s *stay) {
	if !s.certain || s.late.at == none || s.late.role != leaves || s.enter.begin == never || s.late.begin == never {
		return
	}
	took := s.late.begin - s.enter.begin
	if t.histogram == nil {
		t.histogram = hdrhistogram.New(1, int64(maxHold), holdDigits)
	}
	_ = t.histogram.RecordValue(min(max(took, 1), int64(maxHold))) // it is in range
	if took > t.max || took == t.max && t.longest != nil && byLine(s, t.longest) < 0 {
		t.max, t.longest = took, s
	}
}

// report is what came of it; nil: of no stay it is known how long it lasted.
func (t *timer) report(l *Log) *Hold {
	h := t.histogram
	if h == nil {
		return nil
	}
	x := &Hold{Stays: h.TotalCount(), Max: t.max}
	for quantile, to := range map[float64]*int64{50: &x.Median, 90: &x.P90, 99: &x.P99} {
		*to = min(h.ValueAtQuantile(quantile), t.max)
	}
	if t.longest != nil {
		s := l.report(t.longest)
		x.Longest = &s
	}
	return x
}

// A meter adds up for how long how many units are in use.
type meter struct {
	begun      bool
	first, at  int64
	area, full float64 // of units and nanoseconds, and nanoseconds
}

// turn takes a moment up to which so many of k units were in use.
func (m *meter) turn(at int64, units, k int) {
	if at == never || at == ever {
		return
	}
	if !m.begun {
		m.begun, m.first, m.at = true, at, at
		return
	}
	took := float64(at - m.at)
	m.area += took * float64(units)
	if units >= k {
		m.full += took
	}
	m.at = at
}

// report is what came of it; nil: no time has passed.
func (m *meter) report() *Busy {
	span := float64(m.at - m.first)
	if span <= 0 {
		return nil
	}
	return &Busy{Span: m.at - m.first, Mean: m.area / span, Full: m.full / span}
}
