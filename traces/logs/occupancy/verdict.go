package occupancy

import (
	"cmp"
	"slices"

	"github.com/atmostk/atmostk/traces/logs/formats"
	"github.com/atmostk/atmostk/traces/logs/order"
)

// An Occupancy is what a log says about how many units are in use at once, without
// any model.
//
// An order of the events is consistent with a log if it keeps the order of each
// node and all that is known of events at different nodes. What holds of all these
// orders is certain, what holds of some is possible.
type Occupancy struct {
	Resource string `json:"resource,omitempty"`
	K        int    `json:"k"`
	Holdings int    `json:"stays"`
	Open     int    `json:"open"` // holdings that no release ends
	Crashes  int    `json:"crashes"`
	// Certainly is the largest number of units that are known to have been in
	// use together, and Possibly the largest that some consistent order has. If Exact
	// is false there may be more of both: the search was given up.
	Certainly int  `json:"surely"`
	Possibly  int  `json:"possibly"`
	Exact     bool `json:"exact"`
	// Definite are the first moments at which more than K units are in use in every
	// consistent order, and Count is the number of all.
	Definite []OverlapSet `json:"definite"`
	Count    int          `json:"definite-count"`
	// Possible is a moment of some order with more than K units in use; nil if there
	// is no such moment, or if Definite says it all.
	Possible *OverlapSet `json:"possible,omitempty"`
	// Avoidable: some consistent order never has more than K units in use, though others
	// have. It was looked for if Definite is empty and Possibly above K;
	// false if lines are missing, so that it is not known.
	Avoidable bool `json:"avoidable,omitempty"`
	// Handovers: all definite moments are such, by the times of the log; else nil.
	Handovers *Handovers `json:"seams,omitempty"`
	// Shared: it is one of readers and writers. K is how many may read at once, and a writer takes as many
	// units.
	Shared bool    `json:"shared,omitempty"`
	Tokens *Tokens `json:"tokens,omitempty"` // nil: the log has none
	// ShortLeases is the number of leases, if all of them are over long before their units are released and
	// some holding ends with its lease: then they seem to be in another unit, and there is no verdict. Else
	// 0.
	ShortLeases int `json:"short-leases,omitempty"`
	// Related: something orders events of different nodes.
	Related bool `json:"related"`
}

// An OverlapSet is a set of holdings that use too many units at once.
type OverlapSet struct {
	Units int `json:"units"`
	// Holdings are the witnesses, in the order of their lines. Of a possible overlap set there
	// are no more than it takes.
	Holdings []Holding `json:"stays"`
	// Passing: the last holding happens at some moment of an interval, and at each of
	// them too many units are in use; the other holdings are inside at one such moment.
	Passing bool `json:"passing,omitempty"`
	// Shifting: in every order some of the holdings use too many units, but not always the
	// same ones.
	Shifting bool `json:"shifting,omitempty"`
	// Unlost are the nodes that may have lost no release, or the set is not definite: no counts show it.
	Unlost []string `json:"no-release-lost,omitempty"`
}

// maxOverlaps is the number of overlap sets that are listed.
const maxOverlaps = 10

// overlapOf describes holdings that are inside together, by their lines; the one that passes is the last.
func overlapOf(l *order.Log, c OverlapSet, inside []*holding) OverlapSet {
	slices.SortStableFunc(inside[:len(inside)-one(c.Passing)], byLine)
	units := 0
	for _, s := range inside {
		units += int(s.units)
		c.Holdings = append(c.Holdings, reported(l, s))
		if name := s.name; s.open && s.rests && !slices.Contains(c.Unlost, name) {
			c.Unlost = append(c.Unlost, name)
		}
	}
	if !c.Shifting {
		c.Units = units
	}
	return c
}

// An openOverlap is an overlap set whose holdings may not be known to their end.
type openOverlap struct {
	OverlapSet
	holdings []*holding
}

// definite keeps a definite overlap set.
func (u *resourceState) definite(c OverlapSet, inside ...*holding) {
	u.Count += one(!u.live)
	if u.Count <= maxOverlaps {
		u.sets = append(u.sets, openOverlap{c, slices.Clone(inside)})
	}
}

// possibly keeps a possible overlap set: as much of it as it takes.
func (u *resourceState) possibly(inside []*holding) {
	slices.SortFunc(inside, func(a, b *holding) int {
		return cmp.Or(cmp.Compare(b.units, a.units),
			byLine(a, b))
	})
	units := 0
	for i, s := range inside {
		if units += int(s.units); units > u.K {
			u.overlap = slices.Clone(inside[:i+1])
			return
		}
	}
}

// Tokens are what a log says of fencing tokens: numbers that a lock hands out with its units, so that what
// it protects can refuse those who hold it no more. Each has to be greater than all that were handed out
// before, and who uses one after a greater one was used is to be refused.
type Tokens struct {
	Granted int `json:"granted"` // acquisitions with a token
	Used    int `json:"used"`    // events that use one
	// Stale are the first tokens that are not as they should be in every order of events that fits, and
	// Count is the number of all.
	Stale []Stale `json:"stale"`
	Count int     `json:"stale-count"`
}

// A Stale token is not greater than one that was there before it or, if both are the same, beside it.
type Stale struct {
	Token
	Before Token `json:"before"`
	Used   bool  `json:"used"` // both were used, not handed out
}

// A Token is one at an event.
type Token struct {
	Token int64         `json:"token"`
	Node  string        `json:"node"`
	At    formats.Place `json:"at"`
}

// stale keeps a token that is not as it should be.
func (u *resourceState) stale(before, t *token) {
	u.staleCount += one(!u.live)
	if u.staleCount <= maxOverlaps {
		u.stalePairs = append(u.stalePairs, stalePair{before, t})
	}
}

// A stalePair is a token that is not as it should be, and the one that shows it.
type stalePair struct{ before, t *token }

// staleOf describes one.
func staleOf(l *order.Log, x stalePair) Stale {
	at := func(t *token) Token { return Token{t.value, t.name, placed(l.Files, &t.at)} }
	return Stale{Token: at(x.t), Before: at(x.before), Used: x.t.used}
}
