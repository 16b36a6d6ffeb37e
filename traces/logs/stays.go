package logs

import "fmt"

// An Ending says how long a node uses its units when its log does not say that it
// has released them.
type Ending int

// The readings of a stay without an end. By Auto the units of a node that has
// logged its crash are free if the log names a model, as the models have it; what a
// complete log, such as a history of Jepsen, does not release is held, and so is what a
// node has failed to release; everything else is Possibly.
const (
	Auto     Ending = iota
	Possibly        // up to its last event for certain, and for ever possibly
	Held            // for ever: nothing but a release frees units
	Free            // up to its last event
)

// Endings are the names of the readings, by value.
var Endings = []string{"auto", "possibly", "held", "free"}

// none stands for no event: before all or after all of them.
const none = -1

// A stay is a stay of a node in the critical section, as far as the node's log
// tells. All but units and res are indices of events.
//
// A certain stay goes on from enter up to sure, in whatever way lines that may be missing
// are put in: when sure is a release, until that happens; when it is another event, until
// it has happened. The units of all certain stays of a node are the fewest that it may have
// in use. A possible one goes on from early up to late in some way. Their units are the most
// that the node may have in use. Mostly a stay is both.
type stay struct {
	enter int32 // the event that is reported: an enter or, if that is missing, what shows it
	early int32 // none: it may have begun before everything
	sure  int32 // none: for ever
	late  int32 // none: it may last for ever
	units int32
	res   int32
	// failed is the last release that failed; none.
	failed   int32
	certain  bool
	possible bool
	open     bool // nothing ends it
}

// stays finds the stays of all nodes, node by node, and whether some node has several
// of one resource at once.
func (l *Log) stays(ending Ending, nested bool, found *findings) (list []stay, overlap bool) {
	enter, most := 0, fill(max(1, len(l.Resources)), 1)
	for i := range l.recs {
		if r := &l.recs[i]; r.role == enters {
			enter++
			most[r.res] = max(most[r.res], r.units)
		}
	}
	list = make([]stay, 0, enter)
	for node := range l.Nodes {
		n := &nodeStays{
			l: l, found: found, ending: ending, nested: nested,
			list: list, most: most, missable: none, of: map[int32]*holding{},
		}
		for i := l.first[node]; i < l.first[node+1]; i++ {
			n.event(i)
		}
		n.end(l.first[node+1] - 1)
		list = n.list
		overlap = overlap || n.overlap
	}
	return list, overlap
}

// A nodeStays walks along the events of a node.
type nodeStays struct {
	l      *Log
	found  *findings
	ending Ending
	// nested: acquisitions add up. Its log may show that they do.
	nested, overlap bool
	list            []stay
	most            []int32 // units that some line of the log acquires, of each resource

	missable int32   // the latest event before which lines may be missing; none
	gaps     []int32 // those before which lines are missing
	of       map[int32]*holding
	order    []*holding // of it, in the order of appearance
}

func (n *nodeStays) event(i int32) {
	r := &n.l.recs[i]
	if r.is(restart) {
		n.dies(i-1, i-1)
	}
	if !r.is(whole) {
		n.missable = i
	}
	if r.is(gap) {
		n.gaps = append(n.gaps, i)
	}
	if r.role == crashes {
		n.dies(i, i)
	}
	if r.role == other || r.role == crashes {
		return
	}
	h := n.holding(r.res)
	n.catchUp(h)
	switch r.role {
	case enters:
		n.enter(h, i)
	case leaves:
		n.leave(h, i)
	case refused:
		n.fail(h, i)
	}
}

// holding is what the node has of a resource.
func (n *nodeStays) holding(res int32) *holding {
	h := n.of[res]
	if h == nil {
		h = &holding{res: res, out: none}
		n.of[res] = h
		n.order = append(n.order, h)
	}
	return h
}

// enter begins a stay.
func (n *nodeStays) enter(h *holding, i int32) {
	r := &n.l.recs[i]
	if !n.nested && !r.is(maybe) {
		n.again(h, i)
	}
	h.begin(n, stay{enter: i, early: i, units: max(r.units, 1), certain: !r.is(maybe)}, false)
}

// again looks at what goes on when a node enters that is taken to do one thing at a time.
// If no line can be missing since an enter, its stays do overlap. If not, a release may
// be missing, or they overlap: nothing is certain any more, and all is possible.
func (n *nodeStays) again(h *holding, i int32) {
	name := n.l.Nodes[n.l.recs[i].node]
	for k := len(h.open) - 1; k >= 0 && !h.open[k].seen; k-- {
		p := &h.open[k]
		s := &n.list[p.stay]
		switch {
		case p.dead || !s.certain && !p.lost:
		case p.lost:
			n.unless(h, p)
		case n.l.mayHaveLeft(s):
			h.close(n, p, i)
		case n.missable <= s.enter:
			n.nested = true
			n.found.add(Nested, n.l.places(s.enter, i), "%s acquires again while it is inside, "+
				"and no line is missing between: what it acquires is added up, as several threads may have its name", name)
			return
		default:
			n.found.add(Twice, n.l.places(s.enter, i), "%s acquires again while it is inside: "+
				"a release is missing between, or several threads have its name", name)
			n.l.doubtful = true
			h.doubt(n, p, n.missableAfter(s.enter)-1)
		}
		p.seen = true
	}
	h.settle(i)
}

// unless ends a stay whose enter is a missing line when its node enters again: its
// release is missing as well, or there is no such stay.
func (n *nodeStays) unless(h *holding, p *part) {
	s := &n.list[p.stay]
	last := n.gaps[len(n.gaps)-1]
	if last == s.enter && n.l.missing[last] < 2 {
		s.possible = false
	}
	h.close(n, p, last)
}

// mayHaveLeft reports whether the latest that is known of a stay is a release that may
// have happened.
func (l *Log) mayHaveLeft(s *stay) bool {
	if s.sure == none {
		return false
	}
	r := &l.recs[s.sure]
	return r.role == leaves && r.is(maybe) && r.res == s.res
}

// missableAfter is the first event after another one before which lines may be missing.
// There is one.
func (n *nodeStays) missableAfter(i int32) int32 {
	for i++; n.l.recs[i].is(whole); {
		i++
	}
	return i
}

// lone takes a release of units that nobody has acquired: their enter is missing, if
// a line can be.
func (n *nodeStays) lone(h *holding, i, units int32) {
	name := n.l.Nodes[n.l.recs[i].node]
	if n.missable == none {
		n.found.add(NotInside, n.l.places(i), "%s leaves and is not inside, and no line is missing: it has left twice", name)
		return
	}
	n.found.add(NotInside, n.l.places(i), "%s leaves and is not inside: its enter is missing, or it has left twice", name)
	early := h.out
	if n.missable <= early { // none is missing since: it went on beside others
		early = n.missable - 1
		n.overlap = true
	}
	if n.missable == n.l.first[n.l.recs[i].node] {
		early = none
	}
	n.list = append(n.list, stay{
		enter: i, early: early, sure: i, late: i, failed: none, units: units, res: h.res, possible: true,
	})
}

// fail takes a release that has failed: its units are not given back.
func (n *nodeStays) fail(h *holding, i int32) {
	k := n.latest(h, true, false)
	if k < 0 {
		return
	}
	switch n.ending {
	case Free:
		n.leave(h, i)
	case Possibly:
		n.release(h, i, n.l.recs[i].units, true)
	default:
		if s := &n.list[h.open[k].stay]; s.failed == none {
			s.failed = i
		}
	}
}

// frees reports whether the units of the dead are free.
func (n *nodeStays) frees() bool {
	return n.ending == Free || n.ending == Auto && n.l.Header.Spec != ""
}

// dies takes the death of a node: at an event that tells of it, or after its last one.
func (n *nodeStays) dies(sure, late int32) {
	for _, h := range n.all() {
		for k := range h.open {
			p := &h.open[k]
			p.dead = true
			n.list[p.stay].open = true
			if n.ending != Held {
				h.doubt(n, p, sure)
			}
			if n.frees() {
				h.close(n, p, late)
			}
		}
		h.settle(late)
	}
}

// all is what the node has of every resource that it may have used: missing lines may be about any.
func (n *nodeStays) all() []*holding {
	if len(n.gaps) > 0 {
		for res := range max(1, len(n.l.Resources)) {
			n.holding(int32(res))
		}
	}
	for _, h := range n.order {
		n.catchUp(h)
	}
	return n.order
}

// end takes the stays that nothing has ended.
func (n *nodeStays) end(last int32) {
	for _, h := range n.all() {
		for k := range h.open {
			p := &h.open[k]
			s := &n.list[p.stay]
			s.open = true
			held := n.ending == Held || n.ending == Auto && (s.failed != none || n.l.complete)
			if !held {
				h.doubt(n, p, last)
			}
			if n.ending == Free {
				h.close(n, p, last)
			}
		}
	}
}

// ends reports whether a stay is over when its event sure happens; else only
// after it.
func (l *Log) ends(s *stay) bool {
	return s.sure != none && (l.recs[s.sure].role == leaves || s.sure == s.late)
}

// A Stay is a stay in the critical section, for a report.
type Stay struct {
	Node  string `json:"node"`
	Units int    `json:"units"`
	Enter Place  `json:"enter"`
	// Release is where it ends, nil if nothing in the log ends it.
	Release *Place `json:"release,omitempty"`
	// Note says what is special about it; mostly "".
	Note string `json:"note,omitempty"`
}

// report describes a stay.
func (l *Log) report(s *stay) Stay {
	x := Stay{Node: l.Nodes[l.recs[s.enter].node], Units: int(s.units), Enter: l.place(s.enter)}
	if s.late != none {
		at := l.place(s.late)
		x.Release = &at
	}
	x.Note = l.note(s)
	return x
}

// isLast reports whether an event is the last one of its node, or of a life of it.
func (l *Log) isLast(i int32) bool {
	return l.recs[i].role == crashes || i+1 == l.first[l.recs[i].node+1] || l.recs[i+1].is(restart)
}

func (l *Log) note(s *stay) string {
	switch {
	case !s.certain && l.recs[s.enter].is(maybe):
		return "it may not have entered"
	case !s.certain && l.recs[s.enter].is(gap):
		return "lines are missing before"
	case !s.certain:
		return "its enter is missing"
	case s.failed != none && s.late == none:
		return fmt.Sprintf("its release at %s failed", l.place(s.failed))
	case s.sure != none && l.recs[s.sure].role == refused && s.late == none:
		return fmt.Sprintf("its release at %s failed", l.place(s.sure))
	case s.open && s.late != none && l.recs[s.late].role != leaves:
		return "the end of its log"
	case s.sure != s.late && l.mayHaveLeft(s):
		return fmt.Sprintf("its release at %s may not have happened", l.place(s.sure))
	case s.open && s.sure == none:
		return "never released"
	case s.open && l.isLast(s.sure):
		return fmt.Sprintf("never released; its last event is at %s", l.place(s.sure))
	case s.sure != s.late && s.sure != none:
		return fmt.Sprintf("certain only up to %s, as lines may be missing", l.place(s.sure))
	}
	return ""
}
