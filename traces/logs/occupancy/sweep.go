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
	Occupancy
	l              *order.Log
	sweeps         bool
	keeps          bool
	list           []*holding
	certainParts   certainSweep
	possibleLevels possibleSweep

	granted, used tokenSweep
	stalePairs    []stalePair // the first of them; all of those that are watched
	staleCount    int
	untimed       bool // some token is that of an event of which no time is known

	live    bool             // it is watched: what is found is taken away, and not counted
	figures *ResourceFigures // of those that are watched

	timed bool // its holdings are timed
	holds timer
	waits timer

	// Of the holdings with leases that are released, short are much longer than their lease; byLeases:
	// some holding ends with its lease.
	leased, short int
	byLeases      bool

	passed *int64 // no event comes that begins before this; nil: not known
	// happened: an event about it has.
	happened bool
	// written: some node acquires it and does not only read.
	written bool
	open    []*nodeResource // those in which something is possible now

	sets    []openOverlap // the first definite overlap sets
	overlap []*holding    // that is possible; nil: none is known
}

// newResource begins what becomes of a resource.
func newResource(l *order.Log, resource string, k int, sweeps, keeps bool) *resourceState {
	u := &resourceState{Occupancy: Occupancy{Resource: resource, K: k, Exact: true}, l: l, sweeps: sweeps,
		keeps: keeps}
	l.Uses++
	u.timed = sweeps && l.Uses <= maxHolds
	u.certainParts.use, u.possibleLevels.use = u, u
	u.certainParts.tie, u.certainParts.run = byLine, u.certainParts.edge
	u.possibleLevels.tie, u.possibleLevels.run = func(_, _ *level) int { return 0 }, u.possibleLevels.edge
	u.certainParts.passed, u.possibleLevels.passed = formats.Never, formats.Never
	u.granted.begins(u, false)
	u.used.begins(u, true)
	return u
}

// window bounds what is held of it; live: the log has no end.
func (u *resourceState) window(half int, live bool) {
	u.certainParts.half, u.possibleLevels.half, u.granted.half, u.used.half = half, half, half, half
	if live {
		u.live, u.figures = true, &ResourceFigures{Name: u.Resource}
		u.certainParts.live, u.possibleLevels.live, u.granted.live, u.used.live = true, true, true, true
	}
}

// byLine compares holdings by where they are in the log.
func byLine(a, b *holding) int { return byPoint(&a.enter, &b.enter) }

// byPoint compares events by where they are in the log.
func byPoint(a, b *point) int {
	if a.file != b.file {
		return int(a.file) - int(b.file)
	}
	return cmp.Compare(a.line, b.line)
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

// letGo lets the windows go of what nothing later can concern, when one is full.
func (u *resourceState) letGo() {
	if u.passed == nil || !u.certainParts.full() && !u.possibleLevels.full() && !u.granted.full() &&
		!u.used.full() {
		return
	}
	for _, h := range u.open {
		h.cut(*u.passed)
	}
	u.certainParts.flush(*u.passed)
	u.possibleLevels.flush(*u.passed)
	u.granted.flush(*u.passed)
	u.used.flush(*u.passed)
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
		if u.timed {
			u.holds.held(s)
			u.waits.waited(s)
		}
	}
}

// finish ends the sweeps.
func (u *resourceState) finish() {
	u.certainParts.finish()
	u.possibleLevels.finish()
	u.granted.finish()
	u.used.finish()
	if !u.l.Complete && !u.l.Traced {
		u.Waited = u.wait()
	}
	if u.l.Complete || u.l.Traced || u.l.Lined {
		return // times are none
	}
	if s := &u.certainParts.handover; !s.not && s.Count > 0 && s.Count == u.Count {
		u.Handovers = &s.Handovers // nothing passes either
	}
	u.Held = u.holds.report(u.l)
	if u.K < AnyNumber { // a share of all units makes sense
		u.Busy = u.certainParts.meter.report()
	}
}

// A certainSweep goes along the certain parts of holdings.
type certainSweep struct {
	window[*holding]
	use      *resourceState
	units    int // in use
	inside   []*holding
	low      lows
	handover handoverMeter
	meter    meter
	// passing are holdings that may pass now, in the order in which they begin to, and gone those
	// that were inside since the first of them did.
	passing, gone []*holding
}

// part is where a holding is inside in every order, if from is before to;
// else it passes through at a moment between to and from.
func (s *holding) part() (from, to int64) {
	from, to = s.enter.end, formats.Ever
	if s.sure.at != formats.None {
		to = s.sure.begin
	}
	if s.limited() {
		to = min(to, s.lease.earliest)
	}
	return from, to
}

// take takes a holding that is certain.
func (c *certainSweep) take(s *holding) {
	switch from, to := s.part(); {
	case from < to:
		c.add(edge[*holding]{from, s, certainBegin}, edge[*holding]{to, s, certainEnd})
	case to == formats.Never: // it passes before everything
		c.pass(s, formats.Never, 0)
	default:
		c.add(edge[*holding]{to, s, passFrom}, edge[*holding]{from, s, passTo})
	}
}

// edge takes the next edge.
func (c *certainSweep) edge(e edge[*holding]) {
	was := c.units
	s := e.of
	switch e.kind {
	case certainEnd:
		c.units -= int(s.units)
		c.leave(s)
		c.low.add(e.at, c.units) // the last one that ends at a moment counts
	case certainBegin:
		c.units += int(s.units)
		s.slot = int32(len(c.inside))
		c.inside = append(c.inside, s)
		if c.use.Certainly = max(c.use.Certainly, c.units); c.units > c.use.K && was <= c.use.K {
			c.use.definite(OverlapSet{}, c.inside...)
			c.handover.open(e.at)
		}
	case passTo:
		c.low.add(e.at, c.units)
		_, from := s.part()
		at, units := c.low.since(from)
		c.pass(s, at, units)
		c.passed1(s)
	case passFrom:
		c.low.add(e.at, c.units)
		c.passing = append(c.passing, s)
	}
	if was != c.units {
		c.meter.turn(e.at, was, c.use.K)
	}
	if max(was, c.units) > c.use.K && was != c.units {
		c.handover.holding(s.part())
	}
	if was > c.use.K && c.units <= c.use.K {
		c.handover.close(e.at)
	}
}

// leave takes a holding out of those inside.
func (c *certainSweep) leave(s *holding) {
	last := len(c.inside) - 1
	c.inside[s.slot] = c.inside[last]
	c.inside[s.slot].slot = s.slot
	c.inside[last] = nil
	c.inside = c.inside[:last]
	if len(c.passing) > 0 {
		c.gone = append(c.gone, s)
	}
}

// passed1 forgets what no holding that passes needs any more.
func (c *certainSweep) passed1(s *holding) {
	s.slot = formats.None
	for len(c.passing) > 0 && c.passing[0].slot == formats.None {
		c.passing = c.passing[1:]
	}
	if len(c.passing) == 0 {
		c.passing, c.gone = nil, c.gone[:0]
		return
	}
	_, since := c.passing[0].part()
	for len(c.gone) > 0 {
		if _, to := c.gone[0].part(); to > since {
			break
		}
		c.gone = c.gone[1:]
	}
}

// pass looks for room for a holding without a certain part, at the moment at which the fewest units
// are in use.
func (c *certainSweep) pass(s *holding, at int64, units int) {
	units += int(s.units)
	if c.use.Certainly = max(c.use.Certainly, units); units <= c.use.K {
		return
	}
	var inside []*holding
	for _, others := range [][]*holding{c.inside, c.gone} {
		for _, o := range others {
			if a, b := o.part(); a < at && at < b {
				inside = append(inside, o)
			}
		}
	}
	c.use.definite(OverlapSet{Passing: len(inside) > 0}, append(inside, s)...)
}

// lows knows for each moment so far the fewest units in use since.
type lows struct {
	at    []int64
	units []int // ascending
}

// add is told the units in use at a moment, which is not before the others.
func (w *lows) add(at int64, units int) {
	n := len(w.at)
	for n > 0 && w.units[n-1] >= units {
		n--
	}
	w.at, w.units = append(w.at[:n], at), append(w.units[:n], units)
}

// since returns the fewest units in use at a moment since the given one, and such
// a moment.
func (w *lows) since(from int64) (at int64, units int) {
	i, _ := slices.BinarySearch(w.at, from)
	return w.at[i], w.units[i]
}

// A level is what a node may have in use between two of its events: no event of its holdings
// is between them.
type level struct {
	from, to int64 // this may be so at these times
	units    int
	node     int32
	lone     bool  // it is beside whatever else its node is at
	slot     int32 // its place among those of its node, while the sweep is there
	// These holdings are possible: first and more; nil: none.
	first *holding
	more  []*holding
}

// A possibleSweep finds the largest number of units that may be in use at once. At any
// moment each node may be at any of its levels that the times allow.
type possibleSweep struct {
	window[*level]
	use   *resourceState
	nodes []local
	lone  local // levels that are beside all others
	total int
	// always is the highest level of each node that it may have at any time.
	always map[int32]int
	// above: more than k units may be in use now, and by whom is not noted yet.
	above bool
}

// take takes a level.
func (p *possibleSweep) take(v *level) {
	if v.from == formats.Never && v.to == formats.Ever && !v.lone {
		if v.units <= p.always[v.node] {
			return
		}
		if p.always == nil {
			p.always = map[int32]int{}
		}
		p.always[v.node] = v.units
	}
	kept := *v
	p.add(edge[*level]{v.from, &kept, possibleBegin}, edge[*level]{v.to, &kept, possibleEnd})
}

// edge takes the next edge.
func (p *possibleSweep) edge(e edge[*level]) {
	if p.above && e.kind == possibleEnd {
		p.note()
	}
	if e.of.lone {
		p.alone(e)
	} else {
		p.local(e)
	}
	u := p.use
	if u.Possibly = max(u.Possibly, p.total); u.Possibly > u.K && u.overlap == nil {
		p.above = true
	}
}

// local takes the edge of a level of a node that is at one of them at a time.
func (p *possibleSweep) local(e edge[*level]) {
	for len(p.nodes) <= int(e.of.node) {
		p.nodes = append(p.nodes, local{})
	}
	n := &p.nodes[e.of.node]
	p.total -= n.max
	if e.kind == possibleBegin {
		n.add(e.of)
	} else {
		n.remove(e.of)
	}
	p.total += n.max
}

// alone takes the edge of a level beside all others.
func (p *possibleSweep) alone(e edge[*level]) {
	if e.kind == possibleBegin {
		p.lone.add(e.of)
		p.total += e.of.units
	} else {
		p.lone.remove(e.of)
		p.total -= e.of.units
	}
}

// note keeps who may be inside now.
func (p *possibleSweep) note() {
	var inside []*holding
	for _, v := range p.lone.levels {
		inside = append(inside, v.first)
	}
	for i := range p.nodes {
		var best *level
		for _, v := range p.nodes[i].levels {
			if best == nil || v.units > best.units {
				best = v
			}
		}
		if best != nil {
			inside = append(append(inside, best.first), best.more...)
		}
	}
	p.use.possibly(inside)
	p.above = false
}

func (p *possibleSweep) finish() {
	p.window.finish()
	if p.above {
		p.note()
	}
}

// A local has the levels at which a node may be at a moment.
type local struct {
	levels []*level
	sizes  []int // numbers of levels by units
	max    int   // the most units
}

func (n *local) add(v *level) {
	v.slot = int32(len(n.levels))
	n.levels = append(n.levels, v)
	for len(n.sizes) <= v.units {
		n.sizes = append(n.sizes, 0)
	}
	n.sizes[v.units]++
	n.max = max(n.max, v.units)
}

func (n *local) remove(v *level) {
	last := len(n.levels) - 1
	n.levels[v.slot] = n.levels[last]
	n.levels[v.slot].slot = v.slot
	n.levels[last] = nil
	n.levels = n.levels[:last]
	n.sizes[v.units]--
	for n.max > 0 && n.sizes[n.max] == 0 {
		n.max--
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

// AnyNumber is how many may read at once if nobody says; a writer takes as many units.
const AnyNumber = 1 << 20

// modes are the names of holdings with a lock of readers and writers, by whether they read.
var modes = [2]string{"write", "read"}
