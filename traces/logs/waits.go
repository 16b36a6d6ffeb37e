package logs

import (
	"maps"
	"slices"
)

// Waiting is a node that has got nothing.
type Waiting struct {
	Node   string `json:"node"`
	Since  Place  `json:"since"`
	Waited int64  `json:"waited-ns"`

	resource string
	asked    int64
}

// An asking is the first request of a node for a resource since it acquired the last time.
type asking struct {
	at    int64
	place Place
}

// clock is the moment of an event by the clock of its node; ever if there is none.
func (rd *collector) clock(e *entry) int64 {
	switch {
	case e.stamp != ever:
		return e.stamp
	case e.begin != never && !rd.opt.Lines:
		return e.begin
	}
	return ever
}

// waits follows requests up to the acquisitions that end them.
func (rd *collector) waits(s *source, n *nodeState, e *entry) {
	at := rd.clock(e)
	if at != ever {
		rd.latest = max(rd.latest, at)
	}
	switch asked, waiting := n.asked[e.resource]; roleOf(e.name) {
	case requests:
		if waiting || at == ever {
			return
		}
		if n.asked == nil {
			n.asked = map[string]asking{}
		}
		n.asked[e.resource] = asking{at, Place{s.name, e.line}}
	case enters:
		delete(n.asked, e.resource)
		if waiting && e.waited == ever && at != ever {
			e.waited = max(0, at-asked.at)
		}
	case crashes:
		n.asked = nil
	}
}

// waiting lists the nodes that have asked and got nothing, those that have waited longest first.
func (rd *collector) waiting() (all []Waiting) {
	for _, name := range slices.Sorted(maps.Keys(rd.nodes)) {
		asked := rd.nodes[name].asked
		for _, resource := range slices.Sorted(maps.Keys(asked)) {
			a := asked[resource]
			all = append(all, Waiting{shown(name), a.place, rd.latest - a.at, resource, a.at})
		}
	}
	slices.SortStableFunc(all, func(a, b Waiting) int {
		switch {
		case a.asked < b.asked:
			return -1
		case a.asked > b.asked:
			return 1
		}
		return 0
	})
	return all
}
