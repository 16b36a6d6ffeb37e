package occupancy

import (
	"cmp"
	"slices"

	"github.com/atmostk/atmostk/traces/logs/formats"
	"github.com/atmostk/atmostk/traces/logs/order"
)

// A resourceState is what becomes of the holdings of one resource: by two sweeps along time if nothing but
// intervals orders the events, and by a list of them if that is to be kept.
type resourceState struct {
	verdict
	number         int32 // among the names of the reader
	sweeps         bool
	keeps          bool
	list           []*holding
	certainParts   certainSweep
	possibleLevels possibleSweep
	granted, used  tokenSweep

	figures *ResourceFigures // of those that are watched

	// Of the holdings with leases that are released, short are much longer than their lease; byLeases:
	// some holding ends with its lease.
	leased, short int
	byLeases      bool

	happened bool // an event about it has
	written  bool // some node acquires it and does not only read
}

// newResource begins what becomes of a resource.
func newResource(l *order.Log, resource string, k int, sweeps, keeps bool) *resourceState {
	u := &resourceState{sweeps: sweeps, keeps: keeps,
		verdict: verdict{Occupancy: Occupancy{Resource: resource, K: k, Exact: true}, l: l}}
	u.certainParts.begins(&u.verdict)
	u.possibleLevels.begins(&u.verdict)
	u.granted.begins(&u.verdict, false, sweeps)
	u.used.begins(&u.verdict, true, sweeps)
	return u
}

// window bounds its windows; live: the log has no end.
func (u *resourceState) window(half int, live bool) {
	u.certainParts.half, u.possibleLevels.half, u.granted.half, u.used.half = half, half, half, half
	if live {
		u.live, u.figures = true, &ResourceFigures{Name: u.Resource}
		u.certainParts.live, u.possibleLevels.live, u.granted.live, u.used.live = true, true, true, true
	}
}

// certain takes a holding when it is known up to where it is certain.
func (u *resourceState) certain(s *holding) {
	if u.sweeps {
		s.swept = true
		u.certainParts.take(s)
	}
}

// possible takes a level.
func (u *resourceState) possible(v *level) {
	if u.sweeps && v.units > 0 {
		u.possibleLevels.take(v)
	}
}

// full reports whether a window is full.
func (u *resourceState) full() bool {
	return u.certainParts.full() || u.possibleLevels.full() || u.granted.full() || u.used.full()
}

// flush lets the windows go of all before a moment.
func (u *resourceState) flush(passed int64) {
	u.certainParts.flush(passed)
	u.possibleLevels.flush(passed)
	u.granted.flush(passed)
	u.used.flush(passed)
}

// late reports whether something came too late for a window.
func (u *resourceState) late() bool {
	return u.certainParts.late || u.possibleLevels.late || u.granted.late || u.used.late
}

// done takes a holding when all is known of it.
func (u *resourceState) done(s *holding) {
	if u.keeps {
		u.list = append(u.list, s)
	}
	u.Open += one(s.open)
	if s.certain || s.early == s.enter.at || s.late.at != formats.None && s.late.role == formats.Leaves {
		u.Holdings++ // what a missing line may have acquired is no holding of the log
		if u.figures != nil {
			u.figures.done(s)
		}
	}
}

// finish ends the sweeps.
func (u *resourceState) finish() {
	u.certainParts.finish()
	u.possibleLevels.finish()
	u.granted.finish()
	u.used.finish()
	s, timed := &u.certainParts.handover, !u.l.Complete && !u.l.Traced && !u.l.Lined
	if timed && !s.not && s.Count > 0 && s.Count == u.Count {
		u.Handovers = &s.Handovers // nothing passes either
	}
}

// share makes a resource one of readers and writers: whoever only reads takes a unit, and a writer all that
// there are.
func (u *resourceState) share() {
	u.Shared = true
	if u.K <= 1 {
		u.K = AnyNumber
	}
}

// weigh says how many units an event is about, if its lock is one of readers and writers.
func (u *resourceState) weigh(r *order.Record) {
	switch {
	case !u.Shared || r.Is(order.Reads):
	case r.Role == formats.Enters:
		r.Units = int32(min(u.K, AnyNumber))
	case r.Role == formats.Leaves:
		r.Units = 0 // all that it has
	}
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
		u.granted.byOrder()
		u.used.byOrder()
		u.orders()
		u.decide()
	default:
		u.finish()
		if overlap && u.keeps {
			u.withinNodes()
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

// tokens is what came of them; nil: there were none.
func (u *resourceState) tokens() *Tokens {
	if u.granted.count+u.used.count == 0 {
		return nil
	}
	x := &Tokens{Granted: u.granted.count, Used: u.used.count, Count: u.staleCount, Stale: []Stale{}}
	for _, p := range u.stalePairs {
		x.Stale = append(x.Stale, staleOf(u.l, p))
	}
	return x
}

// longBefore is how many times as long as its lease a holding is, if the lease is in another unit than is
// said.
const longBefore = 10

// released counts a holding with a lease when it is released.
func (u *resourceState) released(s *holding, i *point) {
	if l := s.lease; l.known && !l.lapsed && min(i.begin, s.enter.begin) != formats.Never &&
		s.enter.end != formats.Ever {
		u.leased++
		u.short += one(l.over(i) && (i.begin-s.enter.end)/longBefore >= l.last-s.enter.begin)
	}
}

// unleased takes of holdings that end with their leases, which is at some moment between events, no more
// for certain than that they begin. That is for judging by orders of events.
func (u *resourceState) unleased() {
	for _, s := range u.list {
		if s.limited() {
			s.sure, s.fixed = s.enter, true
			u.l.Doubtful = true
		}
	}
}
