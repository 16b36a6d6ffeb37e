package occupancy

import "github.com/atmostk/atmostk/traces/logs/formats"

// Handovers are overlaps that look like one holding handed over to the next, and not like two nodes
// at work side by side: too many units are in use for a time that is short beside each
// holding that begins or ends in it. A correct lock leaves them in its log if the line of the
// release is written after the lock is given back, or the line of the acquisition before it is held.
type Handovers struct {
	Count int `json:"count"` // definite moments that are seams
	// Longest is the longest time, in nanoseconds, that too many units are in use, and
	// Shortest the length of the shortest holding that begins or ends in such a time.
	Longest  int64 `json:"longest-ns"`
	Shortest int64 `json:"shortest-stay-ns"`
}

// handoverShare is how many times as long as an overlap the holdings at a handover overlap are at least.
const handoverShare = 10

// A handoverMeter looks whether all times at which too many units are in use are handover overlaps.
type handoverMeter struct {
	Handovers
	from  int64 // when the present one began
	short int64 // the shortest holding so far that begins or ends in it
	not   bool  // one was none
}

// open begins a time with too many units.
func (s *handoverMeter) open(at int64) { s.from, s.short = at, formats.Ever }

// holding takes a holding that begins or ends in it; both are its certain part.
func (s *handoverMeter) holding(from, to int64) {
	if from == formats.Never || to == formats.Ever {
		return // as long as can be
	}
	s.short = min(s.short, to-from)
}

// close ends it. What nothing ends is no handover overlap, and close is told so by ever.
func (s *handoverMeter) close(at int64) {
	long := at - s.from
	if at == formats.Ever || s.short == formats.Ever || long > s.short/handoverShare {
		s.not = true
		return
	}
	s.Count++
	s.Longest = max(s.Longest, long)
	if s.Shortest == 0 || s.short < s.Shortest {
		s.Shortest = s.short
	}
}
