package occupancy

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/atmostk/atmostk/traces/logs/formats"
	"github.com/atmostk/atmostk/traces/logs/order"
	"github.com/atmostk/atmostk/traces/printable"
)

// A holding is an interval in which a node holds units, as far as the node's log shows.
//
// A certain holding goes on from enter to sure, whatever lines may be missing: if sure is a release, until
// that happens; if it is another event, until it has happened. The units of all certain holdings of a node
// are the fewest that it may have in use. A possible holding goes on from early to late if some lines are
// missing. The units of all possible holdings are the most that the node may have in use. Usually a holding
// is both.
type holding struct {
	enter  point // the event to report: the acquisition or, if that is missing, an event that shows it
	sure   point // nothing: for ever
	late   point // nothing: it may last for ever
	early  int32 // the number of an event; None: it may have begun before all events
	node   int32
	units  int32
	name   string // of the node
	waited int64  // the wait for the units; Ever: unknown

	failed *point // the last release that failed; nil: none
	lease  *lease // nil: the log gives none
	// While a holding goes on for certain, sure is the event up to which it does whatever lines are missing,
	// or nothing. fixed: sure does not change any more. rests: the certain part depends on the assumption
	// that no release after sure was lost.
	fixed, rests bool
	from, to     int64 // its certain part, as certainInterval returned it to the sweep
	// certain and possible are its kinds. open: no event ends it. final: sure is the last event of its node,
	// or of a life of it.
	certain, possible, open, final bool
	// As far as the log was read, it goes on for certain, or possibly.
	goesOn, mayGoOn bool
	dead            bool // its node has crashed or restarted since
	missing         bool // its acquisition is a missing line, if the holding exists
	seen            bool // its node has acquired again since, and the consequences were drawn
	released        bool // its certain part ends with a release, even a failed one
	shared          bool // its lock is one of readers and writers
}

// mayHaveLeft reports whether the latest known event of a holding is a release that may have happened.
func mayHaveLeft(s *holding) bool {
	return s.fixed && !s.final && s.sure.at != formats.None && s.sure.role == formats.Leaves &&
		s.sure.is(order.Maybe)
}

// endsAt reports whether a holding is over when its event sure happens; otherwise it is over only after that
// event, as is a holding of no length.
func (s *holding) endsAt() bool {
	return s.sure.at != formats.None && s.sure.at != s.enter.at &&
		(s.sure.role == formats.Leaves || s.sure.at == s.late.at)
}

// A Holding is a holding in a report.
type Holding struct {
	Node  string        `json:"node"`
	Units int           `json:"units"`
	Enter formats.Place `json:"enter"`
	// Release is the place of its end; nil if nothing in the log ends it.
	Release *formats.Place `json:"release,omitempty"`
	// Mode is read or write for a lock of readers and writers, otherwise "".
	Mode string `json:"mode,omitempty"`
	// Note describes a special case; usually "".
	Note string `json:"note,omitempty"`
}

func placed(files []string, m *point) formats.Place {
	return formats.Place{File: files[m.file], Line: int(m.line)}
}

func allPlaced(files []string, events ...*point) []formats.Place {
	return printable.Each(events, func(m **point) formats.Place { return placed(files, *m) })
}

func reported(l *order.Log, s *holding) Holding {
	x := Holding{Node: s.name, Units: int(s.units), Enter: placed(l.Files, &s.enter), Note: noted(l, s)}
	if s.late.at != formats.None {
		x.Release = new(placed(l.Files, &s.late))
	}
	if s.shared {
		x.Mode = modes[one(s.enter.is(order.Reads))]
	}
	return x
}

// noted describes a special case of a holding; usually "".
func noted(l *order.Log, s *holding) string {
	switch {
	case !s.certain && s.enter.is(order.Maybe|order.WaitsForUnits):
		return "it may not have entered"
	case !s.certain && s.enter.is(order.Gap):
		return "lines are missing before"
	case !s.certain || s.enter.role != formats.Enters:
		return "its enter is missing"
	case s.lease.outlasted(s):
		return "after its lease"
	case s.limited() && (s.sure.at <= s.enter.at || s.lease.earliest < s.sure.begin):
		return "it ended with its lease at the latest"
	case s.failed != nil && s.late.at == formats.None:
		return fmt.Sprintf("its release at %s failed", placed(l.Files, s.failed))
	case s.sure.at != formats.None && s.sure.role == formats.Refused && s.late.at == formats.None:
		return fmt.Sprintf("its release at %s failed", placed(l.Files, &s.sure))
	case s.open && s.late.at != formats.None && s.late.role != formats.Leaves:
		return "the end of its log"
	case s.sure.at != s.late.at && mayHaveLeft(s):
		return fmt.Sprintf("its release at %s may not have happened", placed(l.Files, &s.sure))
	case s.open && s.sure.at == formats.None && s.late.at == formats.None:
		return "never released"
	case s.open && (s.final || s.sure.role == formats.Crashes):
		return fmt.Sprintf("never released; its last event is at %s", placed(l.Files, &s.sure))
	case s.sure.at != s.late.at && s.sure.at != formats.None:
		return fmt.Sprintf("certain only up to %s, as lines may be missing", placed(l.Files, &s.sure))
	}
	return ""
}

// over reports whether the end of a holding is known.
func (s *holding) over() bool { return !s.goesOn && !s.mayGoOn }

func one(b bool) int {
	if b {
		return 1
	}
	return 0
}

// reaching is a list with an element at a place; new ones are zero.
func reaching[T any](list []T, place int) []T {
	return append(list, make([]T, max(0, place+1-len(list)))...)
}

func weight(list []*holding) (units int) {
	for _, s := range list {
		units += int(s.units)
	}
	return units
}

// scaled returns the units if AnyNumber of them count as a given number.
func (s *holding) scaled(writer int32) int32 {
	return s.units - (s.units+AnyNumber/2)/AnyNumber*(AnyNumber-writer)
}

func byLine(a, b *holding) int {
	return cmp.Or(cmp.Compare(a.enter.tie(), b.enter.tie()), cmp.Compare(a.late.tie(), b.late.tie()))
}

// AnyNumber is the number of readers allowed in a lock of readers and writers without a bound above 1; a
// writer takes as many units.
const AnyNumber = 1 << 20

// modes are the names of shared holdings, by whether they only read.
var modes = [2]string{"write", "read"}

// certainInterval returns the interval in which a holding is inside in every order, if from is before to;
// otherwise the holding is inside at least at one moment between to and from.
func (s *holding) certainInterval() (from, to int64) {
	from, to = min(s.enter.end, formats.Ever-1), formats.Ever // for ever: after all events at least
	if s.sure.at != formats.None {
		to = s.sure.begin
	}
	if s.mayLapse() {
		to = min(to, s.lease.earliest)
	}
	return from, to
}

// A turn is the begin or the end of a certain holding, at an event or its rank. At one event, holdings end
// first, then begin, and then those end whose end is only known to come later.
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

// turnsOf lists the turns of certain holdings in order; place returns the place of an event in that order.
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

// limited reports whether a holding ends with its lease at the latest.
func (s *holding) limited() bool { return s.lease != nil && s.lease.ends }

// lapse returns the time of the end of the lease that ends a holding; Ever: none.
func (s *holding) lapse() int64 {
	if s.limited() {
		return s.lease.last
	}
	return formats.Ever
}

// mayLapse reports whether the lease may end the certain part, as no release certainly ends it.
func (s *holding) mayLapse() bool {
	return s.limited() || s.lease != nil && s.lease.known && !s.released && s.sure.at != formats.None
}

// outlasted reports whether a holding certainly goes on after its lease.
func (l *lease) outlasted(s *holding) bool {
	return l != nil && !l.ends && s.late.at != formats.None && s.late.role == formats.Leaves &&
		l.over(&s.late)
}

// A lease is the lease of a holding. Times are nanoseconds since 1970.
type lease struct {
	known          bool
	ends           bool  // the holding ends with it
	lapsed         bool  // the node's log says that it has ended
	lasts          int64 // nanoseconds; Ever: not given
	earliest, last int64 // it ends between these
	// tried is the end of the latest release that failed, or may not have happened: the node was at work
	// until then.
	tried int64
	at    int32 // the event that began or renewed it
}

// noLease is a lease without any known time.
var noLease = lease{lasts: formats.Ever, earliest: formats.Ever, last: formats.Ever, tried: formats.Never}

// renew starts the lease again at an event, unless it had ended before.
func (l *lease) renew(i *point, x *formats.Grant) {
	if l.over(i) {
		return
	}
	if x.Lasts != formats.Ever {
		l.lasts = x.Lasts
	}
	earliest, last := x.Earliest, x.Last
	if last == formats.Ever {
		if l.lasts == formats.Ever || i.begin == formats.Never || i.end == formats.Ever {
			return
		}
		earliest, last = after(i.begin, l.lasts), after(i.end, l.lasts)
	}
	if !l.known || l.earliest > i.end { // otherwise it may have ended before
		l.earliest = earliest
	}
	l.known, l.last, l.at = true, last, i.at
}

// after returns a time plus a duration, or Ever if that is out of range.
func after(time, lasts int64) int64 { return min(time, formats.Ever-lasts) + lasts }

// miss takes missing lines before an event into account: one may have renewed the lease.
func (l *lease) miss(i *point) {
	if l != nil && l.known && !l.lapsed {
		l.last = formats.Ever
		if l.lasts != formats.Ever {
			l.last = after(i.end, l.lasts)
		}
	}
}

// end lets the holding end with its lease, or as late as its node tried to release it.
func (l *lease) end() {
	if !l.ends {
		l.ends, l.last = true, max(l.last, l.tried)
	}
}

// over reports whether the lease has certainly ended before an event.
func (l *lease) over(i *point) bool { return l != nil && l.known && (l.lapsed || l.last < i.begin) }

// mayBeOver reports whether the lease may have ended before an event.
func (l *lease) mayBeOver(i *point) bool { return l != nil && l.known && l.earliest <= i.end }

// A point is an event without the fields that holdings do not need.
type point struct {
	begin, end int64 // it happened between them
	line       uint32
	at         int32 // its number in the order of its node, or formats.None
	file       uint16
	role       formats.Role
	mark       order.Mark
}

var nothing = point{begin: formats.Never, end: formats.Ever, at: formats.None}

func (m *point) is(x order.Mark) bool { return m.mark&x != 0 }

// tie is the file and line of an event, as one number.
func (m *point) tie() int64 { return int64(m.file)<<32 | int64(m.line) }

// pointOf returns the point of a record that is number at in the order of its node.
func pointOf(r *order.Record, at int32) point {
	return point{r.Begin, r.End, r.Line, at, r.File, r.Role, r.Mark}
}

// Holders are a list of holdings. Lists share their beginnings.
type holders struct {
	before      *holders // nil: none
	first, last *holding
	units       int
	place       int // of the last one in open
}

func (l *holders) with(s *holding, place int) *holders {
	if l == nil {
		return &holders{nil, s, s, int(s.units), place}
	}
	return &holders{l, l.first, s, l.units + int(s.units), place}
}
