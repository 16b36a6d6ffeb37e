package occupancy

import "github.com/atmostk/atmostk/traces/logs/order"

// current returns the open holding of the present life of a node; nil: none.
func (h *nodeResource) current() *holding {
	for k := len(h.open) - 1; k >= 0; k-- {
		if p := h.open[k]; p.mayGoOn && !p.dead {
			return p
		}
	}
	return nil
}

// nest takes an acquisition of a reentrant lock, and reports whether it only continues the open holding. It
// counts the fewest and the most acquisitions that are not released: the certain holding goes on while the
// fewest are above 0, and the possible one while the most are.
func (n *nodeHoldings) nest(h *nodeResource, i *point, units int32) bool {
	h.most++
	h.least += one(!i.is(order.Maybe))
	p := h.current()
	switch {
	case p == nil:
		h.varied = false
		return false
	case i.is(order.Maybe):
		return units <= p.units
	case p.goesOn && units <= p.units:
		h.varied = h.varied || units != p.units
		return true
	case units < p.units: // nothing is certain here, but these units are possible
		n.judge.doubtful = true
		return true
	}
	h.varied = h.varied || p.units != units
	h.doubt(p, i)
	h.close(n, p, i)
	return false
}

// unnest takes a release of a reentrant lock, and reports whether it needs no further treatment.
func (n *nodeHoldings) unnest(h *nodeResource, i *point) bool {
	h.least = max(h.least-1, 0)
	if !i.is(order.Maybe) {
		h.most--
	}
	if h.most < 0 {
		h.most = 0
		return false
	}
	for _, p := range h.open {
		if p.dead {
			continue
		}
		if h.least == 0 || h.varied { // it is unknown which of them goes on
			n.judge.doubtful = n.judge.doubtful || h.least > 0
			p.released = h.most == 0 // and no Maybe
			h.doubt(p, i)
		}
		if h.most == 0 {
			h.close(n, p, i)
		}
	}
	h.settle(i)
	return true
}
