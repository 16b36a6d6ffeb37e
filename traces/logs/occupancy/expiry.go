package occupancy

import (
	"fmt"
	"time"

	"github.com/atmostk/atmostk/traces/logs/formats"
)

// leased is the lease of a holding that begins; nil: nothing is said of one.
func (n *nodeHoldings) leased(h *nodeResource, i *point, x *formats.Grant) *lease {
	if x.Lasts == formats.Ever && x.Last == formats.Ever {
		return nil
	}
	h.leases = true
	l := &lease{lasts: formats.Ever, earliest: formats.Ever, last: formats.Ever, tried: formats.Never}
	l.renew(i, x)
	l.ends = l.known && n.judge.Leases
	h.state.byLeases = h.state.byLeases || l.ends
	n.judge.doubtful = n.judge.doubtful || l.ends // it ends some time after its begin, whenever that was
	return l
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
	if n.judge.Leases {
		h.least, h.most = 0, 0
		h.expired++
		n.leave(h, i, 0)
	}
}

// outlasts looks whether a node releases units after its lease.
func (n *nodeHoldings) outlasts(h *nodeResource, i *point) {
	if !h.leases {
		return
	}
	k := n.latest(h, false, false, i)
	if k >= 0 && h.open[k].lease != nil {
		h.state.released(h.open[k], i)
	}
	switch {
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

// outlasted reports a release that comes after the lease.
func (j *judge) outlasted(n *nodeHoldings, by string, at ...*point) {
	var places []formats.Place
	for _, m := range at {
		places = append(places, placed(j.files, m))
	}
	j.found.Add(formats.Outlasts, places,
		"%s releases after its lease has ended%s: nothing but fencing tokens protects what it did then",
		n.name, by)
}
