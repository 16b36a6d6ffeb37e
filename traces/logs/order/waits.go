package order

import (
	"maps"
	"slices"

	"github.com/atmostk/atmostk/traces/logs/formats"
)

// Waiting is a node that has got nothing.
type Waiting struct {
	Node   string        `json:"node"`
	Since  formats.Place `json:"since"`
	Waited int64         `json:"waited-ns"`

	Resource string `json:"-"`
	asked    int64
}

// An asking is the first request of a node for a resource since it acquired the last time.
type asking struct {
	at    int64
	place formats.Place
}

// clock is the moment of an event by the clock of its node; Ever: unknown.
func (rd *Collector) clock(e *formats.Entry) int64 {
	switch {
	case e.Stamp != formats.Ever:
		return e.Stamp
	case e.Begin != formats.Never && !rd.Opt.Lines:
		return e.Begin
	}
	return formats.Ever
}

// waits follows requests up to the acquisitions that end them.
func (rd *Collector) waits(s *formats.Source, n *NodeState, e *formats.Entry) {
	at := rd.clock(e)
	if at != formats.Ever {
		rd.latest = max(rd.latest, at)
	}
	switch asked, waiting := n.asked[e.Resource]; formats.RoleOf(e.Name) {
	case formats.Requests:
		if waiting || at == formats.Ever {
			return
		}
		if n.asked == nil {
			n.asked = map[string]asking{}
		}
		n.asked[e.Resource] = asking{at, formats.Place{File: s.Name, Line: e.Line}}
	case formats.Enters:
		delete(n.asked, e.Resource)
		if waiting && e.Waited == formats.Ever && at != formats.Ever {
			e.Waited = max(0, at-asked.at)
		}
	case formats.Crashes:
		n.asked = nil
	}
}

// waiting lists the nodes that have asked and got nothing, those that have waited longest first.
func (rd *Collector) waiting() (all []Waiting) {
	for _, name := range slices.Sorted(maps.Keys(rd.Nodes)) {
		asked := rd.Nodes[name].asked
		for _, resource := range slices.Sorted(maps.Keys(asked)) {
			a := asked[resource]
			all = append(all, Waiting{formats.Shown(name), a.place, rd.latest - a.at, resource, a.at})
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
