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

// Rules are promises of a lock besides its number of units. The zero value promises nothing.
type Rules struct {
	Held    bool // only a holder releases, renews its lease or uses the lock, and not after its lease
	Once    bool // the only unit is not granted to its holder again
	Elects  bool // a holder may be elected again, and each use carries the latest token handed out
	Answers bool // each request has one answer, and what is refused is not free
	Shared  bool // the lock is one of readers and writers, even if nobody reads
}

// regards reports whether events of a role are about a resource.
func (r *Reading) regards(role formats.Role) bool {
	return role.OfLock() || r.Answers && role == formats.Requests
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
