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
	// Certainly is the largest number of units of which it is known that they were in
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
	// is none, or if Definite says it all.
	Possible *OverlapSet `json:"possible,omitempty"`
	// Avoidable: some consistent order never has more than K units in use, though others
	// have. It was looked for if Definite is empty and Possibly above K;
	// false if lines are missing, so that it is not known.
	Avoidable bool `json:"avoidable,omitempty"`
	// Handovers: all definite moments are such, by the times of the log; else nil.
	Handovers *Handovers `json:"seams,omitempty"`
	// Held and Busy are statistics; nil if the log has no times that are an order. Waited is nil if it does
	// not say how long anybody has waited.
	Held   *Spread `json:"held,omitempty"`
	Waited *Wait   `json:"waited,omitempty"`
	Busy   *Busy   `json:"busy,omitempty"`
	// Shared: it is one of readers and writers. K is how many may read at once, and a writer takes as many
	// units.
	Shared bool    `json:"shared,omitempty"`
	Tokens *Tokens `json:"tokens,omitempty"` // nil: the log has none
	// ShortLeases is the number of leases, if all of them are over long before their units are released and
	// some holding ends with its lease: then they seem to be in another unit, and the verdict is none. Else
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
	// them too many units are in use; the other holdings are those of one such moment.
	Passing bool `json:"passing,omitempty"`
	// Shifting: in every order some of the holdings use too many units, but not always the
	// same ones.
	Shifting bool `json:"shifting,omitempty"`
	// Unlost are the nodes of which no release may be lost, or the set is not definite: no counts show it.
	Unlost []string `json:"no-release-lost,omitempty"`
}

// maxOverlaps is the number of overlap sets that are listed.
const maxOverlaps = 10

// OccupanciesOf looks for moments at which more units are in use than may be: of each resource
// that the log names, and bound says how many of it may be. If nested is false nodes are taken
// to do one thing at a time, unless a log in which no line can be missing shows otherwise.
//
// # Intervals
//
// If nothing but intervals relates the nodes, an order is consistent if and only if
// each event can be given a moment within its interval, so that the moments are in
// that order and each node's in its own. A holding that has entered at E at the latest
// and is released at B at the earliest is inside from E to B, its certain part, if
// E < B; if not it is inside at least for a moment of [B, E]. Let everybody enter
// as late and leave as early as possible, and those without a certain part pass
// through at the moment of theirs at which the certain parts of others are fewest:
// that is a consistent order and no other has less at any moment. So there is a
// definite overlap set if and only if more than k units have a common moment of their
// certain parts, or some passing stay finds no moment at which there is room. Both
// are found by a sweep over the ends of the parts, in n log n. Touching parts do
// not overlap.
//
// An overlap set is possible if and only if the closed intervals from the earliest
// beginning to the latest end of holdings of different nodes overlap pairwise, as
// intervals that do so have a common moment.
//
// # Partial orders
//
// For vector clocks and messages let S and T be two holdings, e their enters and r
// their releases. In every consistent order S and T overlap if and only if it is
// known that e(S) is before r(T) and e(T) before r(S): else there is an order in
// which one of them is over before the other begins. If this is so of every two of a
// set, all enters are before all releases in every order, and just after the last
// enter all of them are inside: overlaps forced in pairs are a common one. That is
// what is reported as definite, the same holdings in every order. It is not all there
// is: three holdings can be so that every order has two of them inside, one time these
// and another time those (e(A) before r(B), e(B) before r(C), e(C) before r(A)). Such
// an overlap set is reported as possible, as deciding it is a search over orders.
//
// At the last enter of such a set, in any one consistent order, all of its holdings are
// open, so that the search for a largest set looks at the few holdings open there.
//
// Some order has a set of holdings inside together if and only if no release of one
// is known to be before, or the same event as, the enter of another: take what is
// before their enters, and this is a beginning of some order at which none has
// left. So a largest possible overlap set is a largest antichain, which by Dilworth's
// theorem is as large as the smallest number of chains that cover all the holdings.
func OccupanciesOf(l *order.Log, bound func(resource string) int, reading Reading) []*Occupancy {
	sweeps := !l.Causal || l.Traced
	j := &judge{Reading: reading, complete: l.Complete, causal: l.Causal,
		frees: frees(l, reading.Ending), files: l.Files, keep: true}
	if l.Resources == nil {
		l.Resources = []string{""}
	}
	for _, name := range l.Resources {
		j.resources = append(j.resources, newResource(l, name, bound(name), sweeps, true))
		j.most = append(j.most, 1)
	}
	for i := range l.Recs {
		if r := &l.Recs[i]; r.Role.OfLock() && r.Is(order.Reads) && !j.resources[r.Res].Shared {
			j.resources[r.Res].share()
		}
	}
	for i := range l.Recs {
		if r := l.Recs[i]; r.Role == formats.Enters {
			j.resources[r.Res].weigh(&r)
			j.most[r.Res] = max(j.most[r.Res], r.Units)
		}
	}
	var found formats.Findings
	j.found = &found
	for node, name := range l.Nodes {
		n := j.start(int32(node), name)
		for i := l.First[node]; i < l.First[node+1]; i++ {
			r := l.Recs[i]
			if r.Role.OfLock() {
				j.resources[r.Res].weigh(&r)
			}
			m := pointOf(&r, i)
			n.event(&m, &r, order.GrantAt(&l.Grants, r.Grant))
		}
		n.end()
	}
	l.Findings = append(l.Findings, found...)
	l.Doubtful = j.doubtful
	return conclude(j, l.Causal && l.Sorted != nil || l.Timed && l.Bounds)
}

// frees reports whether the units of the dead are free.
func frees(l *order.Log, ending Ending) bool {
	return ending == Free || ending == Auto && l.Header.Spec != ""
}

// conclude ends the judgement of all resources.
func conclude(j *judge, related bool) (all []*Occupancy) {
	for _, u := range j.resources {
		u.Related, u.Crashes = related, j.crashed
		u.judge(j.overlap)
		all = append(all, &u.Occupancy)
	}
	return all
}

// judge looks at the holdings of a resource when all of them are known.
func (u *resourceState) judge(overlap bool) {
	// The order in which nodes have them.
	slices.SortFunc(u.list, func(a, b *holding) int {
		return cmp.Or(cmp.Compare(a.enter.at, b.enter.at), cmp.Compare(a.early, b.early))
	})
	if !u.sweeps || overlap {
		u.unleased()
	}
	switch {
	case !u.sweeps:
		u.finish()
		u.granted.byVectors()
		u.used.byVectors()
		u.orders()
		u.decide()
	default:
		u.finish()
		if overlap && u.keeps {
			u.alone()
			u.decide()
			if u.Handovers != nil && u.Count > u.Handovers.Count {
				u.Handovers = nil
			}
		} else { // the sweep was exact
			u.Avoidable = u.Count == 0 && u.Possibly > u.K && !u.l.Doubtful && !overlap
		}
	}
	if u.byLeases && u.short == u.leased {
		u.ShortLeases = u.short
	}
	u.Tokens = u.tokens()
	for i := range u.sets {
		u.Definite = append(u.Definite, overlapOf(u.l, u.sets[i].OverlapSet, u.sets[i].holdings))
	}
	if u.overlap != nil && u.Count == 0 {
		c := overlapOf(u.l, OverlapSet{}, u.overlap)
		u.Possible = &c
	}
}

// overlapOf describes holdings that are inside together, by their lines; the one that passes is the last.
func overlapOf(l *order.Log, c OverlapSet, inside []*holding) OverlapSet {
	slices.SortStableFunc(inside[:len(inside)-one(c.Passing)], byLine)
	units := 0
	for _, s := range inside {
		units += int(s.units)
		c.Holdings = append(c.Holdings, reported(l, s))
		if name := l.Name(s.node); s.open && s.rests && !slices.Contains(c.Unlost, name) {
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
	if u.report != nil {
		u.report(c, inside)
		return
	}
	if u.Count++; u.Count <= maxOverlaps {
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
