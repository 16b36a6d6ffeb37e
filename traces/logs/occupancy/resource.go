package occupancy

import (
	"cmp"
	"slices"

	"github.com/atmostk/atmostk/traces/logs/formats"
	"github.com/atmostk/atmostk/traces/logs/order"
)

// A nodeResource has the holdings of one node and one resource.
type nodeResource struct {
	of    *nodeHoldings
	state *resourceState
	open  []*holding
	// held lists the possible ones among the first upto holdings in open; their level.
	held   *holders
	upto   int
	levels local // as the sweep has them
	// Numbers of certain and possible holdings in open.
	certain, possible int
	mixed             bool   // holdings in open may have different numbers of units
	out               point  // the last event after which open was empty; nothing: it was empty at first
	after             point  // the last event at which the possible units changed; nothing
	past              []past // earlier levels, if they are kept

	listed bool // it is in the list of its resource
	// blocks: the next event of the node may change the past. guesses: open has, or had since it was empty, a
	// holding that missing lines may have acquired.
	blocks, guesses bool

	granted, used *token // the greatest ones
	leases        bool   // some event gave or ended a lease
	lapses        bool   // some holding in open ends with its lease
	expired       int    // holdings that ended with their leases, and whose releases may still come
	lapsed        int    // holdings whose leases had ended when the node acquired again
	// For a reentrant lock: the fewest and the most acquisitions that are not released, and whether these
	// have different numbers of units.
	least, most int
	varied      bool

	asks     []*request // not answered yet
	asked    point      // the latest request
	answered point      // the latest answer
	anyAsked bool
}

// A past level is a level of a node, with the event that ended it.
type past struct {
	level
	until point
}

// list brings held up to date.
func (h *nodeResource) list() *holders {
	for ; h.upto < len(h.open); h.upto++ {
		if p := h.open[h.upto]; p.mayGoOn {
			h.held = h.held.with(p, h.upto)
		}
	}
	return h.held
}

// change takes a change at a place of open into account.
func (h *nodeResource) change(place int) {
	h.upto = min(h.upto, place)
	for h.held != nil && h.held.place >= place {
		h.held = h.held.before
	}
}

// changed takes a change of a holding in open into account.
func (h *nodeResource) changed(s *holding) {
	for k := len(h.open) - 1; k >= 0 && h.upto > 0; k-- {
		if h.open[k] == s {
			h.change(k)
			return
		}
	}
}

// begin adds a holding that may have begun at event early; lost: its acquisition is a missing line.
func (h *nodeResource) begin(n *nodeHoldings, s *holding, early *point, lost bool) {
	h.mixed = h.mixed || len(h.open) > 0 && h.open[0].units != s.units
	n.judge.overlap = n.judge.overlap || h.certain > 0 && s.certain
	if !s.fixed {
		s.sure = nothing
	}
	if s.certain {
		n.fresh = append(n.fresh, s)
	}
	s.late, s.failed, s.node, s.name, s.shared = nothing, nil, n.node, n.name, h.state.Shared
	s.possible, s.goesOn, s.mayGoOn, s.missing = true, s.certain, true, lost
	h.guesses = h.guesses || lost
	h.turn(n, early, s)
	h.add(len(h.open), s)
}

func (h *nodeResource) add(k int, s *holding) {
	h.open = slices.Insert(h.open, k, s)
	h.change(k)
	h.possible += one(s.mayGoOn)
	h.certain += one(s.goesOn)
}

// doubt ends the certain part of a holding at an event.
func (h *nodeResource) doubt(s *holding, i *point) {
	if s.goesOn {
		s.goesOn = false
		h.certain--
		s.rests = s.sure.at != formats.None && (i.at == formats.None || i.at > s.sure.at)
		s.sure, s.fixed = *i, true
		h.state.certain(s)
	}
}

// close ends the possible part of a holding at an event.
func (h *nodeResource) close(n *nodeHoldings, s *holding, i *point) {
	if !s.mayGoOn {
		return
	}
	if h.after.at == i.at && s.early == i.at { // it has no length
		h.leaveLevel(n, i.end, i)
	}
	h.turn(n, i, nil)
	s.mayGoOn = false
	h.changed(s)
	h.possible--
	s.late = *i
}

// turn ends the present level at an event at which a holding ends, or begins.
func (h *nodeResource) turn(n *nodeHoldings, i *point, begins *holding) {
	switch {
	case i.at > h.after.at:
		h.leaveLevel(n, i.end, i)
		h.after = *i
	case i.at < h.after.at && begins != nil:
		n.judge.back = true
		h.raise(i, begins)
	}
}

// leaveLevel reports the level from the last change to a time; leases that end before divide it.
func (h *nodeResource) leaveLevel(n *nodeHoldings, to int64, until *point) {
	of := h.list()
	if h.lapses {
		of = h.byLapse(h.after.begin)
	}
	for again := true; again; {
		limit := int64(formats.Ever) // the first end of a lease
		if of != nil {
			limit = of.last.lapse()
		}
		v := level{from: h.after.begin, to: min(to, limit), of: of}
		if n.node != apart {
			v.in = &h.levels
		}
		again = limit < to
		for again && of != nil && of.last.lapse() <= limit {
			of = of.before
		}
		if v.from > v.to {
			continue
		}
		h.state.possible(v)
		if n.judge.keep {
			h.past = append(h.past, past{v, *until})
		}
	}
}

// byLapse lists the possible holdings in open that no lease has ended before a time, the first to end last.
func (h *nodeResource) byLapse(from int64) (of *holders) {
	isOver := func(p *holding) bool { return !p.mayGoOn || p.lapse() < from }
	list := slices.DeleteFunc(slices.Clone(h.open), isOver)
	slices.SortStableFunc(list, func(a, b *holding) int { return cmp.Compare(b.lapse(), a.lapse()) })
	for k, p := range list {
		of = of.with(p, k)
	}
	h.state.held = len(list)
	return of
}

// raise adds a holding that may have begun before the last change to the levels since then.
func (h *nodeResource) raise(early *point, s *holding) {
	for _, v := range h.past {
		if v.until.at == formats.None || v.until.at <= early.at {
			continue
		}
		up := v.level
		up.from = max(up.from, early.begin)
		up.of = up.of.with(s, 0)
		h.state.possible(up)
	}
}

// settle removes holdings whose end is known from open, after an event.
func (h *nodeResource) settle(i *point) {
	for last := len(h.open) - 1; last >= 0 && h.open[last].over(); last-- {
		h.state.done(h.open[last])
		h.open = h.open[:last]
		h.change(last)
	}
	if len(h.open) > 2*(h.certain+h.possible) {
		h.change(0)
		h.open = slices.DeleteFunc(h.open, func(p *holding) bool {
			if p.over() {
				h.state.done(p)
			}
			return p.over()
		})
	}
	if len(h.open) == 0 {
		h.out, h.mixed, h.guesses, h.lapses = *i, false, false, false
	}
}

// update computes whether the next event may change the past, and lists the node with its resource if it may
// hold units.
func (h *nodeResource) update() {
	n := h.of
	free := n.judge.frees || n.judge.Ending == Free
	blocks := h.certain > 0 || h.possible > 0 && (free || h.leases || h.guesses)
	n.busy += one(blocks) - one(h.blocks)
	h.blocks = blocks
	if h.possible > 0 && !h.listed {
		h.listed = true
		open := n.judge.open
		open[h.state] = append(open[h.state], h)
	}
}

// goingOn lists the nodes that may hold units of a resource now.
func (j *judge) goingOn(u *resourceState) []*nodeResource {
	j.open[u] = slices.DeleteFunc(j.open[u], func(h *nodeResource) bool {
		h.listed = h.possible > 0
		return !h.listed
	})
	return j.open[u]
}

// miss takes missing lines into account: they may have released every holding, acquired units, and renewed
// leases.
func (n *nodeHoldings) miss(h *nodeResource, i *point) {
	has := int32(0)
	for _, p := range h.open {
		h.doubt(p, &n.prev)
		if !p.dead && p.mayGoOn {
			has += p.units
		}
		p.lease.miss(i)
	}
	if n.judge.Reentrant { // each missing line may have acquired the lock, or released it
		h.least, h.most = 0, min(h.most+int(n.lost), maxLost)
	}
	most := h.mostMissed()
	s := &holding{enter: *i, early: n.prev.at, waited: formats.Ever}
	switch {
	case n.nested && !n.judge.Reentrant:
		above := uint64(max(maxLost, min(h.state.K, AnyNumber)+1))
		s.units = int32(min(uint64(n.lost)*uint64(most), above))
	case has < most: // it may have acquired more units than it has
		s.units = most - has
	default:
		return
	}
	h.begin(n, s, &n.prev, true)
}

// mostMissed returns the number of units that a missing line may acquire: the most that some line acquires.
func (h *nodeResource) mostMissed() int32 {
	h.of.judge.guessed = true
	return h.state.most
}

// maxLost is the largest number of units that the missing lines of one gap are assumed to acquire, if no
// more may be in use.
const maxLost = 1 << 12

// leave takes a release. A release that may have happened ends no possible part.
func (n *nodeHoldings) leave(h *nodeResource, i *point, units int32) {
	n.release(h, i, units, true)
	if i.is(order.Maybe) {
		for _, p := range h.open {
			if p.lease != nil {
				p.lease.tried = i.end
			}
		}
		return
	}
	if left := n.release(h, i, units, false); left > 0 {
		n.unmatchedRelease(h, i, min(left, units)) // 0: not given
	}
	if h.guesses && !n.nested {
		for _, p := range h.open {
			if p.missing && !p.dead {
				h.close(n, p, i)
			}
		}
	}
	h.settle(i)
}

// release ends the certain or the possible parts of holdings, the latest first, until their units are the
// given ones. If units is 0 it ends one holding; if holdings have different numbers of units, that is the
// certain one with the most units, or the possible one with the fewest. It returns the number of units left
// over.
func (n *nodeHoldings) release(h *nodeResource, i *point, units int32, certain bool) (left int32) {
	left = max(units, 1)
	for {
		p := n.latest(h, units == 0, certain, i)
		if p == nil {
			return left
		}
		part := left
		if units == 0 { // as much as one missing line acquires
			part = h.state.most
		}
		if p.units > part && (n.nested || !p.missing) && (units > 0 || p.missing) {
			p = n.split(h, p, part, i)
		}
		if p.missing && !n.nested && units > 0 { // the missing acquisition was of these units
			p.units = left
			h.changed(p)
		}
		left -= p.units
		if certain {
			p.released = !i.is(order.Maybe)
			h.doubt(p, i)
		} else {
			h.close(n, p, i)
		}
		if units == 0 || left <= 0 {
			return 0
		}
	}
}

// split divides a holding when an event releases some of its units, and returns the released part; the other
// part comes before it in open. Both replace the whole, which stays with all units in the levels and sweeps
// that have it.
func (n *nodeHoldings) split(h *nodeResource, whole *holding, released int32, i *point) *holding {
	k, rest, part := slices.Index(h.open, whole), *whole, *whole
	whole.late = *i
	part.units, rest.units = released, rest.units-released
	if h.open[k] = &part; rest.sure.at == formats.None {
		n.fresh = append(n.fresh, &part, &rest)
	}
	h.add(k, &rest)
	n.judge.overlap, h.mixed = n.judge.overlap || rest.goesOn, true
	return &part
}

// latest returns the holding that a release ends: the latest one, holdings of crashed nodes last; nil: none.
// A release of a reader ends no holding of a writer.
func (n *nodeHoldings) latest(h *nodeResource, bySize, certain bool, i *point) (best *holding) {
	better := func(p, q *holding) bool {
		switch {
		case p.dead != q.dead:
			return q.dead
		case p.missing != q.missing && !n.nested:
			return q.missing
		}
		a, b := p.units, q.units
		return bySize && a != b && (a > b) == certain
	}
	if certain && h.certain == 0 {
		return nil
	}
	for _, p := range slices.Backward(h.open) {
		if h.state.Shared && i.is(order.Reads) && !p.missing && !p.enter.is(order.Reads) {
			continue
		}
		if (certain && p.goesOn || !certain && p.mayGoOn) && (best == nil || better(p, best)) {
			best = p
			if !p.dead && !p.missing && (!bySize || !h.mixed) {
				break
			}
		}
	}
	return best
}
