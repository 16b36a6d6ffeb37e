package occupancy

import (
	"time"

	"github.com/atmostk/atmostk/traces/logs/formats"
)

// ResourceFigures are the counts of a watch for one resource.
type ResourceFigures struct {
	Name     string
	K        int
	Inside   int       // units of holdings that may go on
	Possibly int       // the most units that may have been in use at once, before the window
	Holdings int       // number of holdings that ended
	Held     Durations // their lengths
	Waited   Durations // the waits for them
}

func (f *ResourceFigures) done(s *holding) {
	from, to := s.enter.begin, s.sure.begin
	if f.Holdings++; from != formats.Never && to != formats.Never && to != formats.Ever {
		f.Held.add(to - from)
	}
	if s.waited != formats.Ever {
		f.Waited.add(s.waited)
	}
}

// Durations are a sum and a histogram of the known durations.
type Durations struct {
	Count int
	Sum   time.Duration
	Below [len(Bounds)]int // of each bound, the number of durations up to it
}

func (d *Durations) add(took int64) {
	d.Count++
	d.Sum += time.Duration(took)
	for i, bound := range Bounds {
		d.Below[i] += one(time.Duration(took) <= bound)
	}
}

// Bounds are the upper bounds in the histogram of Durations.
var Bounds = [...]time.Duration{
	time.Millisecond, 10 * time.Millisecond, 100 * time.Millisecond, time.Second, 10 * time.Second,
	time.Minute, 10 * time.Minute,
}
