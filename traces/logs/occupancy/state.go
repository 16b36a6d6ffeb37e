package occupancy

import (
	"cmp"
	"slices"

	"github.com/atmostk/atmostk/traces/logs/formats"
	"github.com/atmostk/atmostk/traces/logs/order"
	"github.com/atmostk/atmostk/traces/printable"
)

// A resourceState has the holdings of one resource and their judgement: by sweeps along time if only
// intervals order the events, and by a list of the holdings if keeps is set.
type resourceState struct {
	Occupancy
	l       *order.Log
	sweeps  bool
	keeps   bool
	held    int // holdings in the last level with leases; each such level lists its own
	list    []*holding
	most    int32            // the most units that some line acquires
	figures *ResourceFigures // if logs are watched

	window
	certainParts   certainSweep
	possibleLevels possibleSweep
	tokens         [2]tokenSweep // handed out, and used
	untimed        bool          // some token is of an event without a known time

	sets       []openOverlap // the first definite overlap sets; all of them if logs are watched
	overlap    []*holding    // a possible overlap; nil: none is known
	stalePairs []stalePair   // in number like sets
	staleCount int

	// leased is the number of released holdings with leases; short of them were much longer than their
	// lease. byLeases: some holding ends with its lease.
	leased, short int
	byLeases      bool

	happened bool // an event about it was judged
	written  bool // some acquisition is not shared

	requests []*request // those between their ends
	elects   bool       // Rules.Elects
	complete bool       // Reading.Complete
}

func newResource(l *order.Log, resource string, k int, reading *Reading, sweeps, keeps bool) *resourceState {
	u := &resourceState{Occupancy: Occupancy{Resource: resource, K: k, Exact: true}, l: l, sweeps: sweeps,
		keeps: keeps, most: 1, tokens: [2]tokenSweep{{open: map[int64]*token{}}, {open: map[int64]*token{}}}}
	u.passed, u.run = formats.Never, u.edge
	if u.elects, u.complete = reading.Elects, reading.Complete; reading.Shared {
		u.share()
	}
	return u
}

func (u *resourceState) edge(e edge) {
	switch x := e.of.(type) {
	case *holding:
		u.certainEdge(&e, x)
	case *level:
		u.possibleEdge(&e, x)
	case *token:
		u.tokenEdge(&e, x)
	case *request:
		u.requestEdge(&e, x)
	}
	u.during()
}

// done takes a holding whose end is known.
func (u *resourceState) done(s *holding) {
	if u.keeps {
		u.list = append(u.list, s)
	}
	u.Open += one(s.open)
	if s.certain || s.early == s.enter.at || s.late.at != formats.None && s.late.role == formats.Leaves {
		u.Holdings++ // a holding that a missing line may have begun does not count
		if u.figures != nil {
			u.figures.done(s)
		}
	}
}

// share makes a resource one of readers and writers: a reader takes one unit, and a writer takes all of them.
func (u *resourceState) share() {
	u.Shared = true
	if u.K <= 1 {
		u.K = AnyNumber
	}
}

// setUnits sets the units of an event if its lock is one of readers and writers.
func (u *resourceState) setUnits(r *order.Record) {
	switch {
	case !u.Shared || r.Is(order.Reads):
	case r.Role == formats.Enters || r.Role == formats.Denied:
		r.Units = int32(min(u.K, AnyNumber))
	case r.Role == formats.Leaves:
		r.Units = 0 // all units of the holding
	}
}

// judge judges a resource after all its holdings are known.
func (u *resourceState) judge(overlap bool) {
	// The order of the list must not depend on the order of nodes.
	slices.SortFunc(u.list, func(a, b *holding) int {
		return cmp.Or(cmp.Compare(a.enter.at, b.enter.at), cmp.Compare(a.early, b.early))
	})
	for _, s := range u.list { // a lease ends between events, which an order of events cannot express
		if s.mayLapse() && (!u.sweeps || overlap) {
			s.sure, s.fixed, u.l.Doubtful = s.enter, true, true
		}
	}
	u.finish()
	u.note()
	u.Breaches.ByLines(u.l.Files)
	s, timed := &u.certainParts.handover, !u.l.Complete && !u.l.Traced && !u.l.Lined
	if timed && !s.refuted && s.Count > 0 && s.Count == u.Count {
		u.Handovers = &s.Handovers // nor is a set Passing
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
	default: // the sweep decides
		u.Avoidable = u.Count == 0 && u.Possibly > u.K && !u.l.Doubtful && !overlap
	}
	if u.byLeases && u.short == u.leased {
		u.ShortLeases = u.short
	}
	if granted, used := u.tokens[0].count, u.tokens[1].count; granted+used > 0 {
		u.Tokens = &Tokens{Granted: granted, Used: used, Count: u.staleCount,
			Stale: printable.Each(u.stalePairs, func(p *stalePair) Stale { return staleOf(u.l, *p) })}
	}
	for i := range u.sets {
		u.Definite = append(u.Definite, overlapOf(u.l, u.sets[i].OverlapSet, u.sets[i].holdings))
	}
	if u.overlap != nil && u.Count == 0 {
		u.Possible = new(overlapOf(u.l, OverlapSet{}, u.overlap))
	}
}

// longBefore: if a holding is at least as many times as long as its lease, the lease seems to have another
// unit.
const longBefore = 10

func (u *resourceState) released(s *holding, i *point) {
	if l := s.lease; l.known && !l.lapsed && min(i.begin, s.enter.begin) != formats.Never &&
		s.enter.end != formats.Ever {
		u.leased++
		u.short += one(l.over(i) && (i.begin-s.enter.end)/longBefore >= l.last-s.enter.begin)
	}
}

// An openOverlap is an overlap set whose holdings may not have ended yet.
type openOverlap struct {
	OverlapSet
	holdings []*holding
}

// definite counts a definite overlap set, and keeps the first ones.
func (u *resourceState) definite(c OverlapSet, inside ...*holding) {
	u.Count += one(!u.live)
	if u.Count <= maxOverlaps {
		u.sets = append(u.sets, openOverlap{c, slices.Clone(inside)})
	}
}

// possibly keeps a possible overlap set: as few of its holdings as exceed the bound.
func (u *resourceState) possibly(inside []*holding) {
	slices.SortFunc(inside, func(a, b *holding) int {
		return cmp.Or(cmp.Compare(b.units, a.units), byLine(a, b))
	})
	units := 0
	for i, s := range inside {
		if units += int(s.units); units > u.K {
			u.overlap = slices.Clone(inside[:i+1])
			return
		}
	}
}

// stale counts a token that is not greater than an earlier one, and keeps the first ones.
func (u *resourceState) stale(before, t *token) {
	u.staleCount += one(!u.live)
	if u.staleCount <= maxOverlaps {
		u.stalePairs = append(u.stalePairs, stalePair{before, t})
	}
}

// A stalePair is a stale token and the earlier one that is not smaller.
type stalePair struct{ before, t *token }

type certainSweep struct {
	units    int        // in use
	known    []*holding // holdings inside, and some that ended
	enough   int        // the length of known at which ended holdings are removed
	passing  []*holding // holdings without a certain part that may be inside now, by begin, and ended ones
	low      lowest
	handover handoverMeter
}

// certain adds the certain part of a holding to the sweep.
func (u *resourceState) certain(s *holding) {
	if !u.sweeps {
		return
	}
	s.from, s.to = s.certainInterval()
	if u.l.Causal && (s.mayLapse() || s.lease != nil && s.sure.role == formats.Refused) {
		s.to = min(s.to, s.enter.begin) // a watch does not take the clocks, which outrank times
	}
	switch tie := s.enter.tie(); {
	case s.from < s.to:
		u.add(s, tie, s.from, certainBegin, s.to, certainEnd)
	case s.to == formats.Never: // it is inside before all events
		u.pass(s, formats.Never, 0)
	default:
		u.add(s, tie, s.to, passFrom, s.from, passTo)
	}
}

func (u *resourceState) certainEdge(e *edge, s *holding) {
	c := &u.certainParts
	was := c.units
	switch e.kind() {
	case certainEnd:
		c.units -= int(s.units)
		c.low.add(e.at, c.units) // of several at one moment the last one counts
	case certainBegin:
		c.units += int(s.units)
		c.forget(e.at)
		c.known = append(c.known, s)
		u.Certainly = max(u.Certainly, c.units)
		if c.units > u.K && was <= u.K {
			isOver := func(s *holding) bool { return s.to <= e.at }
			u.definite(OverlapSet{}, slices.DeleteFunc(slices.Clone(c.known), isOver)...)
			c.handover.from, c.handover.short = e.at, formats.Ever // a time with too many units
		}
	case passTo:
		c.low.add(e.at, c.units)
		at, units := c.low.since(s.to)
		u.pass(s, at, units)
		for c.passing[0].from < e.at {
			c.passing = c.passing[1:]
		}
	case passFrom:
		c.low.add(e.at, c.units)
		c.passing = append(c.passing, s)
	}
	if max(was, c.units) > u.K && was != c.units {
		c.handover.holding(s.from, s.to)
	}
	if was > u.K && c.units <= u.K {
		c.handover.close(e.at)
	}
}

// forget removes holdings that ended before all that may be inside from a moment on, if there are many.
func (c *certainSweep) forget(since int64) {
	if len(c.known) < c.enough {
		return
	}
	if len(c.passing) > 0 {
		since = min(since, c.passing[0].to)
	}
	c.known = slices.DeleteFunc(c.known, func(s *holding) bool { return s.to <= since })
	c.enough = 2*len(c.known) + 16
}

// pass judges a holding without a certain part; at is the moment of its interval with the fewest units used.
func (u *resourceState) pass(s *holding, at int64, units int) {
	units += int(s.units)
	if u.Certainly = max(u.Certainly, units); units <= u.K {
		return
	}
	isAway := func(o *holding) bool { return at <= o.from || o.to <= at }
	inside := slices.DeleteFunc(slices.Clone(u.certainParts.known), isAway)
	u.definite(OverlapSet{Passing: len(inside) > 0}, append(inside, s)...)
}

// lowest has, for each moment so far, the fewest units in use since.
type lowest struct {
	at    []int64
	units []int // ascending
}

// add adds the units in use at a moment, which is not earlier than the ones before.
func (w *lowest) add(at int64, units int) {
	n := len(w.at)
	for n > 0 && w.units[n-1] >= units {
		n--
	}
	w.at, w.units = append(w.at[:n], at), append(w.units[:n], units)
}

// since returns the fewest units in use since a moment, and when that was.
func (w *lowest) since(from int64) (at int64, units int) {
	i, _ := slices.BinarySearch(w.at, from)
	return w.at[i], w.units[i]
}

// A level is the units that a node may have in use between two of its events, without another event about
// holdings between them.
type level struct {
	from, to int64    // the interval in which this is possible
	of       *holders // the possible holdings
	in       *local   // of its node; nil: the level of a holding with a single line
	slot     int32    // its index in the levels of its node, while the sweep is inside
}

// A possibleSweep finds the largest number of units that may be in use at once. At any moment, each node may
// be at any of its levels whose interval includes the moment.
type possibleSweep struct {
	nodes  []*local // that had levels
	beside local    // levels that add to all others
	total  int
	// above: more than k units may be in use now, and their holders are not noted yet.
	above bool
}

// possible adds a level to the sweep.
func (u *resourceState) possible(v level) {
	if !u.sweeps || v.of == nil {
		return
	}
	if v.from == formats.Never && v.to == formats.Ever && v.in != nil {
		if v.of.units <= v.in.always {
			return
		}
		v.in.always = v.of.units
	}
	u.add(&v, v.of.first.enter.tie(), v.from, possibleBegin, v.to, possibleEnd)
}

func (u *resourceState) possibleEdge(e *edge, v *level) {
	p := &u.possibleLevels
	if e.kind() == possibleEnd {
		u.note()
	}
	n := cmp.Or(v.in, &p.beside)
	if v.in != nil && !n.listed {
		n.listed = true
		p.nodes = append(p.nodes, n)
	}
	p.total -= n.units
	if e.kind() == possibleBegin {
		n.add(v)
	} else {
		n.remove(v)
	}
	p.total += n.units
	if u.Possibly = max(u.Possibly, p.total); u.Possibly > u.K && u.overlap == nil {
		p.above = true
	}
}

// note keeps the holdings that may be inside now, if they have too many units.
func (u *resourceState) note() {
	p := &u.possibleLevels
	if !p.above {
		return
	}
	p.above = false
	var inside []*holding
	for _, v := range p.beside.levels {
		inside = append(inside, v.of.first)
	}
	for _, n := range p.nodes {
		if levels := n.levels; len(levels) > 0 {
			best := slices.MaxFunc(levels, func(a, b *level) int { return a.of.units - b.of.units })
			for of := best.of; of != nil; of = of.before {
				inside = append(inside, of.last)
			}
		}
	}
	u.possibly(inside)
}

// apart is the node of holdings with a single line: their levels add to all others.
const apart = formats.None

// A local has the levels at which a node may be now.
type local struct {
	levels []*level
	units  int  // the most that it may have in use: the highest level, or the sum of levels apart
	always int  // the highest level without bounds in time
	listed bool // it is in the list of its resource
}

func (n *local) add(v *level) {
	v.slot = int32(len(n.levels))
	n.levels = append(n.levels, v)
	if v.in == nil {
		n.units += v.of.units
	}
	n.units = max(n.units, v.of.units)
}

func (n *local) remove(v *level) {
	last := len(n.levels) - 1
	n.levels[v.slot] = n.levels[last]
	n.levels[v.slot].slot = v.slot
	n.levels[last] = nil
	n.levels = n.levels[:last]
	if v.in == nil {
		n.units -= v.of.units
	} else if v.of.units == n.units {
		n.units = 0
		for i := 0; i < len(n.levels) && n.units < v.of.units; i++ {
			n.units = max(n.units, n.levels[i].of.units)
		}
	}
}
