package occupancy

import "github.com/atmostk/atmostk/traces/logs/formats"

// Handovers are overlaps that look like a handover from one holding to the next, and not like two nodes at
// work side by side: too many units are in use for a time that is short compared with each holding that
// begins or ends in it. The log of a correct lock has them if a release is logged after the lock is given
// back, or an acquisition before the lock is held.
type Handovers struct {
	Count int `json:"count"` // number of definite moments that are handover overlaps
	// Longest is the longest time, in nanoseconds, in which too many units are in use. Shortest is the
	// length of the shortest holding that begins or ends in such a time.
	Longest  int64 `json:"longest-ns"`
	Shortest int64 `json:"shortest-stay-ns"`
}

// handoverShare: at a handover overlap, the holdings are at least as many times as long as the overlap.
const handoverShare = 10

// A handoverMeter checks that all times with too many units in use are handover overlaps.
type handoverMeter struct {
	Handovers
	from    int64 // begin of the present time with too many units
	short   int64 // length of the shortest holding that begins or ends in it, so far
	refuted bool  // some time was not a handover overlap
}

// open begins a time with too many units in use.
func (s *handoverMeter) open(at int64) { s.from, s.short = at, formats.Ever }

// holding takes a holding that begins or ends in the present time, by its certain part.
func (s *handoverMeter) holding(from, to int64) {
	if from == formats.Never || to == formats.Ever {
		return // longer than any
	}
	s.short = min(s.short, to-from)
}

// close ends the present time; formats.Ever: it has no end, and is no handover overlap.
func (s *handoverMeter) close(at int64) {
	long := at - s.from
	if at == formats.Ever || s.short == formats.Ever || long > s.short/handoverShare {
		s.refuted = true
		return
	}
	s.Count++
	s.Longest = max(s.Longest, long)
	if s.Shortest == 0 || s.short < s.Shortest {
		s.Shortest = s.short
	}
}
