package occupancy

import "github.com/atmostk/atmostk/traces/logs/formats"

// A Reading says how the events of nodes make holdings.
type Reading struct {
	Ending Ending
	// Nested: acquisitions of a holder add up. Reentrant: they do not; the holder has to release as often as
	// it has acquired.
	Nested, Reentrant bool
	// Leases: a holding ends with its lease, whatever its node does then. Otherwise a lease ends only
	// holdings that nothing else ends.
	Leases bool
	// Complete: no line is missing.
	Complete bool
	Rules
}

// A lease is the lease of a holding. Times are nanoseconds since 1970.
type lease struct {
	known          bool
	ends           bool  // the holding ends with it
	lapsed         bool  // the node's log says that it has ended
	lasts          int64 // nanoseconds; Ever: not given
	earliest, last int64 // it ends between these
	// tried is the end of the latest failed release at which the lease may have been over: the node was at
	// work until then.
	tried int64
	at    int32 // the event that began or renewed it
}

// limited reports whether a holding ends with its lease at the latest.
func (s *holding) limited() bool { return s.lease != nil && s.lease.ends }

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
		earliest, last = i.begin+l.lasts, i.end+l.lasts
	}
	if !l.known || l.earliest > i.end { // otherwise it may have ended before
		l.earliest = earliest
	}
	l.known, l.last, l.at = true, last, i.at
}

// over reports whether the lease has certainly ended before an event.
func (l *lease) over(i *point) bool { return l != nil && l.known && (l.lapsed || l.last < i.begin) }

// mayBeOver reports whether the lease may have ended before an event.
func (l *lease) mayBeOver(i *point) bool { return l != nil && l.known && l.earliest <= i.end }

// outlasted reports whether a holding certainly goes on after its lease.
func (l *lease) outlasted(s *holding) bool {
	return l != nil && !l.ends && s.late.at != formats.None && s.late.role == formats.Leaves &&
		l.over(&s.late)
}
