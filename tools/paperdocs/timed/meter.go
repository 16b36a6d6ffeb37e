package timed

import (
	"math"

	"github.com/atmostk/atmostk/model"
)

// A Sample has the measurements of one run, after its warm-up.
// The values are by metric; NaN: not known.
type Sample map[string]float64

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

// A meter measures a run.
type meter struct {
	warmup, end    float64
	last           float64 // until when the integrals go
	using, waiting int
	capacity       int // units that there are; 0: not known
	most, mostEnd  int // units in use at most; the latter in the last tenth
	// integrals from the warm-up on: of the units in use, of the processes that wait, and of the time of
	// excess; and of the units in use in the last tenth
	sumUse, sumQueue, sumExcess, sumEnd float64

	entries, asks, messages float64
	suspicions              float64 // NaN: the model does not say which processes one takes for dead
	obtaining               []float64
	live                    int // processes
	crashes                 []detection
}

// A detection is the set of processes that know of a crash.
type detection struct {
	of    model.Proc
	at    float64
	who   map[model.Proc]bool // live processes that know
	took  float64
	known bool // all live processes know
}

// pass lets time pass, in which nothing changes.
func (m *meter) pass(until float64) {
	if until >= 0.9*m.end {
		m.mostEnd = max(m.mostEnd, m.using)
	}
	since := func(from float64) float64 { return max(0, until-max(from, m.last)) }
	took := since(m.warmup)
	m.sumUse += float64(m.using) * took
	m.sumQueue += float64(m.waiting) * took
	if m.using > m.capacity {
		m.sumExcess += took
	}
	m.sumEnd += float64(m.using) * since(0.9*m.end)
	m.last = max(m.last, until)
}

// count adds 1 to a count, if the warm-up is over.
func (m *meter) count(to *float64) {
	if m.last >= m.warmup {
		*to++
	}
}

func (m *meter) entered(after float64) {
	m.waiting--
	m.using++
	m.most = max(m.most, m.using)
	if m.last >= 0.9*m.end {
		m.mostEnd = max(m.mostEnd, m.using)
	}
	if m.last >= m.warmup {
		m.entries++
		m.obtaining = append(m.obtaining, after)
	}
}

func (m *meter) crashed(p model.Proc, at float64) {
	m.crashes = append(m.crashes, detection{of: p, at: at, who: map[model.Proc]bool{}})
	m.live--
	for i := range m.crashes { // the dead need not know
		delete(m.crashes[i].who, p)
		m.complete(&m.crashes[i], at)
	}
}

// complete notes that all live processes know, if they do for the first time.
func (m *meter) complete(d *detection, at float64) {
	if !d.known && len(d.who) == m.live {
		d.took, d.known = at-d.at, true
	}
}

// sample sums up after a number of events.
func (m *meter) sample(events uint64) Sample {
	var times []float64
	for i := range m.crashes {
		if d := &m.crashes[i]; d.known {
			times = append(times, d.took)
		}
	}
	span := m.end - m.warmup
	v := Sample{
		"events": float64(events), "entries": m.entries, "requests": m.asks, "messages": m.messages,
		"throughput": m.entries / span, "in-use": m.sumUse / span, "in-use-end": m.sumEnd / (0.1 * m.end),
		"queue": m.sumQueue / span, "most-in-use": float64(m.most), "most-in-use-end": float64(m.mostEnd),
		"messages-per-request": m.messages / m.asks, "messages-per-entry": m.messages / m.entries,
		"obtaining": mean(m.obtaining), "obtaining-median": quantile(0.5, m.obtaining),
		"obtaining-90": quantile(0.9, m.obtaining), "obtaining-99": quantile(0.99, m.obtaining),
		"detection": mean(times), "detection-least": quantile(0, times), "detection-most": quantile(1, times),
		"undetected": float64(len(m.crashes) - len(times)), "false-suspicions": m.suspicions,
		"excess": m.sumExcess / span,
	}
	if m.capacity == 0 {
		v["excess"] = math.NaN()
	}
	for name, x := range v {
		if math.IsInf(x, 0) {
			v[name] = math.NaN()
		}
	}
	return v
}

func mean(xs []float64) float64 { return sum(xs) / float64(len(xs)) } // NaN of none
