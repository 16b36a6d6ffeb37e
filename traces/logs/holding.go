package logs

import "slices"

// A holding is what a node has of one resource.
type holding struct {
	res  int32
	open []part
	// So many of the parts are certain and possible.
	certain, possible int
	mixed             bool  // they may have different numbers of units
	out               int32 // the last event after which it had nothing; none: it had nothing at first
	gaps              int   // so many of the node's gaps are taken into account
}

// A part is a stay that goes on, as far as it does.
type part struct {
	stay              int // index into the list
	certain, possible bool
	dead              bool // its node has crashed or started again since
	lost              bool // its enter is a missing line, if there is such a stay
	seen              bool // its node has entered since, and what that means was found
}

// begin adds a stay that goes on.
func (h *holding) begin(n *nodeStays, s stay, lost bool) {
	if len(h.open) > 0 && n.list[h.open[0].stay].units != s.units {
		h.mixed = true
	}
	n.overlap = n.overlap || h.possible > 0
	p := part{stay: len(n.list), certain: s.certain, possible: true, lost: lost}
	s.sure, s.late, s.failed, s.res, s.possible = none, none, none, h.res, true
	n.list = append(n.list, s)
	h.add(len(h.open), p)
}

// add puts a part into the list of those that go on.
func (h *holding) add(k int, p part) {
	h.open = slices.Insert(h.open, k, p)
	h.possible += one(p.possible)
	h.certain += one(p.certain)
}

// one is the number of a yes or no.
func one(b bool) int {
	if b {
		return 1
	}
	return 0
}

// doubt ends what is certain of a stay after an event.
func (h *holding) doubt(n *nodeStays, p *part, i int32) {
	if p.certain {
		p.certain = false
		h.certain--
		n.list[p.stay].sure = i
	}
}

// close ends what is possible of a stay when an event happens.
func (h *holding) close(n *nodeStays, p *part, i int32) {
	if p.possible {
		p.possible = false
		h.possible--
		n.list[p.stay].late = i
	}
}

// settle leaves out what is over, when an event has happened.
func (h *holding) settle(i int32) {
	over := func(p part) bool { return !p.certain && !p.possible }
	for len(h.open) > 0 && over(h.open[len(h.open)-1]) {
		h.open = h.open[:len(h.open)-1]
	}
	if len(h.open) > 2*(h.certain+h.possible) {
		h.open = slices.DeleteFunc(h.open, over)
	}
	if len(h.open) == 0 {
		h.out, h.mixed = i, false
	}
}

// catchUp takes the gaps since the last event of a resource into account: whatever
// went on may have been released in them, and acquired.
func (n *nodeStays) catchUp(h *holding) {
	for ; h.gaps < len(n.gaps); h.gaps++ {
		n.l.doubtful = true
		i := n.gaps[h.gaps]
		before := i - 1
		if n.l.isFirst(i) {
			before = none
		}
		has := int32(0)
		for k := range h.open {
			p := &h.open[k]
			h.doubt(n, p, before)
			if !p.dead && p.possible {
				has += n.list[p.stay].units
			}
		}
		switch most := n.most[h.res]; {
		case n.nested:
			h.begin(n, stay{enter: i, early: before, units: int32(min(n.l.missing[i]*uint64(most), maxLost))}, true)
		case has < most: // nothing, or less than what it may have acquired instead
			h.begin(n, stay{enter: i, early: before, units: most - has}, true)
		}
	}
}

// maxLost bounds the units that missing lines of one gap are taken to acquire.
const maxLost = 1 << 12

// leave ends stays. A release that may have happened ends none that is possible.
func (n *nodeStays) leave(h *holding, i int32) {
	r := &n.l.recs[i]
	n.release(h, i, r.units, true)
	if r.is(maybe) {
		return
	}
	if left := n.release(h, i, r.units, false); left > 0 {
		n.lone(h, i, left)
	}
	for k := range h.open {
		if p := &h.open[k]; p.lost && !p.dead && !n.nested {
			h.close(n, p, i)
		}
	}
	h.settle(i)
}

// release ends stays, the latest first, as far as the units go: what is certain of
// them, or what is possible. Without a number of units it is one stay, and if they have
// different numbers of units, of the certain ones that with most and of the possible ones that
// with fewest. It returns how many units are left over.
func (n *nodeStays) release(h *holding, i, units int32, certain bool) (left int32) {
	left = max(units, 1)
	for {
		k := n.latest(h, units == 0, certain)
		if k < 0 {
			return left
		}
		if s := n.list[h.open[k].stay]; units > 0 && s.units > left && (n.nested || !h.open[k].lost) {
			// Some of its units are released: two stays, of which one goes on.
			rest := s
			n.list[h.open[k].stay].units, rest.units = left, s.units-left
			kept := h.open[k]
			kept.stay = len(n.list)
			n.list = append(n.list, rest)
			h.add(k, kept)
			k++
			n.overlap, h.mixed = true, true
		}
		p := &h.open[k]
		if p.lost && !n.nested && units > 0 { // what a missing line has acquired is what is released
			n.list[p.stay].units = left
		}
		left -= n.list[p.stay].units
		if certain {
			h.doubt(n, p, i)
		} else {
			h.close(n, p, i)
		}
		if units == 0 || left <= 0 {
			return 0
		}
	}
}

// latest is the part that a release ends: the latest one, those of the dead last; or -1.
func (n *nodeStays) latest(h *holding, bySize, certain bool) int {
	best := -1
	better := func(p, q *part) bool {
		switch {
		case p.dead != q.dead:
			return q.dead
		case p.lost != q.lost && !n.nested:
			return q.lost
		}
		a, b := n.list[p.stay].units, n.list[q.stay].units
		return bySize && a != b && (a > b) == certain
	}
	if certain && h.certain == 0 || !certain && h.possible == 0 {
		return best
	}
	for k := len(h.open) - 1; k >= 0; k-- {
		p := &h.open[k]
		if (certain && p.certain || !certain && p.possible) && (best < 0 || better(p, &h.open[best])) {
			best = k
			if !p.dead && !p.lost && (!bySize || !h.mixed) {
				break
			}
		}
	}
	return best
}
