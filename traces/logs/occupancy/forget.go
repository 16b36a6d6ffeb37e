package occupancy

// maxKnown is how many nodes a watch knows at a time, and maxOwn how many events of one are counted, as its
// counts have 32 bits.
var (
	maxKnown       = 1 << 16
	maxOwn   int32 = 1 << 30
)

// forgetNodes forgets all nodes when there are too many, while no event waits. Of their holdings that go on
// no more is certain than is already; their later events are events of nodes with a missing beginning.
func (e *engine) forgetNodes() {
	long := len(e.rd.Nodes) > maxKnown
	for _, n := range e.lanes {
		long = long || n != nil && n.events > maxOwn
	}
	if !long {
		return
	}
	for _, n := range e.lanes {
		if n != nil {
			n.holdings.abandon()
		}
	}
	for _, u := range e.judge.resources {
		if u != nil {
			u.certainParts.finish()
			u.possibleLevels.window.finish()
			u.possibleLevels.nodes, u.possibleLevels.always = nil, nil
		}
	}
	e.lanes, e.spans, e.heads = nil, nil, nil
	e.rd.ForgetNodes()
}

// abandon ends the certain and possible holdings of a node that is forgotten.
func (n *nodeHoldings) abandon() {
	for _, h := range n.order {
		for _, s := range h.open {
			if !s.over() {
				s.open = true
				h.doubt(s, &n.prev)
				h.close(n, s, &n.prev)
			}
		}
		h.settle(&n.prev)
		h.update()
	}
}
