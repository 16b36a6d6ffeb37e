package occupancy

import (
	"slices"

	"github.com/atmostk/atmostk/traces/logs/formats"
	"github.com/atmostk/atmostk/traces/logs/order"
)

// An Occupancy is the number of units of a resource in use at once, as a log shows it without a model.
//
// An order of the events is consistent with a log if it keeps the order of each node and all known relations
// between events of different nodes. A statement is certain if it is true in all of these orders, and
// possible if it is true in some.
type Occupancy struct {
	Resource string `json:"resource,omitempty"`
	K        int    `json:"k"`
	Holdings int    `json:"stays"`
	Open     int    `json:"open"` // holdings that no release ends
	Crashes  int    `json:"crashes"`
	// Certainly is the largest number of units known to have been in use together, and Possibly the largest
	// number in some consistent order. If Exact is false the search gave up, and both may be larger.
	Certainly int  `json:"surely"`
	Possibly  int  `json:"possibly"`
	Exact     bool `json:"exact"`
	// Definite has the first moments at which more than K units are in use in every consistent order; Count
	// is the number of all such moments.
	Definite []OverlapSet `json:"definite"`
	Count    int          `json:"definite-count"`
	// Possible is a moment of some order with more than K units in use; nil if there is none, or if Definite
	// has some.
	Possible *OverlapSet `json:"possible,omitempty"`
	// Avoidable: some consistent order never has more than K units in use, though others do. It is computed
	// only if Definite is empty and Possibly is above K; false if missing lines make the answer unknown.
	Avoidable bool `json:"avoidable,omitempty"`
	// Handovers: all definite moments are handover overlaps, by the times of the log; otherwise nil.
	Handovers *Handovers `json:"seams,omitempty"`
	// Shared: the lock is one of readers and writers. K readers may hold it at once, and a writer takes K
	// units.
	Shared bool    `json:"shared,omitempty"`
	Tokens *Tokens `json:"tokens,omitempty"` // nil: the log has none
	// ShortLeases is the number of leases if all of them ended long before their units were released, and
	// some holding ends with its lease: they seem to have another unit, and there is no verdict. Otherwise 0.
	ShortLeases int `json:"short-leases,omitempty"`
	// Breaches of the rules of the lock, certain and possible ones.
	Breaches formats.Findings `json:"breaches,omitempty"`
	// Related: something orders events of different nodes.
	Related bool `json:"related"`
}

// An OverlapSet is a set of holdings that use too many units at once.
type OverlapSet struct {
	Units int `json:"units"`
	// Holdings are the witnesses, in the order of their lines; of a possible overlap set, as few as exceed
	// the bound.
	Holdings []Holding `json:"stays"`
	// Passing: the last holding is inside at some moment of an interval, and at each of these moments too
	// many units are in use; the other holdings are inside at one such moment.
	Passing bool `json:"passing,omitempty"`
	// Shifting: in every order some of the holdings use too many units, but not always the same ones.
	Shifting bool `json:"shifting,omitempty"`
	// Unlost are nodes whose logs have no counts: the set is definite only if none of them lost a release.
	Unlost []string `json:"no-release-lost,omitempty"`
}

// maxOverlaps is the number of overlap sets listed.
const maxOverlaps = 10

// overlapOf returns an overlap set for a report, sorted by lines; the Passing holding stays last.
func overlapOf(l *order.Log, c OverlapSet, inside []*holding) OverlapSet {
	slices.SortStableFunc(inside[:len(inside)-one(c.Passing)], byLine)
	for _, s := range inside {
		c.Holdings = append(c.Holdings, reported(l, s))
		if name := s.name; s.open && s.rests && !slices.Contains(c.Unlost, name) {
			c.Unlost = append(c.Unlost, name)
		}
	}
	if !c.Shifting {
		c.Units = weight(inside)
	}
	return c
}

// Tokens are the judgement of fencing tokens: numbers that a lock hands out with its units, so that the
// protected service can refuse former holders. Each token has to be greater than all handed out before, and a
// use after the use of a greater one has to be refused.
type Tokens struct {
	Granted int `json:"granted"` // acquisitions with a token
	Used    int `json:"used"`    // events that use one
	// Stale has the first tokens that violate this in every consistent order, and Count is the number of all.
	Stale []Stale `json:"stale"`
	Count int     `json:"stale-count"`
}

// A Stale token is not greater than an earlier one, or equals one whose order to it is unknown.
type Stale struct {
	Token
	Before Token `json:"before"`
	Used   bool  `json:"used"` // both were used, not handed out
	// Elected: the earlier one was handed out, and a leader has used this one.
	Elected bool `json:"elected,omitempty"`
}

// A Token is a fencing token at an event.
type Token struct {
	Token int64         `json:"token"`
	Node  string        `json:"node"`
	At    formats.Place `json:"at"`
}

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

// holding takes a holding that begins or ends in the present time, by its certain part.
func (s *handoverMeter) holding(from, to int64) {
	if from != formats.Never && to != formats.Ever { // otherwise it is longer than any
		s.short = min(s.short, to-from)
	}
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
