package occupancy

import (
	"fmt"
	"time"

	"github.com/atmostk/atmostk/traces/logs/formats"
)

// newLease returns the lease of a new holding; nil: the event gives none.
func (n *nodeHoldings) newLease(h *nodeResource, i *point, x *formats.Grant) *lease {
	if x.Lasts == formats.Ever && x.Last == formats.Ever {
		return nil
	}
	h.leases = true
	l := &lease{lasts: formats.Ever, earliest: formats.Ever, last: formats.Ever, tried: formats.Never}
	l.renew(i, x)
	l.ends = l.known && n.judge.Leases
	h.state.byLeases = h.state.byLeases || l.ends
	n.judge.doubtful = n.judge.doubtful || l.ends // its begin is not exactly known
	return l
}

// renew takes an event that starts the lease of a holding again.
func (n *nodeHoldings) renew(h *nodeResource, i *point, x *formats.Grant) {
	k := n.latest(h, false, false, i)
	switch {
	case k < 0:
	case h.open[k].lease == nil:
		h.open[k].lease = n.newLease(h, i, x)
	default:
		h.open[k].lease.renew(i, x)
	}
}

// expire takes an event that reports the end of a lease.
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
	if n.judge.Leases {
		h.least, h.most = 0, 0
		h.expired++
		n.leave(h, i, 0)
	}
}

// checkLease reports a release after the end of the lease.
func (n *nodeHoldings) checkLease(h *nodeResource, i *point) {
	if !h.leases {
		return
	}
	k := n.latest(h, false, false, i)
	if k >= 0 && h.open[k].lease != nil {
		h.state.released(h.open[k], i)
	}
	switch {
	case n.judge.Held && i.role == formats.Leaves: // uses judges it
	case k >= 0 && h.open[k].lease.over(i):
		s := h.open[k]
		by := ""
		if !s.lease.lapsed {
			by = fmt.Sprintf(", by at least %s", time.Duration(i.begin-s.lease.last))
		}
		n.judge.outlasted(n, by, &s.enter, i)
	case k < 0 && h.expired > 0:
		n.judge.outlasted(n, "", i)
	}
}

// outlasted adds the finding about a release after the end of the lease.
func (j *judge) outlasted(n *nodeHoldings, by string, at ...*point) {
	var places []formats.Place
	for _, m := range at {
		places = append(places, placed(j.files, m))
	}
	j.found.Add(formats.Outlasts, places,
		"%s releases after its lease has ended%s: only fencing tokens protect its work after that",
		n.name, by)
}
