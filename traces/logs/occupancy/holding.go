package occupancy

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/atmostk/atmostk/traces/logs/formats"
	"github.com/atmostk/atmostk/traces/logs/order"
)

// An Ending says how long a node uses its units when its log does not say that it
// has released them.
type Ending int

// The readings of a holding without an end. By Auto the units of a node that has
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

// A point is an event as holdings know it.
type point struct {
	begin, end int64 // within which it happened
	line       uint32
	at         int32 // its number in the order of its node; none
	file       uint16
	role       formats.Role
	mark       order.Mark
}

// nothing is no event.
var nothing = point{begin: formats.Never, end: formats.Ever, at: formats.None}

// is reports whether an event has a mark.
func (m *point) is(x order.Mark) bool { return m.mark&x != 0 }

// A holding is a holding of a node in the critical section, as far as the node's log
// tells.
//
// A certain holding goes on from enter up to sure, in whatever way lines that may be missing
// are put in: when sure is a release, until that happens; when it is another event, until
// it has happened. The units of all certain holdings of a node are the fewest that it may have
// in use. A possible one goes on from early up to late in some way. Their units are the most
// that the node may have in use. Mostly a holding is both.
type holding struct {
	enter  point // the event that is reported: an enter or, if that is missing, what shows it
	sure   point // none: for ever
	late   point // none: it may last for ever
	early  int32 // the number of an event; none: it may have begun before everything
	node   int32
	units  int32
	name   string // of the node
	waited int64  // for the units; Ever: not known

	failed *point // the last release that failed; nil: none did
	lease  *lease // nil: nothing is said of one
	// While a holding goes on for certain, sure is the event up to which it does in any case, if lines
	// are missing wherever they may; fixed: it is more than that.
	// rests: its certain part goes beyond that event, as no line that ends it is taken to be lost.
	fixed, rests bool
	from, to     int64 // its certain part, as certainInterval, when the sweep knows it
	// certain and possible are its kinds, open: nothing ends it, and final:
	// sure is the last event of its node or of a life of it.
	certain, possible, open, final bool
	swept                          bool // the sweep knows its certain part, with its units
	// As far as the log was read: it goes on for certain, or possibly.
	goesOn, mayGoOn bool
	dead            bool // its node has crashed or started again since
	missing         bool // its enter is a missing line, if there is such a holding
	seen            bool // its node has entered since, and what that means was found
	shared          bool // its lock is one of readers and writers
}

// mayHaveLeft reports whether the latest that is known of a holding is a release that may
// have happened.
func mayHaveLeft(s *holding) bool {
	return s.fixed && !s.final && s.sure.at != formats.None && s.sure.role == formats.Leaves &&
		s.sure.is(order.Maybe)
}

// endsAt reports whether a holding is over when its event sure happens; else only after it, as one that is
// over as it begins.
func (s *holding) endsAt() bool {
	return s.sure.at != formats.None && s.sure.at != s.enter.at &&
		(s.sure.role == formats.Leaves || s.sure.at == s.late.at)
}

// A Holding is a holding in the critical section, for a report.
type Holding struct {
	Node  string        `json:"node"`
	Units int           `json:"units"`
	Enter formats.Place `json:"enter"`
	// Release is where it ends, nil if nothing in the log ends it.
	Release *formats.Place `json:"release,omitempty"`
	// Mode is read or write, of a lock of readers and writers; else "".
	Mode string `json:"mode,omitempty"`
	// Note describes a special case; mostly "".
	Note string `json:"note,omitempty"`
}

// placed is where an event stands.
func placed(files []string, m *point) formats.Place {
	return formats.Place{File: files[m.file], Line: int(m.line)}
}

// reported describes a holding.
func reported(l *order.Log, s *holding) Holding {
	x := Holding{Node: s.name, Units: int(s.units), Enter: placed(l.Files, &s.enter)}
	if s.late.at != formats.None {
		at := placed(l.Files, &s.late)
		x.Release = &at
	}
	x.Note = noted(l, s)
	if s.shared {
		x.Mode = modes[one(s.enter.is(order.Reads))]
	}
	return x
}

// noted describes the special case of a holding.
func noted(l *order.Log, s *holding) string {
	switch {
	case !s.certain && s.enter.is(order.Maybe|order.WaitsForUnits):
		return "it may not have entered"
	case !s.certain && s.enter.is(order.Gap):
		return "lines are missing before"
	case !s.certain:
		return "its enter is missing"
	case s.lease.outlasted(s):
		return "after its lease"
	case s.limited() && (s.sure.at == formats.None || s.lease.earliest < s.sure.begin):
		return "it ended with its lease at the latest"
	case s.failed != nil && s.late.at == formats.None:
		return fmt.Sprintf("its release at %s failed", placed(l.Files, s.failed))
	case s.sure.at != formats.None && s.sure.role == formats.Refused && s.late.at == formats.None:
		return fmt.Sprintf("its release at %s failed", placed(l.Files, &s.sure))
	case s.open && s.late.at != formats.None && s.late.role != formats.Leaves:
		return "the end of its log"
	case s.sure.at != s.late.at && mayHaveLeft(s):
		return fmt.Sprintf("its release at %s may not have happened", placed(l.Files, &s.sure))
	case s.open && s.sure.at == formats.None:
		return "never released"
	case s.open && (s.final || s.sure.role == formats.Crashes):
		return fmt.Sprintf("never released; its last event is at %s", placed(l.Files, &s.sure))
	case s.sure.at != s.late.at && s.sure.at != formats.None:
		return fmt.Sprintf("certain only up to %s, as lines may be missing", placed(l.Files, &s.sure))
	}
	return ""
}

// pointOf is a record as holdings know it, with its number in the order of its node.
func pointOf(r *order.Record, at int32) point {
	return point{r.Begin, r.End, r.Line, at, r.File, r.Role, r.Mark}
}

// over reports whether a holding is known to its end.
func (s *holding) over() bool { return !s.goesOn && !s.mayGoOn }

// one is the number of a yes or no.
func one(b bool) int {
	if b {
		return 1
	}
	return 0
}

// byLine compares holdings by where they are in the log.
func byLine(a, b *holding) int {
	return cmp.Or(cmp.Compare(a.enter.tie(), b.enter.tie()), cmp.Compare(a.late.tie(), b.late.tie()))
}

// AnyNumber is how many may read at once if nobody says; a writer takes as many units.
const AnyNumber = 1 << 20

// modes are the names of holdings with a lock of readers and writers, by whether they read.
var modes = [2]string{"write", "read"}

// certainInterval is where a holding is inside in every order, if from is before to;
// else it passes through at a moment between to and from.
func (s *holding) certainInterval() (from, to int64) {
	from, to = s.enter.end, formats.Ever
	if s.sure.at != formats.None {
		to = s.sure.begin
	}
	if s.limited() {
		to = min(to, s.lease.earliest)
	}
	return from, to
}

// A turn is a begin or an end of a certain holding, at an event or its rank. At one event holdings end,
// begin, and then those end whose end is only known to be later.
type turn struct {
	at   int32
	kind turnKind
	of   *holding
}

type turnKind int8

const (
	ends turnKind = iota
	enters
	endsAfter
)

// turnsOf lists the turns of certain holdings in order; place numbers events.
func turnsOf(list []*holding, place func(event int32) int32) (turns []turn) {
	for _, s := range list {
		if !s.certain {
			continue
		}
		turns = append(turns, turn{place(s.enter.at), enters, s})
		switch {
		case s.sure.at == formats.None:
		case s.endsAt():
			turns = append(turns, turn{place(s.sure.at), ends, s})
		default:
			turns = append(turns, turn{place(s.sure.at), endsAfter, s})
		}
	}
	slices.SortStableFunc(turns, func(a, b turn) int {
		return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.kind, b.kind))
	})
	return turns
}
