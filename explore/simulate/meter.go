package simulate

import (
	"math"

	"github.com/atmostk/atmostk/model"
)

// A Sample is what one run has shown, after its warm-up.
type Sample struct {
	Values map[string]float64 // by metric; NaN: not known
	// InUse and Queue are, for each of Bins equal parts of the run, warm-up included, the mean number of
	// units in use and of processes that wait.
	InUse, Queue []float64
	// Obtaining are the times from a request to the use, Detections those from a crash until all live
	// processes know of it.
	Obtaining, Detections []float64
}

// Bins is the number of parts of a run that are counted apart.
const Bins = 200

// Metrics are the values of a Sample, each with its meaning.
var Metrics = map[string]string{
	"entries":              "uses of the resource that began",
	"requests":             "requests",
	"throughput":           "uses of the resource that began, per unit of time",
	"obtaining":            "mean time from a request to the use",
	"obtaining-median":     "median of the time from a request to the use",
	"obtaining-90":         "quantile of 90% of the time from a request to the use",
	"obtaining-99":         "quantile of 99% of the time from a request to the use",
	"in-use":               "mean number of units in use",
	"in-use-end":           "mean number of units in use in the last tenth of the run",
	"most-in-use":          "units in use at most",
	"most-in-use-end":      "units in use at most in the last tenth of the run",
	"queue":                "mean number of processes that wait",
	"messages":             "messages sent",
	"events":               "events of the simulation, the warm-up included",
	"messages-per-request": "messages sent, for each request",
	"messages-per-entry":   "messages sent, for each use",
	"detection":            "mean time from a crash until all live processes know of it",
	"detection-least":      "least time from a crash until all live processes know of it",
	"detection-most":       "greatest time from a crash until all live processes know of it",
	"undetected":           "crashes that not all live processes know of at the end",
	"false-suspicions":     "times that a live process came to take another live one for dead",
	"excess":               "part of the time in which more units were in use than there are",
}

// A meter counts what happens in a run.
type meter struct {
	warmup, end    float64
	last           float64 // until when the integrals go
	using, waiting int
	capacity       int // units that there are; 0: not known
	sumExcess      float64
	suspicions     float64 // NaN: the model does not say which processes one takes for dead
	most, mostEnd  int     // the latter in the last tenth
	bins           float64 // the length of one
	sumUse, sumQ   float64 // integrals from the warm-up on
	use, queue     []float64
	entries, asks  int64
	messages       int64
	obtaining      []float64
	live           int // processes
	crash          map[model.Proc]*detection
	order          []model.Proc // those that have crashed
}

// A detection is the set of processes that know of a crash.
type detection struct {
	at   float64
	who  map[model.Proc]bool // live processes that know
	took float64             // below 0: not all know
}

func (m *meter) begin(s *Settings, n, capacity int) {
	*m = meter{capacity: capacity, warmup: s.Warmup, end: s.Duration, bins: s.Duration / Bins, live: n,
		crash: map[model.Proc]*detection{}}
	m.use, m.queue = make([]float64, Bins), make([]float64, Bins)
}

// pass lets time pass, in which nothing changes.
func (m *meter) pass(until float64) {
	if until >= 0.9*m.end {
		m.mostEnd = max(m.mostEnd, m.using)
	}
	for m.last < until {
		bin := min(int(m.last/m.bins), Bins-1)
		next := until
		if edge := float64(bin+1) * m.bins; bin < Bins-1 && edge > m.last {
			next = min(until, edge)
		}
		took := next - m.last
		m.use[bin] += float64(m.using) * took / m.bins
		m.queue[bin] += float64(m.waiting) * took / m.bins
		if from := max(m.last, m.warmup); next > from {
			m.sumUse += float64(m.using) * (next - from)
			m.sumQ += float64(m.waiting) * (next - from)
			if m.using > m.capacity {
				m.sumExcess += next - from
			}
		}
		m.last = next
	}
}

// counting reports whether the warm-up is over.
func (m *meter) counting() bool { return m.last >= m.warmup }

func (m *meter) requested() {
	m.waiting++
	if m.counting() {
		m.asks++
	}
}

func (m *meter) entered(after float64) {
	m.waiting--
	m.using++
	m.most = max(m.most, m.using)
	if m.last >= 0.9*m.end {
		m.mostEnd = max(m.mostEnd, m.using)
	}
	if m.counting() {
		m.entries++
		m.obtaining = append(m.obtaining, after)
	}
}

func (m *meter) sent() {
	if m.counting() {
		m.messages++
	}
}

func (m *meter) crashed(p model.Proc, at float64) {
	m.crash[p] = &detection{at: at, who: map[model.Proc]bool{}, took: -1}
	m.order = append(m.order, p)
	m.live--
	for _, d := range m.crash { // the dead need not know
		delete(d.who, p)
		d.complete(m.live, at)
	}
}

// knows notes that a process knows of the crash of another.
func (m *meter) knows(p, dead model.Proc, at float64) {
	if d := m.crash[dead]; d != nil && d.took < 0 {
		d.who[p] = true
		d.complete(m.live, at)
	}
}

// suspected notes that a live process takes n more live ones for dead.
func (m *meter) suspected(n int) {
	if m.counting() {
		m.suspicions += float64(n)
	}
}

// complete notes that all live processes know, if they do.
func (d *detection) complete(live int, at float64) {
	if d.took < 0 && len(d.who) == live {
		d.took = at - d.at
	}
}

// sample sums up after a number of events.
func (m *meter) sample(events uint64) *Sample {
	var times []float64
	undetected := 0.0
	for _, p := range m.order {
		if d := m.crash[p]; d.took >= 0 {
			times = append(times, d.took)
		} else {
			undetected++
		}
	}
	span := m.end - m.warmup
	v := map[string]float64{
		"events": float64(events), "entries": float64(m.entries), "requests": float64(m.asks),
		"messages":   float64(m.messages),
		"throughput": float64(m.entries) / span, "in-use": m.sumUse / span,
		"in-use-end":  mean(m.use[Bins-Bins/10:]),
		"queue":       m.sumQ / span,
		"most-in-use": float64(m.most), "most-in-use-end": float64(m.mostEnd), "undetected": undetected,
		"messages-per-request": float64(m.messages) / float64(m.asks),
		"messages-per-entry":   float64(m.messages) / float64(m.entries),
		"obtaining":            mean(m.obtaining),
		"obtaining-median":     quantile(0.5, m.obtaining), "obtaining-90": quantile(0.9, m.obtaining),
		"obtaining-99": quantile(0.99, m.obtaining),
		"detection":    mean(times), "detection-least": quantile(0, times), "detection-most": quantile(1,
			times),
	}
	v["false-suspicions"], v["excess"] = m.suspicions, math.NaN()
	if m.capacity > 0 {
		v["excess"] = m.sumExcess / span
	}
	for name, x := range v {
		if math.IsInf(x, 0) {
			v[name] = math.NaN()
		}
	}
	return &Sample{Values: v, InUse: m.use, Queue: m.queue, Obtaining: m.obtaining, Detections: times}
}

func mean(xs []float64) float64 { return sum(xs) / float64(len(xs)) } // NaN of none
