package occupancy

import (
	"time"

	"github.com/atmostk/atmostk/traces/logs/formats"
)

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
