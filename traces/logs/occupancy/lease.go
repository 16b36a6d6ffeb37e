package occupancy

import "github.com/atmostk/atmostk/traces/logs/formats"

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

// miss takes missing lines before an event into account: one may have renewed the lease.
func (l *lease) miss(i *point) {
	if l != nil && l.known && !l.lapsed {
		l.last = formats.Ever
		if l.lasts != formats.Ever && i.end < formats.Ever-l.lasts {
			l.last = i.end + l.lasts
		}
	}
}

// over reports whether the lease has certainly ended before an event.
func (l *lease) over(i *point) bool { return l != nil && l.known && (l.lapsed || l.last < i.begin) }

// mayBeOver reports whether the lease may have ended before an event.
func (l *lease) mayBeOver(i *point) bool { return l != nil && l.known && l.earliest <= i.end }
