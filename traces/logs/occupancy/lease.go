package occupancy

import (
	"fmt"
	"time"

	"github.com/atmostk/atmostk/traces/logs/formats"
)

// A Reading says what holdings are by the events of their nodes.
type Reading struct {
	Ending Ending
	// Nested: what a node acquires while it is inside adds up. Reentrant: it does not, as the lock is
	// one that its holder may acquire again; it is inside until it has released it as often.
	Nested, Reentrant bool
	// Leases: a holding ends with its lease, whatever its node does then. Otherwise a lease ends only
	// holdings that nothing else ends.
	Leases bool
}

// A lease is that of a holding.
type lease struct {
	known          bool
	ends           bool // the holding is over with it
	lapsed         bool // its node's log says that it has ended
	lasts          int64
	earliest, last int64 // it ends between these
	// tried is when its release has failed last and it may have been over: its node was at work until then.
	tried int64
}

// leased is the lease of a holding that begins; nil: nothing is said of one.
func (n *nodeHoldings) leased(h *nodeResource, i *point, x *formats.Grant) *lease {
	if x.Lasts == formats.Ever && x.Last == formats.Ever {
		return nil
	}
	h.leases = true
	l := &lease{lasts: formats.Ever, earliest: formats.Ever, last: formats.Ever, tried: formats.Never}
	l.renew(i, x)
	l.ends = l.known && n.f.Leases
	h.use.byLeases = h.use.byLeases || l.ends
	n.f.doubtful = n.f.doubtful || l.ends // it ends some time after its begin, whenever that was
	return l
}

// limited reports whether a holding ends with its lease at the latest.
func (s *holding) limited() bool { return s.lease != nil && s.lease.ends }

// renew begins it anew, unless it had ended before.
func (l *lease) renew(i *point, x *formats.Grant) {
	if l.over(i) {
		return
	}
	if x.Lasts != formats.Ever {
		l.lasts = x.Lasts
	}
	earliest, last := x.Earliest, x.Last
	if last == formats.Ever {
		if l.lasts == formats.Ever || i.begin == formats.Never || i.end == formats.Ever {
			return
		}
		earliest, last = i.begin+l.lasts, i.end+l.lasts
	}
	if !l.known || l.earliest > i.end { // else it may have ended before
		l.earliest = earliest
	}
	l.known, l.last = true, last
}

// over reports whether it has certainly ended before an event.
func (l *lease) over(i *point) bool { return l != nil && l.known && (l.lapsed || l.last < i.begin) }

// outlasted reports whether a holding certainly goes on when its lease has ended.
func (l *lease) outlasted(s *holding) bool {
	return l != nil && !l.ends && s.late.at != formats.None && s.late.role == formats.Leaves &&
		l.over(&s.late)
}

// renew takes an event by which the lease of a holding begins anew.
func (n *nodeHoldings) renew(h *nodeResource, i *point, x *formats.Grant) {
	k := n.latest(h, false, false, i)
	switch {
	case k < 0:
	case h.open[k].lease == nil:
		h.open[k].lease = n.leased(h, i, x)
	default:
		h.open[k].lease.renew(i, x)
	}
}

// expire takes an event that says that the lease of a holding has ended.
func (n *nodeHoldings) expire(h *nodeResource, i *point) {
	k := n.latest(h, false, false, i)
	if k < 0 {
		return
	}
	s := h.open[k]
	if s.lease == nil {
		s.lease = &lease{lasts: formats.Ever, earliest: formats.Ever, last: formats.Ever,
			tried: formats.Never}
	}
	h.leases = true
	if l := s.lease; !l.over(i) {
		l.known, l.lapsed, l.earliest, l.last = true, true, min(l.earliest, i.begin), min(l.last, i.end)
	}
	if n.f.Leases {
		h.least, h.most = 0, 0
		h.expired++
		n.leave(h, i, 0)
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

// outlasts looks whether a node releases what is not its own any more.
func (n *nodeHoldings) outlasts(h *nodeResource, i *point) {
	if !h.leases {
		return
	}
	k := n.latest(h, false, false, i)
	if k >= 0 && h.open[k].lease != nil {
		h.use.released(h.open[k], i)
	}
	switch {
	case k >= 0 && h.open[k].lease.over(i):
		s := h.open[k]
		by := ""
		if !s.lease.lapsed {
			by = fmt.Sprintf(", by at least %s", time.Duration(i.begin-s.lease.last))
		}
		n.f.outlasted(n, by, &s.enter, i)
	case k < 0 && h.expired > 0:
		n.f.outlasted(n, "", i)
	}
}

// outlasted reports a release that comes after the lease.
func (j *judge) outlasted(n *nodeHoldings, by string, at ...*point) {
	var places []formats.Place
	for _, m := range at {
		places = append(places, j.place(m))
	}
	j.found.Add(formats.Outlasts, places,
		"%s releases after its lease has ended%s: nothing but fencing tokens protects what it did then",
		n.name, by)
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
