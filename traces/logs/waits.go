package logs

import (
	"maps"
	"slices"
)

// A Wait says how long was waited for units: from the first request of a node since it acquired the
// last time to its acquisition, or what the acquisition says itself.
type Wait struct {
	Spread
	// Waiting are the nodes that have asked and got nothing by the end of the log, and LongestWaiting is
	// that which has waited longest of them, up to the last time stamp.
	Waiting        int      `json:"waiting"`
	LongestWaiting *Waiting `json:"longest-waiting,omitempty"`
}

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
func (rd *reader) clock(e *entry) int64 {
	switch {
	case e.stamp != ever:
		return e.stamp
	case e.begin != never && !rd.opt.Lines:
		return e.begin
	}
	return ever
}

// waits follows requests up to the acquisitions that end them.
func (rd *reader) waits(s *source, n *nodeState, e *entry) {
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
func (rd *reader) waiting() (all []Waiting) {
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

// wait is what is known of the waits for a resource; nil: nobody has logged any.
func (u *use) wait() *Wait {
	w := &Wait{}
	if s := u.waits.report(u.l); s != nil {
		w.Spread = *s
	}
	for i := range u.l.waiting {
		if x := &u.l.waiting[i]; x.resource == u.Resource {
			if w.Waiting++; w.LongestWaiting == nil {
				w.LongestWaiting = x
			}
		}
	}
	if w.Stays == 0 && w.Waiting == 0 {
		return nil
	}
	return w
}
