package occupancy

import (
	"slices"

	"github.com/atmostk/atmostk/traces/logs/formats"
	"github.com/atmostk/atmostk/traces/logs/order"
)

// A nodeResource is what a node has of one resource.
type nodeResource struct {
	of    *nodeHoldings
	state *resourceState
	open  []*holding
	// The numbers of certain and possible ones among them.
	certain, possible int
	mixed             bool   // they may have different numbers of units
	out               point  // the last event after which it had nothing; none: it had nothing at first
	after             point  // the last event at which the possible units have changed; none
	past              []past // if it is kept: what was possible before

	listed bool // it is in the list of its resource
	// blocks: the next event of its node may change the past. guesses: it has, or had since it
	// was empty, what missing lines may have acquired.
	blocks, guesses bool

	granted, used *token // the greatest ones
	leases        bool   // something is said of one
	expired       int    // holdings that were over with their leases, and whose releases may come
	lapsed        int    // holdings that were over with their leases when it acquired again
	// If its holder may acquire it again: the fewest and the most acquisitions that are not released, and
	// whether they are of different numbers of units.
	least, most int
	varied      bool
}

// A past level is one that a node may have been at, from one event to another.
type past struct {
	level
	until point
}

// begin adds a holding that goes on, and may have done since an event.
func (h *nodeResource) begin(n *nodeHoldings, s *holding, early *point, lost bool) {
	if len(h.open) > 0 && h.open[0].units != s.units {
		h.mixed = true
	}
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

// add puts a holding into the list of those that go on.
func (h *nodeResource) add(k int, s *holding) {
	h.open = slices.Insert(h.open, k, s)
	h.possible += one(s.mayGoOn)
	h.certain += one(s.goesOn)
}

// doubt ends the certain part of a holding after an event.
func (h *nodeResource) doubt(s *holding, i *point) {
	if s.goesOn {
		s.goesOn = false
		h.certain--
		s.rests = s.sure.at != formats.None && (i.at == formats.None || i.at > s.sure.at)
		s.sure, s.fixed = *i, true
		h.state.certain(s)
	}
}

// close ends the possible part of a holding when an event happens.
func (h *nodeResource) close(n *nodeHoldings, s *holding, i *point) {
	if !s.mayGoOn {
		return
	}
	if h.after.at == i.at && s.early == i.at { // it is over as it begins
		h.leaveLevel(n, i.end, i)
	}
	h.turn(n, i, nil)
	s.mayGoOn = false
	h.possible--
	s.late = *i
}

// turn ends a level at an event, as a holding ends then, or begins.
func (h *nodeResource) turn(n *nodeHoldings, i *point, begins *holding) {
	switch {
	case i.at > h.after.at:
		h.leaveLevel(n, i.end, i)
		h.after = *i
	case i.at < h.after.at:
		n.judge.back = true
		h.raise(i, begins)
	}
}

// leaveLevel reports the level since the last change and up to a time.
func (h *nodeResource) leaveLevel(n *nodeHoldings, to int64, until *point) {
	limit := int64(formats.Ever) // the first of their leases ends then
	for again := true; again; {
		v := level{from: h.after.begin, to: to, node: n.node}
		least := limit
		limit = formats.Ever
		for k := range h.open {
			p := h.open[k]
			if !p.mayGoOn || p.limited() && least != formats.Ever && p.lease.last <= least {
				continue
			}
			v.units += int(p.units)
			if v.first == nil {
				v.first = p
			} else {
				v.more = append(v.more, p)
			}
			if p.limited() {
				limit = min(limit, p.lease.last)
			}
		}
		again = limit < to
		v.to = min(to, limit)
		if v.from > v.to {
			continue
		}
		h.state.possible(v)
		if n.judge.keep {
			h.past = append(h.past, past{v, *until})
		}
	}
}

// raise takes a holding into account that may have begun before the last change: what was
// possible since was so beside it, too.
func (h *nodeResource) raise(early *point, s *holding) {
	for _, v := range h.past {
		if v.until.at == formats.None || v.until.at <= early.at {
			continue
		}
		up := v.level
		up.from = max(up.from, early.begin)
		up.units += int(s.units)
		up.more = append(slices.Clip(up.more), s)
		if up.first == nil {
			up.first, up.more = s, nil
		}
		h.state.possible(up)
	}
}

// settle leaves out the holdings that are over, when an event has happened.
func (h *nodeResource) settle(i *point) {
	for last := len(h.open) - 1; last >= 0 && h.open[last].over(); last-- {
		h.state.done(h.open[last])
		h.open = h.open[:last]
	}
	if len(h.open) > 2*(h.certain+h.possible) {
		h.open = slices.DeleteFunc(h.open, func(p *holding) bool {
			if p.over() {
				h.state.done(p)
			}
			return p.over()
		})
	}
	if len(h.open) == 0 {
		h.out, h.mixed, h.guesses = *i, false, false
	}
}

// update follows whether it blocks, and lists it with its resource if something is possible in it.
func (h *nodeResource) update() {
	n := h.of
	free := n.judge.frees || n.judge.Ending == Free
	blocks := h.certain > 0 || h.possible > 0 && (free || h.leases || h.guesses)
	n.busy += one(blocks) - one(h.blocks)
	h.blocks = blocks
	if h.possible > 0 && !h.listed {
		h.listed = true
		h.state.open = append(h.state.open, h)
	}
}

// cut lets the level at which it is end at a moment, and go on as another one.
func (h *nodeResource) cut(to int64) {
	if h.after.begin < to {
		h.leaveLevel(h.of, to, &h.after)
		h.after.begin = to
	}
}

// miss takes missing lines into account: whatever went on may have been released in them,
// and acquired.
func (n *nodeHoldings) miss(h *nodeResource, i *point) {
	has := int32(0)
	for k := range h.open {
		p := h.open[k]
		h.doubt(p, &n.prev)
		if !p.dead && p.mayGoOn {
			has += p.units
		}
	}
	if n.judge.Reentrant {
		n.missed(h)
	}
	most := h.lost()
	s := &holding{enter: *i, early: n.prev.at, waited: formats.Ever}
	switch {
	case n.nested && !n.judge.Reentrant:
		s.units = int32(min(uint64(n.lost)*uint64(most), maxLost))
	case has < most: // nothing, or less than it may have acquired instead
		s.units = most - has
	default:
		return
	}
	h.begin(n, s, &n.prev, true)
}

// lost is how many units a missing line may acquire: as many as some line does.
func (h *nodeResource) lost() int32 {
	h.of.judge.guessed = true
	return h.state.most
}

// maxLost bounds the units that missing lines of one gap are taken to acquire.
const maxLost = 1 << 12

// leave ends holdings. A release that may have happened ends none that is possible.
func (n *nodeHoldings) leave(h *nodeResource, i *point, units int32) {
	n.release(h, i, units, true)
	if i.is(order.Maybe) {
		return
	}
	if left := n.release(h, i, units, false); left > 0 {
		n.unmatchedRelease(h, i, min(left, units)) // 0: not said
	}
	for k := range h.open {
		if p := h.open[k]; p.missing && !p.dead && !n.nested {
			h.close(n, p, i)
		}
	}
	h.settle(i)
}

// release ends holdings, the latest first, as far as the units go: their certain parts,
// or the possible ones. Without a number of units it is one holding, and if they have
// different numbers of units, of the certain ones that with most and of the possible ones that
// with fewest. It returns how many units are left over.
func (n *nodeHoldings) release(h *nodeResource, i *point, units int32, certain bool) (left int32) {
	left = max(units, 1)
	for {
		k := n.latest(h, units == 0, certain, i)
		if k < 0 {
			return left
		}
		if s := h.open[k]; units > 0 && s.units > left && (n.nested || !h.open[k].missing) {
			n.split(h, k, left, i)
			k++
		}
		p := h.open[k]
		if p.missing && !n.nested && units > 0 { // a missing line has acquired the units that are released
			p.units = left
		}
		left -= p.units
		if certain {
			h.doubt(p, i)
		} else {
			h.close(n, p, i)
		}
		if units == 0 || left <= 0 {
			return 0
		}
	}
}

// split makes two holdings of one when an event releases some of its units: the one that goes on comes first.
// If the sweep knows the certain part of the whole, this keeps all its units, and both take its place.
func (n *nodeHoldings) split(h *nodeResource, k int, released int32, i *point) {
	part := h.open[k]
	rest := *part
	if rest.swept {
		rest.swept, part.late = false, *i
		other := rest
		part, h.open[k] = &other, &other
	}
	part.units, rest.units = released, rest.units-released
	if rest.sure.at == formats.None {
		n.fresh = append(n.fresh, &rest)
	}
	h.add(k, &rest)
	n.judge.overlap, h.mixed = n.judge.overlap || rest.goesOn, true
}

// latest is the part that a release ends: the latest one, holdings of the dead last; or -1. A release of
// a reader ends no holding of a writer.
func (n *nodeHoldings) latest(h *nodeResource, bySize, certain bool, i *point) int {
	best := -1
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
	if certain && h.certain == 0 || !certain && h.possible == 0 {
		return best
	}
	for k := len(h.open) - 1; k >= 0; k-- {
		p := h.open[k]
		if h.state.Shared && i.is(order.Reads) && !p.missing && !p.enter.is(order.Reads) {
			continue
		}
		if (certain && p.goesOn || !certain && p.mayGoOn) && (best < 0 || better(p, h.open[best])) {
			best = k
			if !p.dead && !p.missing && (!bySize || !h.mixed) {
				break
			}
		}
	}
	return best
}
