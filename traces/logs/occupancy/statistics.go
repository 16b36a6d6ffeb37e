package occupancy

import (
	"slices"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
	"github.com/atmostk/atmostk/traces/logs/formats"
	"github.com/atmostk/atmostk/traces/logs/order"
)

// A Spread says how long something took in holdings, by the times of the log: each node's own clock, so
// that it does not matter how far clocks are apart. Quantiles are within one percent.
type Spread struct {
	Holdings int64 `json:"stays"` // whose duration is known
	Median   int64 `json:"median-ns"`
	P90      int64 `json:"p90-ns"`
	P99      int64 `json:"p99-ns"`
	Max      int64 `json:"max-ns"`
	// Longest is the one in which it took longest, the first if there are several.
	Longest *Holding `json:"longest,omitempty"`
}

// Busy says for how long how many units were certainly in use, between the first and the last
// moment at which that changes.
type Busy struct {
	Span int64 `json:"span-ns"`
	// Mean is the number of units in use, on average over time, and Full the share of the time in which
	// all were.
	Mean float64 `json:"mean-units"`
	Full float64 `json:"full-share"`
	// Series are the means of the parts of that time, each of them Step long but for the last one.
	Step   int64     `json:"step-ns"`
	Series []float64 `json:"series"`
}

// Histograms hold up to ten days, with two digits, in some 40 kB; maxHolds resources have one.
const (
	maxHold    = 240 * time.Hour
	holdDigits = 2
	maxHolds   = 256
)

// A timer follows how long something takes in the holdings of a resource.
type timer struct {
	histogram *hdrhistogram.Histogram
	longest   *holding
	max       int64
}

// held takes how long a holding that is over lasted.
func (t *timer) held(s *holding) {
	if s.certain && s.late.at != formats.None && s.late.role == formats.Leaves &&
		s.enter.begin != formats.Never &&
		s.late.begin != formats.Never {
		t.take(s.late.begin-s.enter.begin, s)
	}
}

// waited takes how long was waited for a holding.
func (t *timer) waited(s *holding) {
	if s.certain && s.waited != formats.Ever {
		t.take(s.waited, s)
	}
}

func (t *timer) take(took int64, s *holding) {
	if t.histogram == nil {
		t.histogram = hdrhistogram.New(1, int64(maxHold), holdDigits)
	}
	_ = t.histogram.RecordValue(min(max(took, 1), int64(maxHold))) // it is in range
	if took > t.max || took == t.max && t.longest != nil && byLine(s, t.longest) < 0 {
		t.max, t.longest = took, s
	}
}

// report is what came of it; nil: it is known of no holding.
func (t *timer) report(l *order.Log) *Spread {
	h := t.histogram
	if h == nil {
		return nil
	}
	x := &Spread{Holdings: h.TotalCount(), Max: t.max}
	for quantile, to := range map[float64]*int64{50: &x.Median, 90: &x.P90, 99: &x.P99} {
		*to = min(h.ValueAtQuantile(quantile), t.max)
	}
	if t.longest != nil {
		s := reported(l, t.longest)
		x.Longest = &s
	}
	return x
}

// A meter adds up for how long how many units are in use.
type meter struct {
	begun      bool
	first, at  int64
	area, full float64 // of units and nanoseconds, and nanoseconds
	// series has the areas of equal parts of the time since first, each of them step long.
	series []float64
	step   int64
}

// maxSeries is the number of parts of time that a meter tells apart; it has more than half as many if
// that is possible.
const maxSeries = 48

// turn takes a moment and the units, of k, that were in use up to it.
func (m *meter) turn(at int64, units, k int) {
	if at == formats.Never || at == formats.Ever {
		return
	}
	if !m.begun {
		m.begun, m.first, m.at, m.step = true, at, at, 1
		return
	}
	took := float64(at - m.at)
	m.area += took * float64(units)
	if units >= k {
		m.full += took
	}
	m.spread(at, float64(units))
	m.at = at
}

// spread adds units from m.at up to a moment to the series.
func (m *meter) spread(to int64, units float64) {
	for (to-m.first-1)/m.step >= maxSeries {
		m.step *= 2
		for i := 0; i < len(m.series); i += 2 {
			m.series[i/2] = m.series[i]
			if i+1 < len(m.series) {
				m.series[i/2] += m.series[i+1]
			}
		}
		m.series = m.series[:(len(m.series)+1)/2]
	}
	for from := m.at; from < to; {
		i := (from - m.first) / m.step
		for int64(len(m.series)) <= i {
			m.series = append(m.series, 0)
		}
		next := min(to, m.first+(i+1)*m.step)
		m.series[i] += float64(next-from) * units
		from = next
	}
}

// report is what came of it; nil: no time has passed.
func (m *meter) report() *Busy {
	span := float64(m.at - m.first)
	if span <= 0 {
		return nil
	}
	b := &Busy{Span: m.at - m.first, Mean: m.area / span, Full: m.full / span, Step: m.step,
		Series: slices.Clone(m.series)}
	for i := range b.Series {
		b.Series[i] /= float64(min(m.step, b.Span-int64(i)*m.step))
	}
	return b
}

// A Wait says how long was waited for units: from the first request of a node since it acquired the
// last time to its acquisition, or what the acquisition says itself.
type Wait struct {
	Spread
	// Waiting are the nodes that have asked and got nothing by the end of the log, and LongestWaiting is
	// that which has waited longest of them, up to the last time stamp.
	Waiting        int            `json:"waiting"`
	LongestWaiting *order.Waiting `json:"longest-waiting,omitempty"`
}

// ResourceFigures are the figures of one resource.
type ResourceFigures struct {
	Name     string
	K        int
	Inside   int       // units whose holdings go on
	Possibly int       // the most units that may have been in use at once, before the window
	Holdings int       // that are over
	Held     Durations // how long they lasted
	Waited   Durations // how long was waited for them
}

// done takes a holding that is over.
func (f *ResourceFigures) done(s *holding) {
	from, to := s.enter.begin, s.sure.begin
	if f.Holdings++; from != formats.Never && to != formats.Never && to != formats.Ever {
		f.Held.add(to - from)
	}
	if s.waited != formats.Ever {
		f.Waited.add(s.waited)
	}
}

// Durations are how long something took, as far as it is known.
type Durations struct {
	Count int
	Sum   time.Duration
	Below [len(Bounds)]int // of each bound, those that were at most as long
}

func (d *Durations) add(took int64) {
	d.Count++
	d.Sum += time.Duration(took)
	for i, bound := range Bounds {
		d.Below[i] += one(time.Duration(took) <= bound)
	}
}

// Bounds are those by which durations are counted.
var Bounds = [...]time.Duration{
	time.Millisecond, 10 * time.Millisecond, 100 * time.Millisecond, time.Second, 10 * time.Second,
	time.Minute, 10 * time.Minute,
}
