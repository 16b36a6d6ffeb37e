package occupancy

import (
	"cmp"
	"slices"

	"github.com/atmostk/atmostk/traces/logs/formats"
	"github.com/atmostk/atmostk/traces/logs/order"
)

// A resourceState is what becomes of the holdings of one resource, and what is found of it: by sweeps along
// time if nothing but intervals orders the events, and by a list of them if that is to be kept.
type resourceState struct {
	Occupancy
	l       *order.Log
	sweeps  bool
	keeps   bool
	list    []*holding
	most    int32            // units that some line acquires
	open    []*nodeResource  // the nodes with a possible holding, and some that had one
	figures *ResourceFigures // of those that are watched

	window
	certainParts   certainSweep
	possibleLevels possibleSweep
	tokens         [2]tokenSweep // handed out, and used
	untimed        bool          // some token is of an event without a known time

	sets       []openOverlap // the first definite overlap sets; all of those that are watched
	overlap    []*holding    // that is possible; nil: none is known
	stalePairs []stalePair   // as sets
	staleCount int

	// Of the holdings with leases that are released, short are much longer than their lease; byLeases:
	// some holding ends with its lease.
	leased, short int
	byLeases      bool

	happened bool // an event about it has
	written  bool // some node acquires it and does not only read
}

// newResource begins what becomes of a resource.
func newResource(l *order.Log, resource string, k int, sweeps, keeps bool) *resourceState {
	u := &resourceState{Occupancy: Occupancy{Resource: resource, K: k, Exact: true}, l: l, sweeps: sweeps,
		keeps: keeps, most: 1, tokens: [2]tokenSweep{{open: map[int64]*token{}}, {open: map[int64]*token{}}}}
	u.passed, u.run = formats.Never, u.edge
	return u
}

// edge takes the next end.
func (u *resourceState) edge(e edge) {
	switch x := e.of.(type) {
	case *holding:
		u.certainEdge(&e, x)
	case *level:
		u.possibleEdge(&e, x)
	case *token:
		u.tokenEdge(&e, x)
	}
}

// goingOn lists the nodes with a possible holding now.
func (u *resourceState) goingOn() []*nodeResource {
	u.open = slices.DeleteFunc(u.open, func(h *nodeResource) bool {
		h.listed = h.possible > 0
		return !h.listed
	})
	return u.open
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
	u.finish()
	u.note()
	s, timed := &u.certainParts.handover, !u.l.Complete && !u.l.Traced && !u.l.Lined
	if timed && !s.not && s.Count > 0 && s.Count == u.Count {
		u.Handovers = &s.Handovers // nothing passes either
	}
	switch {
	case !u.sweeps:
		u.byOrder(&u.tokens[0])
		u.byOrder(&u.tokens[1])
		u.orders()
		u.decide()
	case overlap && u.keeps:
		u.withinNodes()
		u.decide()
		if u.Handovers != nil && u.Count > u.Handovers.Count {
			u.Handovers = nil
		}
	default: // the sweep was exact
		u.Avoidable = u.Count == 0 && u.Possibly > u.K && !u.l.Doubtful && !overlap
	}
	if u.byLeases && u.short == u.leased {
		u.ShortLeases = u.short
	}
	if granted, used := u.tokens[0].count, u.tokens[1].count; granted+used > 0 {
		u.Tokens = &Tokens{Granted: granted, Used: used, Count: u.staleCount, Stale: []Stale{}}
		for _, p := range u.stalePairs {
			u.Tokens.Stale = append(u.Tokens.Stale, staleOf(u.l, p))
		}
	}
	for i := range u.sets {
		u.Definite = append(u.Definite, overlapOf(u.l, u.sets[i].OverlapSet, u.sets[i].holdings))
	}
	if u.overlap != nil && u.Count == 0 {
		c := overlapOf(u.l, OverlapSet{}, u.overlap)
		u.Possible = &c
	}
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
