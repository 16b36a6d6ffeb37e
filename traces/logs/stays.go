package logs

import "fmt"

// An Ending says how long a node uses its units when its log does not say that it
// has released them.
type Ending int

// The readings of a stay without an end. By Auto the units of a node that has
// logged its crash are free if the log names a model, as the models have it; in
// everything else it is Possibly.
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

// A stay is a stay of a node in the critical section. It begins when enter
// happens, or after the event that is here as early, and is over when release
// happens. All are indices of events.
//
// A stay is certain from enter up to sure: when sure is a release, until that
// happens; when it is another event, until it has happened. It may last from early
// up to late.
type stay struct {
	enter int32 // the event that is reported: an enter or, if that is missing, the release
	early int32 // none: it may have begun before everything
	sure  int32
	late  int32 // none: it may last for ever
	units int32
	// certain: it has happened, and begins with the event enter.
	certain bool
	open    bool // nothing ends it
}

// stays finds the stays of all nodes, node by node, and whether some node has
// several that go on at once.
func (l *Log) stays(ending Ending, nested bool, found *findings) (list []stay, overlap bool) {
	enter := 0
	for i := range l.recs {
		if l.recs[i].role == enters {
			enter++
		}
	}
	list = make([]stay, 0, enter)
	for node := range l.Nodes {
		f := stayFinder{l: l, found: found, ending: ending, nested: nested, stays: list}
		for i := l.first[node]; i < l.first[node+1]; i++ {
			f.event(i, l.first[node])
		}
		if last := l.first[node+1] - 1; last >= l.first[node] {
			f.end(last)
		}
		list = f.stays
		overlap = overlap || f.overlap
	}
	return list, overlap
}

// A stayFinder walks along the events of a node.
type stayFinder struct {
	l      *Log
	found  *findings
	ending Ending
	nested bool // acquisitions add up
	stays  []stay
	open   []int // indices into stays of those that go on, the latest last

	overlap bool // several went on at once
}

func (f *stayFinder) event(i, first int32) {
	r := &f.l.recs[i]
	name := f.l.Nodes[r.node]
	switch r.role {
	case enters:
		if len(f.open) > 0 && !f.nested {
			f.twice(i, name)
		}
		f.overlap = f.overlap || len(f.open) > 0
		f.open = append(f.open, len(f.stays))
		f.stays = append(f.stays, stay{enter: i, early: i, units: max(r.units, 1), certain: !r.maybe, sure: none, late: none})
	case leaves:
		if len(f.open) == 0 {
			f.lone(i, first, name)
			return
		}
		f.leave(i, int(r.units))
	case crashes:
		f.crash(i)
	}
}

// twice ends a stay whose release is missing, as the node enters again: that was
// after the event before.
func (f *stayFinder) twice(i int32, name string) {
	k := f.open[len(f.open)-1]
	f.open = f.open[:0]
	s := &f.stays[k]
	s.late = i
	if s.sure != none { // a release that may have happened
		return
	}
	s.sure = i - 1
	if !f.l.recs[s.enter].maybe && !f.l.recs[i].maybe {
		f.found.add(Twice, f.l.places(s.enter, i), "%s enters while it is inside: a release is missing between, or it has entered twice", name)
	}
}

// lone takes a release of a node that is not inside: its enter is missing.
func (f *stayFinder) lone(i, first int32, name string) {
	r := &f.l.recs[i]
	if r.maybe {
		return
	}
	early := i - 1
	if i == first {
		early = none
	}
	f.found.add(NotInside, f.l.places(i), "%s leaves and is not inside: its enter is missing, or it has left twice", name)
	f.stays = append(f.stays, stay{enter: i, early: early, sure: i, late: i, units: max(r.units, 1)})
}

// leave ends stays, the latest first, as far as the units go; without a number
// that is one stay. A release that may have happened ends none for certain.
func (f *stayFinder) leave(i int32, units int) {
	if f.l.recs[i].maybe {
		for _, k := range f.open {
			if s := &f.stays[k]; s.sure == none {
				s.sure = i
			}
		}
		return
	}
	for len(f.open) > 0 {
		k := f.open[len(f.open)-1]
		s := f.stays[k]
		if s.sure == none {
			s.sure = i
		}
		s.late = i
		if left := int(s.units) - units; units > 0 && left > 0 {
			// Some of its units are released: two stays, of which one goes on.
			rest := s
			s.units, rest.units = int32(units), int32(left)
			rest.sure, rest.late = none, none
			f.stays[k] = rest
			f.stays = append(f.stays, s)
			f.overlap = true
			return
		}
		f.stays[k] = s
		f.open = f.open[:len(f.open)-1]
		if units -= int(s.units); units <= 0 {
			return
		}
	}
}

// crash ends the stays of a node if that frees its units.
func (f *stayFinder) crash(i int32) {
	free := f.ending == Free || f.ending == Auto && f.l.Header.Spec != ""
	if !free {
		return
	}
	for _, k := range f.open {
		s := &f.stays[k]
		if s.sure == none {
			s.sure = i
		}
		s.late, s.open = i, true
	}
	f.open = nil
}

// end takes the stays that nothing has ended.
func (f *stayFinder) end(last int32) {
	for _, k := range f.open {
		s := &f.stays[k]
		s.open = true
		switch {
		case s.sure != none: // a release that may have happened
		case f.ending == Held:
			// sure is none: for ever
		default:
			s.sure = last
		}
		if f.ending == Free {
			s.late = last
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
	switch {
	case !s.certain && l.recs[s.enter].maybe:
		x.Note = "it may not have entered"
	case !s.certain:
		x.Note = "its enter is missing"
	case s.open && s.late != none:
		x.Note = "the end of its log"
	case s.late != none && l.recs[s.late].role == enters:
		x.Note = "its release is missing; it enters again"
	case s.open && s.sure != none && l.recs[s.sure].role == leaves:
		x.Note = fmt.Sprintf("its release at %s may not have happened", l.place(s.sure))
	case s.open && s.sure == none:
		x.Note = "never released"
	case s.open:
		x.Note = fmt.Sprintf("never released; its last event is at %s", l.place(s.sure))
	}
	return x
}
