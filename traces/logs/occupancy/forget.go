package occupancy

import (
	"cmp"
	"slices"
)

// maxKnown is how many nodes a watch knows at a time. When there are more it forgets those of which it has
// heard nothing for longest, until it knows half as many.
var maxKnown = 1 << 16

// maxOwn is how many events of a node are counted before it is forgotten, as its counts have 32 bits.
const maxOwn = 1 << 30

// forget forgets nodes, so that there are never too many, while no event waits. Of a holding of theirs that
// goes on no more is certain than is already; what they log later is that of a node of which the beginning
// is missing.
func (e *engine) forget() {
	var known []*lane
	long := false
	for _, n := range e.lanes {
		if n != nil {
			known, long = append(known, n), long || n.events > maxOwn
		}
	}
	if len(known) <= maxKnown && len(e.rd.Nodes) <= 2*maxKnown && !long {
		return
	}
	slices.SortFunc(known, func(a, b *lane) int { return cmp.Compare(b.seen, a.seen) })
	for i, n := range known {
		if i >= maxKnown/2 || n.events > maxOwn {
			n.holdings.abandon()
			delete(e.rd.Nodes, n.holdings.name)
			e.lanes[n.holdings.node] = nil
		}
	}
	e.release()
}

// abandon ends what is known of a node of which no more is wanted.
func (n *nodeHoldings) abandon() {
	for _, h := range n.order {
		for k := range h.open {
			if p := &h.open[k]; !p.over() {
				p.holding.open = true
				h.doubt(p, &n.prev)
				h.close(n, p, &n.prev)
			}
		}
		h.settle(&n.prev)
		h.update()
	}
}

// release frees the numbers of nodes that nothing refers to any more, and their names.
func (e *engine) release() {
	rd := e.rd
	used := make([]bool, len(rd.Names))
	for number, n := range e.lanes {
		used[number] = n != nil
	}
	for i := range e.spans {
		used[e.spans[i].Node] = true
	}
	for _, u := range e.f.resources {
		if u != nil {
			u.refers(used)
		}
	}
	for name, n := range rd.Nodes { // that are named by others only, or were just forgotten
		if n.Number >= 0 && !used[n.Number] {
			delete(rd.Nodes, name)
		}
	}
	rd.Free = rd.Free[:0]
	for number := range used {
		if !used[number] {
			rd.Names[number] = ""
			rd.Free = append(rd.Free, int32(number))
			for _, u := range e.f.resources {
				if u != nil {
					delete(u.possibleLevels.always, int32(number))
				}
			}
		}
	}
}

// refers marks the nodes of holdings that are still held.
func (u *resourceState) refers(used []bool) {
	mark := func(list ...*holding) {
		for _, s := range list {
			if s != nil {
				used[s.node] = true
			}
		}
	}
	c := &u.certainParts
	mark(c.inside...)
	mark(c.passing...)
	mark(c.gone...)
	mark(u.overlap...)
	mark(u.holds.longest, u.waits.longest)
	u.granted.refers(used)
	u.used.refers(used)
	for i := range c.edges {
		mark(c.edges[i].of)
	}
	for i := range u.possibleLevels.edges {
		v := u.possibleLevels.edges[i].of
		used[v.node] = true
		mark(v.first)
		mark(v.more...)
	}
}
